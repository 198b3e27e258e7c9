"""Something to be done once Tk is idle, after it has laid out what was changed."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any


class Soon:
    """Call it as often as needed: `action` runs once for all calls, and not at all when `widget` is gone by then.

    A bare after_idle whose widget is destroyed first ends in a background error of Tk's.
    """

    def __init__(self, widget: tk.Misc, action: Callable[[], object]) -> None:
        self._widget, self._action = widget, action
        self._waiting = ""
        widget.bind("<Destroy>", self._gone, add=True)

    def __call__(self) -> None:
        if not self._waiting:
            self._waiting = self._widget.after_idle(self._run)

    def _run(self) -> None:
        self._waiting = ""
        self._action()

    def _gone(self, event: tk.Event[Any]) -> None:
        if event.widget is self._widget and self._waiting:  # a Toplevel hears of its children too
            self._widget.after_cancel(self._waiting)
            self._waiting = ""
