"""What is said and done in the shown chat, drawn on the page from its record. Counterpart: `turn_view`.

A long chat is drawn from its end: what can be seen at once, then some more above it in slices while nothing else
happens, and the rest when the user comes near it: all that stands on the page makes each change of it slower.
"""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from metona_tk.protocol.events import TurnEvent, TurnFinished
from metona_tk.ui.chat import turn_text
from metona_tk.ui.chat.answers import Answers
from metona_tk.ui.chat.card_text import found_path
from metona_tk.ui.chat.folds import body_tag
from metona_tk.ui.chat.live_turn import LiveActions, LiveTurn, finished_call, thought_key
from metona_tk.ui.chat.page import Page
from metona_tk.ui.chat.record import Asked, Call, Record, Said, Thought, Turn
from metona_tk.ui.chat.spans import Span, tagged, wrapping
from metona_tk.ui.chat.tool_card import card_tag
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.visible import drawable

AT_ONCE = 8_000  # characters drawn before the window shows a chat: more than fits on a screen
KEPT = 60  # turns drawn before the user comes near them
MOST = 3 * KEPT  # turns that stay on the page when a new one begins
SLICE = 0.008  # s of drawing at a time, for the rest
REDRAW = 150  # ms after the last change of width


@dataclass(frozen=True, slots=True)
class TranscriptActions:
    """What the user asks for on the page. `act` gets one of the kinds of `turn_text.action`, and the turn."""

    act: Callable[[str, str], object]
    menu: Callable[[int, int, str], object]  # at a place on the screen, for a turn ("": none)
    retry: Callable[[], object]
    stop: Callable[[], object]
    review: Callable[[str], object]
    answer: Callable[[str, str], object]
    card: Callable[[str, str], object]  # a verb of a card ("undo", "redo", "let", "again"), and its call
    open_link: Callable[[str], object]
    open_path: Callable[[str], object]
    tell: Callable[[str], object]  # a word about what the pointer is on


@dataclass(frozen=True, slots=True)
class Place:
    """Where the user reads: the turn at the top of the window, and a line (from 0) and column in it."""

    turn_id: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class View:
    """How a chat is looked at: folds by key, open or not, and where; `place` None: its end is followed."""

    folds: dict[str, bool]
    place: Place | None


