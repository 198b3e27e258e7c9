"""A small grey box that says what something is or can: an icon and a word."""

from __future__ import annotations

import tkinter as tk

from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon
from metona_tk.ui.widgets.rounded import Rounded
from metona_tk.ui.widgets.tooltip import Tooltip

HEIGHT, PADDING, CORNER = 20, 6, 4  # px


class Badge(Rounded):
    """20 high. Where there is little room `show_word(False)` leaves the icon, and the tooltip has the word."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        name: str,
        word: str,
        *,
        ground: str = "surface-1",
        inside: str = "surface-3",
        token: str = "text-3",
    ) -> None:
        super().__init__(master, ground, inside, inside, border=0, corner=CORNER)
        self._fonts, self._word = fonts, word
        self.tooltip = Tooltip(self, fonts, "")
        # A strut, since a frame is as high as what it holds.
        strut = tk.Frame(self, width=1, height=fonts.px(HEIGHT), borderwidth=0)
        theme.paint(strut, background=inside)
        strut.pack(side="left", padx=(fonts.px(PADDING) - 1, 0))
        if name:
            image = tk.Label(self, image=icon(self, fonts, name, 14, token), borderwidth=0, padx=0, pady=0)
            theme.paint(image, background=inside)
            image.pack(side="left", padx=(0, fonts.px(PADDING)))
        self._label = tk.Label(self, text=word, font=fonts["caption"], borderwidth=0, padx=0, pady=0)
        theme.paint(self._label, background=inside, foreground=token)
        self._label.pack(side="left", padx=(0, fonts.px(PADDING)))

    @property
    def word(self) -> str:
        """What it says, whether there is room for it or not."""
        return self._word

    def show_word(self, show: bool) -> None:
        """With its word or without."""
        self.tooltip.text = "" if show else self._word
        if show:
            self._label.pack(side="left", padx=(0, self._fonts.px(PADDING)))
        else:
            self._label.pack_forget()
