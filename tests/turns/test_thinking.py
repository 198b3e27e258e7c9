"""How much a model thinks: what is sent for each level, and what is done when a server refuses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metona_tk.protocol.commands import RetryTurn, StartTurn
from metona_tk.protocol.events import TurnFinished
from metona_tk.protocol.values import ThinkLevel, TurnEnd
from tests.fakes.ollama import ScriptedServer, answer, calls, error, text, think
from tests.turns.driver import Driver

Drive = Callable[..., Driver]
THINKER: dict[str, Any] = {"models": {"test:1b": ["completion", "tools", "thinking"]}}
UNKNOWN = error(400, 'invalid think value: "max" (must be "high", "medium", "low", true, or false)')
NO_LEVELS = error(400, "json: cannot unmarshal string into Go struct field ChatRequest.think of type bool")
CANNOT = error(400, '"test:1b" does not support thinking')


def ask(driver: Driver, turn_id: str, level: ThinkLevel) -> TurnFinished:
    driver.send(StartTurn("chat", turn_id, "hello", think=level))
    return driver.wait(TurnFinished)


@pytest.mark.parametrize(
    ("level", "sent"),
    [
        (ThinkLevel.OFF, False),
        (ThinkLevel.ON, True),
        (ThinkLevel.LOW, "low"),
        (ThinkLevel.MEDIUM, "medium"),
        (ThinkLevel.HIGH, "high"),
        (ThinkLevel.MAX, "max"),
    ],
)
def test_each_level_is_sent_as_the_server_takes_it(drive: Drive, level: ThinkLevel, sent: Any) -> None:
    with ScriptedServer(text("hi"), **THINKER) as server:
        assert ask(drive(server), "t", level).end is TurnEnd.ANSWERED
        assert server.chats[0]["think"] == sent


def test_without_a_wish_the_setting_counts_also_for_a_retry(drive: Drive) -> None:
    with ScriptedServer(text("hi"), answer("ha", done=False), text("lf"), **THINKER) as server:
        driver = drive(server, think="high")
        ask(driver, "t", ThinkLevel.DEFAULT)
        assert ask(driver, "u", ThinkLevel.DEFAULT).end is TurnEnd.FAILED
        driver.send(RetryTurn("chat", "v", think=ThinkLevel.LOW))
        driver.wait(TurnFinished)
        assert [chat["think"] for chat in server.chats] == ["high", "high", "low"]


def test_a_model_that_cannot_think_is_told_nothing(drive: Drive) -> None:
    with ScriptedServer(text("hi")) as server:
        ask(drive(server), "t", ThinkLevel.HIGH)
        assert "think" not in server.chats[0]


@pytest.mark.parametrize("refused", [UNKNOWN, NO_LEVELS])
def test_a_level_that_is_refused_becomes_plain_thinking_and_that_is_remembered(drive: Drive, refused: Any) -> None:
    with ScriptedServer(refused, text("hi"), text("hi"), text("hi"), **THINKER) as server:
        driver = drive(server)
        assert ask(driver, "t", ThinkLevel.MAX).end is TurnEnd.ANSWERED
        ask(driver, "u", ThinkLevel.LOW)
        ask(driver, "v", ThinkLevel.OFF)
        assert [chat["think"] for chat in server.chats] == ["max", True, True, False]


def test_thinking_that_is_refused_is_left_out_and_that_is_remembered(drive: Drive) -> None:
    with ScriptedServer(CANNOT, CANNOT, text("hi"), text("hi"), **THINKER) as server:
        driver = drive(server)
        assert ask(driver, "t", ThinkLevel.HIGH).end is TurnEnd.ANSWERED
        ask(driver, "u", ThinkLevel.ON)
        assert [chat.get("think") for chat in server.chats] == ["high", True, None, None]


def test_a_family_that_cannot_stop_thinking_thinks_little(drive: Drive) -> None:
    with ScriptedServer(text("hi"), text("hi"), family="gptoss", **THINKER) as server:
        driver = drive(server)
        ask(driver, "t", ThinkLevel.OFF)
        ask(driver, "u", ThinkLevel.HIGH)
        assert [chat["think"] for chat in server.chats] == ["low", "high"]


def test_thinking_stays_in_what_is_sent(drive: Drive) -> None:
    look = calls(("read_file", {"path": "notes.txt"}), thinking="I look it up.")
    with ScriptedServer(look, answer(think("Clear."), "A pelican."), text("ok"), **THINKER) as server:
        driver = drive(server)
        ask(driver, "t", ThinkLevel.ON)
        ask(driver, "u", ThinkLevel.ON)
        sent = server.chats[2]["messages"]
        thoughts = [message.get("thinking") for message in sent if message["role"] == "assistant"]
        assert thoughts == ["I look it up.", "Clear."]
