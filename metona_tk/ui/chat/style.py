"""The tags of the transcript: fonts, margins and colours of each kind of line. Counterpart: `page`, which inserts."""

from __future__ import annotations

import tkinter as tk
from typing import Any

from metona_tk.ui.chat.markdown import tags as markdown
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.previews.tags import ROWS, TEXT, bold_path, diff_tabs
from metona_tk.ui.theme import colour

SIDE = 12  # text stands this far inside the column
ARROW = 22  # px at a card's right end, for its arrow
NAME = 36  # where the name of a tool begins, behind its icon
HIT = 244  # where the words of a hit begin, behind its path

_PARAGRAPHS: dict[str, tuple[str, str, str]] = {  # tag: (font, text, band or "")
    "answer": ("body", "text-1", ""),
    "user": ("body", "text-1", "user-bg"),
    "user-head": ("small", "text-3", "user-bg"),
    "think-head": ("small", "text-2", ""),
    "think-body": ("small", "text-3", ""),
    "card-head": ("path", "text-2", "surface-2"),
    "card-code": ("code", "text-1", "surface-2"),
    "card-row": ("path", "text-1", "surface-2"),
    "card-hit": ("path", "text-2", "surface-2"),
    "card-foot": ("small", "text-3", "surface-2"),
    "card-reason": ("ui", "text-1", "surface-2"),
    **{f"card-{kind}": (font, token, ground or "surface-2") for kind, (font, token, ground) in ROWS.items()},
    "said": ("small", "text-2", ""),
    "foot": ("small", "text-3", ""),
    "trimmed": ("small", "text-3", ""),
    "hint": ("body", "text-2", ""),
    "hint-title": ("heading", "text-1", ""),
}
_FILLERS: dict[str, tuple[int, str]] = {  # tag: (px, band); a line of its own of about that height
    "gap": (8, ""),
    "turn-gap": (24, ""),
    "top-gap": (12, ""),
    "user-pad": (8, "user-bg"),
    "card-pad": (6, "surface-2"),
    "live": (2, ""),
}
_INLINE: dict[str, dict[str, str]] = {
    "you": {"font": "label", "foreground": "text-1"},
    "name": {"font": "label", "foreground": "text-1"},
    "mono": {"font": "path"},
    "state": {"font": "small"},
    "meta": {"font": "small", "foreground": "text-3"},
    "quiet": {"foreground": "text-3"},
    "gutter": {"foreground": "text-3"},
    "ok": {"foreground": "ok"},
    "warn": {"foreground": "warn"},
    "danger": {"foreground": "danger"},
    "idle": {"foreground": "idle"},
    "busy": {"foreground": "accent-text"},
    "find": {"background": "find-bg", "foreground": "find-text"},
    "link": {"foreground": "link"},
    "size": {"font": "small", "foreground": "text-3"},
    "add-word": {"background": "diff-add-word"},
    "del-word": {"background": "diff-del-word"},
    "escape": {"background": "warn-bg", "foreground": "warn"},
    "current": {"background": "surface-4"},
    "found": {"background": "find-bg", "foreground": "find-text"},
    "found-here": {"background": "accent", "foreground": "on-accent"},
}


def apply(text: tk.Text, fonts: Fonts, column: int) -> None:
    """Configure every tag for the mode in use; `column` is the width in px that tab stops count in."""
    for tag, (font, token, band) in _PARAGRAPHS.items():
        text.tag_configure(tag, **_paragraph(fonts, font, token, band))
    for tag, (height, band) in _FILLERS.items():
        text.tag_configure(tag, font=(fonts.families["sans"], -1), spacing3=fonts.px(height - 2), **_band(band))
    _part_hits(text, fonts)
    text.tag_configure("hint-title", spacing3=fonts.px(6))
    markdown.apply_lines(text, fonts, column)
    set_tabs(text, fonts, column)
    # Chinese has no blanks to break at: a line that begins with it may break anywhere.
    text.tag_configure("cjk", wrap="char")
    for tag, options in _INLINE.items():
        values: dict[str, Any] = {key: fonts[name] if key == "font" else colour(name) for key, name in options.items()}
        text.tag_configure(tag, **values)
    text.tag_configure("mono-strong", font=bold_path(fonts), foreground=colour("text-1"))
    markdown.apply_inline(text, fonts)
    for tag in ("link", "found", "found-here", "current", "sel"):
        text.tag_raise(tag)


def _part_hits(text: tk.Text, fonts: Fonts) -> None:
    """The space between two hits is a line of its own, or the marks in them would run into one column."""
    gap = fonts.spacing("path").between
    text.tag_configure("card-hit", spacing1=0, spacing3=0)
    text.tag_configure("hit-pad", font=(fonts.families["mono"], -1), spacing3=max(0, gap - 2), **_band("surface-2"))


def set_tabs(text: tk.Text, fonts: Fonts, column: int) -> None:
    """Tab stops that reach the column's right edge."""
    right = max(100, column - fonts.px(SIDE))
    for tag in ("card-row", "card-foot", "user-head", "foot"):
        text.tag_configure(tag, tabs=(right, "right"))
    text.tag_configure("card-head", tabs=(fonts.px(NAME), right - fonts.px(ARROW), "right", right, "right"))
    markdown.set_tabs(text, fonts, column)
    digit = fonts["code"].measure("0")
    text.tag_configure("card-code", tabs=(fonts.px(SIDE) + 5 * digit, "right", fonts.px(SIDE) + 7 * digit))
    text.tag_configure("card-code", lmargin2=fonts.px(SIDE) + 7 * digit)
    for kind, (font, _, _) in ROWS.items():
        if font == "code":
            wrapped = fonts.px(TEXT) + fonts["code"].measure("  ")
            text.tag_configure(f"card-{kind}", tabs=diff_tabs(fonts), lmargin1=0, lmargin2=wrapped)
        else:
            text.tag_configure(f"card-{kind}", tabs=(right, "right"))
    hit = fonts.px(HIT if column > fonts.px(2 * HIT) else SIDE + 24)
    text.tag_configure("card-hit", tabs=(hit,), lmargin2=hit)


def _paragraph(fonts: Fonts, font: str, token: str, band: str) -> dict[str, Any]:
    gap, side = fonts.spacing(font), fonts.px(SIDE)
    return {
        "font": fonts[font],
        "foreground": colour(token),
        "lmargin1": side,
        "lmargin2": side,
        "rmargin": side,
        "spacing1": gap.above,
        "spacing2": gap.between,
        "spacing3": gap.below,
        **_band(band),
    }


def _band(token: str) -> dict[str, Any]:
    if not token:
        # the margin's own colour, or a marked word at the beginning of a line would colour it
        return {"background": "", "lmargincolor": colour("surface-1"), "rmargincolor": ""}
    return {"background": colour(token), "lmargincolor": colour(token), "rmargincolor": colour(token)}
