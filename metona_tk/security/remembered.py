"""Values that were hidden once in a chat, found again wherever they stand. Counterpart: `masking`."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from metona_tk.security.secret_words import is_strong
from metona_tk.security.secrets import Span

_MOST = 50_000
_FEW = 50  # so many are looked for one by one
_SHORT, _PLAIN = 6, 12  # characters of a value that looks made up, and of one that may be a word of any text


def _stays(value: str) -> bool:
    """Whether a value is so much its own that it is hidden in other places too; "december" may be in any text."""
    return len(value) >= (_SHORT if is_strong(value) else _PLAIN)


@dataclass(slots=True)
class Remembered:
    """The values of one chat and what kind each is; thread-safe. The oldest go where they are too many."""

    _values: dict[str, str] = field(default_factory=dict[str, str])
    _begun: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])  # by first characters
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, values: Mapping[str, str]) -> None:
        """More of them, with their kinds."""
        with self._lock:
            for value, kind in values.items():
                if value not in self._values and _stays(value):
                    self._values[value] = kind
                    begin = value[:_SHORT]
                    self._begun[begin] = (*self._begun.get(begin, ()), value)
            while len(self._values) > _MOST:
                self._forget(next(iter(self._values)))

    def _forget(self, value: str) -> None:
        del self._values[value]
        begin = value[:_SHORT]
        if left := tuple(each for each in self._begun[begin] if each != value):
            self._begun[begin] = left
        else:
            del self._begun[begin]

    def found(self, text: str) -> Iterator[Span]:
        """Where they stand in a text; it takes little longer where they are many."""
        with self._lock:
            few = list(self._values.items()) if len(self._values) <= _FEW else []
        return self._one_by_one(text, few) if few else self._by_begin(text)

    @staticmethod
    def _one_by_one(text: str, values: list[tuple[str, str]]) -> Iterator[Span]:
        for value, kind in values:
            place = text.find(value)
            while place >= 0:
                yield Span(place, place + len(value), kind)
                place = text.find(value, place + len(value))

    def _by_begin(self, text: str) -> Iterator[Span]:
        begun = self._begun
        if not begun:
            return
        for place in [at for at in range(len(text) - _SHORT + 1) if text[at : at + _SHORT] in begun]:
            for value in begun.get(text[place : place + _SHORT], ()):
                if text.startswith(value, place):
                    yield Span(place, place + len(value), self._values.get(value, "known"))


_WORD = 4  # characters; a shorter value cannot be told from the letters of other words


def open_places(values: Collection[str], text: str, hidden: Sequence[Span]) -> Counter[str]:
    """In how many places of a text each of the values stands where it is not hidden, or not all of it."""
    begun: dict[str, list[str]] = defaultdict(list)
    for value in values:
        if len(value) >= _WORD:
            begun[value[:_WORD]].append(value)
    found: Counter[str] = Counter()
    for place in [at for at in range(len(text) - _WORD + 1) if text[at : at + _WORD] in begun]:
        for value in begun[text[place : place + _WORD]]:
            if text.startswith(value, place) and not _covered(place, place + len(value), hidden):
                found[value] += 1
    return found


def _covered(start: int, end: int, hidden: Sequence[Span]) -> bool:
    at = bisect_right(hidden, start, key=lambda span: span.start) - 1
    return at >= 0 and hidden[at].end >= end
