"""The small window: asked, answered, confirmed, stopped, hidden and made a chat, with real keys."""

from __future__ import annotations

import pytest

from metona_tk.protocol.commands import AnswerApproval, CancelTurn, NewConversation, StartTurn
from metona_tk.protocol.events import ConversationOpened, TextAdded
from metona_tk.protocol.wishes import AskQuickly
from tests.ui import scenes as s
from tests.ui.hands import Hands


@pytest.fixture
def quick(hands: Hands):
    hands.feed(AskQuickly())
    hands.settle()
    small = hands.window.outside.quick
    hands.wait_for(lambda: small.top.winfo_viewable() and hands.top.focus_get() is small.pane.composer.entry)
    opened = hands.of(NewConversation)[-1]
    assert opened.chat_id == small.chat.chat_id
    hands.feed(ConversationOpened(opened.chat_id, "/tmp"))
    hands.settle()
    return small


def asked(hands: Hands, quick, words: str = "How many hours?") -> str:
    before = len(hands.of(StartTurn))
    quick.pane.composer.set_content(words)
    quick.pane.composer.entry.focus_force()
    hands.wait_for(lambda: hands.top.focus_get() is quick.pane.composer.entry)
    hands.type("", "Return")
    hands.wait_for(lambda: len(hands.of(StartTurn)) > before, "the question")
    command = hands.of(StartTurn)[-1]
    assert (command.chat_id, command.text) == (quick.chat.chat_id, words)
    return command.turn_id


def page(quick) -> str:
    return quick.pane.transcript.page.text.get("1.0", "end-1c")


def test_the_answer_grows_below_the_line_and_the_large_window_stays_as_it_was(hands, quick):
    low = quick.top.winfo_height()
    turn = asked(hands, quick)
    hands.feed(*s.started(turn), TextAdded(turn, "41.5 hours.\n\n" + "- a line\n" * 9))
    hands.settle()
    hands.wait_for(lambda: quick.top.winfo_height() > low, "more room")
    assert "41.5 hours" in page(quick) and "How many" not in page(quick)
    assert quick.pane.composer.content() == "How many hours?"
    assert "41.5" not in hands.text() and len(hands.window.state.chats) == 1
    hands.feed(TextAdded(turn, "- a line\n" * 60), s.finished(turn))
    hands.settle()
    hands.wait_for(lambda: quick.top.winfo_height() == quick.pane.fonts.px(420), "as high as it gets")


def test_escape_stops_first_and_then_hides(hands, quick):
    turn = asked(hands, quick)
    hands.feed(*s.started(turn))
    hands.settle()
    hands.type("", "Escape")
    hands.wait_for(lambda: hands.of(CancelTurn))
    assert hands.of(CancelTurn) == [CancelTurn(turn)] and quick.shown
    hands.feed(s.finished(turn))
    hands.settle()
    hands.type("", "Escape")
    hands.wait_for(lambda: not quick.shown, "hidden")


def test_what_was_answered_is_still_there_and_the_next_question_begins_a_chat_of_its_own(hands, quick):
    turn = asked(hands, quick)
    hands.feed(*s.started(turn), TextAdded(turn, "Forty."), s.finished(turn))
    hands.settle()
    first = quick.chat
    follow = asked(hands, quick, "And in May?")
    assert quick.chat is first
    hands.feed(*s.started(follow), TextAdded(follow, "Fifty."), s.finished(follow))
    hands.settle()
    assert "Fifty" in page(quick) and "Forty" not in page(quick)
    quick.hide()
    hands.feed(AskQuickly())
    hands.settle()
    hands.wait_for(lambda: quick.shown)
    assert "Fifty" in page(quick) and quick.pane.composer.entry.selection_present()
    quick.pane.composer.set_content("Something else")
    hands.type("", "Return")
    hands.wait_for(lambda: quick.chat is not first)
    assert first in hands.window.state.chats and "Fifty" not in page(quick)
    assert hands.of(StartTurn)[-1].text == "Something else"


def test_a_question_that_comes_with_the_wish_is_asked_at_once(hands, quick):
    hands.feed(AskQuickly("/tmp", "", "What is new?"))
    hands.settle()
    assert [command.text for command in hands.of(StartTurn)] == ["What is new?"]
    hands.feed(AskQuickly(None, "", "And now?"))  # while the answer is being made
    hands.settle()
    assert len(hands.of(StartTurn)) == 1 and quick.pane.composer.content() == "And now?"


def test_it_becomes_a_chat_while_it_answers(hands, quick):
    turn = asked(hands, quick)
    hands.feed(*s.started(turn), TextAdded(turn, "Begun, "))
    hands.settle()
    chat = quick.chat
    hands.type("", "ctrl+Return")
    hands.wait_for(lambda: hands.window.state.shown is chat, "the chat in the large window")
    hands.feed(TextAdded(turn, "and done."), s.finished(turn))
    hands.settle()
    assert "How many hours?" in hands.text() and "Begun, and done." in hands.text()
    assert not quick.shown and quick.chat is not chat and not page(quick).strip()
    assert hands.window.state.chats == [chat]  # the empty one that was shown is gone


def test_it_asks_before_a_change_and_its_question_moves_with_the_chat(hands, quick):
    turn = asked(hands, quick)
    hands.feed(*s.started(turn), *s.question(turn))
    hands.settle()
    hands.wait_for(lambda: quick.approvals.dialog)
    assert hands.window.approvals.dialog is None
    assert quick.approvals.dialog.winfo_toplevel().master is quick.top
    hands.type("", "Escape")  # too early, and it is the question's own: nothing is answered by it
    quick._make_chat()
    hands.wait_for(lambda: hands.window.approvals.dialog)
    assert quick.approvals.dialog is None
    assert not [each for each in hands.of(AnswerApproval) if each.decision == "allow"]
