"""One stretch of the model's thinking: a head that tells its time, and a body that stays folded until it is opened."""

from __future__ import annotations

import time

from metona_tk.i18n import tr
from metona_tk.ui.chat.folds import arrows, body_tag, head_tag
from metona_tk.ui.chat.page import Page
from metona_tk.ui.chat.spans import Span, wrapping
from metona_tk.ui.wording import time_words


class Thinking:
    """The body begins with a newline of its own, so that a folded one leaves no empty line."""

    def __init__(self, page: Page, key: str) -> None:
        self._page, self._key = page, key
        self._begun = time.monotonic()
        tags = ("think-head", "foldable", head_tag(key))
        head: list[Span] = [(text, (*tags, *own)) for text, own in arrows(key)]
        page.add(
            [*head, ("  ", tags), (tr("Thinking…"), (*tags, f"words:{key}")), ("\n", ("think-body", body_tag(key)))]
        )

    def add(self, text: str) -> None:
        """More of it."""
        self._page.add(wrapping(text, "think-body", body_tag(self._key)))

    def end(self) -> None:
        """It is complete."""
        seconds = time.monotonic() - self._begun
        words = tr("Thought for {time}", time=time_words(seconds)) if seconds >= 1 else tr("Thought for a moment")
        tags = ("think-head", "foldable", head_tag(self._key))
        self._page.replace(f"words:{self._key}", [(words, tags)])
        self._page.text.tag_delete(f"words:{self._key}")
