"""All Markdown on one page: its streams, and clicks on links and code. Counterparts: `stream`, `chat.page`."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any, Literal

from metona_tk.ui.chat.markdown.look import Look
from metona_tk.ui.chat.markdown.sheet import Sheet
from metona_tk.ui.chat.markdown.stream import Ground, MarkdownStream
from metona_tk.ui.chat.markdown.targets import COPIES, LINKS
from metona_tk.ui.chat.spans import Span

Prefix = Literal["href:", "copy:"]


class Answers:
    """`on_link` gets an http, https or mailto address, `on_copy` the code; `is_click` tells clicks from selections."""

    def __init__(
        self,
        ground: Ground,
        look: Look,
        on_link: Callable[[str], object],
        on_copy: Callable[[str], object],
        is_click: Callable[[tk.Event[Any]], bool],
    ) -> None:
        self.ground, self.look = ground, look
        self._is_click = is_click
        self._streams: dict[str, MarkdownStream] = {}
        self._begun = 0
        self._bind(LINKS, "href:", on_link)
        self._bind(COPIES, "copy:", on_copy)

    def _bind(self, tags: tuple[str, ...], prefix: Prefix, act: Callable[[str], object]) -> None:
        text = self.ground.text

        def clicked(event: tk.Event[Any]) -> None:
            target = self.target(text.index(f"@{event.x},{event.y}"), tags, prefix) if self._is_click(event) else None
            if target is not None:
                act(target)

        for tag in tags:
            text.tag_bind(tag, "<ButtonRelease-1>", clicked)
            text.tag_bind(tag, "<Enter>", lambda _event: text.configure(cursor="hand2"))
            text.tag_bind(tag, "<Leave>", lambda _event: text.configure(cursor=""))

    def begin(self) -> MarkdownStream:
        """A new answer; it is written at the end of the page."""
        self._begun += 1
        name = str(self._begun)
        self._streams[name] = MarkdownStream(self.ground, self.look, name)
        return self._streams[name]

    def whole(self, source: str) -> list[Span]:
        """A complete answer, to be written by the caller."""
        self._begun += 1
        name = str(self._begun)
        sheet = Sheet(self.ground.text)
        stream = self._streams[name] = MarkdownStream(sheet, self.look, name)
        stream.add(source)
        stream.end()
        return sheet.spans()

    def relayout(self, look: Look) -> None:
        """The column or the fonts have another size."""
        self.look = look
        for stream in self._streams.values():
            stream.relayout(look)

    def forget(self, stream: MarkdownStream | None = None) -> None:
        """Delete the tags of `stream`, or of all when the page is emptied. The text is not touched."""
        for name, each in list(self._streams.items()):
            if stream in (None, each):
                each.forget()
                del self._streams[name]

    def target(self, index: str, tags: tuple[str, ...], prefix: Prefix) -> str | None:
        """The address or the code of the link at `index`: it is found by how many there are before it in its answer."""
        text = self.ground.text
        stream = next((each for each in self._streams.values() if each.tag in text.tag_names(index)), None)
        if stream is None:
            return None
        first, here = _place(text.tag_ranges(stream.tag)[0]), _place(index)
        starts = [_place(start) for tag in tags for start in text.tag_ranges(tag)[::2]]
        number = sum(first <= start <= here for start in starts)
        targets = stream.targets(prefix)
        return targets[number - 1] if 0 < number <= len(targets) else None


def _place(index: object) -> tuple[int, int]:
    line, _dot, char = str(index).partition(".")
    return int(line), int(char)
