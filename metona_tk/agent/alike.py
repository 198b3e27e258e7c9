"""What files of one kind say together, and how two of them differ: sums that a small model cannot make itself. Pure.

A model that reads three of fourteen files counts three; so the program counts. Counterpart: `briefing`, which finds
the files and puts these words before the question.
"""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

LEAST = 4  # files that are worth a count; fewer are simply read
LABELS = r"^\s*[^:：]{1,30}[:：]\s*\S"  # a line that has a label
_MOST_LABELS, _MOST_STATES, _MOST_NAMES = 3, 3, 12
_MOST_SHOWN = 40  # rows of a comparison
_OFTEN = 0.8  # the share of the files that have a label, for it to be one of the kind's
_LABELLED = re.compile(r"\s*[-*]?\s*([^:：]{1,30}?)\s*[:：]\s*(\S.*)")
_COMPARES = re.compile(
    r"\b(compar\w+|differ\w*|versus|vs)\b|比较|对比|比一比|区别|不同|差别|相比",
    re.IGNORECASE,
)
_COUNTS = re.compile(
    r"\b(how many|count|number of)\b|几[张份个条笔家封]|多少[张份个条笔家封]",
    re.IGNORECASE,
)


def base_name(path: str) -> str:
    """A path's last part."""
    return path.rsplit("/", 1)[-1]


def asks_to_compare(question: str) -> bool:
    """Whether two files may have to be held against each other."""
    return _COMPARES.search(question) is not None


def asks_for_counts(question: str) -> bool:
    """Whether the answer may lie in many files together."""
    return _COUNTS.search(question) is not None


def family(path: str, names: Iterable[str]) -> list[str]:
    """The files that lie beside one and end as it does, itself included."""
    folder, suffix = _place(path)
    return [name for name in names if _place(name) == (folder, suffix)]


