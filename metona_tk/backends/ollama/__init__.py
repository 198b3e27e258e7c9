"""The Ollama protocol as it really is: read from ollama/ollama fb307609 and checked against a real server."""
