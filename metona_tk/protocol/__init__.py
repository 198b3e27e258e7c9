"""The words that the window (or command line) and the core share: commands in, events out, values in both.

Frozen dataclasses on the standard library alone, without logic. Counterparts: `agent.engine` takes the commands and
emits the events; `ui.dispatcher` and `cli` do the reverse.
"""
