"""Metona TK: a local language model works on the user's own files, under the user's eyes."""

__version__ = "0.1.0"
