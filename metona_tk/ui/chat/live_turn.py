"""Draws a running turn as it grows: what is complete is written once, only what still changes is written again.

Counterpart: `turn_text`, which draws the same pieces of a turn that has ended.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from metona_tk.i18n import N_, tr
from metona_tk.i18n.questions import question_text
from metona_tk.protocol.events import (
    ApprovalAnswered,
    ApprovalRequested,
    ContextTrimmed,
    QuestionAnswered,
    QuestionAsked,
    TextAdded,
    ThinkingAdded,
    ToolFinished,
    ToolStarted,
    TurnEvent,
    TurnFinished,
)
from metona_tk.ui.chat import turn_text
from metona_tk.ui.chat.answers import Answers
from metona_tk.ui.chat.card_text import card_of
from metona_tk.ui.chat.change_card import do_tag, verbs
from metona_tk.ui.chat.folds import body_tag
from metona_tk.ui.chat.live_card import LiveCard
from metona_tk.ui.chat.page import Page
from metona_tk.ui.chat.record import Asked, Call, Item, Said, Thought, Trimmed, Turn
from metona_tk.ui.chat.spans import Span, wrapping
from metona_tk.ui.chat.tool_card import card_spans
from metona_tk.ui.visible import drawable
from metona_tk.ui.widgets.choice_bar import ChoiceBar

if TYPE_CHECKING:
    from metona_tk.ui.chat.markdown.stream import MarkdownStream

PATIENCE = 120  # ms before a running call gets a frame: most are over by then
_GO_ON = {"go_on": N_("Go on"), "stop": N_("End here")}


@dataclass(frozen=True, slots=True)
class LiveActions:
    """What its widgets ask for."""

    stop: Callable[[], object]
    review: Callable[[str], object]  # a call whose question is waiting
    answer: Callable[[str, str], object]  # question, choice
    card: Callable[[str, str], object]  # verb, call


@dataclass(slots=True)
class LiveTurn:
    """One at a time on a page. `draw` what the turn holds already, then `take` each event that it has kept."""

    page: Page
    turn: Turn
    answers: Answers
    actions: LiveActions
    _cards: dict[str, LiveCard] = field(default_factory=dict[str, LiveCard])
    _timers: dict[str, str] = field(default_factory=dict[str, str])
    _bars: dict[str, ChoiceBar] = field(default_factory=dict[str, ChoiceBar])
    _open: Item | None = None  # the thought or answer that grows
    _answer: MarkdownStream | None = None
    _held: str = ""  # newlines at the end of the thought that grows: they are drawn only if more follows

    @property
    def _scope(self) -> str:
        return f"turn:{self.turn.turn_id}"

    def draw(self) -> None:
        """All that it holds, after its question."""
        for item in self.turn.items:
            if isinstance(item, Thought):
                self._begin_thought(item)
                self._think(item, item.text)
            elif isinstance(item, Said):
                self._begin_answer(item, item.text)
            else:
                self._draw_block(item)

    def _draw_block(self, item: Call | Trimmed | Asked) -> None:
        self._begin()
        if isinstance(item, Trimmed):
            self.page.add(turn_text.trimmed_spans(item), self._scope)
        elif isinstance(item, Asked):
            self._draw_question(item)
        elif item.end is None:
            self._draw_call(item)
        else:
            self.page.add(finished_call(self.page, item, item.end, self.turn, self.actions.card), self._scope)

    def take(self, event: TurnEvent) -> None:
        """Draw what the event has added to the turn."""
        match event:
            case ThinkingAdded() | TextAdded():
                self._grow(event)
            case ToolStarted() | ContextTrimmed() | QuestionAsked():
                item = self.turn.items[-1]
                if not isinstance(item, Thought | Said):
                    self._draw_block(item)
            case ToolFinished():
                self._end_call(event)
            case ApprovalRequested() | ApprovalAnswered():
                if call := self.turn.call(event.call_id):
                    self._frame(call)
                    if card := self._cards.get(event.call_id):
                        card.ask(call.asked)
            case QuestionAnswered():
                self._end_question(event.question_id)
            case TurnFinished():
                self.end()
            case _:
                pass

    def end(self) -> None:
        """Nothing more comes: what grows is closed, what ran is no longer running."""
        self._close()
        for call_id in [*self._cards, *self._timers]:
            self._drop_card(call_id)
            self.page.remove(_live_tag(call_id))
        for question_id in list(self._bars):
            self._end_question(question_id)

    def forget(self) -> None:
        """The page is about to be emptied: widgets and timers go first."""
        for call_id in [*self._cards, *self._timers]:
            self._drop_card(call_id)
        for bar in self._bars.values():
            bar.destroy()
        self._bars.clear()
        if self._answer is not None:
            self._answer.forget()

    # Text that grows

    def _grow(self, event: ThinkingAdded | TextAdded) -> None:
        last = self.turn.items[-1] if self.turn.items else None
        if isinstance(last, Thought) and isinstance(event, ThinkingAdded):
            if last is not self._open:
                self._begin_thought(last)
                words = last.text
            else:
                words = event.text
            self._think(last, words)
        elif isinstance(last, Said) and isinstance(event, TextAdded):
            if last is not self._open or self._answer is None:
                self._begin_answer(last, last.text)
            else:
                self._answer.add(drawable(event.text))

    def _begin_thought(self, item: Thought) -> None:
        self._begin()
        self._open = item
        key = thought_key(self.turn, item)
        if not self.page.folds.knows(key):
            self.page.folds.add(key)
        shown = self.page.folds.is_open(key)
        self.page.add(turn_text.thought_head(item, key, shown), self._scope)
        self.page.text.tag_raise(body_tag(key))

    def _think(self, item: Thought, words: str) -> None:
        words = self._held + drawable(words)
        seen = words.rstrip("\n")
        self._held = words[len(seen) :]
        self.page.add(wrapping(seen, "think-body", body_tag(thought_key(self.turn, item))), self._scope)

    def _begin_answer(self, item: Said, text: str) -> None:
        self._begin()
        self._open = item
        self._answer = self.answers.grow(self._scope)
        self._answer.add(drawable(text))

    def _begin(self) -> None:
        self._close()
        self.page.add([turn_text.GAP], self._scope)

    def _close(self) -> None:
        opened, self._open, self._held = self._open, None, ""
        if isinstance(opened, Thought):
            key = thought_key(self.turn, opened)
            self.page.add([("\n", ("think-body", body_tag(key)))], self._scope)
            head = turn_text.thought_head(opened, key, self.page.folds.is_open(key))
            words = [span for span in head if f"words:{key}" in span[1]]
            self.page.replace(f"words:{key}", words, self._scope)
        elif self._answer is not None:
            self._answer.end()
            self._answer = None

    # Calls

    def _draw_call(self, call: Call) -> None:
        call_id = call.start.call_id
        self.page.add([("\n", ("live", _live_tag(call_id)))], self._scope)
        if call.asked is not None:
            self._frame(call)
            self._cards[call_id].ask(call.asked)
        else:
            self._timers[call_id] = self.page.after(PATIENCE, lambda: self._frame(call))

    def _frame(self, call: Call) -> None:
        """Give the call its frame, unless it has one or is over."""
        call_id = call.start.call_id
        timer = self._timers.pop(call_id, None)
        if timer is not None:
            self.page.after_cancel(timer)
        place = self.page.text.tag_ranges(_live_tag(call_id))
        if call_id in self._cards or not place or call.end is not None:
            return
        card = LiveCard(
            self.page.text,
            self.page.fonts,
            call.start,
            call.begun,
            self.actions.stop,
            lambda: self.actions.review(call_id),
        )
        card.fit(self.page.column)
        self._cards[call_id] = card
        with self.page.steady():
            self.page.insert_window(str(place[0]), card, "live", _live_tag(call_id), self._scope)

    def _drop_card(self, call_id: str) -> None:
        timer = self._timers.pop(call_id, None)
        if timer is not None:
            self.page.after_cancel(timer)
        card = self._cards.pop(call_id, None)
        if card is not None:
            card.destroy()

    def _end_call(self, event: ToolFinished) -> None:
        call = self.turn.call(event.call_id)
        if call is None:
            return
        self._drop_card(event.call_id)
        spans = finished_call(self.page, call, event, self.turn, self.actions.card)
        self.page.replace(_live_tag(event.call_id), spans, self._scope)
        self.page.text.tag_delete(_live_tag(event.call_id))

    # Questions of the program's

    def _draw_question(self, item: Asked) -> None:
        if item.answer:
            self.page.add(turn_text.asked_spans(item), self._scope)
            return
        tag = f"question:{item.event.question_id}"
        words = question_text(item.event)
        choices = {choice: tr(_GO_ON[choice]) for choice in item.event.choices if choice in _GO_ON}
        question_id = item.event.question_id
        bar = ChoiceBar(
            self.page.text,
            self.page.fonts,
            words,
            choices,
            lambda choice: self.actions.answer(question_id, choice),
        )
        bar.fit(self.page.column)
        self._bars[question_id] = bar
        self.page.add([("\n", ("live", tag))], self._scope)
        self.page.insert_window(f"{tag}.first", bar, "live", tag, self._scope)
        self.page.written()

    def _end_question(self, question_id: str) -> None:
        bar = self._bars.pop(question_id, None)
        item = self.turn.asked(question_id)
        if bar is not None and item is not None:
            bar.destroy()
            self.page.replace(f"question:{question_id}", turn_text.asked_spans(item), self._scope)


def _live_tag(call_id: str) -> str:
    return f"live:{call_id}"


def thought_key(turn: Turn, item: Thought) -> str:
    """The fold of a stretch of thinking."""
    thoughts = [each for each in turn.items if isinstance(each, Thought)]
    number = next((at for at, each in enumerate(thoughts) if each is item), len(thoughts))
    return f"{turn.turn_id}-{number}"


def finished_call(
    page: Page, call: Call, end: ToolFinished, turn: Turn, act: Callable[[str, str], object]
) -> list[Span]:
    """The card of a call; its fold is known to the page, and open if it was or if the user ran the tool by hand.

    `act` gets the verb and the call of a command on the card, by mouse or key.
    """
    key = call.start.call_id
    folds = page.folds
    if not folds.knows(key):
        folds.add(key, turn.by_hand)
    for verb in verbs(call):
        folds.add_stop(do_tag(verb, key), lambda verb=verb: act(verb, key))
    page.text.tag_raise(body_tag(key))
    return card_spans(card_of(call, end), key, page.fonts, page.column, folds.is_open(key))
