"""Picks a range of lines out of a stream of bytes of any length, memory flat. Counterpart: `tools.read_file`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

_BEFORE = _AFTER = 4096  # bytes
_HEAD = 2048  # bytes of the first line, which says what the columns of a table are


@dataclass(slots=True)
class LineWindow:
    """Collects lines `first` to `last` (from 1; None = to the end), at most `max_lines` of them and `room` bytes.

    After `feed_all`: `raw` has the lines with their ends; `total` the number of lines of the whole stream, None when
    its end was not reached; `cut` = the last line is not whole, because it alone is longer than the room. `skipped`
    gets everything before line `first`, in order; `before` is at most `keep_before` bytes of that, from its end.
    `after` is some of what follows the range, as far as it was read.
    """

    first: int
    last: int | None
    max_lines: int
    room: int
    raw: list[bytes] = field(default_factory=list[bytes])
    total: int | None = None
    cut: bool = False
    skipped: Callable[[bytes], None] | None = None
    keep_before: int = _BEFORE
    head: bytes = b""
    _before: bytearray = field(default_factory=bytearray)
    _passed: int = 0  # bytes before line `first`
    after: bytes = b""
    _number: int = 1
    _rest: bytes = b""
    _pending: bool = False  # the current line has begun
    _full: bool = False

    def feed_all(self, blocks: Iterable[bytes], to_end: bool, go_on: Callable[[], bool]) -> bool:
        """Read until the range is there (`to_end`: until the stream ends, to count). False when `go_on` said no."""
        for block in blocks:
            if not go_on():
                return False
            self._feed(block)
            if self._done and not to_end:
                return True
        if self._rest:
            self._keep(self._rest)
        self.total = self._number - 1 + self._pending
        return True

    @property
    def _done(self) -> bool:
        return self._full or (self.last is not None and self._number > self.last)

    @property
    def end(self) -> int:
        """Number of the last line collected; `first - 1` when there is none."""
        return self.first + len(self.raw) - 1

    @property
    def before(self) -> bytes:
        """Whole lines of what stands before the range, the first line of all among them."""
        if self._passed <= self.keep_before:
            return bytes(self._before)
        cut = bytes(self._before[-self.keep_before :])
        line = self.head[: self.head.find(b"\n") + 1]
        return line + cut[cut.find(b"\n") + 1 :]

    @property
    def all_before(self) -> bool:
        """Whether `before` has everything that stands there."""
        return self._passed <= self.keep_before

    def _feed(self, block: bytes) -> None:
        ends = block.count(b"\n")
        if self._done or self._number + ends < self.first:  # nothing of it is wanted: only count
            if not self._done:
                self._skip(self._rest + block)
            elif len(self.after) < _AFTER:
                self.after += block[: _AFTER - len(self.after)]
            self._number += ends
            self._rest = b""
        else:
            *lines, self._rest = (self._rest + block).split(b"\n")
            for line in lines:
                self._keep(line + b"\n")
                self._number += 1
            if len(self._rest) > self.room and self._number >= self.first:
                self._keep(self._rest)
            if self._done:
                self.after += self._rest[: max(0, _AFTER - len(self.after))]
                self._rest = b""
        self._pending = not block.endswith(b"\n")

    def _skip(self, data: bytes) -> None:
        if self.skipped is not None:
            self.skipped(data)
        if len(self.head) < _HEAD:
            self.head += data[: _HEAD - len(self.head)]
        self._passed += len(data)
        self._before += data
        if len(self._before) > 2 * self.keep_before:
            del self._before[: -self.keep_before]

    def _keep(self, line: bytes) -> None:
        if self._number < self.first:
            self._skip(line)
            return
        if self._done or len(self.raw) >= self.max_lines or (len(line) > self.room and self.raw):
            self._full = True
            self.after += line[: max(0, _AFTER - len(self.after))]
            return
        if len(line) > self.room:
            line, self.cut, self._full = line[: self.room], True, True
        self.raw.append(line)
        self.room -= len(line)
