"""What can be done with a message: edit, answer again, delete, copy; by icons, by the menu and by keys."""

from __future__ import annotations

import pytest

from metona_tk.protocol.commands import DeleteTurn, RunTool, StartTurn
from metona_tk.protocol.events import CommandRefused, TextAdded, ToolStarted, TurnDeleted
from metona_tk.protocol.problems import Problem, ProblemCode
from metona_tk.protocol.values import TurnEnd
from tests.ui import scenes as s
from tests.ui.hands import Hands


@pytest.fixture
def three(hands: Hands) -> list[str]:
    """Three answered questions."""
    return [hands.answered(f"Question {n}?", f"Answer {n}.") for n in (1, 2, 3)]


def banner(hands: Hands) -> str:
    label = hands.window.composer._editing
    return label.cget("text") if label is not None and label.winfo_manager() else ""


def refuse(hands: Hands) -> None:
    hands.feed(CommandRefused(hands.of(StartTurn)[-1], Problem(ProblemCode.WORKSPACE_GONE, {"path": "/x"})))
    hands.settle()


def test_a_question_is_edited_and_sent_in_its_own_place(hands, three):
    hands.icon("edit", three[2])
    hands.wait_for(lambda: hands.window.composer.content() == "Question 3?")
    assert "its answer is dropped" in banner(hands)
    assert hands.top.focus_get() is hands.window.composer.text
    hands.type(" Really", "Return")
    hands.wait_for(lambda: len(hands.of(StartTurn)) == 4)
    sent = hands.of(StartTurn)[-1]
    assert (sent.text, sent.instead_of) == ("Question 3? Really", three[2])
    assert banner(hands) == ""
    assert "Answer 3." not in hands.text()
    hands.feed(*s.started(sent.turn_id), TextAdded(sent.turn_id, "Yes."), s.finished(sent.turn_id))
    hands.settle()
    assert [turn.question for turn in hands.window.state.shown.record.turns][-1] == "Question 3? Really"
    assert "Answer 2." in hands.text()
    assert "Yes." in hands.text()


def test_editing_an_earlier_question_says_what_else_goes_and_drops_it(hands, three):
    hands.icon("edit", three[0])
    hands.wait_for(lambda: "the 2 questions after it" in banner(hands))
    hands.window.asking.leave_edit()
    hands.icon("edit", three[1])
    hands.wait_for(lambda: "the question after it" in banner(hands))
    hands.type("", "Return")
    hands.wait_for(lambda: len(hands.of(StartTurn)) == 4)
    assert hands.of(StartTurn)[-1].instead_of == three[1]
    assert "Answer 1." in hands.text()
    assert "Answer 2." not in hands.text()
    assert "Question 3?" not in hands.text()


def test_esc_leaves_the_old_question_and_gives_back_what_was_being_written(hands, three):
    hands.focus(hands.window.composer.text)
    hands.type("half a thought")
    hands.icon("edit", three[2])
    hands.wait_for(lambda: banner(hands))
    hands.type("xyz", "Escape")
    hands.wait_for(lambda: not banner(hands))
    assert hands.window.composer.content() == "half a thought"
    assert "Answer 3." in hands.text()
    hands.type("", "Return")
    hands.wait_for(lambda: len(hands.of(StartTurn)) == 4)
    assert hands.of(StartTurn)[-1].instead_of == ""


def test_what_was_being_written_comes_back_when_the_edit_is_sent(hands, three):
    hands.focus(hands.window.composer.text)
    hands.type("half a thought")
    hands.icon("edit", three[2])
    hands.wait_for(lambda: banner(hands))
    hands.icon("edit", three[1])
    hands.wait_for(lambda: hands.window.composer.content() == "Question 2?")
    hands.type("", "Return")
    hands.wait_for(lambda: len(hands.of(StartTurn)) == 4)
    assert hands.window.composer.content() == "half a thought"


