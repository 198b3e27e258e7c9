"""A long chat is drawn from its end; what is above it comes when it is needed."""

from __future__ import annotations

import pytest

from metona_tk.ui.chat.record import Record, Turn
from metona_tk.ui.chat.transcript import KEPT, MOST, Transcript
from tests.ui import scenes
from tests.ui.hands import Hands
from tests.ui.test_find import bar, find, marked

TURNS = MOST + KEPT


def long_chat() -> Record:
    record = Record()
    for number in range(TURNS):
        turn = Turn(f"t{number}", f"Question {number}?")
        for event in (*scenes.started(turn.turn_id), scenes.TextAdded(turn.turn_id, f"Word{number}.\n\n" * 6)):
            turn.take(event)
        turn.take(scenes.finished(turn.turn_id))
        record.turns.append(turn)
    return record


@pytest.fixture
def transcript(hands: Hands) -> Transcript:
    """A long chat in the window, drawn as far as it is drawn by itself."""
    hands.window.state.shown.record = long_chat()
    hands.window.shell.show_chat()
    shown = hands.window.transcript
    hands.wait_for(lambda: shown.settled)
    return shown


def drawn(transcript: Transcript) -> list[str]:
    """The turns on the page, from the top."""
    text = transcript.page.text
    known = [turn.turn_id for turn in transcript.record.turns]
    return [name for name in known if text.tag_ranges(f"turn:{name}")]


def whole(transcript: Transcript) -> bool:
    return len(drawn(transcript)) == TURNS


def test_only_the_end_is_drawn_by_itself(transcript):
    there = drawn(transcript)
    assert KEPT <= len(there) < MOST
    assert there == [f"t{number}" for number in range(TURNS - len(there), TURNS)]
    assert transcript.page.follows
    assert transcript.page.text.dlineinfo("end-1c")


def test_more_is_drawn_where_the_user_comes_near_the_top_and_the_view_stays(hands, transcript):
    before = len(drawn(transcript))
    lines = int(str(transcript.page.text.index("end")).split(".")[0])
    transcript.page.read_at(f"{lines // 20}.0")
    hands.top.update_idletasks()
    top = transcript.page.text.get("@0,0", "@0,0 lineend")
    hands.wait_for(lambda: len(drawn(transcript)) > before)
    hands.wait_for(lambda: transcript.settled)
    assert transcript.page.text.get("@0,0", "@0,0 lineend") == top
    assert not whole(transcript)


@pytest.mark.parametrize("key", ["Home", "ctrl+Home"])
def test_home_goes_to_the_very_beginning(hands, transcript, key):
    hands.focus(transcript.page.text)
    hands.type("", key)
    hands.wait_for(lambda: whole(transcript))
    hands.wait_for(lambda: transcript.page.text.bbox("turn:t0.first"))


def test_all_is_selected_also_what_was_not_drawn(hands, transcript):
    hands.focus(transcript.page.text)
    hands.type("", "ctrl+a")
    hands.wait_for(lambda: transcript.page.text.tag_ranges("sel"))
    assert "Question 0?" in transcript.page.text.get("sel.first", "sel.last")
    assert "Question 239?" in transcript.page.text.get("sel.first", "sel.last")


def test_words_are_found_above_what_was_drawn(hands, transcript):
    find(hands, "word0.")
    hands.wait_for(lambda: bar(hands).words == "1 / 6")
    assert marked(hands, "found") == ["Word0."] * 6
    hands.wait_for(lambda: transcript.page.text.bbox("found-here.first"))


def test_a_bar_that_is_closed_while_the_rest_is_drawn_marks_nothing(hands, transcript):
    hands.window.shell.find()
    bar(hands).open("word0.")
    assert bar(hands).words == "…"
    bar(hands).close()
    hands.wait_for(lambda: whole(transcript))
    assert not marked(hands, "found")


def test_a_search_goes_on_where_the_page_is_drawn_anew_meanwhile(hands, transcript):
    hands.window.shell.find()
    bar(hands).open("word0.")
    transcript.redraw()
    hands.wait_for(lambda: bar(hands).words == "1 / 6")


def test_a_new_turn_leaves_only_the_end_of_a_chat_that_was_drawn_whole(hands, transcript):
    transcript.when_complete(lambda: None)
    hands.wait_for(lambda: whole(transcript))
    turn = Turn("new", "And now?")
    transcript.record.turns.append(turn)
    transcript.begin(turn)
    hands.wait_for(lambda: transcript.settled)
    there = drawn(transcript)
    assert len(there) < MOST
    assert there[-1] == "new"
    assert transcript.page.text.dlineinfo("end-1c")


def test_a_turn_that_is_not_drawn_is_taken_away(hands, transcript):
    before = drawn(transcript)
    transcript.record.remove("t3")
    transcript.unask("t3")
    assert drawn(transcript) == before
    done: list[int] = []
    transcript.when_complete(lambda: done.append(1))
    hands.wait_for(lambda: done)
    assert len(drawn(transcript)) == TURNS - 1


def test_an_icon_acts_for_the_turn_that_it_stands_in(hands, transcript):
    hands.icon("copy", f"t{TURNS - 2}")
    hands.wait_for(lambda: hands.top.clipboard_get().startswith(f"Word{TURNS - 2}."))
