"""The command line: complete enough to work without the window. It meets the core by the same commands and events."""
