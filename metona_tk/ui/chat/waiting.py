"""What a waiting card shows of its question: the first lines of the change or the place, and the way to all of it."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from metona_tk.i18n import tr
from metona_tk.protocol.changes import ChangePreview
from metona_tk.protocol.values import OutsidePreview, Preview
from metona_tk.ui import theme
from metona_tk.ui.chat.change_card import SEEN, preview_rows
from metona_tk.ui.chat.spans import escaping
from metona_tk.ui.chat.style import SIDE
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.previews import tags
from metona_tk.ui.previews.words import change_spans, contents_spans, main_items, title
from metona_tk.ui.visible import visible
from metona_tk.ui.widgets.focus_button import FocusButton
from metona_tk.ui.widgets.text_size import pixels
from metona_tk.ui.wording import cut_end, cut_middle

_GROUND = "surface-2"


class Waiting(tk.Frame):
    """Packed below the head of a live card."""

    def __init__(self, master: tk.Misc, fonts: Fonts, preview: Preview, review: Callable[[], object]) -> None:
        super().__init__(master, borderwidth=0)
        theme.paint(self, background=_GROUND)
        self._fonts, self._preview = fonts, preview
        self._rows: tk.Text | None = None
        if isinstance(preview, ChangePreview):
            self._add_rows(preview)
        rule = tk.Frame(self, height=1, borderwidth=0)
        theme.paint(rule, background="line-1")
        rule.pack(fill="x")
        self._add_foot(review)

    def _add_rows(self, preview: ChangePreview) -> None:
        rows = preview_rows(preview)[:SEEN]
        px = self._fonts.px
        text = self._rows = tk.Text(
            self,
            wrap="none",
            width=1,
            height=1,
            borderwidth=0,
            highlightthickness=0,
            padx=0,
            pady=px(4),
            takefocus=0,
            cursor="",
            font=(self._fonts.families["sans"], -1),
        )
        theme.paint(text, background="code-bg", foreground="text-1")
        tags.write(text, self._fonts, tags.row_spans(rows))
        strut = self._strut = tk.Frame(self, borderwidth=0, height=px(20) * len(rows) + px(8))
        theme.paint(strut, background="code-bg")
        strut.pack_propagate(False)
        text.pack(in_=strut, fill="both", expand=True)
        text.lift()
        strut.pack(fill="x", padx=px(SIDE) - 3, pady=(0, px(6)))
        text.bind("<Configure>", lambda _event: self._style())
        self._listener = theme.Listener(self, self._style)

    def _style(self) -> None:
        if self._rows is not None:
            tags.apply(self._rows, self._fonts, max(1, self._rows.winfo_width()))
            self._strut.configure(height=pixels(self._rows) + self._fonts.px(8))

    def _add_foot(self, review: Callable[[], object]) -> None:
        px = self._fonts.px
        foot = tk.Frame(self, borderwidth=0)
        theme.paint(foot, background=_GROUND)
        self.review_button = FocusButton(
            foot, self._fonts, tr("Review…"), review, ground=_GROUND, height=24, font="small"
        )
        self.review_button.pack(side="right", padx=(px(4), px(5)), pady=px(3))
        self.words = tk.Label(foot, font=self._fonts["small"], anchor="w", borderwidth=0, padx=0)
        self.words.pack(side="left", fill="x", padx=(px(SIDE) - 3, 0))
        foot.pack(fill="x")

    def fit(self, width: int) -> None:
        """Cut the words to what is left of them."""
        room = max(self._fonts.px(60), width - self._fonts.px(2 * SIDE + 120))
        if isinstance(self._preview, OutsidePreview):
            words = visible(self._preview.resolved)
            shown = cut_middle(words, room, self._fonts["path"].measure)
            self.words.configure(font=self._fonts["path"])
        else:
            words = _change_words(self._preview)
            shown = cut_end(words, room, self._fonts["small"].measure)
        self.words.configure(text=shown)
        # a label has one colour, so an escape in it gives it to all
        escaped = any("escape" in own for _, own in escaping(words))
        theme.paint(self.words, background=_GROUND, foreground="warn" if escaped else "text-3")


def _change_words(preview: ChangePreview) -> str:
    items = main_items(preview)
    if len(items) == 1:
        if items[0].action == "delete":
            return "".join(text for text, _ in contents_spans(items[0]))
        return "".join(text for text, _ in change_spans(items[0], preview))
    return title(preview)
