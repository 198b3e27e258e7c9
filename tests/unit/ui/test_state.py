from __future__ import annotations

from metona_tk.protocol.values import ModelInfo, ServerState
from metona_tk.ui.state import ChatState, badge

A, B = ModelInfo("a"), ModelInfo("b")


def test_the_users_model_stays_while_the_server_has_it():
    state = ChatState(model="b")
    state.choose((A, B), "a")
    assert state.model == "b"
    state.choose((A,), "a")
    assert state.model == "a"


def test_nothing_is_sent_while_a_turn_runs_or_without_server_or_model():
    assert ChatState().why_not() == ""
    assert "still being written" in ChatState(turn_id="t").why_not()
    assert "not reachable" in ChatState(server=ServerState("x", False)).why_not()
    assert "no model" in ChatState(models=()).why_not()
    assert ChatState(server=ServerState("x", True), models=(A,)).why_not() == ""


def test_badges():
    assert badge(A) == ""
    assert badge(ModelInfo("m", capabilities=("tools",))) == "tools"
    assert badge(ModelInfo("m", capabilities=(), remote=True)) == "no tools, runs elsewhere"
