"""Which link or code block a place of the page belongs to, in few tags: the digits of its number. Pure.

A tk.Text becomes slower with every tag that it knows, used or not, so a tag for each link would slow long chats down.
"""

from __future__ import annotations

from collections.abc import Iterable

from metona_tk.ui.chat.spans import Span

_BASE, _MOST = 64, 64**3
_MARK = "md-digit"  # the tags are `md-digit0.7` for a last digit of 7
KINDS = ("href:", "copy:")


class Targets:
    """Numbers for keys such as `href:1.4.0`. Numbers of keys that are forgotten are given out again."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._keys: dict[int, str] = {}
        self._free: list[int] = []

    @property
    def count(self) -> int:
        """How many keys have a number."""
        return len(self._numbers)

    def numbered(self, spans: Iterable[Span]) -> list[Span]:
        """The spans with digits in place of keys."""
        return [(text, self._digits(tags)) if tags and _is_key(tags) else (text, tags) for text, tags in spans]

    def key(self, tags: Iterable[str]) -> str | None:
        """The key of the place that `tags` stand on."""
        found = [tag.removeprefix(_MARK).split(".") for tag in tags if tag.startswith(_MARK)]
        number = sum(int(digit) * _BASE ** int(place) for place, digit in found)
        return self._keys.get(number) if found else None

    def forget(self, keys: Iterable[str]) -> None:
        """These are no longer on the page."""
        for key in keys:
            number = self._numbers.pop(key, None)
            if number is not None:
                del self._keys[number]
                self._free.append(number)

    def _digits(self, tags: tuple[str, ...]) -> tuple[str, ...]:
        out: list[str] = []
        for tag in tags:
            number = self._number(tag) if tag.startswith(KINDS) else None
            if not tag.startswith(KINDS):
                out.append(tag)
            elif number is not None:
                out += _digits(number)
        return tuple(out)

    def _number(self, key: str) -> int | None:
        """None when all numbers are taken: such a place cannot be clicked."""
        if key not in self._numbers:
            number = self._free.pop() if self._free else len(self._keys)
            if number >= _MOST:
                return None
            self._numbers[key], self._keys[number] = number, key
        return self._numbers[key]


def _digits(number: int) -> list[str]:
    """Without leading zeros: each range of a tag costs time too."""
    out = [f"{_MARK}0.{number % _BASE}"]
    while number := number // _BASE:
        out.append(f"{_MARK}{len(out)}.{number % _BASE}")
    return out


def _is_key(tags: tuple[str, ...]) -> bool:
    return any(tag.startswith(KINDS) for tag in tags)
