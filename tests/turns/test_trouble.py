"""Every way in which a server or model fails: a clear problem, what came is kept, the chat goes on."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metona_tk.i18n.problems import problem_text
from metona_tk.protocol.commands import CancelTurn, ListModels, NewConversation, RetryTurn, SetWorkspace, StartTurn
from metona_tk.protocol.events import (
    CommandRefused,
    ConversationOpened,
    ModelsListed,
    ServerSilent,
    ServerStateChanged,
    SettingsChanged,
    TextAdded,
    ToolFinished,
    TurnFinished,
    TurnStarted,
    WorkspaceChanged,
)
from metona_tk.protocol.problems import ProblemCode
from metona_tk.protocol.values import TurnEnd
from tests.fakes.ollama import (
    ScriptedServer,
    answer,
    as_json,
    broken,
    calls,
    empty,
    error,
    html,
    line,
    long_line,
    plain,
    text,
)
from tests.turns.driver import Driver

Drive = Callable[..., Driver]


def code_of(finished: TurnFinished) -> ProblemCode | None:
    return finished.problem.code if finished.problem else None


def test_no_server_then_retry_when_it_is_there(drive: Drive) -> None:
    with ScriptedServer() as gone:
        address = gone.address
    driver = drive(address)
    finished = driver.ask("hello")
    assert (finished.end, code_of(finished), finished.can_retry) == (TurnEnd.FAILED, ProblemCode.NO_SERVER, True)
    assert address in problem_text(finished.problem)  # type: ignore[arg-type]
    with ScriptedServer(text("here I am")) as server:
        driver.settings.values["server"] = server.address
        driver.send(RetryTurn("chat", "retry"))
        assert driver.wait(TurnFinished).end is TurnEnd.ANSWERED
        assert [message["content"] for message in server.chats[0]["messages"] if message["role"] == "user"] == ["hello"]


@pytest.mark.parametrize("end", ["fin", "rst"])
def test_killed_in_mid_answer_the_text_stays_and_retry_continues(drive: Drive, end: Any) -> None:
    with ScriptedServer(answer("The port ", "is ", done=False).ending(end), text("8421.")) as server:
        driver = drive(server)
        finished = driver.ask("what port?")
        assert finished.end is TurnEnd.FAILED
        assert code_of(finished) in {ProblemCode.CONNECTION_LOST, ProblemCode.INCOMPLETE}
        assert finished.can_retry
        driver.send(RetryTurn("chat", "retry"))
        again = driver.wait(TurnFinished)
        assert (again.end, driver.text()) == (TurnEnd.ANSWERED, "The port is 8421.")
        asked = server.chats[1]["messages"]
        assert asked[-2] == {"role": "assistant", "content": "The port is "}
        assert asked[-1]["role"] == "user"
        driver2_text = driver.text("retry")
        assert driver2_text == "8421."


def test_after_a_retry_the_history_has_one_whole_answer(drive: Drive) -> None:
    with ScriptedServer(answer("The port ", done=False), text("is 8421."), text("ok")) as server:
        driver = drive(server)
        driver.ask("what port?")
        driver.send(RetryTurn("chat", "retry"))
        driver.wait(TurnFinished)
        driver.ask("thanks")
        sent = [(message["role"], message["content"].split("\n")[-1]) for message in server.chats[2]["messages"][1:]]
        assert sent == [("user", "what port?"), ("assistant", "The port is 8421."), ("user", "thanks")]


def test_a_stream_without_a_last_line_runs_no_call(drive: Drive) -> None:
    reply = calls(("read_file", {"path": "notes.txt"}))
    cut = answer(*reply.body[:-1], done=False)
    with ScriptedServer(cut) as server:
        driver = drive(server)
        finished = driver.ask("?")
        assert finished.end is TurnEnd.FAILED
        assert not driver.of(ToolFinished)


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (html(200), ProblemCode.NOT_OLLAMA),
        (html(502), ProblemCode.SERVER_BUSY),
        (html(404), ProblemCode.NOT_OLLAMA),
        (plain("hello there"), ProblemCode.NOT_OLLAMA),
        (empty(403), ProblemCode.FORBIDDEN),
        (error(401, "unauthorized"), ProblemCode.UNAUTHORIZED),
        (error(404, "model 'x' not found"), ProblemCode.MODEL_MISSING),
        (error(429, "rate limit exceeded"), ProblemCode.RATE_LIMITED),
        (error(503, "server busy, please try again.  maximum pending requests exceeded"), ProblemCode.SERVER_BUSY),
        (error(500, "model requires more system memory (9 GiB) than is available"), ProblemCode.OUT_OF_MEMORY),
        (error(400, "the prompt is longer than the context length currently"), ProblemCode.CONTEXT_TOO_SMALL),
        (error(500, "no user query found in messages"), ProblemCode.CONTEXT_TOO_SMALL),
        (error(500, "something new"), ProblemCode.SERVER_FAILED),
        (as_json({"error": '{"error":{"code":400,"message":"inner words"}}'}, 400), ProblemCode.SERVER_FAILED),
        (broken(line("some text"), message="mid-stream error"), ProblemCode.SERVER_FAILED),
        (answer("fine so far", b"{broken\n", done=False), ProblemCode.BAD_ANSWER),
        (as_json([1, 2, 3]), ProblemCode.NOT_OLLAMA),
    ],
)
def test_what_a_server_says_is_told_in_the_users_words(drive: Drive, reply: Any, code: ProblemCode) -> None:
    with ScriptedServer(reply, text("better")) as server:
        driver = drive(server)
        finished = driver.ask("hello")
        assert (finished.end, code_of(finished)) == (TurnEnd.FAILED, code)
        assert finished.problem is not None
        shown = problem_text(finished.problem)
        assert "{" not in shown.split("\n")[0]
        assert driver.ask("again").end is TurnEnd.ANSWERED


def test_a_line_of_50_mb_ends_the_turn_and_keeps_the_text(drive: Drive) -> None:
    with ScriptedServer(long_line(50_000_000), text("better")) as server:
        driver = drive(server)
        assert code_of(driver.ask("hello")) is ProblemCode.LINE_TOO_LONG
        assert driver.ask("again").end is TurnEnd.ANSWERED


def test_silence_is_told_and_then_ends_the_turn(drive: Drive) -> None:
    gate = threading.Event()
    with ScriptedServer(answer("some ", gate, "more")) as server:
        driver = drive(server, silence_told=0.5, silence_ends=3.0)
        finished = driver.ask("hello")
        assert code_of(finished) is ProblemCode.SILENT_TOO_LONG
        assert [event.seconds for event in driver.of(ServerSilent)] == [1, 2]
        assert (driver.text(), finished.can_retry) == ("some ", True)
        gate.set()


def test_a_missing_model_names_the_pull_command(drive: Drive) -> None:
    with ScriptedServer() as server:
        driver = drive(server)
        finished = driver.ask("hello", model="nope:1b")
        assert code_of(finished) is ProblemCode.MODEL_MISSING
        assert "ollama pull nope:1b" in problem_text(finished.problem)  # type: ignore[arg-type]


def test_no_models_at_all(drive: Drive) -> None:
    with ScriptedServer(routes={"/api/tags": as_json({"models": []})}) as server:
        assert code_of(drive(server).ask("hello")) is ProblemCode.NO_MODELS


def test_a_model_without_tools_chats(drive: Drive) -> None:
    with ScriptedServer(text("hi"), models={"test:1b": ["completion"]}) as server:
        driver = drive(server)
        assert driver.ask("read notes.txt").end is TurnEnd.ANSWERED
        assert driver.of(TurnStarted)[0].tools is False
        assert "tools" not in server.chats[0]
        assert [message["role"] for message in server.chats[0]["messages"]] == ["user"]


def test_tools_refused_are_left_out_and_it_is_remembered(drive: Drive) -> None:
    refused = error(400, "registry.ollama.ai/library/x does not support tools")
    with ScriptedServer(refused, text("hi"), text("hi again")) as server:
        driver = drive(server)
        assert driver.ask("hello").end is TurnEnd.ANSWERED
        assert driver.ask("hello").end is TurnEnd.ANSWERED
        assert ["tools" in chat for chat in server.chats] == [True, False, False]


def test_thinking_refused_is_left_out_and_it_is_remembered(drive: Drive) -> None:
    refused = error(400, '"x" does not support thinking')
    with ScriptedServer(
        refused, text("hi"), text("hi"), models={"test:1b": ["completion", "tools", "thinking"]}
    ) as server:
        driver = drive(server)
        driver.ask("hello")
        driver.ask("hello")
        assert [chat.get("think") for chat in server.chats] == [False, None, None]


def test_a_broken_call_is_corrected_twice_then_told(drive: Drive) -> None:
    wrong = error(500, "error parsing tool call: raw='54354/9943', err=invalid character")
    with ScriptedServer(wrong, wrong, wrong) as server:
        driver = drive(server)
        finished = driver.ask("hello")
        assert code_of(finished) is ProblemCode.MODEL_OUTPUT
        last = [chat["messages"][-1]["content"] for chat in server.chats]
        assert len(set(last)) == 3


def test_a_workspace_that_vanishes(drive: Drive, folder: Path, tmp_path: Path) -> None:
    with ScriptedServer(text("hi"), text("hi")) as server:
        driver = drive(server)
        driver.ask("hello")
        shutil.rmtree(folder)
        assert code_of(driver.ask("again")) is ProblemCode.WORKSPACE_GONE
        other = tmp_path / "other"
        other.mkdir()
        driver.send(SetWorkspace("chat", str(other)))
        assert driver.wait(WorkspaceChanged).path == str(other)
        assert driver.ask("again").end is TurnEnd.ANSWERED


def test_a_workspace_that_vanishes_in_the_middle_of_a_turn(drive: Drive, folder: Path) -> None:
    def gone(_: Any) -> Any:
        shutil.rmtree(folder)
        return calls(("list_directory", {"path": "."}), ("search_files", {"path": ".", "query": "x"}))

    with ScriptedServer(gone, text("it is gone")) as server:
        driver = drive(server)
        assert driver.ask("?").end is TurnEnd.ANSWERED
        assert [event.result.success for event in driver.of(ToolFinished)] == [False, False]


@pytest.mark.parametrize("path", ["/etc", "/proc", "nope", "package.json"])
def test_what_cannot_be_a_workspace_is_refused(drive: Drive, folder: Path, path: str) -> None:
    with ScriptedServer() as server:
        driver = drive(server)
        driver.wait(ConversationOpened)
        driver.send(SetWorkspace("chat", str(folder / path)))
        refused = driver.wait(CommandRefused)
        assert refused.problem.code is ProblemCode.WORKSPACE_UNUSABLE


def test_without_a_workspace_it_chats(drive: Drive) -> None:
    with ScriptedServer(text("hi")) as server:
        driver = drive(server, None)
        assert driver.wait(ConversationOpened).workspace is None
        assert driver.ask("hello").end is TurnEnd.ANSWERED
        assert "tools" not in server.chats[0]


def test_commands_that_cannot_be_are_refused(drive: Drive) -> None:
    gate = threading.Event()
    with ScriptedServer(answer("a", gate)) as server:
        driver = drive(server)
        driver.send(RetryTurn("chat", "t0"))
        assert driver.wait(CommandRefused).problem.code is ProblemCode.NOTHING_TO_RETRY
        turn = driver.start("hello")
        driver.wait(TextAdded)
        driver.send(StartTurn("chat", "t2", "second"))
        assert driver.wait(CommandRefused).problem.code is ProblemCode.TURN_RUNNING
        driver.send(StartTurn("nobody", "t3", "?"))
        assert driver.wait(CommandRefused).problem.code is ProblemCode.NO_SUCH_CHAT
        gate.set()
        driver.wait(TurnFinished, lambda event: event.turn_id == turn)
        driver.send(CancelTurn(turn))  # ended: nothing happens
        driver.send(NewConversation("chat2", None))
        driver.wait(ConversationOpened)


def test_two_chats_run_at_once(drive: Drive) -> None:
    gate = threading.Event()
    with ScriptedServer(answer("first ", gate, "end"), text("second")) as server:
        driver = drive(server)
        driver.start("one")
        driver.wait(TextAdded)
        driver.send(NewConversation("chat2", None))
        driver.send(StartTurn("chat2", "other", "two"))
        assert driver.wait(TurnFinished).turn_id == "other"
        gate.set()
        driver.wait(TurnFinished, lambda event: event.turn_id == "turn1")


def test_models_are_listed_with_the_servers_state(drive: Drive) -> None:
    with ScriptedServer() as server:
        driver = drive(server)
        driver.send(ListModels())
        assert driver.wait(ServerStateChanged).server.reachable
        listed = driver.wait(ModelsListed)
        assert [model.name for model in listed.models] == [listed.chosen]


def test_settings_start_with_their_problem(drive: Drive) -> None:
    with ScriptedServer() as server:
        driver = drive(server)
        assert driver.wait(SettingsChanged).values["server"] == server.address


def test_num_ctx_and_temperature_are_sent_and_never_above_the_models_own(drive: Drive) -> None:
    show = as_json({"capabilities": ["completion"], "model_info": {"x.context_length": 8192}, "details": {}})
    with ScriptedServer(text("hi"), routes={"/api/show": show}) as server:
        drive(server).ask("hello")
        assert server.chats[0]["options"] == {"num_ctx": 8192, "temperature": 0.7}
