"""The head of a question: an icon in the colour of the risk, the question, a second line, and the place in the line."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

from metona_tk.ui import theme
from metona_tk.ui.chat.spans import Span
from metona_tk.ui.dialogs.question import Question
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon
from metona_tk.ui.widgets.rounded import Rounded
from metona_tk.ui.wording import cut_end

TILE = 32  # px
_GROUNDS = {"warn": "warn-bg", "danger": "danger-bg"}


def add_head(dialog: Question, picture: str, token: str, title: str, second: Sequence[Span] = ()) -> tk.Label:
    """Pack it at the top of the dialog; returns the label of the question."""
    px, fonts = dialog.fonts.px, dialog.fonts
    head, rule = tk.Frame(dialog, borderwidth=0), tk.Frame(dialog, height=1, borderwidth=0)
    theme.paint(head, background="surface-1")
    theme.paint(rule, background="line-1")
    _tile(head, fonts, picture, token).pack(side="left", padx=(px(20), px(12)), pady=px(18))
    dialog.make_place_in_line(head).pack(side="right", anchor="n", padx=px(20), pady=px(18))
    words = tk.Frame(head, borderwidth=0)
    theme.paint(words, background="surface-1")
    words.pack(side="left", fill="x", expand=True, pady=px(10))
    heading = tk.Label(words, text=title, font=fonts["heading"], anchor="w", borderwidth=0, padx=0, pady=0)
    theme.paint(heading, background="surface-1", foreground="text-1")
    heading.pack(fill="x")
    # the whole name stands in the facts; here it is cut where there is no room
    words.bind(
        "<Configure>", lambda event: heading.configure(text=cut_end(title, event.width, fonts["heading"].measure))
    )
    _second(words, fonts, second)
    head.pack(side="top", fill="x")
    rule.pack(side="top", fill="x")
    return heading


def _tile(master: tk.Misc, fonts: Fonts, picture: str, token: str) -> Rounded:
    ground = _GROUNDS.get(token, "surface-3")
    tile = Rounded(master, "surface-1", ground, ground, border=0)
    tile.configure(width=fonts.px(TILE), height=fonts.px(TILE))
    image = tk.Label(tile, image=icon(tile, fonts, picture, 16, token), borderwidth=0)
    theme.paint(image, background=ground)
    image.place(relx=0.5, rely=0.5, anchor="center")
    return tile


def _second(master: tk.Misc, fonts: Fonts, spans: Sequence[Span]) -> None:
    row = tk.Frame(master, borderwidth=0)
    theme.paint(row, background="surface-1")
    for text, tags in spans:
        label = tk.Label(row, text=text, font=fonts["small"], borderwidth=0, padx=0, pady=0)
        theme.paint(label, background="surface-1", foreground=tags[0] if tags else "text-2")
        label.pack(side="left")
    if spans:
        row.pack(fill="x")