def test_a_refused_edit_brings_everything_back(hands, three):
    before = hands.text()
    hands.icon("edit", three[1])
    hands.wait_for(lambda: banner(hands))
    hands.type(" New", "Return")
    hands.wait_for(lambda: len(hands.of(StartTurn)) == 4)
    refuse(hands)
    assert hands.text() == before
    assert hands.window.composer.content() == "Question 2? New"
    assert "/x is not there any more" in hands.window.notice.text
    assert banner(hands)
    hands.type("", "Return")
    hands.wait_for(lambda: len(hands.of(StartTurn)) == 5)
    assert hands.of(StartTurn)[-1].instead_of == three[1]


def test_a_refused_question_brings_the_offer_to_retry_back(hands):
    turn = hands.ask("First?")
    hands.feed(*s.started(turn), s.finished(turn, TurnEnd.FAILED, ProblemCode.CONNECTION_LOST, True))
    hands.settle()
    hands.ask("Second?")
    assert "Ctrl+R" not in hands.text()
    refuse(hands)
    assert "Retry   Ctrl+R" in hands.text()
    hands.window.composer.set_content("")
    hands.type("", "ctrl+r")
    hands.wait_for(lambda: any(type(command).__name__ == "RetryTurn" for command in hands.sent))


def test_a_retry_goes_on_under_the_same_question(hands):
    turn = hands.ask("First?")
    hands.feed(*s.started(turn), TextAdded(turn, "Half"), s.finished(turn, TurnEnd.STOPPED, None, True))
    hands.settle()
    hands.key(hands.window.composer.text, "<Control-r>")
    again = hands.sent[-1].turn_id
    hands.feed(*s.started(again), TextAdded(again, "whole."), s.finished(again))
    hands.settle()
    assert hands.text().count("You") == 1
    hands.icon("more", again)
    hands.choose("Delete question and answer")
    hands.wait_for(lambda: hands.of(DeleteTurn))
    assert hands.of(DeleteTurn)[0].turn_id == turn
    chat = hands.window.state.shown.chat_id
    hands.feed(TurnDeleted(chat, turn), TurnDeleted(chat, again))
    hands.settle()
    assert "Half" not in hands.text()
    assert "Ask about your files" in hands.text()


def test_the_last_answer_is_made_anew_at_once(hands, three):
    hands.icon("again", three[2])
    hands.wait_for(lambda: len(hands.of(StartTurn)) == 4)
    sent = hands.of(StartTurn)[-1]
    assert (sent.text, sent.instead_of) == ("Question 3?", three[2])
    assert "Answer 3." not in hands.text()
    assert hands.text().count("Question 3?") == 1


def test_an_earlier_answer_is_made_anew_only_after_a_second_look(hands, three):
    hands.icon("again", three[0])
    hands.wait_for(lambda: hands.window.composer.content() == "Question 1?")
    assert "the 2 questions after it" in banner(hands)
    assert len(hands.of(StartTurn)) == 3


def test_while_a_turn_runs_nothing_is_edited_or_deleted(hands, three):
    turn = hands.ask("Fourth?")
    hands.feed(*s.started(turn))
    hands.settle()
    hands.icon("edit", three[2])
    hands.wait_for(lambda: "still being written" in hands.window.status.words)
    assert hands.window.composer.content() == ""
    hands.icon("more", three[0])
    assert list(hands.entries()) == ["Copy the question", "Copy the answer", "Select all", "Find…"]
    hands.type("", "Escape")
    hands.wait_for(lambda: not hands.window.menus._menu.winfo_viewable())


def test_a_question_is_deleted_when_the_core_has_forgotten_it(hands, three):
    hands.icon("more", three[1])
    hands.choose("Delete question and answer")
    hands.wait_for(lambda: hands.of(DeleteTurn))
    assert "Answer 2." in hands.text()
    hands.feed(TurnDeleted(hands.of(DeleteTurn)[0].chat_id, three[1]))
    hands.settle()
    assert "Question 2?" not in hands.text()
    assert "Answer 2." not in hands.text()
    assert "Answer 3." in hands.text()


def test_a_command_by_hand_is_deleted_without_the_core(hands):
    hands.window.composer.set_content("/ls")
    hands.key(hands.window.composer.text, "Return")
    turn = hands.of(RunTool)[0].turn_id
    hands.feed(*s.started(turn), *s.list_call(turn), s.finished(turn))
    hands.settle()
    hands.icon("more", turn)
    hands.choose("Delete")
    hands.wait_for(lambda: "list_directory" not in hands.text())
    assert not hands.of(DeleteTurn)


