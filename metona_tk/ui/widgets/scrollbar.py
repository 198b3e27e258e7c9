"""A thin scroll bar on a Canvas (CTkScrollbar calls update_idletasks in the middle of scrolling)."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any

from metona_tk.ui import theme

WIDTH, THUMB, LEAST = 12, 8, 32


class ThinScrollbar(tk.Canvas):
    """`move` gets the fraction of the whole that shall be the first visible one."""

    def __init__(
        self, master: tk.Misc, move: Callable[[float], object], scale: float, ground: str = "surface-1"
    ) -> None:
        super().__init__(master, width=round(WIDTH * scale), highlightthickness=0, borderwidth=0, takefocus=0)
        theme.paint(self, background=ground)
        self._move, self._scale = move, scale
        self._first, self._last, self._grip = 0.0, 1.0, 0.0
        self._hover = False
        self._thumb = self.create_line(0, 0, 0, 0, capstyle="round", width=round(THUMB * scale))
        self._listener = theme.Listener(self, self._draw)
        for event, action in {
            "<Configure>": self._on_size,
            "<Button-1>": self._on_press,
            "<B1-Motion>": self._on_drag,
            "<Enter>": self._on_enter,
            "<Leave>": self._on_leave,
        }.items():
            self.bind(event, action)

    def show(self, first: float, last: float) -> None:
        """What part of the whole is visible, as in yscrollcommand."""
        if (first, last) != (self._first, self._last):
            self._first, self._last = first, last
            self._draw()

    def _span(self) -> tuple[float, float]:
        height = max(1, self.winfo_height())
        size = max(LEAST * self._scale, (self._last - self._first) * height)
        room = max(0.0, 1.0 - (self._last - self._first))
        top = (self._first / room) * (height - size) if room else 0.0
        return top, top + size

    def _draw(self) -> None:
        if self._last - self._first >= 0.9999:
            self.itemconfigure(self._thumb, state="hidden")
            return
        top, bottom = self._span()
        middle, inset = WIDTH * self._scale / 2, THUMB * self._scale / 2 + 1
        self.coords(self._thumb, middle, top + inset, middle, bottom - inset)
        token = "scroll-hover" if self._hover else "scroll"
        self.itemconfigure(self._thumb, state="normal", fill=theme.colour(token))

    def _on_size(self, _event: tk.Event[Any]) -> None:
        self._draw()

    def _on_press(self, event: tk.Event[Any]) -> None:
        top, bottom = self._span()
        self._grip = event.y - top if top <= event.y <= bottom else (bottom - top) / 2
        self._on_drag(event)

    def _on_drag(self, event: tk.Event[Any]) -> None:
        top, bottom = self._span()
        way = self.winfo_height() - (bottom - top)
        room = 1.0 - (self._last - self._first)
        if way > 0:
            self._move(min(1.0, max(0.0, (event.y - self._grip) / way)) * room)

    def _on_enter(self, _event: tk.Event[Any]) -> None:
        self._hover = True
        self._draw()

    def _on_leave(self, _event: tk.Event[Any]) -> None:
        self._hover = False
        self._draw()
