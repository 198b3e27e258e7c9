"""The window on the real core and a scripted server: the few ways that everything has to work together."""

from __future__ import annotations

import threading
from pathlib import Path

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


def plan(hands: Hands) -> Path:
    return Path(hands.window.state.shown.workspace) / "plan.txt"


def allow(hands: Hands) -> None:
    hands.wait_for(lambda: hands.window.approvals.dialog, "the question")
    dialog = hands.window.approvals.dialog
    hands.wait_for(lambda: dialog.armed and dialog.may_allow(), "the half second, and the end in view")
    hands.focus(dialog.deny_button)
    hands.type("", "alt+a")


def test_a_changed_value_is_confirmed_undone_and_redone_to_the_byte(start):
    edit = {"path": "plan.txt", "old_text": "42", "new_text": "43"}
    script = calls(("read_file", {"path": "plan.txt"})), calls(("edit_file", edit)), text("Done.")
    with ScriptedServer(*script) as server:
        hands = start(server.address)
        before = plan(hands).read_bytes()
        hands.ask("Make it 43.")
        allow(hands)
        hands.wait_for(lambda: ended(hands), "the end of the turn")
        after = plan(hands).read_bytes()
        assert after == before.replace(b"42", b"43")
        hands.click_text("Undo")
        hands.wait_for(lambda: plan(hands).read_bytes() == before, "the undo")
        hands.wait_for(lambda: "undone" in hands.shown(), "the card to say so")
        hands.click_text("Redo")
        hands.wait_for(lambda: plan(hands).read_bytes() == after, "the redo")


def test_the_users_own_text_is_written_in_place_of_the_models(start):
    write = {"path": "plan.txt", "content": "theirs\n"}
    script = calls(("read_file", {"path": "plan.txt"})), calls(("write_file", write)), text("Done.")
    with ScriptedServer(*script) as server:
        hands = start(server.address)
        hands.ask("Write it.")
        hands.wait_for(lambda: hands.window.approvals.dialog, "the question")
        dialog = hands.window.approvals.dialog
        hands.wait_for(lambda: dialog.armed, "the half second")
        hands.click(dialog.edit_button)
        hands.wait_for(lambda: dialog.box.editor is not None, "the editor")
        dialog.box.editor.text.replace("1.0", "end-1c", "mine\n")
        allow(hands)
        hands.wait_for(lambda: ended(hands), "the end of the turn")
        assert plan(hands).read_bytes() == b"mine\n"
        assert "edited by you" in hands.shown()


def test_what_the_user_changed_since_is_kept_when_they_say_so(start):
    edit = {"path": "plan.txt", "old_text": "42", "new_text": "43"}
    script = calls(("read_file", {"path": "plan.txt"})), calls(("edit_file", edit)), text("Done.")
    with ScriptedServer(*script) as server:
        hands = start(server.address)
        hands.ask("Make it 43.")
        allow(hands)
        hands.wait_for(lambda: ended(hands), "the end of the turn")
        plan(hands).write_bytes(b"my own words\n")
        hands.click_text("Undo")
        hands.wait_for(lambda: hands.window.approvals.dialog, "the question about the conflict")
        dialog = hands.window.approvals.dialog
        assert "my own words" in dialog.box.text.get("1.0", "end")
        hands.wait_for(lambda: dialog.armed, "the half second")
        hands.click(dialog.deny_button)
        hands.wait_for(lambda: hands.window.approvals.dialog is None, "the dialog to close")
        assert plan(hands).read_bytes() == b"my own words\n"


def test_a_file_goes_to_the_bin_and_comes_back(start, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with ScriptedServer(calls(("delete_file", {"path": "plan.txt"})), text("Gone.")) as server:
        hands = start(server.address)
        before = plan(hands).read_bytes()
        hands.ask("Delete it.")
        allow(hands)
        hands.wait_for(lambda: ended(hands), "the end of the turn")
        assert not plan(hands).exists()
        hands.click_text("Undo")
        hands.wait_for(plan(hands).exists, "the undo")
        assert plan(hands).read_bytes() == before
