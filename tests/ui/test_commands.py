"""`/` commands in the composer: hints, completion, wrong use, and their results."""

from __future__ import annotations

import tkinter as tk

from metona_tk.protocol.commands import CancelTurn, RunTool, StartTurn
from metona_tk.protocol.events import CommandRefused
from metona_tk.protocol.problems import Problem, ProblemCode
from metona_tk.protocol.values import TurnEnd
from tests.ui import scenes as s
from tests.ui.hands import Hands
from tests.ui.test_transcript import live_cards


def hinted(hands: Hands) -> list[str]:
    popup = hands.window.composer.hints._popup
    if popup is None:
        return []
    hands.wait_for(popup.winfo_viewable)
    labels = [row.winfo_children()[0] for row in popup.inside.winfo_children()]
    return [str(label.cget("text")) for label in labels if isinstance(label, tk.Label)]


def typed(hands: Hands, text: str, *keys: str) -> None:
    hands.focus(hands.window.composer.text)
    hands.type(text, *keys)
    hands.top.update()


def test_a_slash_offers_the_commands_and_each_letter_leaves_those_that_fit(hands):
    typed(hands, "/")
    hands.wait_for(lambda: hinted(hands))
    assert hinted(hands) == ["/find name", "/grep text", "/read file or file:1-20", "/ls [folder]", "/help"]
    typed(hands, "g")
    hands.wait_for(lambda: hinted(hands) == ["/grep text"])
    typed(hands, "x")
    hands.wait_for(lambda: hinted(hands) == [])
    typed(hands, "", "BackSpace")
    hands.wait_for(lambda: hinted(hands) == ["/grep text"])
    assert hands.top.focus_get() is hands.window.composer.text


def test_tab_completes_the_first_and_the_argument_is_typed_on(hands):
    typed(hands, "/f", "Tab")
    hands.wait_for(lambda: hands.window.composer.content() == "/find ")
    assert hinted(hands) == []
    assert hands.top.focus_get() is hands.window.composer.text
    typed(hands, "invoice", "Return")
    hands.wait_for(lambda: hands.of(RunTool))
    assert hands.of(RunTool)[0].arguments["query"] == "invoice"
    assert not hands.of(StartTurn)


def test_enter_completes_what_is_not_a_whole_command_yet(hands):
    typed(hands, "/l", "Return")
    hands.wait_for(lambda: hands.window.composer.content() == "/ls ")
    assert not hands.of(RunTool)
    typed(hands, "", "Return")
    hands.wait_for(lambda: hands.of(RunTool))
    assert hands.of(RunTool)[0].arguments == {"path": "."}


def test_a_whole_command_runs_by_one_enter(hands):
    typed(hands, "/ls", "Return")
    hands.wait_for(lambda: hands.of(RunTool))
    assert hands.of(RunTool)[0].name == "list_directory"


def test_a_click_on_a_hint_writes_it(hands):
    typed(hands, "/")
    hands.wait_for(lambda: hinted(hands))
    hands.click(hands.window.composer.hints._popup.inside.winfo_children()[2])
    hands.wait_for(lambda: hands.window.composer.content() == "/read ")


def test_esc_closes_the_hints_first_and_then_stops(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn))
    hands.settle()
    typed(hands, "/")
    hands.wait_for(lambda: hinted(hands))
    typed(hands, "", "Escape")
    hands.wait_for(lambda: not hinted(hands))
    assert not hands.of(CancelTurn)
    typed(hands, "", "Escape")
    hands.wait_for(lambda: hands.of(CancelTurn))


def test_the_hints_go_with_the_focus(hands):
    typed(hands, "/")
    hands.wait_for(lambda: hinted(hands))
    hands.focus(hands.page)
    hands.wait_for(lambda: not hinted(hands))


def test_wrong_use_is_told_and_the_text_stays(hands):
    for text, words in (("/find ", "Write it as: /find name"), ("/nope x", "There is no command /nope")):
        hands.window.composer.set_content(text)
        hands.key(hands.window.composer.text, "Return")
        assert words in hands.window.status.words
        assert hands.window.composer.content() == text
    assert not hands.of(RunTool)


def test_help_is_shown_above_the_composer_until_it_is_closed(hands):
    typed(hands, "/help", "Return")
    hands.wait_for(lambda: "/grep text – lines that hold it" in hands.window.notice.text)
    assert hands.window.composer.content() == ""
    hands.click(hands.window.notice.button)
    hands.wait_for(lambda: hands.window.notice.text == "")


def test_the_result_stands_open_and_stays_as_the_user_folds_it(hands):
    typed(hands, "/read bank-export-2026.csv", "Return")
    hands.wait_for(lambda: hands.of(RunTool))
    turn = hands.of(RunTool)[0].turn_id
    call = s.read_call(turn)
    hands.feed(*s.started(turn), call[0])
    hands.wait_for(lambda: live_cards(hands))
    assert hands.window.composer.button.tooltip.text == "Stop"
    hands.feed(call[1], s.finished(turn))
    hands.settle()
    assert "Nordlicht" in hands.shown()
    assert hands.window.composer.button.tooltip.text == "Send"
    hands.window.transcript.redraw()
    assert "Nordlicht" in hands.shown()
    hands.click_text("read_file")
    hands.wait_for(lambda: "Nordlicht" not in hands.shown())
    hands.window.transcript.redraw()
    assert "Nordlicht" not in hands.shown()


def test_commands_work_without_a_server_and_not_during_a_turn(hands):
    hands.feed(s.DOWN)
    hands.settle()
    typed(hands, "/ls", "Return")
    hands.wait_for(lambda: len(hands.of(RunTool)) == 1)
    typed(hands, "/ls", "Return")
    hands.wait_for(lambda: "still being written" in hands.window.status.words)
    assert hands.window.composer.content() == "/ls"
    assert len(hands.of(RunTool)) == 1


def test_a_refused_command_comes_back(hands):
    typed(hands, "/ls sub", "Return")
    hands.wait_for(lambda: hands.of(RunTool))
    hands.feed(CommandRefused(hands.of(RunTool)[0], Problem(ProblemCode.NO_WORKSPACE)))
    hands.settle()
    assert hands.window.composer.content() == "/ls sub"
    assert hands.window.notice.text
    assert "/ls sub" not in hands.text()


def test_behind_a_command_a_failed_turn_can_still_be_retried(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn), s.finished(turn, TurnEnd.FAILED, ProblemCode.CONNECTION_LOST, True))
    hands.settle()
    typed(hands, "/ls", "Return")
    hands.wait_for(lambda: hands.of(RunTool))
    again = hands.of(RunTool)[0].turn_id
    hands.feed(*s.started(again), *s.list_call(again), s.finished(again))
    hands.settle()
    hands.click_text("Retry   Ctrl")
    hands.wait_for(lambda: type(hands.sent[-1]).__name__ == "RetryTurn")
