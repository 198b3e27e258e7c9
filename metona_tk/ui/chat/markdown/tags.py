"""The tags of rendered Markdown: fonts, margins, colours. Called by `chat.style`, which keeps the order of all tags."""

from __future__ import annotations

import tkinter as tk
from typing import Any

from metona_tk.ui.chat.markdown.look import DEEPEST, SIDE, STEP, Look
from metona_tk.ui.chat.markdown.targets import LINKS
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.theme import colour

SYNTAX = ("syn-keyword", "syn-string", "syn-number", "syn-comment", "syn-func", "syn-type")
_KINDS: dict[str, tuple[str, int, str, int, str, str]] = {  # tag: (family, px, style, line, text, band)
    "md-h1": ("sans", 16, "bold", 24, "text-1", ""),
    "md-h2": ("sans", 14, "bold", 22, "text-1", ""),
    "md-h3": ("sans", 13, "bold", 20, "text-1", ""),
    "md-row": ("sans", 13, "normal", 26, "text-1", ""),
    "md-stack": ("sans", 13, "normal", 20, "text-1", ""),
    "md-row-head": ("sans", 13, "bold", 26, "text-1", ""),
    "md-code-head": ("sans", 12, "normal", 28, "text-3", "code-bg"),
    "md-code": ("mono", 13, "normal", 20, "text-1", "code-bg"),
}
_FILLERS: dict[str, tuple[int, str]] = {  # tag: (px, band)
    "md-gap": (8, ""),
    "md-gap-item": (4, ""),
    "md-gap-head": (16, ""),
    "md-code-pad": (8, "code-bg"),
    "md-rule": (2, "line-1"),
    "md-rule-head": (2, "line-2"),
}
_FORMS: dict[str, tuple[str, int, str]] = {  # tag: (family, px, style)
    "md-strong": ("sans", 14, "bold"),
    "md-em": ("sans", 14, "italic"),
    "md-both": ("sans", 14, "bold italic"),
    "md-mono": ("mono", 13, "normal"),
    "md-row-strong": ("sans", 13, "bold"),
    "md-row-em": ("sans", 13, "italic"),
    "md-row-both": ("sans", 13, "bold italic"),
    "md-row-mono": ("mono", 12, "normal"),
}
_TAB = 4  # characters


def look_of(fonts: Fonts, column: int) -> Look:
    """How to render at a width of `column` px. It remembers what it measured, so take a new one with new fonts."""
    known: dict[tuple[str, str], int] = {}

    def measure(font: str, text: str) -> int:
        key = (font, text)
        if key not in known:
            if len(known) > 5000:
                known.clear()
            known[key] = fonts[font].measure(text)
        return known[key]

    return Look(column, measure, fonts.scale)


def apply_lines(text: tk.Text, fonts: Fonts, column: int) -> None:
    """The tags of whole lines; inline ones must be made after them."""
    for tag, (family, size, form, line, ground, band) in _KINDS.items():
        font = _font(fonts, family, size, form)
        lack = max(0, fonts.px(line) - int(text.tk.call("font", "metrics", font, "-displayof", text, "-linespace")))
        # Wrapped lines of a table row stand as close as other text does.
        between = max(0, lack - fonts.px(6)) if tag.startswith("md-row") else lack
        spacing = {"spacing1": (lack + 1) // 2, "spacing2": between, "spacing3": lack // 2}
        side = fonts.px(SIDE)
        margins = {"lmargin1": side, "lmargin2": side, "rmargin": side}
        text.tag_configure(tag, font=font, foreground=colour(ground), **spacing, **margins, **_band(band))
    for tag, (height, band) in _FILLERS.items():
        # The mono family is Latin in every language: a rule is 2 px high in it, 3 in a Chinese one.
        text.tag_configure(tag, font=_font(fonts, "mono", 0, ""), spacing3=fonts.px(height - 2), **_band(band))
    text.tag_configure("md-quote", foreground=colour("text-2"))
    _indents(text, fonts)
    _code(text, fonts, column)


def apply_inline(text: tk.Text, fonts: Fonts) -> None:
    """The tags inside lines."""
    for tag, (family, size, form) in _FORMS.items():
        text.tag_configure(tag, font=_font(fonts, family, size, form))
    # Without a colour of its own the margin takes that of a line's first character.
    page = colour("surface-1")
    text.tag_configure("md-mono", background=colour("surface-3"), lmargincolor=page, rmargincolor=page)
    for tag in LINKS:
        text.tag_configure(tag, foreground=colour("link"))
    text.tag_configure("md-strike", overstrike=True)
    text.tag_configure("md-mark", foreground=colour("text-2"))
    text.tag_configure("md-label", font=_font(fonts, "sans", 13, "normal"), foreground=colour("text-3"))
    text.tag_configure("md-target", foreground=colour("text-3"))
    text.tag_configure("md-copy", foreground=colour("text-2"))
    text.tag_configure("md-wrap")  # it only tells that a newline is no part of the text
    for tag in SYNTAX:
        text.tag_configure(tag, foreground=colour(tag))


def set_tabs(text: tk.Text, fonts: Fonts, column: int) -> None:
    """Tab stops that reach the column's right edge; a table's own are set by `stream`."""
    text.tag_configure("md-code-head", tabs=(max(100, column - fonts.px(SIDE)), "right"))


def _code(text: tk.Text, fonts: Fonts, column: int) -> None:
    stops = tuple(fonts.px(SIDE) + fonts["code"].measure(" " * _TAB) * number for number in range(1, 30))
    text.tag_configure("md-code", wrap="char", tabs=stops, tabstyle="wordprocessor")
    set_tabs(text, fonts, column)


def _indents(text: tk.Text, fonts: Fonts) -> None:
    """`md-in-N` moves a line N levels in; `md-ul-N` and `md-ol-N` hang its bullet or number out of level N."""
    for depth in range(1, DEEPEST + 1):
        base, inner = fonts.px(SIDE + STEP * (depth - 1)), fonts.px(SIDE + STEP * depth)
        text.tag_configure(f"md-in-{depth}", lmargin1=inner, lmargin2=inner)
        text.tag_configure(f"md-ul-{depth}", lmargin1=base + fonts.px(6), lmargin2=inner, tabs=(inner,))
        right = inner - fonts.px(6)
        start = max(0, base - fonts.px(SIDE))
        text.tag_configure(f"md-ol-{depth}", lmargin1=start, lmargin2=inner, tabs=(right, "right", inner))


def _font(fonts: Fonts, family: str, size: int, form: str) -> tuple[str, int, str]:
    return fonts.families[family], -(fonts.px(size) or 1), form or "normal"


def _band(token: str) -> dict[str, Any]:
    shade = colour(token) if token else ""
    # without a band the margin has the page's colour, or a marked word at the beginning of a line would colour it
    return {"background": shade, "lmargincolor": shade or colour("surface-1"), "rmargincolor": shade}
