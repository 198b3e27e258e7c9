"""Stop returns within 200 ms in every state, and the server notices."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field

from metona_tk.protocol.commands import CancelTurn, StartTurn
from metona_tk.protocol.events import (
    ApprovalAnswered,
    ApprovalRequested,
    QuestionAnswered,
    QuestionAsked,
    StateChanged,
    TextAdded,
    ToolFinished,
    ToolStarted,
    TurnFinished,
)
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import CallStatus, Decision, Effects, Result, TurnEnd, TurnState
from metona_tk.tools.base import Tool, ToolArgs
from tests.fakes.ollama import ScriptedServer, answer, calls, text
from tests.turns.driver import Driver

Drive = Callable[..., Driver]
# The promise is 200 ms; the machine that runs the tests may be busy, so what is asserted is that the turn does not
# wait for the server or the tool, which would be for ever here.
SOON = 2.0


def stop(driver: Driver, turn_id: str) -> tuple[TurnFinished, float]:
    begun = time.monotonic()
    driver.send(CancelTurn(turn_id))
    finished = driver.wait(TurnFinished, lambda event: event.turn_id == turn_id)
    return finished, time.monotonic() - begun


def test_while_the_model_loads(drive: Drive) -> None:
    gate = threading.Event()
    with ScriptedServer(text("late").after(gate)) as server:
        driver = drive(server)
        turn = driver.start("hello")
        server.wait_for_requests(1)
        finished, seconds = stop(driver, turn)
        assert finished.end is TurnEnd.STOPPED
        assert seconds < SOON
        assert server.wait_for_disconnects(1)
        gate.set()


def test_in_the_middle_of_an_answer_the_text_stays(drive: Drive) -> None:
    gate = threading.Event()
    with ScriptedServer(answer("Half of ", gate, "it"), text(" the rest")) as server:
        driver = drive(server)
        turn = driver.start("hello")
        driver.wait(TextAdded)
        finished, seconds = stop(driver, turn)
        assert (finished.end, driver.text()) == (TurnEnd.STOPPED, "Half of ")
        assert seconds < SOON
        assert finished.can_retry
        assert server.wait_for_disconnects(1)
        gate.set()
        driver.ask("and now?")
        sent = [(message["role"], message["content"]) for message in server.chats[1]["messages"][1:]]
        assert sent == [("user", "hello"), ("assistant", "Half of "), ("user", "and now?")]


def test_while_a_call_is_being_generated(drive: Drive) -> None:
    gate = threading.Event()
    with ScriptedServer(answer("I look. ", gate, "never")) as server:
        driver = drive(server)
        turn = driver.start("hello")
        driver.wait(StateChanged, lambda event: event.state is TurnState.ACCUMULATING)
        finished, seconds = stop(driver, turn)
        assert (finished.end, seconds < SOON) == (TurnEnd.STOPPED, True)
        assert server.wait_for_disconnects(1)
        gate.set()


def test_while_connecting(drive: Drive) -> None:
    """A server whose queue of connections is full: connecting hangs."""
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        fillers = [socket.socket() for _ in range(4)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(full.getsockname())
        driver = drive(f"http://127.0.0.1:{full.getsockname()[1]}")
        turn = driver.start("hello")
        time.sleep(0.05)  # not waited for: a head start, so that the stop meets the connect and not the queue
        finished, seconds = stop(driver, turn)
        assert (finished.end, seconds < SOON) == (TurnEnd.STOPPED, True)
        for filler in fillers:
            filler.close()


class _Hanging(Tool):
    """A tool that hangs as a dead network disk would, until the test lets it go."""

    name = "hang"
    title = "Hang"
    description = "Hangs."
    reading_only = True
    running = threading.Event()
    let_go = threading.Event()

    class Args(ToolArgs):
        path: Annotated[str, Field(description="Any.")]

    def effects(self, args: Any) -> Effects:
        return Effects(reads=(args.path,))

    def run(self, args: Any, context: Any) -> Result:
        self.running.set()
        self.let_go.wait(20)
        return Result(True, {}, None, "late")


def test_while_a_tool_hangs_its_late_result_is_nobodys(drive: Drive) -> None:
    _Hanging.running.clear()
    _Hanging.let_go.clear()
    with ScriptedServer(calls(("hang", {"path": "."})), text("next")) as server:
        driver = drive(server, tools=[_Hanging()])
        turn = driver.start("hello")
        driver.wait(ToolStarted)
        assert _Hanging.running.wait(5)
        finished, seconds = stop(driver, turn)
        assert (finished.end, seconds < SOON) == (TurnEnd.STOPPED, True)
        ended = driver.of(ToolFinished)
        assert [(event.status, event.result.code) for event in ended] == [(CallStatus.CANCELLED, Code.STOPPED)]
        _Hanging.let_go.set()
        driver.ask("again")
        assert len(driver.of(ToolFinished)) == 1
        roles = [message["role"] for message in server.chats[1]["messages"]]
        assert roles == ["system", "user", "assistant", "tool", "user"]  # each call has its tool message


def test_while_a_question_is_open(drive: Drive, folder: Path) -> None:
    (folder.parent / "out.txt").write_text("outside")
    with ScriptedServer(calls(("read_file", {"path": "../out.txt"}))) as server:
        driver = drive(server)
        turn = driver.start("hello")
        driver.wait(ApprovalRequested)
        finished, seconds = stop(driver, turn)
        assert (finished.end, seconds < SOON) == (TurnEnd.STOPPED, True)
        assert [event.decision for event in driver.of(ApprovalAnswered)] == [Decision.NO_ANSWER]


def test_while_it_is_asked_whether_to_go_on(drive: Drive) -> None:
    with ScriptedServer(calls(("read_file", {"path": "notes.txt"}))) as server:
        driver = drive(server, maxRounds=1)
        turn = driver.start("hello")
        driver.wait(QuestionAsked)
        finished, seconds = stop(driver, turn)
        assert (finished.end, seconds < SOON) == (TurnEnd.STOPPED, True)
        assert [event.answer for event in driver.of(QuestionAnswered)] == ["stop"]


@pytest.mark.parametrize("_again", range(5))
def test_at_once_after_the_start(drive: Drive, _again: int) -> None:
    with ScriptedServer(script=lambda _: text("hi")) as server:
        driver = drive(server)
        driver.send(StartTurn("chat", "turn1", "hello"))
        driver.send(CancelTurn("turn1"))
        finished = driver.wait(TurnFinished)
        assert finished.end in {TurnEnd.STOPPED, TurnEnd.ANSWERED}
