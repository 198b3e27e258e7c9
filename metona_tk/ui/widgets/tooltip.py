"""A few words below a control that the mouse rests on; they never take the focus."""

from __future__ import annotations

import contextlib
import tkinter as tk
from typing import Any

from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts

DELAY = 500  # ms
WIDEST = 320  # px; then the words wrap


class Tooltip:
    """`text` is already in the user's language; it may be changed at any time, and "" shows nothing."""

    def __init__(self, widget: tk.Misc, fonts: Fonts, text: str) -> None:
        self.text = text
        self._widget, self._fonts = widget, fonts
        self._timer = ""
        self.window: tk.Toplevel | None = None
        widget.bind("<Enter>", self._enter, add=True)
        for event in ("<Leave>", "<ButtonPress>", "<Key>", "<Unmap>", "<Destroy>"):
            widget.bind(event, self._leave, add=True)

    def _enter(self, _event: tk.Event[Any]) -> None:
        self.hide()
        self._timer = self._widget.after(DELAY, self._show)

    def _leave(self, _event: tk.Event[Any]) -> None:
        self.hide()

    def hide(self) -> None:
        """Take the words away, or do not let them come."""
        if self._timer:
            self._widget.after_cancel(self._timer)
            self._timer = ""
        if self.window is not None:
            self.window.destroy()
            self.window = None

    def _show(self) -> None:
        self._timer = ""
        if not self.text or not theme.alive(self._widget):
            return
        px = self._fonts.px
        self.window = window = tk.Toplevel(self._widget, borderwidth=1, relief="flat", takefocus=0)
        window.withdraw()
        window.overrideredirect(True)
        with contextlib.suppress(tk.TclError):  # X11 alone knows kinds of windows
            window.wm_attributes("-type", "tooltip")
        theme.paint(window, background="line-2")
        label = tk.Label(window, text=self.text, font=self._fonts["small"], justify="left", borderwidth=0)
        label.configure(padx=px(8), pady=px(4), wraplength=px(WIDEST))
        theme.paint(label, background="surface-3", foreground="text-1")
        label.pack()
        window.geometry(self._place(label.winfo_reqwidth() + 2, label.winfo_reqheight() + 2))
        window.deiconify()
        window.lift()

    def _place(self, width: int, height: int) -> str:
        """Below the control and inside the screen; above it where there is no room below."""
        widget, gap = self._widget, self._fonts.px(4)
        left = widget.winfo_rootx() + (widget.winfo_width() - width) // 2
        left = max(0, min(left, widget.winfo_screenwidth() - width))
        top = widget.winfo_rooty() + widget.winfo_height() + gap
        if top + height > widget.winfo_screenheight():
            top = widget.winfo_rooty() - height - gap
        return f"+{left}+{top}"
