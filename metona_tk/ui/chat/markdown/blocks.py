"""Cuts growing Markdown into finished blocks and a tail. A block is finished when no further text can change it.

Counterparts: `lines`, which looks at single lines, and `parser`, which is asked where a list ends unclearly. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from metona_tk.ui.chat.markdown import parser
from metona_tk.ui.chat.markdown.lines import CODE_INDENT, Fence, First, Marker, first
from metona_tk.ui.visible import drawable


class Kind(Enum):
    """What a block is; TEXT is anything but a fence at the margin and list items."""

    TEXT = auto()
    FENCE = auto()
    LIST = auto()


class Gap(Enum):
    """The space before a block."""

    NONE = auto()
    ITEM = auto()  # between items of a list that have blank lines between them
    BLOCK = auto()


@dataclass(frozen=True, slots=True)
class Block:
    """A piece that can be rendered by itself; `number` is its first item's where an ordered list goes on."""

    source: str
    kind: Kind
    gap: Gap
    number: int | None = None
    fence: Fence | None = None


class Blocks:
    """Feed it pieces; cutting them elsewhere gives the same blocks. Every item of a list is a block of its own."""

    def __init__(self) -> None:
        self.lines: list[str] = []  # the complete lines of the tail
        self.partial = ""
        self._complete = 0  # characters of the complete lines
        self._blank = False
        self._next_gap = Gap.NONE
        self._begin(first(""), Gap.NONE)

    def _begin(self, head: First, gap: Gap, before: Marker | None = None, number: int | None = None) -> None:
        self.kind, self.fence, self._marker = Kind.TEXT, head.fence, head.marker
        self._gap, self._number, self._unclear, self._ask_at = gap, None, False, 0
        if self.fence:
            self.kind = Kind.FENCE
        elif self._marker:
            self.kind, self._number = Kind.LIST, self._marker.number
            self._unclear = self._marker.empty
            if before and before.kind == self._marker.kind and number is not None:
                self._number = number + 1

    def feed(self, piece: str) -> list[Block]:
        """Add text; the blocks that it finishes."""
        *lines, self.partial = (self.partial + drawable(piece)).split("\n")
        return [block for line in lines for block in self._line(line)]

    def end(self) -> list[Block]:
        """No more text comes: what is left."""
        done = self._line(self.partial) if self.partial else []
        self.partial = ""
        return [*done, self._cut()] if self.lines else done

    @property
    def size(self) -> int:
        """Characters of the tail."""
        return self._complete + len(self.partial)

    @property
    def tail(self) -> Block | None:
        """What is not finished; None when there is nothing to see of it."""
        rest = "".join(self.lines) + self.partial
        return self._block(rest) if rest.strip(" \t\n") else None

    def _block(self, source: str) -> Block:
        gap = self._gap if self.lines else self._next_gap
        kind = self.kind if self.lines else Kind.TEXT
        return Block(source, kind, gap, self._number if self.lines else None, self.fence if self.lines else None)

    def _cut(self) -> Block:
        block = self._block("".join(self.lines))
        self.lines, self._complete, self._next_gap = [], 0, Gap.BLOCK
        return block

    def _keep(self, line: str) -> None:
        self.lines.append(line + "\n")
        self._complete += len(line) + 1

    def _line(self, line: str) -> list[Block]:
        if self.lines and self.fence:
            self._keep(line)
            return [self._cut()] if self.fence.closed_by(line) else []
        head = first(line)
        if not head.rest:
            if self.lines:
                self._keep(line)
                self._blank = True
            return []
        return self._visible_line(head, line)

    def _visible_line(self, head: First, line: str) -> list[Block]:
        blank, self._blank = self._blank, False
        if self.lines and self.kind is Kind.LIST and not self._unclear:
            self._unclear = self._leaves_unclear(head, blank)
        if not self.lines:
            self._begin(head, self._next_gap)
        elif self._ends(head, blank):
            before, number, kind = self._marker, self._number, self.kind
            block = self._cut()
            if kind is Kind.LIST and before and head.marker and head.marker.kind == before.kind:
                self._begin(head, Gap.ITEM if blank else Gap.NONE, before, number)
            else:
                self._begin(head, Gap.BLOCK)
            self._keep(line)
            return [block]
        self._keep(line)
        return self._ask() if self._unclear and blank and len(self.lines) >= self._ask_at else []

    def _ends(self, head: First, blank: bool) -> bool:
        """Whether the tail is finished by the line, which is a block's first."""
        if self.kind is Kind.LIST:
            return not self._unclear and not self._inside(head)
        if head.indent >= CODE_INDENT:
            return False
        marker = head.marker
        interrupts = marker is not None and not marker.empty and marker.number in (None, 1)
        return blank or head.fence is not None or head.heading or interrupts

    def _inside(self, head: First) -> bool:
        return self._marker is not None and head.indent >= self._marker.offset

    def _leaves_unclear(self, head: First, blank: bool) -> bool:
        """Whether the line may go on with the list's last paragraph, or end the list: that depends on what is in it."""
        if self._inside(head):
            return False
        begins = head.fence is not None or head.rule or head.heading or head.marker is not None
        return head.indent >= CODE_INDENT or not (blank or begins)

    def _ask(self) -> list[Block]:
        """Ask the parser where the last block begins; all that is before it is finished."""
        start = parser.last_start("".join(self.lines))
        if not start:
            self._ask_at = len(self.lines) * 5 // 4
            return []
        rest = self.lines[start:]
        del self.lines[start:]  # their size is counted anew below
        done = [self._cut()]
        for line in rest:
            done += self._line(line.removesuffix("\n"))
        return done


def cut(source: str) -> list[Block]:
    """All blocks of a whole text."""
    blocks = Blocks()
    return [*blocks.feed(source), *blocks.end()]
