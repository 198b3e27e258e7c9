"""A box above the composer that says what is amiss and what to do; gone when there is nothing to say."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any

from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon
from metona_tk.ui.widgets.focus_button import FocusButton
from metona_tk.ui.widgets.rounded import Rounded


class Notice(tk.Frame):
    """Text that wraps, and one button. The owner packs it once into a place of its own."""

    def __init__(self, master: tk.Misc, fonts: Fonts, action: str, command: Callable[[], object]) -> None:
        super().__init__(master, borderwidth=0, highlightthickness=0)
        theme.paint(self, background="surface-1")
        self._fonts, self._action, self._command = fonts, action, command
        self.wrapped: Callable[[], object] = lambda: None  # called when its height may be another one
        self._box: Rounded | None = None  # built when there is something to say, so that the start is quick
        self._text = ""
        # An empty frame keeps its last height in pack; one px of nothing lets it shrink.
        self._nothing = tk.Frame(self, height=1, width=1)
        theme.paint(self._nothing, background="surface-1")
        self._nothing.pack()

    def say(self, text: str) -> None:
        """Show `text`, or nothing for ""."""
        if text == self._text:
            return
        self._text = text
        box = self._box or self._build()
        self._label.configure(text=text)
        if text:
            self._nothing.pack_forget()
            box.pack(fill="x")
        else:
            box.pack_forget()
            self._nothing.pack()

    @property
    def text(self) -> str:
        """What it says now."""
        return self._text

    def _build(self) -> Rounded:
        px = self._fonts.px
        box = self._box = Rounded(self, "surface-1", "warn-bg", "warn-line")
        mark = tk.Label(box, image=icon(self, self._fonts, "warning", 16, "warn"), borderwidth=0)
        theme.paint(mark, background="warn-bg")
        self._label = tk.Label(box, font=self._fonts["small"], justify="left", anchor="nw", borderwidth=0, padx=0)
        theme.paint(self._label, background="warn-bg", foreground="text-1")
        self.button = FocusButton(
            box, self._fonts, self._action, self._command, ground="warn-bg", height=24, font="small"
        )
        self.button.pack(side="right", padx=px(6), pady=px(4))
        mark.pack(side="left", padx=(px(11), px(8)))
        self._label.pack(side="left", fill="x", expand=True, pady=px(8))
        self._label.bind("<Configure>", self._wrap)
        return box

    def _wrap(self, event: tk.Event[Any]) -> None:
        self._label.configure(wraplength=max(100, event.width - 2))
        self.wrapped()
