"""What one line of Markdown begins with: its indent, a fence, a list marker. Counterpart: `blocks`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_MARKER = re.compile(r"(?:([-+*])|([0-9]{1,9})([.)]))(?=[ \t]|$)")
_HEADING = re.compile(r"#{1,6}(?:[ \t]|$)")
CODE_INDENT = 4  # columns from which on a line is code, or goes on with what is before


@dataclass(frozen=True, slots=True)
class Fence:
    """The opening line of a fenced code block."""

    char: str
    count: int
    indent: int
    info: str

    def closed_by(self, line: str) -> bool:
        """Whether `line` (without its newline) ends the block."""
        head = first(line)
        text = head.rest.rstrip(" \t")
        return head.indent < CODE_INDENT and len(text) >= self.count and text == self.char * len(text)

    def content(self, line: str) -> str:
        """A line of code without the indent that the fence itself has."""
        column = at = 0
        while column < self.indent and line[at : at + 1] in (" ", "\t"):
            column += 4 - column % 4 if line[at] == "\t" else 1
            at += 1
        return " " * (column - self.indent) + line[at:]


@dataclass(frozen=True, slots=True)
class Marker:
    """The bullet or number of a list item; `offset` is the column that its content begins at."""

    kind: str
    number: int | None
    offset: int
    empty: bool


@dataclass(frozen=True, slots=True)
class First:
    """The indent in columns, and the line from its first visible character on ("" for a blank line)."""

    indent: int
    rest: str

    @property
    def fence(self) -> Fence | None:
        """The fence that it opens."""
        found = _FENCE.match(self.rest) if self.indent < CODE_INDENT else None
        if not found:
            return None
        run = found[1] or found[2]
        return Fence(run[0], len(run), self.indent, self.rest[len(run) :].strip())

    @property
    def rule(self) -> bool:
        """Whether it is a thematic break, or the underline of a heading made of dashes."""
        text = self.rest.replace(" ", "").replace("\t", "")
        return self.indent < CODE_INDENT and len(text) >= 3 and text[0] in "*-_" and text == text[0] * len(text)

    @property
    def heading(self) -> bool:
        """Whether it is a heading by itself."""
        return self.indent < CODE_INDENT and _HEADING.match(self.rest) is not None

    @property
    def marker(self) -> Marker | None:
        """The list item that it begins."""
        found = _MARKER.match(self.rest) if self.indent < CODE_INDENT and not self.rule else None
        if not found:
            return None
        start = self.indent + found.end()
        inner = _columns(self.rest[found.end() :], start)
        empty = not inner.rest
        offset = start + 1 if empty or inner.indent - start > CODE_INDENT else inner.indent
        return Marker(found[1] or found[3], int(found[2]) if found[2] else None, offset, empty)


def first(line: str) -> First:
    """Look at `line`, without its newline."""
    return _columns(line, 0)


def _columns(text: str, column: int) -> First:
    for at, char in enumerate(text):
        if char == " ":
            column += 1
        elif char == "\t":
            column += 4 - column % 4
        else:
            return First(column, text[at:])
    return First(column, "")
