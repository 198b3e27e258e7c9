"""Starting other programs, and walling them in. `launch` is the only module that may do so."""
