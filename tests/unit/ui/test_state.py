from __future__ import annotations

from metona_tk.protocol.values import ModelInfo, ServerState
from metona_tk.ui.state import AppState, ChatState, badge, think_levels

A, B = ModelInfo("a"), ModelInfo("b")


def test_the_users_model_stays_while_the_server_has_it():
    state = AppState()
    state.shown.model = "b"
    state.choose((A, B), "a")
    assert state.shown.model == "b"
    state.choose((A,), "a")
    assert state.shown.model == "a"


def test_nothing_is_sent_while_a_turn_runs_or_without_server_or_model():
    assert AppState().why_not() == ""
    assert "still being written" in AppState(chats=[ChatState(turn_id="t")]).why_not()
    assert "not reachable" in AppState(server=ServerState("x", False)).why_not()
    assert "no model" in AppState(models=()).why_not()
    assert AppState(server=ServerState("x", True), models=(A,)).why_not() == ""


def test_badges():
    assert badge(A) == ""
    assert badge(ModelInfo("m", capabilities=("tools",))) == "tools"
    assert badge(ModelInfo("m", capabilities=(), remote=True)) == "no tools, runs elsewhere"


def test_a_new_chat_takes_folder_and_model_of_the_shown_one_and_stands_first():
    state = AppState()
    first = state.shown
    first.model, first.workspace = "b", "/w"
    second = state.open()
    assert state.chats == [second, first]
    assert (second.model, second.workspace, second.chat_id == first.chat_id) == ("b", "/w", False)


def test_the_history_keeps_a_question_once_and_the_newest_last():
    state = AppState()
    for question in ("a", "b", "a"):
        state.remember(question)
    assert state.history == ["b", "a"]


def test_levels_of_thinking_fit_the_model():
    assert think_levels(A) == ()
    assert "off" in think_levels(ModelInfo("q", capabilities=("thinking",)))
    assert think_levels(ModelInfo("g", family="gptoss", capabilities=("thinking",))) == ("low", "medium", "high")
