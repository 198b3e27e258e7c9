"""The Markdown of all answers on one page: written while it streams, or as spans of an answer that is complete."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from metona_tk.i18n import tr
from metona_tk.ui.chat.markdown.look import Look
from metona_tk.ui.chat.markdown.tags import look_of
from metona_tk.ui.chat.page import Page
from metona_tk.ui.chat.spans import Span

if TYPE_CHECKING:
    from metona_tk.ui.chat.markdown.answers import Answers as Streams
    from metona_tk.ui.chat.markdown.stream import MarkdownStream


class _Ground:
    """The page, with the tags of the turn that is written now on all that is written."""

    def __init__(self, page: Page) -> None:
        self._page, self.text = page, page.text
        self.scope: tuple[str, ...] = ()

    def add(self, spans: Iterable[Span]) -> None:
        self._page.add(spans, *self.scope)

    def replace(self, tag: str, spans: Iterable[Span]) -> bool:
        done = self._page.replace(tag, spans, *self.scope)
        self._page.written()
        return done


class Answers:
    """`open_link` gets the address of a clicked link, `tell` a word about what happened."""

    def __init__(self, page: Page, open_link: Callable[[str], object], tell: Callable[[str], object]) -> None:
        self._page, self._open_link, self._tell = page, open_link, tell
        self._ground = _Ground(page)

    @cached_property
    def _markdown(self) -> Streams:
        from metona_tk.ui.chat.markdown.answers import Answers as Streams  # what the first window need not load

        clicks = self._page.folds.clicks
        return Streams(self._ground, self._look(), self._open_link, self._copy, clicks.is_click)

    def _look(self) -> Look:
        return look_of(self._page.fonts, self._page.column)

    def grow(self, scope: str) -> MarkdownStream:
        """An answer that streams, at the end of the page; `scope` is a tag on all of it."""
        self._ground.scope = (scope,)
        return self._markdown.begin()

    def spans(self, source: str) -> list[Span]:
        """A complete answer."""
        return self._markdown.whole(source)

    def clear(self) -> None:
        """The page was emptied; what comes is drawn at its present width."""
        if "_markdown" in vars(self):
            self._markdown.forget()
            self._markdown.look = self._look()

    def _copy(self, code: str) -> None:
        self._page.put_on_clipboard(code)
        self._tell(tr("The code is on the clipboard"))

    def warm_up(self) -> None:
        """Load what parses and colours, before the first answer needs it."""
        from metona_tk.ui.chat.markdown.parser import warm_up

        warm_up()
        _ = self._markdown  # builds it
