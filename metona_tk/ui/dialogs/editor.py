"""Where the user changes what would be written, before allowing it."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from metona_tk.ui import theme
from metona_tk.ui.dialogs.end_watch import EndWatch
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.scrollbar import ThinScrollbar


class Editor(tk.Frame):
    """Plain text with undo. `on_change` is called after each change; seeing its end counts for `watch`'s owner, too."""

    def __init__(
        self, master: tk.Misc, fonts: Fonts, words: str, on_change: Callable[[], object], watch: EndWatch
    ) -> None:
        super().__init__(master, borderwidth=0)
        theme.paint(self, background="surface-1")
        self._on_change = on_change
        gap, px = fonts.spacing("code"), fonts.px
        self.text = tk.Text(
            self,
            wrap="char",
            undo=True,
            borderwidth=0,
            highlightthickness=1,
            width=1,
            height=1,
            font=fonts["code"],
            padx=px(12),
            pady=px(4),
            spacing1=gap.above,
            spacing2=gap.between,
            spacing3=gap.below,
        )
        theme.paint(self.text, background="surface-1", foreground="text-1", insertbackground="accent")
        theme.paint(self.text, selectbackground="select-bg", selectforeground="select-text")
        theme.paint(self.text, highlightbackground="surface-1", highlightcolor="focus")
        self._bar = ThinScrollbar(self, self.text.yview_moveto, fonts.scale)
        self.watch = EndWatch(self.text, watch.count)
        self.text.configure(yscrollcommand=self._scrolled)
        self.text.insert("1.0", words)
        self.text.edit_reset()
        self.text.edit_modified(False)
        self.text.bind("<<Modified>>", lambda _event: self._modified())
        self._bar.pack(side="right", fill="y")
        self.text.pack(side="left", fill="both", expand=True)
        self.text.mark_set("insert", "1.0")
        self.watch.begin()

    def get(self) -> str:
        """What is written."""
        return self.text.get("1.0", "end-1c")

    def _scrolled(self, first: float, last: float) -> None:
        self._bar.show(float(first), float(last))
        self.watch.look()

    def _modified(self) -> None:
        if self.text.edit_modified():
            self.text.edit_modified(False)
            self._on_change()
