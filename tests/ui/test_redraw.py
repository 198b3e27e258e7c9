"""What a turn looks like while it streams is what it looks like drawn at once, to the last tag."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from metona_tk.protocol.values import TurnEnd
from metona_tk.ui.chat.markdown.targets import COPIES, LINKS
from metona_tk.ui.chat.record import Record, Turn
from metona_tk.ui.chat.transcript import Transcript
from tests.ui import plays
from tests.ui.hands import Hands

_numbers = itertools.count()


def drawn(transcript: Transcript) -> list[list[tuple[str, Any]]]:
    """The page by line: each character run and each picture with what its tags mean."""
    text = transcript.page.text
    lines: list[list[tuple[str, Any]]] = [[]]
    active: set[str] = set(text.tag_names("1.0"))
    means: dict[str, str] = {}
    for kind, value, index in text.dump("1.0", "end-1c", tag=True, text=True, image=True, window=True):
        if kind == "tagon":
            active.add(value)
        elif kind == "tagoff":
            active.discard(value)
        else:
            tags = frozenset(means.setdefault(tag, meaning(transcript, tag)) for tag in active)
            words = value if kind == "text" else f"<{text.image_cget(index, 'image') if kind == 'image' else kind}>"
            for at, line in enumerate(words.split("\n")):
                lines += [[]] if at else []
                if line:
                    lines[-1].append((line, tags))
                if at < words.count("\n"):
                    lines[-1].append(("\n", tags))
    return [*(joined(line) for line in lines), targets(transcript)]


def targets(transcript: Transcript) -> list[tuple[str, Any]]:
    """Where the links lead, and what the buttons of code copy, from the first to the last."""
    found: list[tuple[str, Any]] = []
    for kind, tags, prefix in (("link", LINKS, "href:"), ("copy", COPIES, "copy:")):
        starts = [str(start) for tag in tags for start in transcript.page.text.tag_ranges(tag)[::2]]
        for start in sorted(starts, key=lambda start: tuple(map(int, start.split(".")))):
            found.append((kind, transcript.answers._markdown.target(start, tags, prefix)))
    return found


def joined(line: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Adjacent runs of the same tags as one."""
    out: list[tuple[str, Any]] = []
    for words, tags in line:
        if out and out[-1][1] == tags:
            out[-1] = (out[-1][0] + words, tags)
        else:
            out.append((words, tags))
    return out


def meaning(transcript: Transcript, tag: str) -> str:
    """A tag whose name counts answers, by what it stands for."""
    kind = tag.partition(":")[0]
    if tag in LINKS:
        return "link"
    if kind == "answer":
        return kind
    if kind == "table":
        options = ("tabs", "lmargin1", "lmargin2")
        return f"table {[str(transcript.page.text.tag_cget(tag, option)) for option in options]}"
    return tag


@pytest.fixture
def play(hands: Hands) -> Any:
    """Plays a plan on the page of a window as it streams; returns the transcript."""

    def playing(plan: plays.Plan, end: TurnEnd = TurnEnd.ANSWERED, opened: bool = False) -> Transcript:
        transcript = hands.window.transcript
        transcript.show(Record())
        for _ in stream(transcript, plan, end):
            if opened:
                for key in transcript.page.folds.states():
                    if not transcript.page.folds.is_open(key):
                        transcript.page.folds.toggle(key)
        return transcript

    return playing


def stream(transcript: Transcript, plan: plays.Plan, end: TurnEnd) -> Iterator[None]:
    """One more turn on the page; stops after each event."""
    turn = Turn(f"t{next(_numbers)}", "What is there?")
    transcript.record.turns.append(turn)
    transcript.begin(turn)
    for event in plays.acts(turn.turn_id, "", plan, end, retry=end is TurnEnd.FAILED):
        if event is None:
            transcript.redraw()
        else:
            turn.take(event)
            transcript.take(turn, event)
        yield


def same(transcript: Transcript) -> None:
    """The page is what it would be if it were drawn at once."""
    before = drawn(transcript)
    transcript.redraw()
    transcript.when_complete(lambda: None)
    while not transcript.settled:
        transcript.page.update()
    after = drawn(transcript)
    for number, (old, new) in enumerate(zip(before, after, strict=False), 1):
        assert old == new, f"line {number}"
    assert len(before) == len(after)


SAY, THINK = "say", "think"


@example([(THINK, ["Hm.\n\n"]), (SAY, ["Well.\n\n"])], TurnEnd.ANSWERED, False)
@example([(SAY, ["```python\nx = 1\n\n\n"])], TurnEnd.STOPPED, False)
@example([(THINK, ["a"]), ("redraw",), (THINK, ["b"]), (SAY, ["c"])], TurnEnd.ANSWERED, False)
@example([(SAY, ["\r\n", "\r\nx"])], TurnEnd.FAILED, True)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(plans := plays.plans(), st.sampled_from(plays.ENDS), st.booleans())
def test_a_streamed_turn_is_drawn_at_once_to_the_same_page(play, plan, end, opened):
    same(play(plan, end, opened))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(plans, min_size=2, max_size=4), st.sampled_from(plays.ENDS))
def test_several_turns_are_drawn_at_once_to_the_same_page(play, turns, end):
    transcript = play(turns[0], end)
    for plan in turns[1:]:
        for _ in stream(transcript, plan, end):
            pass
        same(transcript)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.tuples(plans, st.sampled_from(plays.ENDS)), min_size=3, max_size=4), st.lists(st.integers(0, 3)))
def test_what_is_left_after_turns_are_taken_away_is_drawn_at_once_to_the_same_page(play, turns, taken):
    transcript = play(*turns[0])
    for plan, end in turns[1:]:
        for _ in stream(transcript, plan, end):
            pass
    for number in taken:
        if number < len(transcript.record.turns):
            gone = transcript.record.turns[number].turn_id
            transcript.record.remove(gone)
            transcript.unask(gone)
            same(transcript)
