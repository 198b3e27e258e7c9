"""The difference of two texts as a confirmation shows it: places with lines around them, and the words that changed.

Pure. Equal beginnings and ends are set aside first; what is left is compared by difflib while it is small enough, else
it is shown as all going and all coming, which is true as well. Counterpart: `previews`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from metona_tk.protocol.changes import DiffLine
from metona_tk.tools.nearest import common_ends

AROUND = 3  # lines before and behind a place
MOST_WHOLE = 20_000  # lines up to which the whole file can be shown
_COMPARED = 4_000_000  # product of the two numbers of lines up to which they are compared line by line
_WORDS = 400  # characters of a line up to which changed words are marked
_LINE = re.compile(r"([^\r\n]*)(\r\n|\n|\r|$)")
_WORD = re.compile(r"\w+|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Difference:
    """`places` with lines around them; `whole` is every line ("" where the files are too long for it)."""

    places: tuple[DiffLine, ...]
    whole: tuple[DiffLine, ...]
    added: int
    removed: int


Line = tuple[str, str]  # text, line end
Op = tuple[str, int, int, int, int]  # as difflib gives them


def split_lines(text: str) -> list[Line]:
    r"""Lines with their ends; only `\n`, `\r\n` and `\r` end a line (str.splitlines knows more)."""
    lines = [(match[1], match[2]) for match in _LINE.finditer(text)]
    while lines and lines[-1] == ("", ""):
        lines.pop()
    return lines


def difference(old: str | None, new: str | None) -> Difference:
    """The difference of two texts; None = there is none, so that every line of the other comes or goes."""
    before, after = split_lines(old or ""), split_lines(new or "")
    ops = list(_ops(before, after))
    added = sum(end - start for tag, _, _, start, end in ops if tag != "equal")
    removed = sum(end - start for tag, start, end, _, _ in ops if tag != "equal")
    whole = len(before) + len(after) <= 2 * MOST_WHOLE
    return Difference(
        tuple(_places(before, after, ops)),
        tuple(_rows(before, after, ops)) if whole else (),
        added,
        removed,
    )


def _ops(before: list[Line], after: list[Line]) -> Iterator[Op]:
    head, tail = common_ends(before, after)
    if head:
        yield "equal", 0, head, 0, head
    middle_old, middle_new = before[head : len(before) - tail], after[head : len(after) - tail]
    if len(middle_old) * len(middle_new) > _COMPARED:
        yield "replace", head, len(before) - tail, head, len(after) - tail
    else:
        for tag, a, b, c, d in difflib.SequenceMatcher(None, middle_old, middle_new, False).get_opcodes():
            yield tag, a + head, b + head, c + head, d + head
    if tail:
        yield "equal", len(before) - tail, len(before), len(after) - tail, len(after)


def _rows(before: list[Line], after: list[Line], ops: list[Op]) -> Iterator[DiffLine]:
    for tag, a, b, c, d in ops:
        if tag == "equal":
            for step in range(b - a):
                text, end = before[a + step]
                yield DiffLine(" ", a + step + 1, c + step + 1, text, end)
        else:
            yield from _changed(before, after, (tag, a, b, c, d))


def _changed(before: list[Line], after: list[Line], op: Op) -> Iterator[DiffLine]:
    _, a, b, c, d = op
    pairs = [words(before[a + step][0], after[c + step][0]) for step in range(min(b - a, d - c))]
    for step in range(b - a):
        text, end = before[a + step]
        yield DiffLine("-", a + step + 1, None, text, end, pairs[step][0] if step < len(pairs) else ())
    for step in range(d - c):
        text, end = after[c + step]
        yield DiffLine("+", None, c + step + 1, text, end, pairs[step][1] if step < len(pairs) else ())


def _places(before: list[Line], after: list[Line], ops: list[Op]) -> Iterator[DiffLine]:
    for group in _groups(ops):
        yield DiffLine("@", group[0][1] + 1, group[0][3] + 1, _heading(before, group[0][1]), "")
        yield from _rows(before, after, group)


def _groups(ops: list[Op]) -> Iterator[list[Op]]:
    """Changed places that are near each other together, with AROUND equal lines on both sides."""
    group: list[Op] = []
    for place, (tag, a, b, c, d) in enumerate(ops):
        if tag != "equal":
            group.append((tag, a, b, c, d))
            continue
        last = place == len(ops) - 1
        if group and (last or b - a > 2 * AROUND):
            group.append((tag, a, min(b, a + AROUND), c, min(d, c + AROUND)))
            yield group
            group = []
        elif group:
            group.append((tag, a, b, c, d))
            continue
        if not last:
            skip = max(0, (b - a) - AROUND)
            group = [(tag, a + skip, b, c + skip, d)]
    if any(op[0] != "equal" for op in group):
        yield group


def _heading(lines: list[Line], at: int) -> str:
    """What a place belongs to: the nearest line above that begins a section or a block, in the kinds people know."""
    for text, _ in reversed(lines[max(0, at - 500) : at]):
        if re.match(
            r"\[[^\]]+\]\s*$|#{1,6} \S|(async )?(def|class|func|function|fn|public|private|struct|impl)\b", text
        ):
            return text.strip()[:80]
    return ""


Ranges = tuple[tuple[int, int], ...]


def words(old: str, new: str) -> tuple[Ranges, Ranges]:
    """Character ranges that differ in two lines; none where the lines have too little in common to say."""
    if len(old) > _WORDS or len(new) > _WORDS:
        return (), ()
    first, second = _WORD.findall(old), _WORD.findall(new)
    matcher = difflib.SequenceMatcher(None, first, second, False)
    if matcher.ratio() < 0.4:
        return (), ()
    gone: list[tuple[int, int]] = []
    come: list[tuple[int, int]] = []
    at_old, at_new = _starts(first), _starts(second)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            gone += [(at_old[a], at_old[b])] if b > a else []
            come += [(at_new[c], at_new[d])] if d > c else []
    return tuple(gone), tuple(come)


def _starts(parts: list[str]) -> list[int]:
    at = [0]
    for part in parts:
        at.append(at[-1] + len(part))
    return at
