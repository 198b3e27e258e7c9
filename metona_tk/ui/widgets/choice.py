"""One of a few: a button that shows what is chosen and opens a menu of all."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping

from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.menu_button import MenuButton


class Choice(MenuButton):
    """`options` gives the words for each value; `command` gets the value that the user picks, when it is another."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        options: Mapping[str, str],
        command: Callable[[str], object],
        *,
        value: str = "",
        ground: str = "surface-2",
    ) -> None:
        self._labels, self._chosen, self.value = dict(options), command, value
        super().__init__(
            master, fonts, self._words(value), self._fill_options, kind="outline", ground=ground, icon="chevron-down"
        )
        self._variable = "metona_choice"  # of Tcl, for all of them: it is set each time the menu is filled

    def set(self, value: str) -> None:
        """Show `value` without telling anyone."""
        self.value = value
        self.set_text(self._words(value))

    def pick(self, value: str) -> None:
        """Choose it as the user does."""
        if value != self.value:
            self.set(value)
            self._chosen(value)

    def _words(self, value: str) -> str:
        return self._labels.get(value, value)

    def _fill_options(self, menu: tk.Menu) -> None:
        self.setvar(self._variable, self.value)
        for value, words in self._labels.items():
            menu.add_radiobutton(
                label=words,
                variable=self._variable,  # pyright: ignore[reportArgumentType]
                value=value,
                command=lambda value=value: self.pick(value),
            )
