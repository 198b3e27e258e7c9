"""All Markdown on one page: its streams, and clicks on links and code. Counterparts: `stream`, `chat.page`."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any

from metona_tk.ui.chat.markdown.look import Look
from metona_tk.ui.chat.markdown.stream import Ground, MarkdownStream
from metona_tk.ui.chat.markdown.targets import Targets


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
        self._places = Targets()
        self._begun = 0
        self._bind("md-link", "href:", on_link)
        self._bind("md-copy", "copy:", on_copy)

    def _bind(self, tag: str, prefix: str, act: Callable[[str], object]) -> None:
        text = self.ground.text
        text.tag_bind(tag, "<ButtonRelease-1>", lambda event: self._clicked(event, prefix, act))
        text.tag_bind(tag, "<Enter>", lambda _event: text.configure(cursor="hand2"))
        text.tag_bind(tag, "<Leave>", lambda _event: text.configure(cursor=""))

    def begin(self) -> MarkdownStream:
        """A new answer; it is written at the end of the page."""
        self._begun += 1
        name = str(self._begun)
        self._streams[name] = MarkdownStream(self.ground, self.look, name, self._places)
        return self._streams[name]

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

    def _clicked(self, event: tk.Event[Any], prefix: str, act: Callable[[str], object]) -> None:
        if not self._is_click(event):
            return
        key = self._places.key(self.ground.text.tag_names(f"@{event.x},{event.y}"))
        if key and key.startswith(prefix):
            target = self._streams[key.removeprefix(prefix).partition(".")[0]].target(key)
            if target is not None:
                act(target)
