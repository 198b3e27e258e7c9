"""The tags that rows of a change have in a tk.Text of their own. Counterpart: `diff_rows` and `tree_rows`."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterable
from typing import Any

from metona_tk.ui.chat.spans import Span, pieces
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon
from metona_tk.ui.previews.diff_rows import Row
from metona_tk.ui.theme import colour

ROWS: dict[str, tuple[str, str, str]] = {  # kind: (font, text, ground or "")
    "same": ("code", "text-2", ""),
    "add": ("code", "diff-add-text", "diff-add-bg"),
    "del": ("code", "diff-del-text", "diff-del-bg"),
    "hunk": ("code", "diff-hunk", ""),
    "note": ("small", "text-3", ""),
    "fact": ("small", "text-1", ""),
    "item": ("path", "text-1", "surface-2"),
    "tree": ("path", "text-1", ""),
    "more": ("path", "text-3", ""),
}
INLINE: dict[str, dict[str, str]] = {
    "gutter": {"foreground": "diff-gutter"},
    "add-word": {"background": "diff-add-word"},
    "del-word": {"background": "diff-del-word"},
    "size": {"font": "small", "foreground": "text-3"},
    "quiet": {"foreground": "text-3"},
    "second": {"foreground": "text-2"},
    "mono": {"font": "path"},
    "ok": {"foreground": "ok"},
    "warn": {"foreground": "warn"},
    "danger": {"foreground": "danger"},
    "badge": {"font": "caption", "background": "surface-3", "foreground": "text-3"},
    "badge-warn": {"font": "caption", "background": "warn-bg", "foreground": "warn"},
    "escape": {"background": "warn-bg", "foreground": "warn"},
}
SIDE = 12  # px that rows of names stand inside their box
FACT = 112  # px: where the words of a fact begin
NUMBERS, TEXT = (40, 76), 88  # px: the right ends of both numbers, and where the sign stands


def apply(text: tk.Text, fonts: Fonts, width: int) -> None:
    """Configure all of them for the mode in use; `width` in px is what right-aligned words reach."""
    for kind, (font, token, ground) in ROWS.items():
        text.tag_configure(f"row-{kind}", **_row(fonts, kind, font, token, ground, width))
    apply_inline(text, fonts)
    text.tag_raise("sel")


def apply_inline(text: tk.Text, fonts: Fonts) -> None:
    """Those of words."""
    for tag, options in INLINE.items():
        values: dict[str, Any] = {key: fonts[name] if key == "font" else colour(name) for key, name in options.items()}
        text.tag_configure(tag, **values)
    text.tag_configure("strong", font=fonts["label"], foreground=colour("text-1"))
    text.tag_configure("mono-strong", font=bold_path(fonts), foreground=colour("text-1"))
    text.tag_raise("escape")


def bold_path(fonts: Fonts) -> tuple[str, int, str]:
    """The font of a file's own name in a path."""
    family, size, _ = fonts.flat("path")
    return family, -fonts.px(size), "bold"


def diff_tabs(fonts: Fonts) -> tuple[Any, ...]:
    """The stops of a row of a difference."""
    first, second = NUMBERS
    return fonts.px(first), "right", fonts.px(second), "right", fonts.px(TEXT)


def _row(fonts: Fonts, kind: str, font: str, token: str, ground: str, width: int) -> dict[str, Any]:
    gap = fonts.spacing(font)
    code = font == "code"
    left = 0 if code else fonts.px(SIDE)
    wrapped = fonts.px(TEXT) + fonts[font].measure("  ") if code else left + fonts.px(24)
    return {
        "font": fonts[font],
        "foreground": colour(token),
        "background": colour(ground) if ground else "",
        "spacing1": gap.above,
        "spacing2": gap.between,
        "spacing3": gap.below,
        "lmargin1": left,
        "lmargin2": wrapped,
        "rmargin": fonts.px(SIDE),
        "lmargincolor": colour(ground) if ground else "",
        "rmargincolor": colour(ground) if ground else "",
        "tabs": _tabs(fonts, kind, code, width),
    }


def _tabs(fonts: Fonts, kind: str, code: bool, width: int) -> tuple[Any, ...]:
    if kind == "fact":
        return (fonts.px(FACT),)
    return diff_tabs(fonts) if code else (max(fonts.px(60), width - fonts.px(SIDE)), "right")


def row_spans(rows: Iterable[Row]) -> list[Span]:
    """The rows with their newlines and grounds, to be written."""
    spans: list[Span] = []
    for row in rows:
        tag = f"row-{row.kind}"
        spans += [(text, (tag, *own)) for text, own in row.spans]
        spans.append(("\n", (tag,)))
    return spans


def write(text: tk.Text, fonts: Fonts, spans: Iterable[Span]) -> None:
    """Put `spans` in place of all that is written.

    The widget's own font should be tiny: it is that of the empty line behind the last row's newline.
    """
    text.configure(state="normal")
    text.delete("1.0", "end")
    for piece in pieces(spans):
        if isinstance(piece, list):
            text.insert("end", *piece)  # type: ignore[arg-type]
        else:
            what, tags = piece
            text.image_create("end", image=icon(text, fonts, what.name, what.size, what.token), align="center")
            for tag in tags:
                text.tag_add(tag, "end-2c")
    text.configure(state="disabled")
