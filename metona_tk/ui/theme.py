"""The colours of the window, by token, in the mode that is in use; `palette` has the table.

`pair` is for CustomTkinter, which switches by itself; `paint` does the same for plain tk widgets.
"""

from __future__ import annotations

import tkinter as tk
import weakref
from collections.abc import Callable

from metona_tk.ui.palette import TOKENS, Mode

_mode: list[Mode] = ["dark"]
_painted: weakref.WeakKeyDictionary[tk.Misc, dict[str, str]] = weakref.WeakKeyDictionary()
_listeners: weakref.WeakSet[Listener] = weakref.WeakSet()


class Listener:
    """Something that has to draw itself anew when the mode changes; it is forgotten with its last reference."""

    def __init__(self, widget: tk.Misc, redraw: Callable[[], None]) -> None:
        self.widget, self.redraw = widget, redraw
        _listeners.add(self)


def mode() -> Mode:
    """The mode in use."""
    return _mode[0]


def set_mode(wanted: Mode) -> None:
    """Use `wanted` and colour everything that `paint` knows anew."""
    _mode[0] = wanted
    for widget, options in list(_painted.items()):
        _apply(widget, options)
    for listener in list(_listeners):
        if alive(listener.widget):
            listener.redraw()


def colour(token: str) -> str:
    """The token's colour in the mode in use."""
    dark, light = TOKENS[token]
    return dark if _mode[0] == "dark" else light


def pair(token: str) -> tuple[str, str]:
    """(light, dark), as CustomTkinter takes them."""
    dark, light = TOKENS[token]
    return light, dark


def paint(widget: tk.Misc, **options: str) -> None:
    """Set colour options of a plain tk widget by token, now and after each change of mode."""
    _painted.setdefault(widget, {}).update(options)
    _apply(widget, options)


def alive(widget: tk.Misc) -> bool:
    """Whether the widget still exists."""
    try:
        return bool(widget.winfo_exists())
    except tk.TclError:  # its whole application is gone
        return False


def _apply(widget: tk.Misc, options: dict[str, str]) -> None:
    if alive(widget):
        widget.configure({option: colour(token) for option, token in options.items()})