def test_question_and_answer_are_copied_by_icon_menu_and_key(hands):
    turn = hands.answered("Which **one**?", "The *first* one.\n\n- a\n")
    hands.icon("copy-question", turn)
    hands.wait_for(lambda: "The question is on the clipboard" in hands.window.status.words)
    assert hands.top.clipboard_get() == "Which **one**?"
    hands.icon("copy", turn)
    hands.wait_for(lambda: "The answer is on the clipboard" in hands.window.status.words)
    assert hands.top.clipboard_get() == "The *first* one.\n\n- a"
    hands.icon("more", turn)
    hands.choose("Copy the question")
    assert hands.top.clipboard_get() == "Which **one**?"
    hands.focus(hands.window.composer.text)
    hands.type("", "ctrl+shift+c")
    hands.wait_for(lambda: hands.top.clipboard_get().startswith("The *first*"))


def test_the_menu_comes_by_the_right_button_with_what_is_below_it(hands, three):
    at = hands.page.search("Answer 2.", "1.0")
    hands.page.see(at)
    hands.top.update()
    box = hands.page.bbox(at)
    hands.click(hands.page, box[0] + 4, box[1] + 4, button=3)
    assert list(hands.entries())[0] == "Copy the question"
    hands.choose("Copy the answer")
    assert hands.top.clipboard_get() == "Answer 2."


@pytest.mark.parametrize("key", ["Return", "shift+F10"])
def test_the_menu_comes_by_keys_for_the_message_that_is_picked(hands, three, key):
    hands.focus(hands.page)
    hands.type("", "ctrl+Up", "ctrl+Up", key)
    hands.choose("Copy the question")
    assert hands.top.clipboard_get() == "Question 3?"
    hands.focus(hands.page)
    hands.type("", "ctrl+Down", "ctrl+Down", key)
    hands.choose("Edit and ask again")
    hands.wait_for(lambda: hands.window.composer.content() == "Question 1?")


def test_without_a_message_the_menu_has_what_always_goes(hands, three):
    hands.focus(hands.page)
    hands.type("", "shift+F10")
    assert list(hands.entries()) == ["Select all", "Find…"]
    hands.choose("Select all")
    assert hands.page.tag_ranges("sel")


def test_up_in_an_empty_composer_changes_the_last_question_and_else_moves(hands, three):
    hands.focus(hands.window.composer.text)
    hands.type("a", "Up")
    hands.top.update()
    assert not banner(hands)
    hands.type("", "ctrl+a", "BackSpace", "Up")
    hands.wait_for(lambda: hands.window.composer.content() == "Question 3?")
    assert banner(hands)


def test_earlier_questions_come_back_and_so_does_what_was_being_written(hands, three):
    hands.focus(hands.window.composer.text)
    hands.type("mine")
    seen = []
    for key in ("ctrl+Up", "ctrl+Up", "ctrl+Up", "ctrl+Up", "ctrl+Down", "ctrl+Down", "ctrl+Down", "ctrl+Down"):
        hands.type("", key)
        hands.top.update()
        seen.append(hands.window.composer.content())
    one, two, last = "Question 1?", "Question 2?", "Question 3?"
    assert seen == [last, two, one, one, two, last, "mine", "mine"]


def test_ctrl_r_makes_the_last_answer_anew_also_behind_a_command(hands, three):
    hands.window.composer.set_content("/ls")
    hands.key(hands.window.composer.text, "Return")
    turn = hands.of(RunTool)[0].turn_id
    hands.feed(*s.started(turn), *s.list_call(turn), s.finished(turn))
    hands.settle()
    hands.type("", "ctrl+r")
    hands.wait_for(lambda: hands.window.composer.content() == "Question 3?")


def test_a_stopped_call_leaves_no_frame_when_its_question_is_taken_away(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn), ToolStarted(turn, "c", "read_file", {"path": "a"}))
    hands.settle()
    refuse(hands)
    assert not hands.page.winfo_children() or not [c for c in hands.page.winfo_children() if c.winfo_class() == "Frame"]
    assert hands.window.composer.content() == "What is there?"
