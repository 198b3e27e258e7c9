"""Rows of a question: a label, and words that wrap and can be selected, never more than a few lines high."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

from metona_tk.ui import theme
from metona_tk.ui.chat.spans import Span, escaping, wrapping
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.previews import tags
from metona_tk.ui.widgets.scrollbar import ThinScrollbar
from metona_tk.ui.widgets.text_size import display_lines

LABEL, MOST_ROWS = 92, 8  # px, lines


class WrappedText(tk.Frame):
    """Words in a plain Text that is as high as it needs, up to `most` lines; beyond that it scrolls."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        spans: Sequence[Span],
        font: str = "ui",
        ground: str = "surface-1",
        most: int = MOST_ROWS,
    ) -> None:
        super().__init__(master, borderwidth=0)
        theme.paint(self, background=ground)
        self._fonts, self._most = fonts, most
        self.text = self._make(font, ground)
        self._bar = ThinScrollbar(self, self.text.yview_moveto, fonts.scale, ground)
        self._bar.configure(height=1)
        self.text.configure(yscrollcommand=lambda first, last: self._bar.show(float(first), float(last)))
        self._listener = theme.Listener(self, lambda: tags.apply_inline(self.text, fonts))
        tags.apply_inline(self.text, fonts)
        # Chinese has no blanks to break at: it may break anywhere
        self.text.tag_configure("cjk", wrap="char")
        tags.write(self.text, fonts, [part for text, own in spans for part in wrapping(text, *own)])
        self._bar.pack(side="right", fill="y")
        self.text.pack(side="left", fill="x", expand=True)
        self.text.bind("<Configure>", lambda _event: self._fit())

    def _make(self, font: str, ground: str) -> tk.Text:
        gap = self._fonts.spacing(font)
        text = tk.Text(
            self,
            wrap="word",
            height=1,
            width=1,
            borderwidth=0,
            highlightthickness=0,
            font=self._fonts[font],
            spacing1=gap.above,
            spacing2=gap.between,
            spacing3=gap.below,
            takefocus=0,
            cursor="",
        )
        theme.paint(text, background=ground, foreground="text-1")
        theme.paint(text, selectbackground="select-bg", selectforeground="select-text")
        return text

    def _fit(self) -> None:
        wanted = min(self._most, display_lines(self.text))
        if wanted != int(str(self.text.cget("height"))):
            self.text.configure(height=wanted)


class Facts(tk.Frame):
    """The rows, in the order in which they are added; `texts` are their words."""

    def __init__(self, master: tk.Misc, fonts: Fonts) -> None:
        super().__init__(master, borderwidth=0)
        theme.paint(self, background="surface-1")
        self._fonts = fonts
        self.texts: list[tk.Text] = []

    def add(self, label: str, words: str, font: str = "ui") -> None:
        """A row of words that went through `visible`."""
        self.add_spans(label, escaping(words, "mono") if font == "path" else escaping(words))

    def add_spans(self, label: str, spans: Sequence[Span]) -> None:
        """A row of words with tags. Paths too are measured by the font of words, which is the higher one."""
        px = self._fonts.px
        row = tk.Frame(self, borderwidth=0)
        theme.paint(row, background="surface-1")
        name = tk.Label(row, text=label, font=self._fonts["small"], anchor="nw", borderwidth=0)
        theme.paint(name, background="surface-1", foreground="text-3")
        name.place(x=0, y=px(2), width=px(LABEL))
        value = WrappedText(row, self._fonts, spans)
        value.pack(fill="x", padx=(px(LABEL), 0))
        row.pack(fill="x", pady=px(2))
        self.texts.append(value.text)
