"""Markdown written into the transcript while it streams: only the last block is drawn again. Counterpart: `answers`.

All positions are tags: `md:K` stands on the unfinished block, `live:K` on the part of it that the next piece replaces.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterable
from typing import Any, Literal, Protocol

from metona_tk.ui.chat.markdown.blocks import Block, Blocks
from metona_tk.ui.chat.markdown.growing import Growing, Step
from metona_tk.ui.chat.markdown.look import STEP, Look
from metona_tk.ui.chat.markdown.render import render_block
from metona_tk.ui.chat.markdown.tables import Table
from metona_tk.ui.chat.markdown.targets import runs, without_keys
from metona_tk.ui.chat.spans import Span, tagged
from metona_tk.ui.visible import drawable


class Ground(Protocol):
    """What is written on, such as `Page`."""

    text: tk.Text

    def add(self, spans: Iterable[Span]) -> None:
        """Write at the end."""
        ...

    def replace(self, tag: str, spans: Iterable[Span]) -> bool:
        """Put `spans` where `tag` is; False when it is nowhere."""
        ...


class MarkdownStream:
    """One answer. Each call of `add` and `end` is at most one deletion and one insertion; the text ends with a newline.

    When the owner deletes the text meanwhile, what still comes is not shown.
    """

    def __init__(self, ground: Ground, look: Look, name: str) -> None:
        self._ground, self._look, self._name = ground, look, name
        self.tag = f"answer:{name}"  # on all of its text
        self._blocks = Blocks()
        self._growing = Growing(self._blocks)
        self._number = 0  # of the unfinished block
        self._begun = False
        self._held: list[Span] = []  # the end of what is finished: it keeps the place while nothing follows
        self._kept: list[Block] = []  # finished blocks with something to click
        self._tables: dict[str, tuple[Table, bool]] = {}  # by tag, with whether it stands in columns

    def add(self, piece: str) -> None:
        """Show more of the answer."""
        piece = drawable(piece)
        finished = self._blocks.feed(piece)
        step = None if finished else self._growing.more(piece)
        if step:
            self._ground.replace(self._live, tagged(self._marked(step), self.tag))
        else:
            self._redraw(finished)

    def end(self) -> None:
        """The answer is complete."""
        finished = self._blocks.end()
        if finished:
            self._redraw(finished)
        self._ground.text.tag_delete(self._whole, self._live)
        self._held = []

    @property
    def _whole(self) -> str:
        return f"md:{self._name}.{self._number}"

    @property
    def _live(self) -> str:
        return f"live:{self._name}.{self._number}"

    def _marked(self, step: Step) -> list[Span]:
        return [*tagged(step.stays, self._whole), *tagged(step.live, self._whole, self._live)]

    def _redraw(self, finished: list[Block]) -> None:
        """Put `finished` and the new unfinished block where the old one is."""
        place, old = self._whole, (self._whole, self._live)
        spans, self._held = self._held, []
        for block in finished:
            rest = self._growing.closing(block) if block is finished[0] else None
            if rest is not None:
                place = self._live
                self._kept.append(block)
            spans = [*spans, *(self._finish(block) if rest is None else rest)]
            self._number += 1
        if finished:
            self._growing = Growing(self._blocks)
        tail = self._blocks.tail
        drawn = self._render(tail)[1] if tail else []
        if drawn:
            spans = [*spans, *self._marked(self._growing.drawn(drawn))]
        elif spans:
            self._held = spans[-1:]
            spans = [*spans[:-1], *tagged(self._held, self._whole)]
        self._put(place, spans)
        if finished:
            self._ground.text.tag_delete(*old)

    def _put(self, place: str, spans: list[Span]) -> None:
        if self._begun:
            self._ground.replace(place, tagged(spans, self.tag))
        elif spans:
            self._begun = True
            self._ground.add(tagged(spans, self.tag))

    def _finish(self, block: Block) -> list[Span]:
        clickable, spans = self._render(block)
        if clickable:
            self._kept.append(block)
        return spans

    def _render(self, block: Block) -> tuple[bool, list[Span]]:
        made = render_block(block, self._look, f"{self._name}.{self._number}")
        for tag, table in made.tables.items():
            self._set_stops(tag, table)
        return bool(made.links or made.codes), without_keys(made.spans)

    def _set_stops(self, tag: str, table: Table) -> bool:
        """Its tab stops at the present width; whether it stands in columns."""
        stops = table.stops(self._look)
        self._tables[tag] = (table, stops is not None)
        left = table.left(self._look)
        hang = stops.hang if stops else left + self._look.px(STEP)
        tabs: Any = stops.tabs if stops else ""
        self._ground.text.tag_configure(tag, lmargin1=left, lmargin2=hang, tabs=tabs)
        return stops is not None

    # --- what was drawn

    def targets(self, prefix: Literal["href:", "copy:"]) -> list[str]:
        """The addresses, or the code, that stand on the page, in their order; also of what still grows."""
        found: list[str] = []
        for block in (*self._kept, self._blocks.tail):
            if block:
                made = render_block(block, self._look, "")
                known = made.links if prefix == "href:" else made.codes
                found += [known[key] for key in runs(made.spans) if key in known]
        return found

    def relayout(self, look: Look) -> None:
        """Fit the tables to another width; one that no longer fits, or fits again, takes its other form."""
        self._look = look
        unfinished = f"table:{self._name}.{self._number}."
        for tag, (table, columns) in list(self._tables.items()):
            if self._set_stops(tag, table) == columns:
                continue
            if tag.startswith(unfinished):
                self._redraw([])
            else:
                spans = self._keeping_place(tag, without_keys(table.spans(look)))
                self._ground.replace(tag, tagged(spans, self.tag))

    def _keeping_place(self, tag: str, spans: list[Span]) -> list[Span]:
        if not any(tag in tags for _text, tags in self._held):
            return spans
        self._held = spans[-1:]
        return [*spans[:-1], *tagged(self._held, self._whole)]

    def forget(self) -> None:
        """Delete the tags that are this answer's own. Nothing can be added any more."""
        text = self._ground.text
        text.tag_delete(self.tag, self._whole, self._live, *self._tables)
        self._kept.clear()
        self._tables.clear()
