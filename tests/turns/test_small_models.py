"""Small models are asked for an answer from what was looked up before they get their tools."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from metona_tk.protocol.events import TextAdded, ToolStarted, TurnFinished
from metona_tk.protocol.values import TurnEnd
from tests.fakes.ollama import ScriptedServer, answer, calls, text
from tests.turns.driver import Driver

Drive = Callable[..., Driver]
SMALL: dict[str, Any] = {"parameter_size": "1.5B"}


def test_a_small_model_answers_from_what_was_looked_up(drive: Drive) -> None:
    with ScriptedServer(text("notes.txt"), **SMALL) as server:
        driver = drive(server)
        assert driver.ask("which file mentions the pelican?").end is TurnEnd.ANSWERED
        assert "tools" not in server.chats[0]
        assert server.chats[0]["options"] == {"num_ctx": 24576, "temperature": 0.7, "top_p": 0.3}
        assert "The pelican eats fish." in server.chats[0]["messages"][-1]["content"]
        assert driver.text() == "notes.txt"


@pytest.mark.parametrize("word", ["LOOK", "`LOOK`", "Look.", "", "notes.txt\nLOOK"])
def test_a_small_model_that_wants_to_look_gets_its_tools(drive: Drive, word: str) -> None:
    with ScriptedServer(text(word), text("It is there."), **SMALL) as server:
        driver = drive(server)
        assert driver.ask("which file mentions the pelican?").end is TurnEnd.ANSWERED
        assert ["tools" in chat for chat in server.chats] == [False, True]
        assert server.chats[1]["messages"][0]["content"] != server.chats[0]["messages"][0]["content"]
        assert driver.text() == "It is there."
        assert [message["role"] for message in server.chats[1]["messages"]] == ["system", "user"]


def test_a_small_model_that_calls_at_once_is_served(drive: Drive) -> None:
    call = calls(("read_file", {"path": "notes.txt"}), shape="text")
    with ScriptedServer(call, text("A pelican."), **SMALL) as server:
        driver = drive(server)
        assert driver.ask("which file mentions the pelican?").end is TurnEnd.ANSWERED
        assert driver.text() == "A pelican."
        assert [event.by_program for event in driver.of(ToolStarted)][-1] is False


def test_a_long_answer_of_a_small_model_is_streamed(drive: Drive) -> None:
    gate = threading.Event()
    with ScriptedServer(answer("word " * 50, gate, "end"), **SMALL) as server:
        driver = drive(server)
        driver.start("which file mentions the pelican?")
        assert driver.wait(TextAdded).text == "word " * 50
        gate.set()
        driver.wait(TurnFinished)


def test_an_answer_that_begins_like_the_word_is_shown(drive: Drive) -> None:
    with ScriptedServer(text("Look", " in notes.txt"), **SMALL) as server:
        driver = drive(server)
        driver.ask("which file mentions the pelican?")
        assert driver.text() == "Look in notes.txt"


def test_a_question_that_nothing_fits_is_sent_with_tools_at_once(drive: Drive) -> None:
    with ScriptedServer(text("Hi!"), **SMALL) as server:
        drive(server).ask("hello")
        assert "tools" in server.chats[0]
