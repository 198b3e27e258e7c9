"""How well a local model answers questions about files: ours against a plain loop. Run: `python -m tests.evals`."""
