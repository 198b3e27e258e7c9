"""Servers that run models. `base` is what the agent knows of any of them; `ollama` is the first kind."""
