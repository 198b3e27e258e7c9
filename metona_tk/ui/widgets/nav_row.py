"""A row of the sidebar: icon, words, and the keys that do the same."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any

from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon
from metona_tk.ui.widgets.rounded import Rounded


class NavRow(Rounded):
    """32 high on surface-0; a ring while it has the focus, Space and Enter press it."""

    def __init__(
        self, master: tk.Misc, fonts: Fonts, picture: str, words: str, command: Callable[[], object], keys: str = ""
    ) -> None:
        super().__init__(master, "surface-0", "surface-0", "surface-0", border=2)
        self.command = command
        px = fonts.px
        self._row = tk.Frame(self, borderwidth=0, height=px(26), takefocus=1, highlightthickness=0)
        self._row.pack_propagate(False)
        self._parts: list[tk.Label] = [
            tk.Label(self._row, image=icon(self, fonts, picture, 16, "text-2")),
            tk.Label(self._row, text=words, font=fonts["ui"], anchor="w"),
            tk.Label(self._row, text=keys, font=fonts["caption"], anchor="e"),
        ]
        for part, token in zip(self._parts, ("text-2", "text-1", "text-3"), strict=True):
            part.configure(borderwidth=0, padx=0, pady=0)
            theme.paint(part, foreground=token)
        self._parts[0].pack(side="left", padx=(px(5), px(8)))
        self._parts[1].pack(side="left")
        self._parts[2].pack(side="right", padx=(0, px(5)))
        self._row.pack(fill="x", padx=3, pady=3)
        self._shade, self._focused = "surface-0", False
        self._ground("surface-0")
        for part in (self._row, *self._parts):
            part.bind("<ButtonRelease-1>", self._released)
        self._row.bind("<Enter>", lambda _event: self._ground("surface-3"))
        self._row.bind("<Leave>", lambda _event: self._ground("surface-0"))
        self._row.bind("<FocusIn>", lambda _event: self._ring(True))
        self._row.bind("<FocusOut>", lambda _event: self._ring(False))
        for key in ("<space>", "<Return>", "<KP_Enter>"):
            self._row.bind(key, self._pressed)

    def press(self) -> None:
        """Do what a click does."""
        self.command()

    def _ground(self, token: str) -> None:
        for part in (self._row, *self._parts):
            theme.paint(part, background=token)
        self._shade = token
        self.configure(fg_color=theme.pair(token))
        self._ring(self._focused)

    def _ring(self, focused: bool) -> None:
        """Without the focus the ground goes to the edge."""
        self._focused = focused
        self.set_line("focus" if focused else self._shade)

    def _released(self, event: tk.Event[Any]) -> None:
        left, top = self._row.winfo_rootx(), self._row.winfo_rooty()
        inside = 0 <= event.x_root - left < self._row.winfo_width()
        if inside and 0 <= event.y_root - top < self._row.winfo_height():
            self.press()

    def _pressed(self, _event: tk.Event[Any]) -> str:
        self.press()
        return "break"
