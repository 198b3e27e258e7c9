"""The few widgets of our own, and the only contact with CustomTkinter's untyped classes."""
