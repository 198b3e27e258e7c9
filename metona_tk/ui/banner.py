"""The red line over the page of a chat that changes files without asking."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon
from metona_tk.ui.widgets.focus_button import FocusButton
from metona_tk.ui.wording import cut_end


class Banner(tk.Frame):
    """The owner packs it while the shown chat is in automatic mode; `command` is the way back."""

    def __init__(self, master: tk.Misc, fonts: Fonts, command: Callable[[], object]) -> None:
        super().__init__(master, borderwidth=0)
        theme.paint(self, background="danger-bg")
        px = fonts.px
        self._fonts = fonts
        line = tk.Frame(self, height=1, borderwidth=0)
        theme.paint(line, background="danger-line")
        line.pack(side="bottom", fill="x")
        mark = tk.Label(self, image=icon(self, fonts, "warning", 16, "danger"), borderwidth=0)
        head = tk.Label(self, text=tr("Automatic mode."), font=fonts["label"], borderwidth=0, padx=0)
        self._rest = tk.Label(self, font=fonts["ui"], borderwidth=0, padx=0, anchor="w")
        for label in (mark, head, self._rest):
            theme.paint(label, background="danger-bg")
        for label in (head, self._rest):
            theme.paint(label, foreground="text-1")
        self.button = FocusButton(
            self, fonts, tr("Ask before changes"), command, ground="danger-bg", kind="outline", height=24, font="small"
        )
        self.button.pack(side="right", padx=(px(8), px(10)), pady=px(2))
        mark.pack(side="left", padx=(px(12), px(8)))
        head.pack(side="left")
        self._rest.pack(side="left", fill="x", expand=True, padx=(px(6), 0))
        self._rest.bind("<Configure>", self._cut)

    def _cut(self, event: tk.Event[Any]) -> None:
        words = tr("Changes that can be undone run without asking, in this chat, until Metona ends.")
        self._rest.configure(text=cut_end(words, event.width, self._fonts["ui"].measure))
