"""The lines of a text that come nearest to a wanted one, numbered, for a model that invented them. Counterpart:
`edit_file`.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from metona_tk.tools.base import fitting
from metona_tk.tools.texts import LINE_END

SMALL = 60  # lines of a file that is shown whole
_AROUND = 6  # lines before and behind the nearest
_PLACEHOLDER = 80  # characters, the longest there is
_LINE = 300  # characters of a line that are shown
_TRIED = 5000  # lines that are compared


def cut_line(line: str, most: int) -> str:
    """The beginning of a masked line; a placeholder is whole in it or not in it, so that it can be given back."""
    if len(line) <= most:
        return line
    opened = line.rfind("\u27e8", 0, most)
    cut = most if opened < line.rfind("\u27e9", 0, most) or most - opened > _PLACEHOLDER else opened
    return line[: most if opened < 0 else cut] + "\u2026"


def _numbered(lines: list[str], first: int) -> str:
    return "\n".join(f"{first + place}: {cut_line(line, _LINE)}" for place, line in enumerate(lines))


def numbered_whole(text: str, budget: int) -> str:
    """The whole text with line numbers, cut at the end where it does not fit the budget."""
    most = max(500, budget // 2)
    shown = _numbered(_lines(text, most), 1)  # a line takes more than one character of the room
    room = fitting(shown, most)
    return shown if room == len(shown) else shown[: shown.rfind("\n", 0, room)] + "\n..."


def shows_all(text: str, budget: int, most: int | None = None) -> bool:
    """Whether `numbered_whole` gives every line whole; `most`: for `around`, which does so with so many lines."""
    if line_count(text) > (_TRIED if most is None else most):
        return False
    lines = _lines(text)
    return all(len(line) <= _LINE for line in lines) and "\n..." not in numbered_whole(text, budget)[-4:]


def around(text: str, wanted: str, budget: int) -> str:
    """A sentence and the lines around the best match; a small file whole."""
    count = line_count(text)
    if not count:
        return "The file is empty."
    if count <= SMALL:
        return "The file is now:\n" + numbered_whole(text, budget)
    around_it = LINE_END.split(wanted)
    lines = _lines(text, _TRIED + _AROUND + len(around_it))
    at = _nearest(lines, [line for line in around_it if line.strip()])
    first = max(0, at - _AROUND)
    part = lines[first : at + _AROUND + len(around_it)]
    return f"The nearest lines of its {count} are:\n" + _numbered(part, first + 1)


def line_count(text: str) -> int:
    """How many lines a text has, without taking it apart."""
    ends = text.count("\n") + text.count("\r") - text.count("\r\n")
    return ends + (text != "" and not text.endswith(("\n", "\r")))


def _lines(text: str, most: int | None = None) -> list[str]:
    """The lines, or the first ones of them."""
    if most is not None:
        return LINE_END.split(text, most)[:most] if line_count(text) > most else _lines(text)
    lines = LINE_END.split(text)
    return lines[:-1] if lines[-1] == "" else lines


def _nearest(lines: list[str], wanted: list[str]) -> int:
    """The line most like any of the wanted ones; the first where none is."""
    plain = [line.strip().casefold() for line in lines[:_TRIED]]
    for line in (each.strip().casefold() for each in wanted[:20]):
        if near := difflib.get_close_matches(line, plain, 1, 0.5):
            return plain.index(near[0])
    words = {word for line in wanted for word in line.casefold().split() if len(word) > 2}
    scored = [(sum(word in line for word in words), -place) for place, line in enumerate(plain)]
    return -max(scored)[1] if scored else 0


def common_ends(one: Sequence[object], other: Sequence[object]) -> tuple[int, int]:
    """How many items two sequences have in common at their beginning, and behind that at their end."""
    shorter = min(len(one), len(other))
    head = 0
    while head < shorter and one[head] == other[head]:
        head += 1
    tail = 0
    while tail < shorter - head and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    return head, tail


def differing_lines(old: str, new: str) -> tuple[str, str]:
    """The lines of `old` that differ in `new`, and what it has there, without the equal ones before and behind."""
    before, after = _lines(old), _lines(new)
    head, tail = common_ends(before, after)
    return "\n".join(before[head : len(before) - tail]), "\n".join(after[head : len(after) - tail])