class Transcript:
    """Draws `record`; the running turn, if it is the last one, is drawn live."""

    def __init__(self, master: tk.Misc, fonts: Fonts, actions: TranscriptActions) -> None:
        self.page = Page(master, fonts, self._resized, self._popup, self.when_complete, self._more_later)
        self._do = actions
        self.record = Record()
        self.answers = Answers(self.page, actions.open_link, actions.tell)
        self.on_drawn: Callable[[], object] = lambda: None  # after all that was written is written anew
        self._live: LiveTurn | None = None
        self._above = 0  # turns of the record that are not drawn yet
        self._awaited: list[Callable[[], object]] = []  # called when all is drawn
        self._timer: str | None = None
        self._redraw_timer: str | None = None
        self._bind()

    def _bind(self) -> None:
        text = self.page.text
        for tag, action in {
            "action": self._action,
            "retry": self._retried,
            "hit-path": self._path,
            "card-action": self._card,
        }.items():
            text.tag_bind(tag, "<ButtonRelease-1>", lambda event, action=action: self._clicked(event, action))
            text.tag_bind(tag, "<Enter>", self._enter)
            text.tag_bind(tag, "<Leave>", self._leave)

    # The whole chat

    def show(self, record: Record, view: View | None = None) -> None:
        """Draw a chat anew, as it was looked at; without a `view` folded, its end in view."""
        self._draw(record, view or View({}, None))

    def redraw(self) -> None:
        """Draw the same chat anew, for another width; the user stays where they read."""
        self._draw(self.record, self.view())

    def view(self) -> View:
        """How the chat is looked at now."""
        return View(self.page.folds.states(), None if self.page.follows else self._place())

    def _place(self) -> Place | None:
        text, turn_id = self.page.text, self._turn_at("@0,0")
        if not turn_id:
            return None
        first, _ = str(text.index(f"turn:{turn_id}.first")).split(".")
        line, column = str(text.index("@0,0")).split(".")
        return Place(turn_id, int(line) - int(first), int(column))

    def _draw(self, record: Record, view: View) -> None:
        self.stop_drawing()
        if self._live is not None:
            self._live.forget()
            self._live = None
        self.page.clear()
        self.answers.clear()
        self.record, self._above = record, len(record.turns)
        for key, shown in view.folds.items():
            self.page.folds.add(key, shown)
        running = bool(record.turns) and record.turns[-1].end is None
        if running:
            self._above -= 1
        self._draw_last(view.place.turn_id if view.place else None)
        if running:
            self._begin_live(record.turns[-1])
        if view.place:
            self._go_to(view.place)
        else:
            self.page.go_to_end()
        self._more_later()
        self.on_drawn()

    def _go_to(self, place: Place) -> None:
        text, tag = self.page.text, f"turn:{place.turn_id}"
        if not text.tag_ranges(tag):
            self.page.go_to_end()
            return
        line, _ = str(text.index(f"{tag}.first +{place.line}l")).split(".")
        wanted = f"{line}.{place.column}"
        self.page.read_at(wanted if text.compare(wanted, "<", f"{tag}.last") else f"{tag}.last -1c")

    def _draw_last(self, anchor: str | None) -> None:
        """The last turns: a screen full, and at least down to the anchor."""
        first, size = self._above, 0
        wanted = anchor
        while first > 0 and (size < AT_ONCE or wanted):
            first -= 1
            turn = self.record.turns[first]
            size += len(turn.question) + len(turn.answer) + 400 * len(turn.items)
            if turn.turn_id == wanted:
                wanted = None
        spans: list[Span] = []
        for at in range(first, self._above):
            spans += self._turn_spans(at)
        self._above = first
        self.page.add(spans)

    def _more_later(self) -> None:
        if self._above and self._timer is None and self._wants_more():
            self._timer = self.page.after(1, self._draw_slice)

    @property
    def _drawn(self) -> int:
        return len(self.record.turns) - self._above

    def _wants_more(self) -> bool:
        return self._drawn < KEPT or bool(self._awaited) or self.page.near_top

    def _draw_slice(self) -> None:
        self._timer = None
        until, last, parts = time.perf_counter() + SLICE, self._above, list[list[Span]]()
        while self._above and (time.perf_counter() < until or self._above == last):
            self._above -= 1
            parts.append(self._turn_spans(self._above))
        self.page.prepend([span for part in reversed(parts) for span in part])
        self._more_later()
        self._call_awaited()

    def _call_awaited(self) -> None:
        if self._above == 0:
            awaited, self._awaited = self._awaited, []
            for call in awaited:
                call()

    def show_nothing(self) -> None:
        """Empty the page; widgets and timers on it end."""
        self._draw(Record(), View({}, None))

    def when_complete(self, then: Callable[[], object]) -> None:
        """Draw all of it bit by bit, as a search needs it; then call `then`, at once if nothing is left to draw."""
        self._awaited.append(then)
        self._more_later()
        self._call_awaited()

    def stop_drawing(self) -> None:
        """Leave the rest undrawn; no timer runs afterwards."""
        for timer in (self._timer, self._redraw_timer):
            if timer is not None:
                self.page.after_cancel(timer)
        self._timer = self._redraw_timer = None
        self._awaited = []

    @property
    def settled(self) -> bool:
        """Whether nothing more is drawn unless something happens."""
        return self._timer is None and self._redraw_timer is None

    def _resized(self) -> None:
        if self.record.turns and self._redraw_timer is None:
            self._redraw_timer = self.page.after(REDRAW, self._redraw_now)

    def _redraw_now(self) -> None:
        self._redraw_timer = None
        self.redraw()

    # One turn

    def _turn_spans(self, at: int) -> list[Span]:
        """A turn that has ended, whole."""
        turn = self.record.turns[at]
        spans = [_gap(at), *self._question(turn)]
        for item in turn.items:
            spans.append(turn_text.GAP)
            if isinstance(item, Said):
                spans += self.answers.spans(drawable(item.text))
            elif isinstance(item, Thought):
                key = thought_key(turn, item)
                if not self.page.folds.knows(key):
                    self.page.folds.add(key)
                spans += turn_text.thought_spans(item, key, self.page.folds.is_open(key))
                self.page.text.tag_raise(body_tag(key))
            elif isinstance(item, Asked):
                spans += turn_text.asked_spans(item)
            elif isinstance(item, Call):
                spans += finished_call(self.page, item, item.end, turn, self._do.card) if item.end else []
            else:
                spans += turn_text.trimmed_spans(item)
        spans += self._end(turn)
        return [(text, (*tags, f"turn:{turn.turn_id}")) for text, tags in spans]

    def _question(self, turn: Turn) -> list[Span]:
        if not turn.question:  # it goes on with the one before
            return []
        tag = turn_text.question_tag(turn.turn_id)
        self.page.folds.add_stop(tag, lambda: self._do.act("more", turn.turn_id))
        return turn_text.question_spans(turn)

    def _end(self, turn: Turn) -> list[Span]:
        self.page.folds.add_stop(turn_text.answer_tag(turn.turn_id), lambda: self._do.act("more", turn.turn_id))
        return [*turn_text.end_spans(turn, self.record.retryable is turn), *turn_text.foot_spans(turn)]

    def begin(self, turn: Turn) -> None:
        """A new turn at the end of the record: its question, and from now on what comes of it."""
        self.page.remove("hint-block")
        if not turn.by_hand:
            self.drop_retry()
        if self._drawn > MOST:
            self.page.go_to_end()
            self.redraw()
        else:
            self._begin_live(turn)
            self.page.go_to_end()

    def _begin_live(self, turn: Turn) -> None:
        if self._live is not None:
            self._live.end()
        scope = f"turn:{turn.turn_id}"
        self.page.add([_gap(len(self.record.turns) - 1), *self._question(turn)], scope)
        actions = LiveActions(self._do.stop, self._do.review, self._do.answer, self._do.card)
        self._live = LiveTurn(self.page, turn, self.answers, actions)
        self._live.draw()

    def take(self, turn: Turn, event: TurnEvent) -> None:
        """Draw what an event has added to the running turn, which has kept it already."""
        if self._live is None or self._live.turn is not turn:
            return
        self._live.take(event)
        if isinstance(event, TurnFinished):
            self._live = None
            self.page.add(self._end(turn), f"turn:{turn.turn_id}")

    def unask(self, turn_id: str) -> None:
        """Take a turn off the page that the record does not hold any more."""
        if self._live is not None and self._live.turn.turn_id == turn_id:
            self._live.forget()
            self._live = None
        tag = f"turn:{turn_id}"
        if self._above and not self.page.text.tag_ranges(tag):
            self._above -= 1
        self.page.remove(tag)
        if not self._above and "turn-gap" in self.page.text.tag_names("1.0"):
            self.page.text.tag_remove("turn-gap", "1.0", "2.0")
            self.page.text.tag_add("top-gap", "1.0", "2.0")
        if self.record.retryable and not self.page.text.tag_ranges("retry-line"):
            self.redraw()  # what the turn had taken away

    def drop_retry(self) -> None:
        """The offer to retry no longer holds."""
        self.page.remove("retry-line")

    def hint(self, title: str, text: str) -> None:
        """Say on an empty page what to do first; anything else that is written takes its place."""
        self.page.remove("hint-block")
        if self.page.empty:
            head: list[Span] = [("\n", ("turn-gap",)), (title + "\n", ("hint-title",))]
            self.page.add(tagged([*head, *wrapping(text, "hint"), ("\n", ())], "hint-block"))

    # What the pointer does

    def _turn_at(self, index: str) -> str:
        for tag in self.page.text.tag_names(index):
            if tag.startswith("turn:"):
                return tag.removeprefix("turn:")
        return ""

    def _popup(self, event: tk.Event[Any]) -> None:
        index, place = self.page.folds.current(), self.page.folds.place_of_current()
        if str(event.type) == "4":  # a button; else a key, which has no place
            self._do.menu(event.x_root, event.y_root, self._turn_at(f"@{event.x},{event.y}"))
        elif index and place:
            left, top = self.page.text.winfo_rootx(), self.page.text.winfo_rooty()
            self._do.menu(left + place[0], top + place[1], self._turn_at(index))
        else:
            self._do.menu(event.x_root, event.y_root, "")

    def _clicked(self, event: tk.Event[Any], action: Callable[[str], object]) -> None:
        if self.page.folds.clicks.is_click(event):
            action(f"@{event.x},{event.y}")

    def _action(self, index: str) -> None:
        if found := self._action_at(index):
            self._do.act(*found)

    def _action_at(self, index: str) -> tuple[str, str] | None:
        for tag in self.page.text.tag_names(index):
            if tag.startswith("act:"):
                return tag.removeprefix("act:"), self._turn_at(index)
        return None

    def _card(self, index: str) -> None:
        for tag in self.page.text.tag_names(index):
            if tag.startswith("do:"):
                _, verb, call_id = tag.split(":", 2)
                self._do.card(verb, call_id)
                return

    def redraw_card(self, turn: Turn, call: Call) -> None:
        """Something became of a finished call; what is not on the page will be drawn so in time."""
        if call.end is not None:
            spans = finished_call(self.page, call, call.end, turn, self._do.card)
            self.page.replace(card_tag(call.start.call_id), spans, f"turn:{turn.turn_id}")

    def _retried(self, _index: str) -> None:
        self._do.retry()

    def _path(self, index: str) -> None:
        """Open the file of a hit; the words on the page may be escaped, so the card's own data is asked."""
        ranges = self.page.text.tag_prevrange("hit-path", f"{index} +1c")
        turn = self.record.find(self._turn_at(index))
        if not ranges or turn is None:
            return
        words = self.page.text.get(*ranges)
        for item in turn.items:
            if isinstance(item, Call) and item.end is not None and (path := found_path(item.end.result, words)):
                self._do.open_path(path)
                return

    def _enter(self, event: tk.Event[Any]) -> None:
        self.page.text.configure(cursor="hand2")
        if found := self._action_at(f"@{event.x},{event.y}"):
            self._do.tell(turn_text.action_words(found[0]))

    def _leave(self, _event: tk.Event[Any]) -> None:
        self.page.text.configure(cursor="")
        self._do.tell("")


def _gap(at: int) -> Span:
    return "\n", ("turn-gap" if at else "top-gap",)
