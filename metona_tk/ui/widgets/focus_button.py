"""A button that the keyboard reaches, with a ring when it has the focus (CTkButton has neither)."""
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any, Literal

import customtkinter as ctk

from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.theme import pair
from metona_tk.ui.widgets.rounded import Rounded

Kind = Literal["primary", "default", "outline", "ghost"]
_LOOKS: dict[Kind, tuple[str, str, str, str]] = {  # ground ("" = that of the parent), hover, border, text
    "primary": ("accent", "accent-hover", "accent", "on-accent"),
    "default": ("surface-3", "surface-4", "line-2", "text-1"),
    "outline": ("surface-1", "surface-2", "line-2", "text-1"),
    "ghost": ("", "surface-3", "", "text-1"),
}


class FocusButton(tk.Frame):
    """`keys` are what presses it while it has the focus; "" when no key may (the Allow of a question)."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        text: str,
        command: Callable[[], object],
        *,
        kind: Kind = "default",
        ground: str = "surface-1",
        keys: tuple[str, ...] = ("<space>", "<Return>", "<KP_Enter>"),
        width: int = 0,
        height: int = 32,
        font: str = "ui",
    ) -> None:
        super().__init__(master, takefocus=1, borderwidth=0, highlightthickness=0)
        theme.paint(self, background=ground)
        self._ground, self.command, self._text = ground, command, text
        self._ring = Rounded(self, ground, ground, ground, border=2)
        self._ring.pack(fill="both", expand=True)
        self._button = ctk.CTkButton(
            self._ring,
            width=width,
            height=height,
            corner_radius=6,
            text=text,
            font=fonts.flat(font),
            command=self.press,
        )
        self._button.pack(padx=3, pady=3, fill="both", expand=True)
        self.look(kind)
        self.bind("<FocusIn>", lambda _event: self._ring.set_line("focus"))
        self.bind("<FocusOut>", lambda _event: self._ring.set_line(self._ground))
        for key in keys:
            self.bind(key, self._key)

    def look(self, kind: Kind) -> None:
        """Draw it as one of the kinds."""
        inside, hover, line, text = _LOOKS[kind]
        self._button.configure(
            fg_color=pair(inside or self._ground),
            hover_color=pair(hover),
            border_color=pair(line or self._ground),
            border_width=1 if line else 0,
            text_color=pair(text),
        )

    def set_text(self, text: str) -> None:
        """Give it another word."""
        self._text = text
        self._button.configure(text=text)

    @property
    def text(self) -> str:
        """The word that it shows."""
        return self._text

    def press(self) -> None:
        """Do what a click does."""
        self.command()

    def _key(self, _event: tk.Event[Any]) -> str:
        self.press()
        return "break"
