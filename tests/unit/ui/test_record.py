"""A chat as the window keeps it: what each event leaves behind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metona_tk.protocol.events import EngineStopped, TextAdded, ThinkingAdded, ToolStarted, TurnEvent
from metona_tk.protocol.values import TurnEnd
from metona_tk.ui.chat.record import Asked, Call, Record, Said, Thought, Trimmed, Turn
from tests.properties.law import check_law
from tests.ui import plays
from tests.ui import scenes as s


def played(plan: plays.Plan, end: TurnEnd = TurnEnd.ANSWERED, retry: bool = False) -> Turn:
    turn = Turn("t", "What is there?")
    for event in plays.acts("t", "", plan, end, retry):
        if event is not None:
            turn.take(event)
    return turn


def took(*events: TurnEvent, at: float = 0.0) -> Turn:
    turn = Turn("t", "q")
    for number, event in enumerate(events):
        turn.take(event, at + number)
    return turn


@given(plays.plans(), st.sampled_from(plays.ENDS))
def test_the_plans_of_these_tests_keep_the_law(plan, end):
    check_law([*filter(None, plays.acts("t", "", plan, end)), EngineStopped()])


@given(plays.plans(), st.sampled_from(plays.ENDS))
def test_after_its_end_nothing_of_a_turn_runs_waits_or_grows(plan, end):
    turn = played(plan, end)
    assert turn.end is not None
    assert not turn.waiting
    for item in turn.items:
        assert not isinstance(item, Call) or (item.end is not None and item.asked is None)
        assert not isinstance(item, Thought) or (item.seconds is not None and item.seconds >= 0)
        assert not isinstance(item, Said) or not item.open


@given(plays.plans())
def test_no_word_is_lost_and_adjacent_pieces_are_one_stretch(plan):
    turn = played(plan)
    for kind, step in ((Said, "say"), (Thought, "think")):
        told = "".join(piece for name, *rest in plan if name == step for piece in rest[0])
        kept = "".join(item.text for item in turn.items if isinstance(item, kind))
        assert kept.split() == told.split() or "".join(kept.split()) == "".join(told.split())
    for before, after in zip(turn.items, turn.items[1:], strict=False):
        assert not (isinstance(before, Said | Thought) and type(before) is type(after))


@given(plays.plans())
def test_every_call_question_and_loss_of_context_is_kept_in_order(plan):
    wanted: list[type] = []
    for kind, *rest in plan:
        wanted += [Call] * len(rest[0]) if kind == "calls" else [Asked] if kind == "asked" else []
        wanted += [Trimmed] if kind == "trim" else []
    assert [type(item) for item in played(plan).items if not isinstance(item, Said | Thought)] == wanted


@given(st.lists(st.sampled_from(["a", " b", "\n", "\n\n", "中"]), min_size=1), st.integers(1, 5))
def test_pieces_may_come_joined(pieces, size):
    cut = ["".join(pieces[at : at + size]) for at in range(0, len(pieces), size)]
    for kind in (TextAdded, ThinkingAdded):
        one, other = took(*(kind("t", p) for p in pieces)), took(*(kind("t", p) for p in cut))
        assert [item.text for item in one.items] == [item.text for item in other.items]  # type: ignore[union-attr]


def test_thinking_is_timed_from_its_first_word_to_what_comes_next():
    turn = took(
        ThinkingAdded("t", "\n "), ThinkingAdded("t", "a"), ThinkingAdded("t", "b"), TextAdded("t", "c"), at=10.0
    )
    thought = turn.items[0]
    assert isinstance(thought, Thought)
    assert (thought.text, thought.begun, thought.seconds) == ("ab", 11.0, 2.0)


def test_a_call_waits_from_its_question_to_the_answer():
    turn = Turn("t", "q")
    seen = []
    for event in filter(None, plays.acts("t", "", [("calls", ["question"], [0], plays.Decision.DENY)])):
        turn.take(event)
        seen.append((type(event).__name__, turn.waiting))
    assert [name for name, waiting in seen if waiting] == ["ApprovalRequested"]


def test_a_call_that_never_ended_is_gone_with_its_turn():
    turn = took(ToolStarted("t", "c", "read_file", {}), s.finished("t"))  # type: ignore[arg-type]
    assert turn.items == []


def test_an_event_about_what_is_not_there_changes_nothing():
    turn = took(*s.failed_call("t")[1:], s.one_of_each("t", "c")[-5])  # type: ignore[arg-type]
    assert turn.items == []


def test_the_answer_is_all_that_was_said():
    turn = took(
        TextAdded("t", "\nFirst. \n"), ThinkingAdded("t", "hm"), TextAdded("t", "  \n"), TextAdded("t", "Second.")
    )
    assert turn.answer == "First.\n\nSecond."
    assert took(ThinkingAdded("t", "hm"), TextAdded("t", " \n")).answer == ""


@pytest.mark.parametrize(
    ("end", "tone"),
    [(TurnEnd.ANSWERED, "warn"), (TurnEnd.LIMIT, "warn"), (TurnEnd.FAILED, "danger"), (TurnEnd.STOPPED, "idle")],
)
def test_the_end_has_a_tone(end, tone):
    assert played([], end).tone == tone


def ended(turn_id: str, question: str = "q", by_hand: bool = False, retry: bool = False) -> Turn:
    turn = Turn(turn_id, question, by_hand=by_hand)
    turn.take(s.finished(turn_id, TurnEnd.FAILED if retry else TurnEnd.ANSWERED, retry=retry))  # type: ignore[arg-type]
    return turn


def test_cutting_drops_a_turn_and_all_later_ones_and_removing_only_one():
    record = Record([ended(name) for name in "abcd"])
    assert [turn.turn_id for turn in record.cut("c")] == ["c", "d"]
    assert record.cut("nobody") == []
    record.remove("a")
    assert [turn.turn_id for turn in record.turns] == ["b"]
    assert record.find("b") is record.turns[0]
    assert record.find("a") is None


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        ([], None),
        ([ended("a", retry=True)], "a"),
        ([ended("a", retry=True), ended("b")], None),
        ([ended("a", retry=True), ended("b", "/ls", by_hand=True)], "a"),
        ([ended("a"), ended("b", retry=True), ended("c", "", retry=True)], "c"),
        ([ended("a", retry=True), Turn("b", "runs")], None),
    ],
)
def test_only_the_last_turn_of_the_model_can_be_retried(turns, wanted):
    found = Record(turns).retryable
    assert (found.turn_id if found else None) == wanted


def test_a_chat_is_called_after_its_first_question():
    assert Record().title == ""
    assert Record([ended("a", "/ls", by_hand=True), ended("b", "Where?"), ended("c", "Why?")]).title == "Where?"
