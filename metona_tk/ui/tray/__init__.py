"""The icon in the tray: a process of its own (`helper`), told by the window (`client`) in lines of JSON (`messages`).

A process, because macOS wants the icon on the main thread, where Tk is, and because an error of GTK's connection to the
screen ends its process: the window must not end with a panel.
"""
