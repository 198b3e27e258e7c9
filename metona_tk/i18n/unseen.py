"""Which characters cannot be seen as what they are. One answer for window and terminal: both show them as escapes."""

from __future__ import annotations

import unicodedata

# Characters that most fonts draw as nothing although Unicode calls them letters or marks.
_INVISIBLE = frozenset(
    [0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x1D159]
    + [*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0000, 0xE1000)]
)


_JAMO = range(0x1161, 0x1200)  # vowels and ends of Hangul syllables


def blends(text: str, at: int, composed: bool) -> bool:
    """Whether a character beyond ASCII may look like one with another. `composed`: the text is NFC as a whole."""
    char = text[at]
    if unicodedata.category(char)[0] == "M" and (not composed or at == 0 or text[at - 1] == " "):
        return True  # it may join what is before it, and look like one letter
    return not composed and (ord(char) in _JAMO or unicodedata.normalize("NFC", char) != char)


def is_composed(text: str) -> bool:
    """Whether a text is NFC."""
    return unicodedata.is_normalized("NFC", text)


def hidden(char: str) -> bool:
    """Whether a character cannot be seen as what it is, or is the bracket of an escape."""
    if char in "⟨⟩" or ord(char) in _INVISIBLE:
        return True
    category = unicodedata.category(char)
    return category[0] == "C" or category in ("Zl", "Zp") or (category == "Zs" and char != " ")
