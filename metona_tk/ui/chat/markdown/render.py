"""Blocks of Markdown as spans of the transcript. Pure: widths come from `Look`. Counterparts: `blocks`, `stream`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from metona_tk.ui.chat.markdown import code_block, parser
from metona_tk.ui.chat.markdown.blocks import Block, Gap, cut
from metona_tk.ui.chat.markdown.inline import BODY, HEADING, ROW, Inline, Line, ended
from metona_tk.ui.chat.markdown.look import DEEPEST, FILLERS, Look, Rendered
from metona_tk.ui.chat.markdown.tables import Align, Table
from metona_tk.ui.chat.spans import Span, tagged, wrapping

if TYPE_CHECKING:
    from markdown_it.token import Token

_BULLETS = "•◦▪"
_GAPS = {Gap.ITEM: "md-gap-item", Gap.BLOCK: "md-gap"}
_WIDE = Look(1_000_000_000, lambda _font, text: len(text))


def render(source: str, look: Look, name: str = "0") -> Rendered:
    """A whole text. `name` goes into the tags of its own (`href:NAME.0.0`)."""
    whole = Rendered()
    for number, block in enumerate(cut(source)):
        part = render_block(block, look, f"{name}.{number}")
        whole.spans += part.spans
        whole.links |= part.links
        whole.codes |= part.codes
        whole.tables |= part.tables
    return whole


def plain(source: str) -> str:
    """The text that is seen, without markup and without what belongs to the drawing alone; tabs between cells."""
    return plain_of(render(source, _WIDE).spans)


def plain_of(spans: list[Span]) -> str:
    """The text of rendered spans as it is to be copied."""
    out: list[str] = []
    for text, tags in spans:
        if "md-mark" in tags:
            out.append(text.strip("\t") + " ")
        elif FILLERS.isdisjoint(tags):
            out.append(text)
        elif "md-gap" in tags or "md-gap-head" in tags:
            out.append("\n")
    return "".join(out)


def render_block(block: Block, look: Look, name: str) -> Rendered:
    """One block, with the gap before it. Every line ends with a newline."""
    writer = _Writer(look, name, block)
    if block.fence:
        writer.code(block.fence.info, code_block.fenced(block.fence, block.source), 0)
    else:
        writer.write(parser.block_tokens(block.source))
    return writer.out


@dataclass(slots=True)
class _List:
    number: int | None
    delimiter: str


class _Writer:
    """Walks the tokens of one block."""

    def __init__(self, look: Look, name: str, block: Block) -> None:
        self.out = Rendered()
        self._look, self._name, self._block = look, name, block
        self._inline = Inline(name, self.out.links)
        self._source = block.source.split("\n")
        self._lists: list[_List] = []
        self._depth, self._quotes = 0, 0
        self._mark = ""  # of a list item whose first line is still to come
        self._cells: list[list[Line]] = []
        self._aligns: list[Align] = []
        self._kind, self._face = "answer", BODY

    def write(self, tokens: Sequence[Token]) -> None:
        """All tokens, or the source as it is where markdown-it would drop what is nested too deeply."""
        if any(token.level >= parser.NESTING - 1 for token in tokens):
            self._lines([wrapping(line) for line in self._block.source.rstrip("\n").split("\n")], 0)
            return
        for token in tokens:
            method = getattr(self, "on_" + token.type, None)
            if method:
                method(token)

    # --- lines

    def _indent(self) -> tuple[str, ...]:
        depth = min(self._depth, DEEPEST)
        return (*((f"md-in-{depth}",) if depth else ()), *(("md-quote",) if self._quotes else ()))

    def _gap(self, line: int, heading: bool = False, solid: bool = False) -> None:
        """The space before what begins in `line` of the block's source."""
        if not self.out.spans:
            gap = self._block.gap
        elif not self._lists:
            gap = Gap.BLOCK
        else:
            loose = solid or not self._source[line - 1].strip(" \t>")
            gap = Gap.ITEM if loose else Gap.NONE
        if gap is not Gap.NONE:
            head = heading and gap is Gap.BLOCK
            self.out.spans.append(("\n", ("md-gap-head" if head else _GAPS[gap],)))

    def _lines(self, lines: list[Line], start: int) -> None:
        self._gap(start, heading=self._face is HEADING)
        indent = self._indent()
        for line in lines:
            tags = (self._kind, *indent)
            if self._mark:
                self.out.spans += self._marked(line, tags)
            else:
                self.out.spans += tagged(ended(line), *tags)

    def _marked(self, line: Line, tags: tuple[str, ...]) -> list[Span]:
        """The first line of a list item: its bullet, number or box hangs out to the left."""
        mark, self._mark = self._mark, ""
        depth = min(self._depth, DEEPEST)
        box = _box(line) if self._kind == "answer" else ""
        if box:
            line = [(line[0][0][4:], line[0][1]), *line[1:]]
        shape = "md-ul" if box or mark in _BULLETS else "md-ol"
        text = f"{box or mark}\t" if shape == "md-ul" else f"\t{mark}\t"
        return tagged([(text, ("md-mark",)), *ended(line)], *tags, f"{shape}-{depth}")

    def _lonely_mark(self, token: Token) -> None:
        """An item that does not begin with running text."""
        if self._mark:
            self._kind, self._face = "answer", BODY
            self._lines([[]], _start(token))

    # --- tokens

    def on_paragraph_open(self, _token: Token) -> None:
        self._kind, self._face = "answer", BODY

    def on_heading_open(self, token: Token) -> None:
        self._kind, self._face = f"md-h{min(3, int(token.tag[1:]))}", HEADING

    def on_inline(self, token: Token) -> None:
        lines = self._inline.lines(token.content, self._face)
        if self._face is ROW:
            self._cells[-1].append([(text, tags) for line in lines for text, tags in line])
        else:
            self._lines(lines, _start(token))

    def on_blockquote_open(self, token: Token) -> None:
        self._lonely_mark(token)
        self._depth, self._quotes = self._depth + 1, self._quotes + 1

    def on_blockquote_close(self, _token: Token) -> None:
        self._depth, self._quotes = self._depth - 1, self._quotes - 1

    def on_bullet_list_open(self, token: Token) -> None:
        self._lonely_mark(token)
        self._lists.append(_List(None, ""))
        self._depth += 1

    def on_ordered_list_open(self, token: Token) -> None:
        self._lonely_mark(token)
        number = int(token.attrs.get("start", 1))
        if token.level == 0 and not self.out.spans and self._block.number is not None:
            number = self._block.number
        self._lists.append(_List(number, token.markup))
        self._depth += 1

    def on_bullet_list_close(self, _token: Token) -> None:
        self._lists.pop()
        self._depth -= 1

    on_ordered_list_close = on_bullet_list_close

    def on_list_item_open(self, _token: Token) -> None:
        current = self._lists[-1]
        if current.number is None:
            bullets = sum(1 for each in self._lists if each.number is None)
            self._mark = _BULLETS[min(bullets, len(_BULLETS)) - 1]
        else:
            self._mark = f"{current.number}{current.delimiter}"
            current.number += 1

    def on_list_item_close(self, token: Token) -> None:
        self._lonely_mark(token)

    def on_fence(self, token: Token) -> None:
        self._lonely_mark(token)
        self.code(token.info, token.content, _start(token))

    def on_code_block(self, token: Token) -> None:
        self.on_fence(token)

    def code(self, info: str, content: str, start: int) -> None:
        """A block of code that begins in line `start`."""
        self._gap(start, solid=True)
        language, tag = code_block.language_of(info), f"copy:{self._name}.{len(self.out.codes)}"
        self.out.codes[tag] = content
        indent = self._indent()[:1] if self._depth else ()
        self.out.spans += code_block.head(language, tag, *indent)
        self.out.spans += code_block.body(language, content, *indent)
        self.out.spans.append(code_block.PAD)

    def on_hr(self, token: Token) -> None:
        self._lonely_mark(token)
        self._gap(_start(token), solid=True)
        self.out.spans.append(("\n", ("md-rule",)))

    def on_table_open(self, token: Token) -> None:
        self._lonely_mark(token)
        self._gap(_start(token), solid=True)
        self._cells, self._aligns, self._face = [], [], ROW

    def on_tr_open(self, _token: Token) -> None:
        self._cells.append([])

    def on_th_open(self, token: Token) -> None:
        style = str(token.attrs.get("style", ""))
        self._aligns.append(cast("Align", style.rpartition(":")[2] or "left"))

    def on_table_close(self, _token: Token) -> None:
        tag = f"table:{self._name}.{len(self.out.tables)}"
        head, *rows = self._cells
        table = Table(tag, head, rows, self._aligns, min(self._depth, DEEPEST))
        self.out.tables[tag] = table
        self.out.spans += table.spans(self._look)


def _start(token: Token) -> int:
    return token.map[0] if token.map else 0


def _box(line: Line) -> str:
    begin = line[0][0][:4].lower() if line and "md-mono" not in line[0][1] else ""
    return {"[ ] ": "☐", "[x] ": "☑"}.get(begin, "")
