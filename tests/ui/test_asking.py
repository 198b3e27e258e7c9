"""Writing a question, sending it, stopping it, trying again."""

from __future__ import annotations

from metona_tk.protocol.commands import CancelTurn, ListModels, NewConversation, RetryTurn, StartTurn
from metona_tk.protocol.events import (
    CommandRefused,
    ModelsListed,
    RoundFinished,
    ServerSilent,
    ServerStateChanged,
    TextAdded,
)
from metona_tk.protocol.problems import Problem, ProblemCode
from metona_tk.protocol.values import ServerState, TurnEnd
from tests.ui import scenes as s


def test_typing_and_enter_sends_the_text_in_the_chat_with_the_model(hands):
    hands.focus(hands.window.composer.text)
    hands.type("Which invoices are unpaid?", "Return")
    hands.wait_for(lambda: hands.of(StartTurn))
    (turn,) = hands.of(StartTurn)
    assert (turn.text, turn.model) == ("Which invoices are unpaid?", "qwen3:8b")
    assert turn.chat_id == hands.of(NewConversation)[0].chat_id
    assert hands.window.composer.content() == ""
    assert "Which invoices are unpaid?" in hands.text()


def test_shift_enter_begins_a_new_line_and_the_composer_grows_to_eight(hands):
    composer = hands.window.composer
    hands.focus(composer.text)
    hands.type("a", "shift+Return")
    hands.type("b")
    hands.wait_for(lambda: composer.content() == "a\nb")
    hands.wait_for(lambda: int(composer.text.cget("height")) == 2)
    composer.set_content("x\n" * 30)
    hands.wait_for(lambda: int(composer.text.cget("height")) == 8)
    composer.set_content("")
    hands.wait_for(lambda: int(composer.text.cget("height")) == 1)
    assert not hands.of(StartTurn)


def test_chinese_that_an_input_method_commits_is_text_and_never_sends(hands):
    hands.focus(hands.window.composer.text)
    for char in "三月的发票":
        hands.commit(char)
    assert hands.window.composer.content() == "三月的发票"
    assert not hands.of(StartTurn)
    hands.type("", "Return")
    hands.wait_for(lambda: hands.of(StartTurn))
    assert hands.of(StartTurn)[0].text == "三月的发票"


def test_blank_text_is_not_sent(hands):
    hands.window.composer.set_content("  \n ")
    hands.key(hands.window.composer.text, "Return")
    assert not hands.of(StartTurn)


def test_streaming_text_arrives_in_order(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn), *(TextAdded(turn, f"{n} ") for n in range(500)), s.finished(turn))
    hands.settle()
    assert " ".join(str(n) for n in range(500)) in hands.text()


def test_stop_by_click_cancels_the_turn_and_the_button_is_send_again(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn))
    hands.settle()
    assert hands.window.composer.button.tooltip.text == "Stop"
    hands.click(hands.window.composer.button)
    hands.wait_for(lambda: hands.of(CancelTurn))
    assert hands.of(CancelTurn) == [CancelTurn(turn)]
    hands.feed(s.finished(turn, TurnEnd.STOPPED))
    hands.wait_for(lambda: hands.window.composer.button.tooltip.text == "Send")
    assert "Stopped." in hands.text()


def test_escape_stops_and_does_nothing_when_nothing_runs(hands):
    hands.key(hands.window.composer.text, "Escape")
    assert not hands.of(CancelTurn)
    turn = hands.ask()
    hands.type("", "Escape")
    hands.wait_for(lambda: hands.of(CancelTurn) == [CancelTurn(turn)])


def test_while_a_turn_runs_the_draft_is_kept_and_it_is_said_why(hands):
    turn = hands.ask()
    hands.window.composer.set_content("and then?")
    hands.key(hands.window.composer.text, "Return")
    assert len(hands.of(StartTurn)) == 1
    assert hands.window.composer.content() == "and then?"
    assert "still being written" in hands.window.status.words
    hands.feed(s.finished(turn))
    hands.wait_for(lambda: not hands.window.state.shown.running)
    hands.key(hands.window.composer.text, "Return")
    assert len(hands.of(StartTurn)) == 2


