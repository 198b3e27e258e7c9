"""What is said and done in the chat, written block by block onto the page. Counterpart: `window`, which gets events."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from typing import Any

from metona_tk.i18n import tr
from metona_tk.protocol.events import ToolFinished, ToolStarted
from metona_tk.ui.chat.card_text import card_of
from metona_tk.ui.chat.folds import body_tag
from metona_tk.ui.chat.page import Page
from metona_tk.ui.chat.spans import Span, tagged, wrapping
from metona_tk.ui.chat.thinking import Thinking
from metona_tk.ui.chat.tool_card import card_spans, live_spans, live_tag
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.visible import drawable


class Transcript:
    """Blocks end with a newline, except for the one that still grows (`_growing`: its tag)."""

    def __init__(self, master: tk.Misc, fonts: Fonts, on_retry: Callable[[], object]) -> None:
        self.page = Page(master, fonts)
        self._fonts, self._on_retry = fonts, on_retry
        self._growing = ""
        self._thinking: Thinking | None = None
        self._calls: dict[str, ToolStarted] = {}
        self._folds = 0
        self.page.text.tag_bind("retry", "<ButtonRelease-1>", self._retry_clicked)
        self.page.text.tag_bind("retry", "<Enter>", lambda _event: self.page.text.configure(cursor="hand2"))
        self.page.text.tag_bind("retry", "<Leave>", lambda _event: self.page.text.configure(cursor=""))

    def clear(self) -> None:
        """Begin an empty chat."""
        self._growing, self._thinking = "", None
        self._calls.clear()
        self.page.clear()

    def hint(self, title: str, text: str) -> None:
        """Say on an empty page what to do first; anything else that is written takes its place."""
        self.page.remove("hint-block")
        if self.page.empty:
            spans: list[Span] = [
                ("\n", ("turn-gap",)),
                (title + "\n", ("hint-title",)),
                *wrapping(text, "hint"),
                ("\n", ()),
            ]
            self.page.add(tagged(spans, "hint-block"))

    def ask(self, turn_id: str, text: str) -> None:
        """The user's question."""
        self._begin("turn-gap")
        head: list[Span] = [(tr("You"), ("user-head", "you")), (time.strftime("  %H:%M\n"), ("user-head",))]
        pad: Span = ("\n", ("user-pad",))
        words = wrapping(drawable(text).strip("\n"), "user")
        self.page.add(tagged([pad, *head, *words, ("\n", ("user",)), pad], f"ask:{turn_id}"))
        self.page.go_to_end()

    def unask(self, turn_id: str) -> None:
        """Take a question back that could not be asked."""
        self.page.remove(f"ask:{turn_id}")

    def add_thinking(self, text: str) -> None:
        """A piece of thinking, folded under its head."""
        text = drawable(text)
        if self._thinking is None:
            if not text.strip():
                return
            self._begin("gap")
            self._thinking = Thinking(self.page, self._new_fold())
            self._growing = "think-head"
            text = text.lstrip("\n")
        self._thinking.add(text)

    def add_text(self, text: str) -> None:
        """A piece of the answer."""
        text = drawable(text)
        if self._growing != "answer":
            text = text.lstrip("\n")
            if not text:
                return
            self._begin("gap")
            self._growing = "answer"
        self.page.add(wrapping(text, "answer"))

    def tool_started(self, event: ToolStarted) -> None:
        """A call runs: one line."""
        self._begin("gap")
        self._calls[event.call_id] = event
        self.page.add(live_spans(event, False, self._fonts, self.page.column))

    def tool_waiting(self, call_id: str, waiting: bool) -> None:
        """The call waits for the user, or does no longer."""
        start = self._calls.get(call_id)
        if start:
            self.page.replace(live_tag(call_id), live_spans(start, waiting, self._fonts, self.page.column))

    def tool_finished(self, event: ToolFinished) -> None:
        """The call has ended: its card takes the place of its line."""
        start = self._calls.pop(event.call_id, None)
        if start is None:
            return
        key = self._new_fold()
        spans = card_spans(card_of(start, event), key, self._fonts, self.page.column)
        self.page.replace(live_tag(event.call_id), spans)
        self.page.text.tag_delete(live_tag(event.call_id))

    def say(self, text: str, tone: str, retry: bool = False) -> None:
        """A remark of the program's: why a turn ended, and the way to go on."""
        self._begin("gap")
        self.page.add(tagged([*wrapping(drawable(text), tone), ("\n", ())], "said"))
        if retry:
            link: list[Span] = [(tr("Retry"), ("link", "retry")), ("   Ctrl+R\n", ("meta",))]
            self.page.add(tagged(link, "said", "retry-line"))

    def end_turn(self) -> None:
        """Nothing more comes for this turn: what grows is closed, what ran is no longer running."""
        self._close()
        for call_id in list(self._calls):
            self.page.remove(live_tag(call_id))
        self._calls.clear()

    def drop_retry(self) -> None:
        """The offer to retry no longer holds."""
        self.page.remove("retry-line")

    def _new_fold(self) -> str:
        self._folds += 1
        key = str(self._folds)
        self.page.folds.add(key)
        self.page.text.tag_raise(body_tag(key))
        return key

    def _begin(self, gap: str) -> None:
        self.page.remove("hint-block")
        self._close()
        if self.page.empty:
            gap = "top-gap"
        self.page.add([("\n", (gap,))])

    def _close(self) -> None:
        if self._thinking is not None:
            self._thinking.end()
            self._thinking = None
        if self._growing:
            self.page.add([("\n", (self._growing,))])
            self._growing = ""

    def _retry_clicked(self, event: tk.Event[Any]) -> None:
        if self.page.folds.clicks.is_click(event):
            self._on_retry()
