"""A line of a file so that different lines never look the same: what is approved by eye has to be seen whole. Pure.

Stricter than `visible_line`, which only keeps a line harmless: here a tab is no blank and a wide blank is not two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from metona_tk.i18n.unseen import blends, hidden, is_composed
from metona_tk.ui.visible import BLANKS, code_of

INDENT = 40  # blanks at the beginning of a line that stay as they are: they push nothing out of sight
TAB = "⇥   "  # the mark itself is escaped where a text holds it
_PLAIN = re.compile(rf" {{0,{INDENT}}}[!-~]+(?: {{1,{BLANKS}}}[!-~]+)*")
_ESCAPE = re.compile(r"⟨U\+([0-9A-F]{4,6})(?: ×([0-9]+))?⟩")


@dataclass(frozen=True, slots=True)
class Piece:
    """`text[start:end]` of a line as it is shown."""

    start: int
    end: int
    shown: str
    escaped: bool = False


def exact(text: str) -> list[Piece]:
    """The line in pieces, in order and without a gap."""
    if _PLAIN.fullmatch(text):  # most lines
        return [Piece(0, len(text), text)]
    composed = is_composed(text)
    pieces: list[Piece] = []
    start = 0
    while start < len(text):
        end = _run(text, start, composed)
        pieces.append(_piece(text, start, end, composed))
        start = end
    return pieces


def exact_text(text: str) -> str:
    """The same as one string."""
    return "".join(piece.shown for piece in exact(text))


def _odd(text: str, at: int, composed: bool) -> bool:
    """Whether the character must be written out."""
    char = text[at]
    if char < "\x7f":
        return char < " "
    return char == TAB[0] or hidden(char) or blends(text, at, composed)


def _run(text: str, start: int, composed: bool) -> int:
    """Where the piece that begins at `start` ends: blanks, the same odd character, or plain text."""
    end, first = start + 1, text[start]
    if first == "\t":
        return end
    if first == " " or _odd(text, start, composed):
        while end < len(text) and text[end] == first:
            end += 1
        return end
    while end < len(text) and text[end] != " " and not _odd(text, end, composed):
        end += 1
    return end


def _piece(text: str, start: int, end: int, composed: bool) -> Piece:
    first, count = text[start], end - start
    if first == "\t":
        return Piece(start, end, TAB, True)
    if first == " ":
        plain = end < len(text) and count <= (BLANKS if start else INDENT)
        return Piece(start, end, " " * count if plain else code_of(" ", count), not plain)
    if _odd(text, start, composed):
        return Piece(start, end, code_of(first, count if count > 1 else 0), True)
    return Piece(start, end, text[start:end])


# For an editor, where blanks and tabs have to be typed as they are.


def to_editor(text: str) -> str:
    """`text` with what cannot be seen written out, one line end for all; `from_editor` turns it back."""
    lines = text.replace("\r\n", "\n") if _crlf(text) else text
    return "".join(code_of(char) if char not in "\n\t " and hidden(char) else char for char in lines)


def from_editor(shown: str, original: str) -> str:
    """What was edited, with the line ends that `original` has."""
    text = _ESCAPE.sub(lambda match: _char(match[1]) * int(match[2] or 1), shown)
    return text.replace("\n", "\r\n") if _crlf(original) else text


def _char(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if code <= 0x10FFFF else f"⟨U+{digits}⟩"


def _crlf(text: str) -> bool:
    """Whether every line ends in CR LF."""
    ends = text.count("\r\n")
    return ends > 0 and ends == text.count("\n") == text.count("\r")
