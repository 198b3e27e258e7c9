"""A button that opens a menu below itself, with `icon` right of its words; the menu is filled each time it opens."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.focus_button import FocusButton, Kind


class MenuButton(FocusButton):
    """`fill` gets the emptied menu; when it leaves it empty, no menu opens."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        text: str,
        fill: Callable[[tk.Menu], None],
        *,
        font: str = "ui",
        kind: Kind = "ghost",
        ground: str = "surface-1",
        icon: str = "",
    ) -> None:
        super().__init__(
            master,
            fonts,
            text,
            self.open,
            kind=kind,
            ground=ground,
            font=font,
            keys=("<space>", "<Return>", "<KP_Enter>", "<Down>"),
            icon=icon,
            icon_side="right",
            icon_token="text-3",
        )
        self._fill = fill
        self.menu = tk.Menu(self, tearoff=False, font=fonts["ui"], borderwidth=1, activeborderwidth=0)
        theme.paint(self.menu, background="surface-2", foreground="text-1", selectcolor="accent")
        theme.paint(self.menu, activebackground="surface-4", activeforeground="text-1", disabledforeground="text-3")

    def refill(self) -> int:
        """Fill the menu as it would be now; returns the number of its entries."""
        self.menu.delete(0, "end")
        self._fill(self.menu)
        last = self.menu.index("end")
        return 0 if last is None else last + 1

    def open(self) -> None:
        """Show the menu with its first entry chosen, so that keys go on from there."""
        if self.refill():
            self.menu.tk_popup(self.winfo_rootx(), self.winfo_rooty() + self.winfo_height(), 0)
