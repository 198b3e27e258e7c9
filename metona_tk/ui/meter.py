"""How full the context window is: a bar and a number in the header, and of what, in a small window on a click."""

from __future__ import annotations

import tkinter as tk
from typing import Any

from metona_tk.i18n import N_, tr
from metona_tk.protocol.values import ContextUse
from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.popup import Popup

BAR, HEIGHT, NEARLY = (56, 4), 32, 0.85
_PARTS: tuple[tuple[str, str, str], ...] = (  # field, words, token of its colour
    ("system", N_("Instructions"), "syn-keyword"),
    ("tools", N_("Tools"), "syn-func"),
    ("files", N_("Text from files"), "warn"),
    ("history", N_("Questions and answers"), "ok"),
    ("answer", N_("This answer"), "accent-text"),
)


def count_words(tokens: int) -> str:
    """A number of tokens, short: 812, 3.4k, 24k."""
    if tokens < 1000:
        return str(tokens)
    return f"{tokens / 1000:.1f}k" if tokens < 10_000 else f"{tokens // 1000}k"


class Meter(tk.Frame):
    """Space, Enter and a click open the ledger. Nothing is shown before anything was measured."""

    def __init__(self, master: tk.Misc, fonts: Fonts) -> None:
        super().__init__(master, borderwidth=0, takefocus=0, highlightthickness=2, height=fonts.px(HEIGHT))
        theme.paint(self, background="surface-1", highlightbackground="surface-1", highlightcolor="focus")
        self._fonts = fonts
        self.use = ContextUse()
        self._popup: Popup | None = None
        px = fonts.px
        self._bar = tk.Canvas(self, width=px(BAR[0]), height=px(BAR[1]), borderwidth=0, highlightthickness=0)
        self._words = tk.Label(self, font=fonts["small"], borderwidth=0, padx=0)
        theme.paint(self._bar, background="surface-4")
        theme.paint(self._words, background="surface-1", foreground="text-2")
        for part in (self, self._bar, self._words):
            part.bind("<Button-1>", self._pressed)
        for key in ("<space>", "<Return>", "<KP_Enter>"):
            self.bind(key, self._pressed)
        self.bind("<Escape>", self._closed)
        self.bind("<FocusOut>", self._closed, add=True)
        self._listener = theme.Listener(self, self._draw)

    def show(self, use: ContextUse, short: bool = False) -> None:
        """Draw what is measured; `short` leaves the size of the window out."""
        self.use = use
        if not use.window:
            self._bar.pack_forget()
            self._words.pack_forget()
            self.configure(takefocus=0)
            return
        share = min(100, round(100 * use.used / use.window))
        whole = tr("{share} % of {size}", share=share, size=count_words(use.window))
        self._words.configure(text=tr("{share} %", share=share) if short else whole)
        if not self._bar.winfo_manager():
            self._bar.pack(side="left", padx=(self._fonts.px(6), self._fonts.px(8)))
            self._words.pack(side="left", padx=(0, self._fonts.px(6)), pady=self._fonts.px(4))
        self.configure(takefocus=1)
        self._draw()

    @property
    def words(self) -> str:
        """What stands beside the bar."""
        return str(self._words.cget("text")) if self._words.winfo_manager() else ""

    def _draw(self) -> None:
        if not self.use.window:
            return
        px = self._fonts.px
        share = min(1.0, self.use.used / self.use.window)
        self._bar.delete("all")
        token = "warn" if share >= NEARLY else "accent-text"
        self._bar.create_rectangle(0, 0, round(px(BAR[0]) * share), px(BAR[1]), fill=theme.colour(token), width=0)

    def rows(self) -> list[tuple[str, int, str]]:
        """The ledger: words, tokens and colour of each part, and what is left."""
        parts = [(tr(words), int(getattr(self.use, name)), token) for name, words, token in _PARTS]
        return [*parts, (tr("Free"), max(0, self.use.window - self.use.used), "surface-4")]

    def _pressed(self, _event: tk.Event[Any]) -> str:
        if self._popup is not None:
            self._close()
        elif self.use.window:
            self.focus_set()
            self._popup = Popup(self, self._fonts)
            self._fill(self._popup.inside)
            self._popup.show_below(self)
        return "break"

    def _fill(self, box: tk.Frame) -> None:
        px = self._fonts.px
        title = tk.Label(box, text=tr("What the model has before it"), font=self._fonts["label"], borderwidth=0, padx=0)
        theme.paint(title, background="surface-2", foreground="text-1")
        box.grid_columnconfigure(1, weight=1)
        title.grid(row=0, column=0, columnspan=3, sticky="w", padx=px(12), pady=(px(8), px(4)))
        for at, (words, tokens, token) in enumerate(self.rows(), 1):
            mark = tk.Frame(box, width=px(10), height=px(10), borderwidth=0)
            theme.paint(mark, background=token)
            name = tk.Label(box, text=words, font=self._fonts["small"], anchor="w", borderwidth=0)
            count = tk.Label(box, text=f"{tokens:,}", font=self._fonts["small"], anchor="e", borderwidth=0)
            theme.paint(name, background="surface-2", foreground="text-2")
            theme.paint(count, background="surface-2", foreground="text-1")
            mark.grid(row=at, column=0, sticky="w", padx=(px(12), px(8)))
            name.grid(row=at, column=1, sticky="w", pady=px(2))
            count.grid(row=at, column=2, sticky="e", padx=(px(24), px(12)), pady=px(2))
        foot = tr("{count} tokens in all; when it is full, the oldest go first.", count=f"{self.use.window:,}")
        last = tk.Label(box, text=foot, font=self._fonts["small"], padx=0, borderwidth=0)
        theme.paint(last, background="surface-2", foreground="text-3")
        last.grid(row=99, column=0, columnspan=3, sticky="w", padx=px(12), pady=(px(4), px(8)))

    def _closed(self, _event: tk.Event[Any]) -> None:
        self._close()

    def _close(self) -> None:
        if self._popup is not None:
            self._popup.destroy()
            self._popup = None
