"""Tools by hand: the same gate and the same Stop, no server, and no trace in what a model is sent."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field

from metona_tk.i18n.problems import problem_text
from metona_tk.protocol.commands import AnswerApproval, CancelTurn, NewConversation, RunTool, SetWorkspace, StartTurn
from metona_tk.protocol.events import (
    ApprovalAnswered,
    ApprovalRequested,
    CommandRefused,
    StateChanged,
    ToolFinished,
    ToolStarted,
    TurnFinished,
    TurnStarted,
)
from metona_tk.protocol.problems import Code, ProblemCode
from metona_tk.protocol.values import CallStatus, Decision, Effects, Result, TurnEnd, TurnState, Usage
from metona_tk.tools.base import Tool, ToolArgs
from tests.fakes.ollama import ScriptedServer, text
from tests.turns.driver import Driver

Drive = Callable[..., Driver]
NOWHERE = "http://127.0.0.1:9"


def by_hand(driver: Driver, name: str, **arguments: Any) -> Result:
    driver.turn += 1
    driver.send(RunTool("chat", f"hand{driver.turn}", name, arguments))
    assert driver.wait(TurnFinished).end is TurnEnd.ANSWERED
    return driver.result()


def test_a_tool_runs_without_a_server_as_a_turn_of_its_own(drive: Drive) -> None:
    driver = drive(NOWHERE)
    result = by_hand(driver, "read_file", path="notes.txt")
    assert result.data["content"] == "The pelican eats fish.\n"
    assert driver.of(TurnStarted) == [TurnStarted("chat", "hand1", "", True)]
    (started,) = driver.of(ToolStarted)
    assert (started.name, started.arguments, started.by_program) == ("read_file", {"path": "notes.txt"}, False)
    assert [event.state for event in driver.of(StateChanged)] == [TurnState.EXECUTING, TurnState.DONE]
    assert driver.of(TurnFinished) == [TurnFinished("chat", "hand1", TurnEnd.ANSWERED, Usage())]


def test_a_failed_call_is_a_result_like_any(drive: Drive) -> None:
    driver = drive(NOWHERE)
    assert by_hand(driver, "read_file", path="nope.txt").code is Code.NOT_FOUND
    assert by_hand(driver, "nope").code is Code.UNKNOWN_TOOL
    assert by_hand(driver, "read_file", wrong=1).code is Code.BAD_ARGUMENTS
    assert by_hand(driver, "read_file", path="/etc/passwd").code is Code.PROTECTED_PATH


@pytest.mark.parametrize("settings", [{"enabled": False}, {"enabledTools": {"read_file": False}}])
def test_what_is_switched_off_stays_off_by_hand(drive: Drive, settings: dict[str, Any]) -> None:
    assert by_hand(drive(NOWHERE, **settings), "read_file", path="notes.txt").code is Code.DISABLED


def test_the_gate_asks_by_hand_too(drive: Drive, folder: Path) -> None:
    (folder.parent / "out.txt").write_text("outside")
    driver = drive(NOWHERE)
    for decision, content in ((Decision.DENY, None), (Decision.ALLOW, "outside")):
        driver.send(RunTool("chat", f"t{decision}", "read_file", {"path": "../out.txt"}))
        asked = driver.wait(ApprovalRequested)
        driver.send(AnswerApproval(asked.call_id, decision))
        driver.wait(TurnFinished)
        assert driver.result().data.get("content") == content
    assert TurnState.CONFIRMING in [event.state for event in driver.of(StateChanged)]


def test_no_model_sees_what_came_of_it(drive: Drive) -> None:
    with ScriptedServer(text("hi")) as server:
        driver = drive(server)
        by_hand(driver, "read_file", path="notes.txt")
        driver.ask("hello")
        assert [message["role"] for message in server.chats[0]["messages"]] == ["system", "user"]
        assert "pelican" not in str(server.chats[0])


def test_without_a_folder_it_is_refused_with_what_to_do(drive: Drive, folder: Path) -> None:
    driver = drive(NOWHERE, None)
    driver.send(RunTool("chat", "t", "read_file", {"path": "notes.txt"}))
    problem = driver.wait(CommandRefused).problem
    assert problem.code is ProblemCode.NO_WORKSPACE
    assert "folder" in problem_text(problem)
    assert not driver.of(TurnStarted)
    driver.send(SetWorkspace("chat", str(folder)))
    assert by_hand(driver, "read_file", path="notes.txt").success


def test_in_a_folder_that_is_gone_it_is_refused(drive: Drive, folder: Path) -> None:
    driver = drive(NOWHERE)
    by_hand(driver, "list_directory", path=".")
    shutil.rmtree(folder)
    driver.send(RunTool("chat", "t", "list_directory", {"path": "."}))
    assert driver.wait(CommandRefused).problem.code is ProblemCode.WORKSPACE_GONE


class _Hanging(Tool):
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


def test_stop_ends_a_call_that_hangs_and_one_turn_runs_at_a_time(drive: Drive) -> None:
    _Hanging.running.clear()
    _Hanging.let_go.clear()
    driver = drive(NOWHERE, tools=[_Hanging()])
    driver.send(RunTool("chat", "t", "hang", {"path": "."}))
    assert _Hanging.running.wait(5)
    for command in (RunTool("chat", "u", "hang", {"path": "."}), StartTurn("chat", "v", "hello")):
        driver.send(command)
        assert driver.wait(CommandRefused).problem.code is ProblemCode.TURN_RUNNING
    driver.send(CancelTurn("t"))
    assert driver.wait(TurnFinished).end is TurnEnd.STOPPED
    (finished,) = driver.of(ToolFinished)
    assert (finished.status, finished.result.code) == (CallStatus.CANCELLED, Code.STOPPED)
    _Hanging.let_go.set()


def test_stop_ends_an_open_question(drive: Drive, folder: Path) -> None:
    (folder.parent / "out.txt").write_text("outside")
    driver = drive(NOWHERE)
    driver.send(RunTool("chat", "t", "read_file", {"path": "../out.txt"}))
    driver.wait(ApprovalRequested)
    driver.send(CancelTurn("t"))
    assert driver.wait(TurnFinished).end is TurnEnd.STOPPED
    assert [event.decision for event in driver.of(ApprovalAnswered)] == [Decision.NO_ANSWER]


def test_an_unknown_chat_and_a_used_id_are_refused(drive: Drive) -> None:
    driver = drive(NOWHERE)
    by_hand(driver, "list_directory", path=".")
    driver.send(RunTool("nobody", "t", "list_directory", {"path": "."}))
    assert driver.wait(CommandRefused).problem.code is ProblemCode.NO_SUCH_CHAT
    driver.send(NewConversation("other", None))
    driver.send(RunTool("other", "hand1", "list_directory", {"path": "."}))
    assert driver.wait(CommandRefused).problem.code is ProblemCode.TURN_RUNNING


def test_a_bug_in_the_program_ends_the_turn_and_is_told(drive: Drive, monkeypatch: pytest.MonkeyPatch) -> None:
    from metona_tk.agent.tool_call import ToolRunner

    monkeypatch.setattr(ToolRunner, "parse", lambda *_: 1 // 0)
    driver = drive(NOWHERE)
    driver.send(RunTool("chat", "t", "list_directory", {"path": "."}))
    finished = driver.wait(TurnFinished)
    assert finished.end is TurnEnd.FAILED
    assert finished.problem is not None
    assert finished.problem.code is ProblemCode.INTERNAL
