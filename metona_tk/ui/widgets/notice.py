"""A band above the composer that says what is amiss and what to do; gone when there is nothing to say."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any

from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.focus_button import FocusButton


class Notice(tk.Frame):
    """Text that wraps, and one button. The owner packs it once into a place of its own."""

    def __init__(self, master: tk.Misc, fonts: Fonts, action: str, command: Callable[[], object]) -> None:
        super().__init__(master, borderwidth=0, highlightthickness=0)
        theme.paint(self, background="surface-1")
        self._box = tk.Frame(self, borderwidth=0, highlightthickness=0)
        self._label = tk.Label(self._box, font=fonts["small"], justify="left", anchor="w", borderwidth=0)
        theme.paint(self._box, background="warn-bg")
        theme.paint(self._label, background="warn-bg", foreground="text-1")
        self._button = FocusButton(self._box, fonts, action, command, ground="warn-bg", height=24, font="small")
        self._button.pack(side="right", padx=fonts.px(8), pady=fonts.px(2))
        self._label.pack(side="left", fill="both", expand=True, padx=fonts.px(12), pady=fonts.px(8))
        self._label.bind("<Configure>", self._wrap)
        # An empty frame keeps its last height in pack; one px of nothing lets it shrink.
        self._nothing = tk.Frame(self, height=1, width=1)
        theme.paint(self._nothing, background="surface-1")
        self._nothing.pack()

    def say(self, text: str) -> None:
        """Show `text`, or nothing for ""."""
        if text and text != self.text:
            self._label.configure(text=text)
        if text and not self._box.winfo_manager():
            self._nothing.pack_forget()
            self._box.pack(fill="x")
        elif not text and self._box.winfo_manager():
            self._label.configure(text="")
            self._box.pack_forget()
            self._nothing.pack()

    @property
    def text(self) -> str:
        """What it says now."""
        return str(self._label.cget("text"))

    @property
    def button(self) -> FocusButton:
        """Its one button."""
        return self._button

    def _wrap(self, event: tk.Event[Any]) -> None:
        self._label.configure(wraplength=max(100, event.width - 2))
