"""Where words stand on a tk.Text. Counterpart: `find_bar`.

Not by Tk's own `search`: with emoji before a hit, Tk 8.6 ends the whole process (seen with 8.6.13).
"""

from __future__ import annotations

import re
import tkinter as tk
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, islice

Piece = tuple[str, int, int]  # text without a line end within, its line, its first column


def pieces(text: tk.Text) -> list[Piece]:
    """All characters of `text`, also folded ones; pictures and widgets are left out."""
    dump = text.tk.splitlist(text.tk.call(str(text), "dump", "-text", "1.0", "end-1c"))
    out: list[Piece] = []
    for value, index in zip(dump[1::3], dump[2::3], strict=True):
        line, _dot, column = str(index).partition(".")
        out.append((str(value), int(line), int(column)))
    return out


def emoji_columns(text: tk.Misc) -> int:
    """How many columns this Tk counts for a character above U+FFFF: 2 in Tk 8.6, 1 in Tk 9."""
    return int(text.tk.call("string", "length", "\N{GRINNING FACE}"))


def hits(words: str, on: Sequence[Piece], emoji: int, most: int) -> list[tuple[str, str]]:
    """The first `most` places of `words`, upper or lower case, as pairs of indices (first, behind the last)."""
    starts = list(accumulate((len(value) for value, _line, _column in on), initial=0))
    whole = "".join(value for value, _line, _column in on)

    def index(offset: int, at: int) -> str:
        value, line, column = on[at]
        before = value[: offset - starts[at]]
        wide = sum(char > "\uffff" for char in before)
        return f"{line}.{column + len(before) + (emoji - 1) * wide}"

    found: list[tuple[str, str]] = []
    matches = re.finditer(re.escape(words), whole, re.IGNORECASE) if words else iter(())
    for match in islice(matches, most):
        first = bisect_right(starts, match.start()) - 1
        last = bisect_right(starts, match.end() - 1) - 1
        found.append((index(match.start(), first), index(match.end(), last)))
    return found
