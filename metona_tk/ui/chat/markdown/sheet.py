"""An answer that is complete, drawn into a list of spans instead of onto the page. Counterpart: `stream`."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterable

from metona_tk.ui.chat.spans import Span

_GROWING = ("md:", "live:")  # tags that a growing answer keeps its place by


class Sheet:
    """What a stream writes on; `text` is the Text whose tags it configures."""

    def __init__(self, text: tk.Text) -> None:
        self.text = text
        self._spans: list[Span] = []

    def add(self, spans: Iterable[Span]) -> None:
        """Write at the end."""
        self._spans += spans

    def replace(self, tag: str, spans: Iterable[Span]) -> bool:
        """Put `spans` where `tag` is; False when it is nowhere."""
        places = [at for at, span in enumerate(self._spans) if tag in span[1]]
        if not places:
            return False
        self._spans[places[0] : places[-1] + 1] = list(spans)
        return True

    def spans(self) -> list[Span]:
        """All of it, without the tags that only matter while it grows."""
        return [(text, tuple(tag for tag in tags if not tag.startswith(_GROWING))) for text, tags in self._spans]
