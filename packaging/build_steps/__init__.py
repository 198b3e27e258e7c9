"""The steps of `build.py`, and what its spec puts into the programs. Standard library only."""
