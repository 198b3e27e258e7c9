"""The steps of `bootstrap.py`: find a Python, make `.venv`, start the program or its tests. Standard library only."""
