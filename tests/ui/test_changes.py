"""Changes after they were made, and when a chat asks: Undo and Redo on the card, the conflict, files, modes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from metona_tk.protocol.changes import NotUndoable, OperationState
from metona_tk.protocol.commands import (
    AllowFile,
    AnswerApproval,
    RedoOperation,
    SetMode,
    StartTurn,
    UndoOperation,
)
from metona_tk.protocol.events import (
    ApprovalAnswered,
    CommandRefused,
    ConversationOpened,
    Event,
    FileAllowed,
    ModeChanged,
    OperationChanged,
    ToolFinished,
    UndoConflicted,
    UndoRefused,
)
from metona_tk.protocol.problems import Code, Problem, ProblemCode
from metona_tk.protocol.values import CallStatus, Decision, Mode, Result
from metona_tk.ui.chat.live_card import LiveCard
from tests.ui import previews as p
from tests.ui import scenes as s

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def made(hands):
    """A chat in which a file was edited, and which has ended."""
    said(hands, lambda turn: p.made(turn, "edit_file", "c1", "op1"), "Set the port.")
    return hands


def said(hands, calls: Callable[[str], list[Event]], question: str = "Do it.") -> str:
    """A whole turn with some calls."""
    turn = hands.ask(question)
    hands.feed(*s.started(turn), *calls(turn), s.finished(turn))
    hands.settle()
    return turn


def waiting_card(hands) -> LiveCard:
    (card,) = [child for child in hands.page.winfo_children() if isinstance(child, LiveCard)]
    return card


def allowed(turn: str, preview, operation_id: str = "op1"):
    return [
        *p.asked(turn, preview),
        ApprovalAnswered(turn, "c1", Decision.ALLOW),
        p.done(turn, preview.tool, "c1", p.operation(operation_id)),
    ]


# Cards


def test_a_waiting_card_shows_five_lines_of_the_change_and_review_opens_the_question(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn), *p.asked(turn, p.create(31)))
    hands.settle()
    waiting = waiting_card(hands).waiting
    rows = waiting._rows.get("1.0", "end-1c").splitlines()
    assert len(rows) == 5
    assert rows[0].endswith("+ # Plan for the move")
    assert waiting.words.cget("text").startswith("New file · 1.2 KB · 31 lines")
    hands.window.approvals.dialog.withdraw()
    waiting.review_button.press()
    hands.wait_for(hands.window.approvals.dialog.winfo_viewable)


def test_a_finished_card_keeps_the_difference_that_was_seen(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn), *allowed(turn, p.write()))
    hands.settle()
    assert "- port = 8080" in hands.shown()
    assert 'file = "logs/app.log"' not in hands.shown()
    assert "+4 −2" in hands.shown()
    assert "allowed by you after" in hands.shown()
    hands.click_text("show all")
    hands.wait_for(lambda: 'file = "logs/app.log"' in hands.shown())


def test_what_the_user_wrote_instead_is_not_shown_as_what_the_model_wanted(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn), *p.asked(turn, p.write()))
    hands.settle()
    hands.window.changes.answer(AnswerApproval("c1", Decision.ALLOW, digest="d1", text="mine\n"))
    hands.feed(ApprovalAnswered(turn, "c1", Decision.ALLOW), p.done(turn, "write_file"))
    hands.settle()
    assert "edited by you" in hands.shown()
    assert "9090" not in hands.shown()


def test_a_denied_card_carries_the_users_reason(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn), *p.asked(turn, p.delete_folder()))
    hands.settle()
    hands.window.changes.answer(AnswerApproval("c1", Decision.DENY, "I still need 2024", "d4"))
    denied = Result(False, code=Code.DENIED, error="no")
    hands.feed(ApprovalAnswered(turn, "c1", Decision.DENY), ToolFinished(turn, "c1", CallStatus.ERROR, denied, 1.0))
    hands.settle()
    assert "Your reason: “I still need 2024”" in hands.shown()


@pytest.mark.parametrize("tool", list(p.DATA))
def test_every_tool_that_changes_something_has_a_card_with_undo(hands, tool):
    said(hands, lambda turn: p.made(turn, tool, "c1", "op1"))
    words = {"move_path": "invoice 1.pdf  →  Archive/invoice 1.pdf", "copy_path": "*.pdf  →  Archive"}
    path = p.ARGUMENTS[tool].get("path", "")
    assert words.get(tool, path) in hands.shown()
    assert "Undo" in hands.shown()
    assert "1 change" in hands.shown()


# Undo and redo


def test_undo_by_mouse_then_redo(made):
    made.click_text("Undo")
    made.wait_for(lambda: made.of(UndoOperation) == [UndoOperation("op1")])
    made.feed(OperationChanged(p.operation("op1", OperationState.UNDONE)))
    made.settle()
    assert "undone" in made.shown()
    assert "Undo" not in made.shown()
    made.click_text("Redo")
    made.wait_for(lambda: made.of(RedoOperation) == [RedoOperation("op1")])
    made.feed(OperationChanged(p.operation("op1")))
    made.settle()
    assert "Undo" in made.shown()
    assert "undone" not in made.shown()


def test_a_deletion_that_was_undone_is_no_longer_said_to_be_in_the_bin(hands):
    said(hands, lambda turn: p.made(turn, "delete_file", "c1", "op1"))
    assert "in the recycle bin" in hands.shown()
    hands.feed(OperationChanged(p.operation("op1", OperationState.UNDONE)))
    hands.settle()
    assert "in the recycle bin" not in hands.shown()


def test_undo_by_keys(made):
    made.focus(made.page)
    for _ in range(12):
        made.type("", "ctrl+Down")
        current = made.window.transcript.page.folds._current
        if current and current.startswith("do:undo"):
            break
    made.type("", "Return")
    made.wait_for(lambda: made.of(UndoOperation) == [UndoOperation("op1")])


def test_what_became_of_a_change_is_still_there_when_the_chat_is_drawn_anew(made):
    made.feed(OperationChanged(p.operation("op1", OperationState.UNDONE)))
    made.settle()
    before = made.text()
    made.window.transcript.redraw()
    assert made.text() == before
    made.click_text("Redo")
    made.wait_for(lambda: made.of(RedoOperation))


def test_a_change_of_another_chat_is_kept_until_it_is_shown(made):
    made.key(made.window.composer.text, "<Control-n>")
    made.feed(OperationChanged(p.operation("op1", OperationState.UNDONE)))
    made.settle()
    made.window.choices.show_chat(made.window.state.chats[1].chat_id)
    made.settle()
    assert "undone" in made.shown()


def test_a_change_that_cannot_be_undone_says_why_in_place_of_undo(made):
    made.feed(OperationChanged(p.operation("op1", blocked=NotUndoable.BIN_EMPTIED)))
    made.settle()
    assert "Can't be undone: The recycle bin no longer has it." in made.shown()
    assert "Undo" not in made.shown()


def test_a_refusal_that_may_pass_says_why_and_leaves_undo(made):
    made.feed(UndoRefused(p.operation("op1"), False, NotUndoable.BUSY, "/tmp/a"))
    made.settle()
    assert "Not undone: Another program is at it" in made.shown()
    assert "Undo" in made.shown()
    assert "/tmp/a" in made.window.notice.text


# The conflict


def asked_about(hands, redo: bool = False):
    hands.feed(UndoConflicted(p.conflict("op1", redo)))
    hands.settle()
    dialog = hands.window.approvals.dialog
    hands.wait_for(lambda: dialog.winfo_viewable() and dialog._seen is not None and dialog.box.watch.seen)
    return dialog


def test_a_conflict_shows_both_and_keeps_mine_by_default(made):
    dialog = asked_about(made)
    rows = dialog.box.text.get("1.0", "end-1c").splitlines()
    assert rows[0].endswith("/shared/app.toml")
    assert rows[1].startswith("now\tfile · 2.0 KB")
    assert rows[2].startswith("after undo\tfile · 1.8 KB")
    assert any("- port = 9090" in row for row in rows)
    assert rows[-1] == "after undo\tnothing is there"
    made.wait_for(lambda: made.top.focus_get() is dialog.deny_button)
    assert dialog.deny_button.text == "Keep mine"
    made.wait_for(lambda: dialog.armed)
    made.type("", "Return")
    made.wait_for(lambda: made.window.approvals.dialog is None)
    assert made.of(UndoOperation) == []


@pytest.mark.parametrize(("redo", "command"), [(False, UndoOperation), (True, RedoOperation)])
def test_a_conflict_goes_on_only_with_its_digest(made, redo, command):
    dialog = asked_about(made, redo)
    dialog._seen = dialog._clock()
    dialog._allow()
    assert made.of(command) == []
    dialog._seen = dialog._clock() - 1
    made.focus(dialog.deny_button)
    made.type("", "alt+a")
    made.wait_for(lambda: made.of(command) == [command("op1", "c1")])


# Sensitive files


def test_a_sensitive_file_is_allowed_from_its_card_and_asked_for_again(hands):
    said(hands, s.failed_call, "Read .env")
    hands.click_text("Allow this file for this chat")
    chat = hands.window.state.shown.chat_id
    hands.wait_for(lambda: hands.of(AllowFile) == [AllowFile(chat, ".env")])
    hands.feed(FileAllowed(chat, "/tmp/.env"))
    hands.settle()
    assert "The file may be read in this chat now." in hands.shown()
    asked = len(hands.of(StartTurn))
    hands.click_text("Ask again")
    hands.wait_for(lambda: len(hands.of(StartTurn)) == asked + 1)
    assert hands.of(StartTurn)[-1].text == "Read .env"


def test_a_file_that_is_not_allowed_is_offered_again(hands):
    said(hands, s.failed_call, "Read .env")
    hands.click_text("Allow this file for this chat")
    hands.wait_for(lambda: hands.of(AllowFile))
    hands.feed(CommandRefused(hands.of(AllowFile)[0], Problem(ProblemCode.NO_SUCH_CHAT)))
    hands.settle()
    assert hands.window.notice.text
    hands.feed(FileAllowed(hands.window.state.shown.chat_id, "/tmp/other"))
    hands.settle()
    assert "Allow this file for this chat" in hands.shown()


# Modes


def pick(hands, at: int) -> None:
    menu = hands.window.header.mode
    assert menu.refill() == 3
    menu.menu.invoke(at)
    hands.top.update()


def test_the_header_says_when_the_chat_asks(hands):
    chat = hands.window.state.shown.chat_id
    assert hands.window.header.mode.text.startswith("Ask")
    hands.feed(ModeChanged(chat, Mode.ALL))
    hands.settle()
    assert hands.window.header.mode.text in ("Ask: every change", "Ask all")
    hands.feed(ConversationOpened(chat, "/tmp", Mode.NONE))
    hands.settle()
    assert hands.window.header.mode.text in ("Automatic", "Auto")


def test_another_way_of_asking_is_chosen_from_the_menu(hands):
    pick(hands, 0)
    assert hands.of(SetMode) == [SetMode(hands.window.state.shown.chat_id, Mode.ALL)]
    assert hands.window.approvals.dialog is None


def test_automatic_is_asked_for_once_with_the_focus_on_cancel(hands):
    pick(hands, 2)
    dialog = hands.window.approvals.dialog
    hands.wait_for(lambda: hands.top.focus_get() is dialog.deny_button)
    assert dialog.deny_button.text == "Cancel"
    hands.wait_for(lambda: dialog.armed)
    hands.type("", "Return")
    hands.wait_for(lambda: hands.window.approvals.dialog is None)
    assert hands.of(SetMode) == []
    pick(hands, 2)
    dialog = hands.window.approvals.dialog
    hands.wait_for(lambda: dialog.winfo_viewable() and dialog.armed)
    hands.focus(dialog.deny_button)
    hands.type("", "alt+a")
    hands.wait_for(lambda: hands.of(SetMode) == [SetMode(hands.window.state.shown.chat_id, Mode.NONE)])


def test_automatic_has_a_red_line_with_the_way_back_in_its_chat_alone(hands):
    chat = hands.window.state.shown
    hands.answered()
    hands.feed(ModeChanged(chat.chat_id, Mode.NONE))
    hands.settle()
    banner = hands.window.shell.banner
    hands.wait_for(banner.winfo_viewable)
    hands.key(hands.window.composer.text, "<Control-n>")
    hands.wait_for(lambda: not banner.winfo_viewable())
    hands.window.choices.show_chat(chat.chat_id)
    hands.wait_for(banner.winfo_viewable)
    hands.click(banner.button)
    hands.wait_for(lambda: hands.of(SetMode) == [SetMode(chat.chat_id, Mode.WRITE_ONLY)])
    hands.feed(ModeChanged(chat.chat_id, Mode.WRITE_ONLY))
    hands.wait_for(lambda: not banner.winfo_viewable())


def test_a_turn_that_changed_nothing_says_so(hands):
    said(hands, s.read_call)
    assert "nothing was changed" in hands.shown()
