"""A question of the program's inside the page: words, and a button for each choice."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping

from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon
from metona_tk.ui.widgets.focus_button import FocusButton
from metona_tk.ui.widgets.rounded import Rounded


class ChoiceBar(Rounded):
    """`choices`: key to word; the first one is on the left. `choose` gets the key, once."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        words: str,
        choices: Mapping[str, str],
        choose: Callable[[str], object],
    ) -> None:
        super().__init__(master, "surface-1", "surface-2", "warn-line")
        self._fonts = fonts
        px = fonts.px
        self._label = tk.Label(self, text=words, font=fonts["ui"], justify="left", anchor="w", borderwidth=0)
        theme.paint(self._label, background="surface-2", foreground="text-1")
        self._strut = tk.Frame(self, height=1, borderwidth=0)  # what gives it its width
        theme.paint(self._strut, background="surface-2")
        self._strut.pack(side="top", padx=3, pady=(3, 0))
        self.buttons: dict[str, FocusButton] = {}
        for key, word in reversed(list(choices.items())):
            button = FocusButton(
                self, fonts, word, lambda key=key: choose(key), ground="surface-2", height=24, font="small"
            )
            button.pack(side="right", padx=(0, 0 if self.buttons else px(6)), pady=(px(2), px(6)))
            self.buttons[key] = button
        mark = tk.Label(self, image=icon(self, fonts, "hourglass", 16, "warn"), borderwidth=0)
        theme.paint(mark, background="surface-2")
        mark.pack(side="left", padx=(px(11), px(7)), pady=(px(4), px(8)))
        self._label.pack(side="left", fill="x", expand=True, pady=(px(4), px(8)))

    def fit(self, width: int) -> None:
        """Be so wide; the words wrap."""
        self._strut.configure(width=width - 6)
        taken = sum(button.winfo_reqwidth() for button in self.buttons.values())
        self._label.configure(wraplength=max(self._fonts.px(160), width - taken - self._fonts.px(72)))