def _place(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder, name.rpartition(".")[2].casefold() if "." in name else ""


def pair(paths: Sequence[str]) -> tuple[str, str] | None:
    """The best two of ranked files that can be compared: of one name but for its digits, else of one kind."""
    if not paths:
        return None
    first, suffix = paths[0], _place(paths[0])[1]
    others = [path for path in paths[1:] if _place(path)[1] == suffix]
    shape = _shape(first)
    alike = [path for path in others if _shape(path) == shape and _place(path) == _place(first)] or others
    return (first, alike[0]) if alike and _order(first) <= _order(alike[0]) else (alike[0], first) if alike else None


def _order(path: str) -> list[tuple[int, str]]:
    """Puts 9 before 10."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", path.casefold())]


def _shape(path: str) -> str:
    return re.sub(r"\d+", "0", base_name(path).casefold())


def tally(lines: Mapping[str, Sequence[str]], folder: str) -> str:
    """How many files say what under each label that most of them have; "" where nothing is worth a count."""
    said: dict[str, dict[str, str]] = {}  # label -> path -> what it says there
    for path, rows in lines.items():
        for row in rows:
            if match := _LABELLED.match(row):
                said.setdefault(match[1].strip(), {}).setdefault(path, _state(match[2]))
    parts: list[tuple[float, str]] = []
    for label, states in said.items():
        counts = Counter(states.values())
        if len(states) < max(LEAST, _OFTEN * len(lines)) or not 2 <= len(counts) <= _MOST_STATES:
            continue
        share = counts.most_common(1)[0][1] / len(states)  # the evener the split, the more it tells
        parts.append((share, f"{label}: " + "; ".join(_told(states, *count) for count in counts.most_common())))
    if not parts:
        return ""
    parts.sort(key=lambda part: part[0])
    head = f"Counted by the program over all {len(lines)} files in {folder}:"
    return "\n".join([head, *(text for _, text in parts[:_MOST_LABELS])])


def _told(states: Mapping[str, str], state: str, count: int) -> str:
    names = [base_name(path).rpartition(".")[0] for path, has in states.items() if has == state]
    which = f" ({', '.join(names)})" if 2 * count <= len(states) and count <= _MOST_NAMES else ""
    return f'"{state}" in {count} file{"s" * (count != 1)}{which}'


def _state(value: str) -> str:
    """What a value says, without what follows it: a date, a sum, a remark."""
    first = re.split(r"[,，;；(（。]", value, maxsplit=1)[0].strip()
    return re.sub(r"\s*\d[\d./:-]*(\s.*)?$", "", first) or first


@dataclass(slots=True)
class _Table:
    """The rows of a file by their first cell; of plain text, a row is a line."""

    head: list[str]
    rows: dict[str, list[str]]


def _table(path: str, text: str) -> _Table:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not path.casefold().endswith((".csv", ".tsv")):
        return _Table([], {line: [line] for line in lines})
    mark = max(",;\t", key=lines[0].count) if lines else ","
    try:
        cells = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=mark) if row]
    except csv.Error:  # a cell beyond all size
        return _Table([], {line: [line] for line in lines})
    head = cells[0] if cells and not any(map(_number, cells[0])) else []
    body = cells[1:] if head else cells
    if len({row[0] for row in body}) < len(body):  # the first cell names no row
        return _Table(head, {", ".join(row): row for row in body})
    return _Table(head, {row[0]: row for row in body})


def _number(text: str) -> float | None:
    try:
        found = float(text.replace(",", "."))
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def difference(first: tuple[str, str], second: tuple[str, str]) -> str:
    """How two files, each (path, text), differ, in plain sentences; "" where nothing in them belongs together."""
    (one, one_text), (two, two_text) = first, second
    before, after = _table(one, one_text), _table(two, two_text)
    gone = [", ".join(row) for key, row in before.rows.items() if key not in after.rows]
    new = [", ".join(row) for key, row in after.rows.items() if key not in before.rows]
    changes: dict[str, list[str]] = {}
    heads = before.head if before.head == after.head else []
    same = 0
    for key, row in before.rows.items():
        other = after.rows.get(key)
        if other == row:
            same += 1
        elif other is not None:
            for name, text in _changes(heads, row, other):
                changes.setdefault(name, []).append(f"{key} ({text})")
    if not same and not changes:
        return ""
    if _shape(one) == _shape(two):  # the same list of two days: the second is the later
        head, how = f"Compared by the program: what changed from {one} to {two}.", " now"
        left, come = "No longer there", "New there"
    else:
        short, short_two = base_name(one), base_name(two)
        if short == short_two:
            short, short_two = one, two
        head, how = f"Compared by the program: {one} and {two}.", f" in {short_two} than in {short}"
        left, come = f"Only in {short}, not in {short_two}", f"Only in {short_two}, not in {short}"
    rows = [f"{what}{how}: {_listed(cases)}" for what, cases in changes.items()]
    rows += [f"{left}: {_listed(gone)}"] if gone else []
    rows += [f"{come}: {_listed(new)}"] if new else []
    return "\n".join([head, *rows, f"Rows that are the same in both: {same}." if rows else "They are the same."])


def _changes(head: list[str], row: list[str], other: list[str]) -> list[tuple[str, str]]:
    """(what became of a cell, its two values) for each cell that changed."""
    found: list[tuple[str, str]] = []
    for at, (old, new) in enumerate(zip(row, other, strict=False)):
        if old == new:
            continue
        name = f"{head[at]} " if at < len(head) and head[at] else ""
        low, high = _number(old), _number(new)
        way = "different" if low is None or high is None or low == high else "higher" if high > low else "lower"
        found.append((f"{name}{way}", f"{old} -> {new}"))
    return found or [("different", f"{', '.join(row)} -> {', '.join(other)}")]


def _listed(rows: Sequence[str]) -> str:
    more = f"; and {len(rows) - _MOST_SHOWN} more" if len(rows) > _MOST_SHOWN else ""
    return "; ".join(rows[:_MOST_SHOWN]) + more
