"""The window on the real core and a scripted server: the few ways that everything has to work together."""

from __future__ import annotations

import threading

from tests.fakes.ollama import ScriptedServer, answer, calls, text
from tests.ui.hands import Hands


def ended(hands: Hands) -> bool:
    return not hands.window.state.shown.running


def test_a_question_is_answered_with_a_file_of_the_workspace(start):
    with ScriptedServer(calls(("read_file", {"path": "plan.txt"})), text("It is ", "42.")) as server:
        hands = start(server.address)
        hands.ask("What is the number?")
        hands.wait_for(lambda: ended(hands), "the end of the turn")
        assert "plan.txt\t done" in hands.shown()
        assert "It is 42." in hands.shown()
        assert "tokens/s" in hands.window.status.words


def test_reading_outside_asks_and_deny_keeps_it_from_the_model(start):
    with ScriptedServer(calls(("read_file", {"path": "../outside.txt"})), text("I may not.")) as server:
        hands = start(server.address)
        hands.ask("What is there?")
        hands.wait_for(lambda: hands.window.approvals.dialog, "the question")
        hands.wait_for(lambda: hands.window.approvals.dialog.armed, "the half second")
        hands.click(hands.window.approvals.dialog.deny_button)
        hands.wait_for(lambda: ended(hands), "the end of the turn")
        assert "denied by you" in hands.shown()
        assert "Outside words" not in str(server.chats)


def test_stop_reaches_the_server_in_the_middle_of_an_answer(start):
    gate = threading.Event()
    with ScriptedServer(answer("Half of ", gate, "it.")) as server:
        hands = start(server.address)
        hands.ask("Go on.")
        hands.wait_for(lambda: "Half of" in hands.shown(), "the first piece")
        hands.key(hands.window.composer.text, "Escape")
        hands.wait_for(lambda: ended(hands), "the end of the turn")
        hands.wait_for(server.requests[-1].gone.is_set, "the server to see it")
        gate.set()
        assert "Stopped." in hands.shown()
        assert "Half of" in hands.shown()


def test_a_broken_answer_goes_on_by_retry(start):
    with ScriptedServer(answer("Half of ", done=False), text("the whole.")) as server:
        hands = start(server.address)
        hands.ask("Go on.")
        hands.wait_for(lambda: ended(hands), "the end of the turn")
        assert "Retry" in hands.shown()
        hands.key(hands.window.composer.text, "<Control-r>")
        hands.wait_for(lambda: "the whole." in hands.shown() and ended(hands), "the rest")
