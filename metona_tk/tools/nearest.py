"""The lines of a text that come nearest to a wanted one, numbered, for a model that invented them. Counterpart:
`edit_file`.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from metona_tk.tools.base import fitting
from metona_tk.tools.texts import LINE_END

_SMALL = 60  # lines of a file that is shown whole
_AROUND = 6  # lines before and behind the nearest
_TRIED = 5000  # lines that are compared


def _numbered(lines: list[str], first: int) -> str:
    return "\n".join(f"{first + place}: {line[:300]}" for place, line in enumerate(lines))


def numbered_whole(text: str, budget: int) -> str:
    """The whole text with line numbers, cut at the end where it does not fit the budget."""
    lines = _lines(text)
    shown = _numbered(lines, 1)
    room = fitting(shown, max(500, budget // 2))
    return shown if room == len(shown) else shown[: shown.rfind("\n", 0, room)] + "\n..."


def around(text: str, wanted: str, budget: int) -> str:
    """A sentence and the lines around the best match; a small file whole."""
    lines = _lines(text)
    if not lines:
        return "The file is empty."
    if len(lines) <= _SMALL:
        return "The file is now:\n" + numbered_whole(text, budget)
    at = _nearest(lines, [line for line in LINE_END.split(wanted) if line.strip()])
    first = max(0, at - _AROUND)
    part = lines[first : at + _AROUND + len(LINE_END.split(wanted))]
    return f"The nearest lines of its {len(lines)} are:\n" + _numbered(part, first + 1)


def _lines(text: str) -> list[str]:
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
