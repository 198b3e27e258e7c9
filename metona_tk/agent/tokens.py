"""How many tokens a text is likely to take, by its characters, set right by what the server itself has counted.

Counterpart: `agent.context`, which decides by it what a request can hold.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

# Before a server has counted: three characters of ASCII a token (JSON and code; prose takes fewer), one beyond it.
PLAIN, WIDE = 1 / 3, 1.0
_PLAIN_BOUNDS, _WIDE_BOUNDS = (0.18, 1.0), (0.5, 3.0)
# What no text of a chat reaches: a request within the window even at these rates was certainly not cut by the server.
_WORST_PLAIN, _WORST_WIDE = 0.6, 1.8
_MESSAGE = 6  # tokens that a template puts around a message
_TOOLS = 120  # tokens with which templates introduce the tools
_SMALL = 400  # tokens: below, what a template adds by itself outweighs the text
_MOST_EXTRA = 1000
_DOWN, _UP = 0.9, 2.0  # how far one count moves the rates: slowly to a bolder estimate, at once to a safer one


@dataclass(frozen=True, slots=True)
class Size:
    """Characters of ASCII, characters beyond, and tokens that are there whatever the text. Sizes add up."""

    plain: int = 0
    wide: int = 0
    fixed: int = 0

    def __add__(self, other: Size) -> Size:
        return Size(self.plain + other.plain, self.wide + other.wide, self.fixed + other.fixed)

    def __sub__(self, other: Size) -> Size:
        return Size(self.plain - other.plain, self.wide - other.wide, self.fixed - other.fixed)


def text_size(text: str, fixed: int = 0) -> Size:
    """The size of a text."""
    wide = 0 if text.isascii() else sum(char > "\x7f" for char in text)
    return Size(len(text) - wide, wide, fixed)


def message_size(sent: dict[str, Any]) -> Size:
    """The size of a message as it is sent."""
    calls = json.dumps(sent["tool_calls"], ensure_ascii=False) if "tool_calls" in sent else ""
    return text_size(sent["content"] + sent.get("thinking", "") + calls, _MESSAGE)


def tools_size(schemas: list[dict[str, Any]]) -> Size:
    """The size of the tool definitions."""
    return text_size(json.dumps(schemas, ensure_ascii=False), _TOOLS) if schemas else Size()


@dataclass(slots=True)
class TokenMeter:
    """The rates of one chat with one model: tokens a character. `extra` = what its template adds to every request."""

    plain: float = PLAIN
    wide: float = WIDE
    extra: int = 0
    _last: tuple[int, int] = (0, 0)  # the estimate and the count of the answer before

    def tokens(self, size: Size) -> int:
        """The estimate, rounded up, without `extra`."""
        return math.ceil(size.fixed + size.plain * self.plain + size.wide * self.wide - 1e-9)

    @property
    def characters_a_token(self) -> float:
        """For budgets that count ASCII as 1 and the rest as 3; never bolder than the start values."""
        return min(1 / PLAIN, 1 / max(self.plain, self.wide / 3))

    def learn(self, size: Size, counted: int, window: int) -> None:
        """Take the server's count of a request of that size. One that may be cached or cut never lowers the rates."""
        expected = self.tokens(size) + self.extra
        grown = expected >= self._last[0]
        if counted <= 0:
            return
        if counted >= expected:
            self._raise(size, counted, expected)
        elif is_doubtful(counted, expected):
            self._doubt(counted, expected, window)
        elif _worst(size) <= window and not (grown and counted < self._last[1]):
            self._scale(size, max(counted - self.extra - size.fixed, 0), _DOWN)
        self._last = expected, counted

    def refused(self) -> None:
        """The server found a request too long that was thought to fit: be more careful from now on."""
        self.plain = _within(self.plain * 1.3, _PLAIN_BOUNDS)
        self.wide = _within(self.wide * 1.3, _WIDE_BOUNDS)

    def _raise(self, size: Size, counted: int, expected: int) -> None:
        if expected < _SMALL:
            self.extra = min(_MOST_EXTRA, self.extra + counted - expected)
        else:
            self._scale(size, counted - self.extra - size.fixed, _UP)

    def _doubt(self, counted: int, expected: int, window: int) -> None:
        """About half a window of what should nearly have filled it: the server cut the front off (OLLAMA.md)."""
        if counted <= window * 0.55 and expected > window * 0.75:
            self.plain, self.wide = max(self.plain, PLAIN), max(self.wide, WIDE)

    def _scale(self, size: Size, counted: int, most: float) -> None:
        """Move each rate as far as its characters had a part in the estimate."""
        plain, wide = size.plain * self.plain, size.wide * self.wide
        if not plain + wide:
            return
        change = counted / (plain + wide)
        change = min(change, most) if most > 1 else max(change, most)
        self.plain = _within(self.plain * (1 + (change - 1) * plain / (plain + wide)), _PLAIN_BOUNDS)
        self.wide = _within(self.wide * (1 + (change - 1) * wide / (plain + wide)), _WIDE_BOUNDS)


def is_doubtful(counted: int, expected: int) -> bool:
    """Whether a count says nothing of the size: old servers leave out what they had cached, others cut silently."""
    return counted * 2 < expected


def _worst(size: Size) -> int:
    return math.ceil(size.fixed + _MOST_EXTRA / 4 + size.plain * _WORST_PLAIN + size.wide * _WORST_WIDE)


def _within(value: float, bounds: tuple[float, float]) -> float:
    return min(max(value, bounds[0]), bounds[1])
