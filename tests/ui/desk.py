"""A bare window with a field to hold the focus, for single widgets and dialogs without a chat around them."""

from __future__ import annotations

import queue
import tkinter as tk
from types import SimpleNamespace
from typing import Any

from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.root import apply_mode, set_scaling
from tests.ui.hands import Hands


class Desk(Hands):
    """`put` shows a widget of ours; `heard` is what its commands were called with."""

    def __init__(self, root: tk.Tk) -> None:
        top = tk.Toplevel(root)
        top.geometry("+40+40")
        theme.paint(top, background="surface-1")
        super().__init__(top, queue.SimpleQueue(), window=SimpleNamespace(status=SimpleNamespace(words="")))
        apply_mode("dark")
        self.fonts = Fonts(top, set_scaling(root))
        self.heard: list[Any] = []
        self.first = tk.Entry(top)
        self.first.pack(padx=20, pady=20)
        self.wait_for(self.first.winfo_viewable)

    def put(self, widget: Any) -> Any:
        widget.pack(padx=20, pady=20)
        self.wait_for(widget.winfo_viewable)
        self.focus(self.first)
        return widget

    def hear(self, value: Any = "pressed") -> None:
        self.heard.append(value)

    def shows_focus(self, widget: tk.Misc) -> None:
        self.wait_for(lambda: self.top.focus_get() is widget, f"the focus on {widget}")

    def drop(self) -> None:
        self.top.destroy()
        apply_mode("dark")
