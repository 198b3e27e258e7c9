"""Turns that are replaced and deleted, and what a chat keeps of each."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from metona_tk.protocol.commands import CancelTurn, DeleteTurn, RetryTurn, RunTool, StartTurn
from metona_tk.protocol.events import CommandRefused, TextAdded, TurnDeleted, TurnFinished
from metona_tk.protocol.problems import ProblemCode
from metona_tk.protocol.values import TurnEnd
from tests.fakes.ollama import ScriptedServer, answer, calls, text, think
from tests.turns.driver import Driver

Drive = Callable[..., Driver]


def words(body: Any) -> list[str]:
    """What a request says, without the system prompt and what was looked up."""
    return [message["content"].split("\n")[-1] for message in body["messages"] if message["role"] != "system"]


def refusal(driver: Driver) -> ProblemCode:
    return driver.wait(CommandRefused).problem.code


def test_a_turn_replaces_another_and_all_that_came_after(drive: Drive) -> None:
    with ScriptedServer(text("A"), text("B"), text("C"), text("D")) as server:
        driver = drive(server)
        for question in ("one", "two", "three"):
            driver.ask(question)
        driver.send(StartTurn("chat", "new", "zwei", instead_of="turn2"))
        assert driver.wait(TurnFinished).end is TurnEnd.ANSWERED
        assert words(server.chats[3]) == ["one", "A", "zwei"]
        driver.send(DeleteTurn("chat", "turn3"))
        assert refusal(driver) is ProblemCode.NO_SUCH_TURN


def test_replacing_what_is_not_there_changes_nothing(drive: Drive) -> None:
    with ScriptedServer(text("A"), text("B")) as server:
        driver = drive(server)
        driver.ask("one")
        driver.send(StartTurn("chat", "new", "two", instead_of="nope"))
        assert refusal(driver) is ProblemCode.NO_SUCH_TURN
        driver.send(StartTurn("chat", "new", "two"))  # its id is still free
        driver.wait(TurnFinished)
        assert words(server.chats[1]) == ["one", "A", "two"]


def test_a_turn_that_is_refused_drops_nothing(drive: Drive) -> None:
    gate = threading.Event()
    with ScriptedServer(text("A"), answer("B", gate), text("C")) as server:
        driver = drive(server)
        driver.ask("one")
        driver.start("two")
        driver.wait(TextAdded, lambda event: event.text == "B")
        for command in (StartTurn("chat", "new", "x", instead_of="turn1"), DeleteTurn("chat", "turn1")):
            driver.send(command)
            assert refusal(driver) is ProblemCode.TURN_RUNNING
        gate.set()
        driver.wait(TurnFinished)
        driver.settings.values["server"] = "a b"
        driver.send(StartTurn("chat", "new", "x", instead_of="turn1"))
        assert refusal(driver) is ProblemCode.BAD_ADDRESS
        driver.settings.values["server"] = server.address
        driver.ask("three")
        assert words(server.chats[2]) == ["one", "A", "two", "B", "three"]


def test_a_deleted_turn_is_gone_with_its_calls_and_the_others_stay(drive: Drive) -> None:
    look = calls(("read_file", {"path": "notes.txt"}))
    with ScriptedServer(text("A"), look, text("B"), text("C"), text("D")) as server:
        driver = drive(server)
        for question in ("one", "two", "three"):
            driver.ask(question)
        driver.send(DeleteTurn("chat", "turn2"))
        assert driver.wait(TurnDeleted) == TurnDeleted("chat", "turn2")
        driver.ask("four")
        assert words(server.chats[4]) == ["one", "A", "three", "C", "four"]
        for command in (DeleteTurn("chat", "turn2"), DeleteTurn("chat", "nope")):
            driver.send(command)
            assert refusal(driver) is ProblemCode.NO_SUCH_TURN
        driver.send(DeleteTurn("nobody", "turn1"))
        assert refusal(driver) is ProblemCode.NO_SUCH_CHAT


def test_a_retry_belongs_to_its_question(drive: Drive) -> None:
    with ScriptedServer(text("A"), answer("B ", done=False), text("more"), text("C"), text("D")) as server:
        driver = drive(server)
        driver.ask("one")
        driver.ask("two")
        driver.send(RetryTurn("chat", "again"))
        driver.wait(TurnFinished)
        driver.send(StartTurn("chat", "new", "three", instead_of="again"))
        driver.wait(TurnFinished)
        assert words(server.chats[3]) == ["one", "A", "three"]


def test_a_question_is_deleted_with_its_retries(drive: Drive) -> None:
    with ScriptedServer(answer("B ", done=False), text("more"), text("C")) as server:
        driver = drive(server)
        driver.ask("one")
        driver.send(RetryTurn("chat", "again"))
        driver.wait(TurnFinished)
        driver.send(DeleteTurn("chat", "again"))
        driver.wait(TurnDeleted, lambda event: event.turn_id == "again")
        assert [event.turn_id for event in driver.of(TurnDeleted)] == ["turn1", "again"]
        driver.send(RetryTurn("chat", "once more"))
        assert refusal(driver) is ProblemCode.NOTHING_TO_RETRY
        driver.ask("two")
        assert words(server.chats[2]) == ["two"]


def test_a_call_by_hand_is_deleted_and_replaced_like_any_turn(drive: Drive) -> None:
    with ScriptedServer(text("A"), text("B")) as server:
        driver = drive(server)
        driver.ask("one")
        driver.send(RunTool("chat", "hand", "list_directory", {"path": "."}))
        driver.wait(TurnFinished)
        driver.send(DeleteTurn("chat", "hand"))
        assert driver.wait(TurnDeleted).turn_id == "hand"
        driver.send(RunTool("chat", "hand2", "list_directory", {"path": "."}))
        driver.wait(TurnFinished)
        driver.send(StartTurn("chat", "new", "two", instead_of="hand2"))
        driver.wait(TurnFinished)
        assert words(server.chats[1]) == ["one", "A", "two"]


def test_a_message_keeps_model_thinking_calls_and_counts(drive: Drive) -> None:
    look = calls(("read_file", {"path": "notes.txt"}), thinking="I look.")
    with ScriptedServer(look, answer(think("Clear."), "A pelican.", eval_count=30), text("ok")) as server:
        driver = drive(server)
        driver.ask("what eats?")
        asked, called, result, answered = driver.engine._chats["chat"].messages
        assert {message.turn_id for message in (asked, called, result, answered)} == {"turn1"}
        assert (called.model, called.thinking, called.calls[0].name) == ("test:1b", "I look.", "read_file")
        assert (result.tool_name, result.tool_call_id) == ("read_file", called.calls[0].call_id)
        assert (answered.content, answered.thinking) == ("A pelican.", "Clear.")
        assert (answered.usage.answer_tokens, answered.usage.total_ns) == (30, 1_500_000_000)


def test_a_stopped_message_says_so(drive: Drive) -> None:
    gate = threading.Event()
    with ScriptedServer(answer("Half of ", gate)) as server:
        driver = drive(server)
        turn = driver.start("hello")
        driver.wait(TextAdded)
        driver.send(CancelTurn(turn))
        driver.wait(TurnFinished)
        gate.set()
        last = driver.engine._chats["chat"].messages[-1]
        assert (last.content, last.stopped, last.incomplete, last.model) == ("Half of ", True, False, "test:1b")
