"""Which characters cannot be seen as what they are. One answer for window and terminal: both show them as escapes."""

from __future__ import annotations

import unicodedata

# Characters that most fonts draw as nothing although Unicode calls them letters or marks.
_INVISIBLE = frozenset(
    [0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x1D159]
    + [*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0000, 0xE1000)]
)


def hidden(char: str) -> bool:
    """Whether a character cannot be seen as what it is, or is the bracket of an escape."""
    if char in "⟨⟩" or ord(char) in _INVISIBLE:
        return True
    category = unicodedata.category(char)
    return category[0] == "C" or category in ("Zl", "Zp") or (category == "Zs" and char != " ")
