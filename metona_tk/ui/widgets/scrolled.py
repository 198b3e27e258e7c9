"""A frame that scrolls up and down when its contents are higher than it is."""

from __future__ import annotations

import sys
import tkinter as tk
from collections.abc import Callable
from typing import Any

from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.scrollbar import ThinScrollbar

NOTCH = 60  # px for one notch of the wheel
_UNIT = 1 if sys.platform == "darwin" else 120  # what Tk counts one notch as


class Scrolled(tk.Frame):
    """Put the contents into `inner`. `listen` lets the wheel, the keys and the focus of a whole window move it;
    `moved` is called after it did.
    """

    def __init__(self, master: tk.Misc, fonts: Fonts, ground: str = "surface-1") -> None:
        super().__init__(master, borderwidth=0, highlightthickness=0)
        theme.paint(self, background=ground)
        self._fonts = fonts
        self._canvas = tk.Canvas(self, borderwidth=0, highlightthickness=0, takefocus=0, width=1, height=1)
        self._canvas.configure(yscrollincrement=1)
        theme.paint(self._canvas, background=ground)
        self.inner = tk.Frame(self._canvas, borderwidth=0, highlightthickness=0)
        theme.paint(self.inner, background=ground)
        self._item = self._canvas.create_window(0, 0, anchor="nw", window=self.inner)
        self._bar = ThinScrollbar(self, self._canvas.yview_moveto, fonts.scale, ground)
        self._canvas.configure(yscrollcommand=self._on_moved)
        self.moved: Callable[[], object] = lambda: None
        self._bar.pack(side="right", fill="y")
        self._canvas.pack(side="left", fill="both", expand=True)
        self._canvas.bind("<Configure>", self._resized)
        self.inner.bind("<Configure>", lambda _event: self._measure())

    def listen(self, top: tk.Misc) -> None:
        """Follow the wheel, Page Up and Down, and the focus within `top`."""
        top.bind("<MouseWheel>", lambda event: self._wheel(-event.delta / _UNIT), add=True)
        if top.tk.call("tk", "windowingsystem") == "x11":
            top.bind("<Button-4>", lambda _event: self._wheel(-1), add=True)
            top.bind("<Button-5>", lambda _event: self._wheel(1), add=True)
        top.bind("<Prior>", lambda _event: self.by(-self._canvas.winfo_height() + NOTCH), add=True)
        top.bind("<Next>", lambda _event: self.by(self._canvas.winfo_height() - NOTCH), add=True)
        top.bind("<FocusIn>", lambda event: self.see(event.widget), add=True)

    @property
    def at(self) -> int:
        """How many px are above what is seen."""
        return int(self._canvas.canvasy(0))

    def to(self, place: int) -> None:
        """Show what is `place` px from the top of the contents at the top, as far as there is room."""
        most = max(0, self.inner.winfo_reqheight() - self._canvas.winfo_height())
        self._canvas.yview_moveto(min(max(0, place), most) / max(1, self.inner.winfo_reqheight()))

    def by(self, distance: float) -> None:
        """Scroll by so many px."""
        self.to(self.at + round(distance))

    def place_of(self, widget: tk.Misc) -> int:
        """How far below the top of the contents a widget in it begins."""
        return widget.winfo_rooty() - self.inner.winfo_rooty()

    def see(self, widget: Any) -> None:
        """Scroll as little as needed for a widget of the contents to be seen whole, with some room around it."""
        if not str(widget).startswith(f"{self.inner}."):
            return
        margin, top = self._fonts.px(16), self.place_of(widget)
        bottom = top + widget.winfo_height() + margin
        if top - margin < self.at:
            self.to(top - margin)
        elif bottom > self.at + self._canvas.winfo_height():
            self.to(bottom - self._canvas.winfo_height())

    def _on_moved(self, first: float, last: float) -> None:
        self._bar.show(float(first), float(last))  # Tk gives words
        self.moved()

    def _wheel(self, notches: float) -> None:
        self.by(notches * self._fonts.px(NOTCH))

    def _resized(self, event: tk.Event[Any]) -> None:
        self._canvas.itemconfigure(self._item, width=event.width)
        self._measure()

    def _measure(self) -> None:
        self._canvas.configure(scrollregion=(0, 0, 1, self.inner.winfo_reqheight()))
        self.to(self.at)
