"""Asks again for a server that does not answer, so that the window finds it by itself when it comes."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

AGAIN = 5000  # ms


class ServerWatch:
    """One timer at most; the next one starts only when the answer to the last question was "not reachable"."""

    def __init__(self, widget: tk.Misc, ask: Callable[[], object], wait: int = AGAIN) -> None:
        self._widget, self._ask, self._wait = widget, ask, wait
        self._timer: str | None = None

    def told(self, reachable: bool) -> None:
        """The server's state is known now."""
        self.stop()
        if not reachable:
            self._timer = self._widget.after(self._wait, self._again)

    def stop(self) -> None:
        """Ask no more."""
        if self._timer is not None:
            self._widget.after_cancel(self._timer)
            self._timer = None

    def _again(self) -> None:
        self._timer = None
        self._ask()
