"""What a turn looks like, piece by piece: words and tags, without a window."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metona_tk.protocol.events import QuestionAsked, TurnFinished
from metona_tk.protocol.problems import Problem, ProblemCode
from metona_tk.protocol.values import QuestionKind, TurnEnd, Usage
from metona_tk.ui.chat import turn_text
from metona_tk.ui.chat.record import Asked, Thought, Trimmed, Turn
from metona_tk.ui.chat.spans import Span
from tests.ui import plays
from tests.unit.ui.test_record import ended, played


def words(spans: list[Span]) -> str:
    return "".join(text for text, _ in spans)


def kinds(spans: list[Span]) -> list[str]:
    return [tag.split(":")[1] for _, tags in spans for tag in tags if tag.startswith("act:")]


def test_a_question_can_be_edited_and_copied_and_a_command_only_copied():
    assert kinds(turn_text.question_spans(Turn("t", "Why?"))) == ["edit", "copy-question", "more"]
    assert kinds(turn_text.question_spans(Turn("t", "/ls", by_hand=True))) == ["copy-question", "more"]


@given(st.text(max_size=40))
def test_a_question_stands_there_as_it_was_written(text):
    shown = words(turn_text.question_spans(Turn("t", text, asked_at=0.0)))
    assert text.encode("utf-8", "replace").decode().replace("\0", "\ufffd").replace("\r", "").strip("\n") in shown


@pytest.mark.parametrize(
    ("seconds", "head"),
    [(None, "Thinking…"), (0.2, "Thought for a moment"), (1.0, "Thought for 1.0 s"), (75, "Thought for 1 min 15 s")],
)
def test_the_head_of_a_thought_tells_its_time(seconds, head):
    assert head in words(turn_text.thought_head(Thought("x", 0.0, seconds), "k", False))


@given(st.text(max_size=30), st.booleans())
def test_all_of_a_thought_but_its_head_is_hidden_with_it(text, shown):
    spans = turn_text.thought_spans(Thought(text, 0.0, 1.0), "k", shown)
    hidden = [span for span in spans if "body:k" in span[1]]
    assert words(spans).endswith("\n")
    assert words([span for span in spans if span not in hidden]).strip() == "Thought for 1.0 s"


@pytest.mark.parametrize(
    ("results", "turns", "what"),
    [
        (0, 1, "1 earlier question"),
        (0, 3, "3 earlier questions"),
        (1, 0, "the text of 1 result"),
        (2, 1, "1 earlier question and the text of 2 results"),
    ],
)
def test_what_the_model_no_longer_sees_is_counted(results, turns, what):
    assert f"no longer sees {what}; you still do." in words(turn_text.trimmed_spans(Trimmed(results, turns)))


@pytest.mark.parametrize(
    ("answer", "said"), [("go_on", "You let it go on."), ("stop", "It ended there."), ("", "It ended")]
)
def test_a_question_that_is_over_says_how_it_was_answered(answer, said):
    event = QuestionAsked("t", "q", QuestionKind.GO_ON, ("go_on", "stop"), {"rounds": "10"})
    text = words(turn_text.asked_spans(Asked(event, answer)))
    assert text.startswith("10 rounds were used.")
    assert said in text


def finish(end: TurnEnd, code: ProblemCode | None = None, retry: bool = False) -> Turn:
    turn = Turn("t", "q")
    problem = Problem(code) if code else None
    turn.take(TurnFinished("", "t", end, Usage(), problem, retry))
    return turn


@pytest.mark.parametrize(
    ("turn", "retry", "said"),
    [
        (finish(TurnEnd.ANSWERED), False, ""),
        (finish(TurnEnd.STOPPED), False, "Stopped."),
        (finish(TurnEnd.STOPPED, retry=True), True, "Retry"),
        (finish(TurnEnd.FAILED), False, "could not be finished"),
        (finish(TurnEnd.ANSWERED, ProblemCode.CUT_BY_LENGTH), False, "length limit"),
        (finish(TurnEnd.FAILED, ProblemCode.OUT_OF_MEMORY), False, "not enough memory"),
        (Turn("t", "q"), True, ""),
    ],
)
def test_the_end_is_explained_unless_it_is_an_answer(turn, retry, said):
    text = words(turn_text.end_spans(turn, retry))
    assert said in text if said else text == ""
    assert ("Retry" in text) == (retry and turn.end is not None)


@given(plays.plans(), st.sampled_from(plays.ENDS))
def test_under_an_answer_stands_what_was_done_and_what_can_be_done(plan, end):
    turn = played(plan, end)
    spans = turn_text.foot_spans(turn)
    calls = sum(len(rest[0]) for kind, *rest in plan if kind == "calls")
    assert (f"{calls} tool call" in words(spans)) == (calls > 0)
    assert ("nothing was changed" in words(spans)) == (calls > 0)
    assert kinds(spans) == (["copy", "again", "more"] if turn.answer else ["again"])


def test_under_a_command_stands_nothing():
    assert turn_text.foot_spans(ended("t", "/ls", by_hand=True)) == []
    assert turn_text.foot_spans(Turn("t", "runs")) == []


def test_every_icon_has_its_word():
    spans = turn_text.question_spans(Turn("t", "q")) + turn_text.foot_spans(played([("say", ["x"])]))
    assert all(turn_text.action_words(kind) for kind in kinds(spans))
