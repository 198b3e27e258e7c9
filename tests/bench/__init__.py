"""Measurements, each with its yardstick in the same run: `python -m tests.bench [NAME...]` prints JSON lines."""
