"""What of an unfinished block is drawn, and how the next piece can be added without drawing it again. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from metona_tk.ui.chat.markdown import code_block
from metona_tk.ui.chat.markdown.blocks import Block, Blocks
from metona_tk.ui.chat.markdown.highlight import LIMIT, highlighted
from metona_tk.ui.chat.markdown.inline import Line
from metona_tk.ui.chat.markdown.lines import Fence
from metona_tk.ui.chat.markdown.look import FILLERS, WRAP
from metona_tk.ui.chat.spans import Span, wrapping

LARGE = 4000  # characters from which on a block is drawn again only when it has grown by a part ...
_PART = 12  # ... of this; the text in between stands there as it came
HUGE, _HUGE_PART = 20_000, 5  # the same for blocks that are larger still
_LONG_LINE = 1000  # characters of an unfinished line of code that are drawn again and again
_LONG_RUN = 1000  # ... that are added to a line as they came, before it is broken
_SMALL_CODE = 1000


@dataclass(frozen=True, slots=True)
class Step:
    """Spans that stay until the block is drawn anew, and the ones that the next piece replaces."""

    stays: list[Span]
    live: list[Span]


def _ends_line(span: Span) -> bool:
    return span[0] == "\n" and "md-wrap" not in span[1]


class Growing:
    """The drawing of the unfinished block of `blocks`."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._size = 0  # of the block when it was drawn
        self._fence = False  # drawn as a fence
        self._lines = 0  # complete lines of code that stay
        self._chars = 0  # of the unfinished line of code that stay too
        self._coloured = True
        self._last: list[Span] = []
        self._run = 0  # characters that were added to the last line as they came

    def drawn(self, spans: list[Span]) -> Step:
        """The whole block was drawn anew: which part of it stays."""
        blocks, at = self._blocks, len(spans) - 1
        self._size, self._chars = blocks.size, 0
        self._fence = bool(blocks.lines and blocks.fence)
        if blocks.lines and blocks.fence:
            self._lines = len(blocks.lines) - 1
            self._coloured = blocks.size - len(blocks.partial) - len(blocks.lines[0]) - 1 <= LIMIT
            if blocks.partial and not blocks.fence.closed_by(blocks.partial):
                at = max(at for at in range(len(spans) - 2) if _ends_line(spans[at])) + 1
        self._last, self._run = spans[at:], 0
        return Step(spans[:at], spans[at:])

    def more(self, piece: str) -> Step | None:
        """How to show `piece`, which finished no block; None when the block is to be drawn anew."""
        blocks = self._blocks
        if not self._size:
            return None
        if blocks.lines and blocks.fence:
            grown = blocks.size > max(_SMALL_CODE, 2 * self._size) and self._coloured
            return None if grown or not self._fence else self._code(blocks.fence)
        part = _PART if self._size < HUGE else _HUGE_PART
        if blocks.size < LARGE or blocks.size > self._size + self._size // part:
            return None
        return self._raw(piece)

    def _raw(self, piece: str) -> Step:
        *before, last = self._last
        self._run = 0 if "\n" in piece else self._run + len(piece)
        if self._run > _LONG_RUN:
            self._run = 0
            before = [*before, (WRAP[0], (*last[1], *WRAP[1]))]
        if FILLERS.isdisjoint(last[1]):
            stays = wrapping(piece, *last[1])
        else:
            stays, last = [last, *wrapping(piece, "answer")], ("\n", ("answer",))
        self._last = [last]
        return Step([*before, *stays], [last])

    def _code(self, fence: Fence) -> Step:
        blocks = self._blocks
        language = code_block.language_of(fence.info)
        lines = [fence.content(line[:-1]) for line in blocks.lines[self._lines + 1 :]]
        self._lines += len(lines)
        stays = code_block.code_lines([self._line(language, line) for line in lines])
        partial = "" if fence.closed_by(blocks.partial) else fence.content(blocks.partial)
        live = code_block.code_lines([self._line(language, partial)]) if partial else []
        if len(partial) > _LONG_LINE:
            self._chars = len(partial)
            stays, live = stays + live[:-1], live[-1:]
        return Step(stays, [*live, code_block.PAD])

    def _line(self, language: str, line: str) -> Line:
        """One line by itself, without what stands already. What spans lines gets its colours when all is drawn anew."""
        skip, self._chars = self._chars, 0
        if skip or not self._coloured or len(line) > _LONG_LINE:
            return code_block.broken([(line[skip:], ())], skip)
        return highlighted(language, line)[0]

    def closing(self, block: Block) -> list[Span] | None:
        """The end of a long code block that is now finished; None when it is to be drawn anew, for its colours."""
        if self._coloured or not self._size or not block.fence:
            return None
        lines = code_block.fenced(block.fence, block.source).split("\n")[self._lines : -1]
        return [*code_block.code_lines([self._line("", line) for line in lines]), code_block.PAD]