def test_no_server_is_said_with_what_to_do_and_found_again_by_itself(hands):
    hands.window.watch._wait = 20
    before = len(hands.of(ListModels))
    hands.feed(s.DOWN)
    hands.settle()
    assert "not reachable" in hands.window.status.words
    assert "ollama serve" in hands.window.server_notice.text
    hands.window.composer.set_content("hello")
    hands.key(hands.window.composer.text, "Return")
    assert hands.window.composer.content() == "hello"
    assert not hands.of(StartTurn)
    hands.wait_for(lambda: len(hands.of(ListModels)) == before + 1)
    hands.feed(s.DOWN)
    hands.wait_for(lambda: len(hands.of(ListModels)) == before + 2)
    hands.feed(s.UP, s.LISTED)
    hands.settle()
    assert hands.window.server_notice.text == ""
    assert "Ollama 0.33" in hands.window.status.words
    assert hands.window.watch._timer is None
    hands.key(hands.window.composer.text, "Return")
    assert hands.of(StartTurn)


def test_try_again_and_f5_ask_the_server_at_once(hands):
    hands.feed(s.DOWN)
    hands.settle()
    before = len(hands.of(ListModels))
    hands.click(hands.window.server_notice.button)
    hands.wait_for(lambda: len(hands.of(ListModels)) == before + 1)
    hands.key(hands.window.composer.text, "F5")
    assert len(hands.of(ListModels)) == before + 2


def test_a_server_without_models_says_how_to_get_one(hands):
    hands.feed(ServerStateChanged(ServerState(s.ADDRESS, True, "0.33")), ModelsListed((), ""))
    hands.settle()
    assert "ollama pull" in hands.window.server_notice.text
    hands.window.composer.set_content("hello")
    hands.key(hands.window.composer.text, "Return")
    assert not hands.of(StartTurn)
    assert "no model" in hands.window.status.words


def test_a_silent_server_and_the_speed_are_told(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn), ServerSilent(turn, 12))
    hands.settle()
    assert "12 s: it may be loading the model" in hands.window.status.words
    hands.feed(TextAdded(turn, "x"), RoundFinished(turn, s.USAGE), s.finished(turn))
    hands.settle()
    assert "11 tokens/s" in hands.window.status.words


def test_a_failed_turn_says_why_and_retry_goes_on_by_click_and_by_key(hands):
    turn = hands.ask()
    lost = s.finished(turn, TurnEnd.FAILED, ProblemCode.CONNECTION_LOST, True)
    hands.feed(*s.started(turn), TextAdded(turn, "Half"), lost)
    hands.settle()
    assert "broke in the middle" in hands.text()
    hands.click_text("Retry   Ctrl")
    hands.wait_for(lambda: hands.of(RetryTurn))
    again = hands.of(RetryTurn)[0]
    assert again.turn_id != turn
    assert "Ctrl+R" not in hands.text()
    hands.feed(*s.started(again.turn_id), s.finished(again.turn_id, TurnEnd.FAILED, ProblemCode.CONNECTION_LOST, True))
    hands.settle()
    hands.key(hands.window.composer.text, "<Control-r>")
    assert len(hands.of(RetryTurn)) == 2


def test_a_turn_that_cannot_be_retried_offers_nothing(hands):
    turn = hands.ask()
    hands.feed(s.finished(turn, TurnEnd.FAILED, ProblemCode.OUT_OF_MEMORY))
    hands.settle()
    assert "not enough memory" in hands.text()
    assert "Retry" not in hands.text()
    hands.key(hands.window.composer.text, "<Control-r>")
    assert not hands.of(RetryTurn)
    assert hands.of(StartTurn)[-1].instead_of == turn


def test_a_refused_question_comes_back_into_the_composer(hands):
    hands.ask("A long question")
    hands.window.composer.set_content("next draft")
    hands.feed(CommandRefused(hands.of(StartTurn)[0], Problem(ProblemCode.WORKSPACE_GONE, {"path": "/x"})))
    hands.settle()
    assert hands.window.composer.content() == "A long question\nnext draft"
    assert "/x is not there any more" in hands.window.notice.text
    assert "A long question" not in hands.text()
    assert not hands.window.state.shown.running


def test_a_chat_that_was_left_goes_on_and_is_whole_when_it_is_shown_again(hands):
    turn = hands.ask()
    first = hands.window.state.shown
    hands.window.composer.set_content("half a thought")
    hands.key(hands.window.composer.text, "<Control-n>")
    assert not hands.of(CancelTurn)
    assert len({command.chat_id for command in hands.of(NewConversation)}) == 2
    hands.feed(*s.started(turn), TextAdded(turn, "late words"), *s.read_call(turn), s.finished(turn))
    hands.settle()
    assert "late words" not in hands.text()
    assert "What is there?" not in hands.text()
    assert hands.window.composer.content() == ""
    hands.key(hands.window.composer.text, "<Control-Next>")
    assert hands.window.state.shown is first
    assert "What is there?" in hands.text()
    assert "late words" in hands.text()
    assert "bank-export-2026.csv" in hands.text()
    assert hands.window.composer.content() == "half a thought"
    assert not first.running
