"""A small window without a frame below a control, for what is only looked at; its owner closes it."""

from __future__ import annotations

import contextlib
import tkinter as tk

from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.soon import Soon


class Popup(tk.Toplevel):
    """Fill `inside`, then `show_below` or `show_above`; it never takes the focus."""

    def __init__(self, master: tk.Misc, fonts: Fonts) -> None:
        super().__init__(master, borderwidth=0, takefocus=0)
        self.withdraw()
        self.overrideredirect(True)
        with contextlib.suppress(tk.TclError):  # X11 alone knows kinds of windows
            self.wm_attributes("-type", "popup_menu")
        self._fonts = fonts
        theme.paint(self, background="line-2")
        self.inside = tk.Frame(self, borderwidth=0)
        theme.paint(self.inside, background="surface-2")
        self.inside.pack(fill="both", expand=True, padx=1, pady=1)

    def show_below(self, control: tk.Misc) -> None:
        """Under the control, right edges aligned, inside the screen."""
        Soon(self, lambda: self._below(control))()  # when what it holds has been measured

    def show_above(self, control: tk.Misc) -> None:
        """Over the control, left edges aligned."""
        Soon(self, lambda: self._above(control))()

    def _below(self, control: tk.Misc) -> None:
        left = control.winfo_rootx() + control.winfo_width() - self.inside.winfo_reqwidth() - 2
        self._show(left, control.winfo_rooty() + control.winfo_height() + self._fonts.px(4))

    def _above(self, control: tk.Misc) -> None:
        height = self.inside.winfo_reqheight() + 2
        self._show(control.winfo_rootx(), control.winfo_rooty() - height - self._fonts.px(4))

    def _show(self, left: int, top: int) -> None:
        right = self.winfo_screenwidth() - self.inside.winfo_reqwidth() - 2
        self.geometry(f"+{max(0, min(left, right))}+{max(0, top)}")
        self.deiconify()
        self.lift()
