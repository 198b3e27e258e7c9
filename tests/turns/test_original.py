"""The original's tests T01 to T20 that concern reading, by name, through engine, socket and gate."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metona_tk.protocol.commands import AnswerQuestion
from metona_tk.protocol.events import (
    CommandRefused,
    QuestionAnswered,
    QuestionAsked,
    StateChanged,
    TurnFinished,
)
from metona_tk.protocol.problems import Code, Problem, ProblemCode
from metona_tk.protocol.values import CallStatus, QuestionKind, TurnEnd, TurnState
from tests.fakes.ollama import ScriptedServer, calls, text
from tests.turns.driver import Driver

Drive = Callable[..., Driver]


def run_one(drive: Drive, name: str, arguments: dict[str, Any], shape: Any = "early", **options: Any) -> Any:
    with ScriptedServer(calls((name, arguments), shape=shape), text("done")) as server:
        driver = drive(server, **options)
        assert driver.ask("?").end is TurnEnd.ANSWERED
        message = server.chats[1]["messages"][-1]
        assert message["role"] == "tool"
        assert message["tool_name"] == name
        result = driver.result()
        assert message["content"] == result.text
        return result


@pytest.mark.parametrize("shape", ["early", "final", "text"])
def test_t01_read_a_file(drive: Drive, folder: Path, shape: str) -> None:
    result = run_one(drive, "read_file", {"path": "package.json"}, shape)
    assert result.success
    assert result.data["content"] == (folder / "package.json").read_text()
    assert result.data["path"] == str(folder / "package.json")
    assert result.data["lines"] == 4
    assert result.data["line_range"] == [1, 4]
    assert result.data["truncated"] is False
    assert list(result.data) == ["path", "content", "encoding", "size", "lines", "truncated", "line_range"]


def test_t02_read_a_missing_file(drive: Drive) -> None:
    result = run_one(drive, "read_file", {"path": "nonexistent.txt"})
    assert (result.success, result.code) == (False, Code.NOT_FOUND)


def test_t03_read_a_file_that_is_too_large(drive: Drive, folder: Path) -> None:
    (folder / "large.log").write_bytes(b"line\n" * 420_000)
    result = run_one(drive, "read_file", {"path": "large.log"})
    assert result.code is Code.FILE_TOO_LARGE
    assert "2.0 MB" in result.error
    assert "start_line" in result.error


def test_t07_a_path_that_climbs_out(drive: Drive) -> None:
    up = "../" * 12
    assert run_one(drive, "read_file", {"path": f"{up}etc/passwd"}).code is Code.PROTECTED_PATH


def test_t07_a_path_that_climbs_to_nowhere_protected(drive: Drive, folder: Path) -> None:
    (folder.parent / "out.txt").write_text("outside")
    result = run_one(drive, "read_file", {"path": "../out.txt"}, answer_seconds=0)
    assert result.code is Code.OUTSIDE_ROOT


def test_t08_list_a_folder(drive: Drive) -> None:
    result = run_one(drive, "list_directory", {"path": "src/"})
    assert [entry["name"] for entry in result.data["entries"]] == ["main.ts", "menu.ts"]
    assert list(result.data) == ["path", "entries", "total", "truncated"]
    assert set(result.data["entries"][0]) == {"name", "type", "size", "modified"}


def test_t09_list_recursively(drive: Drive, folder: Path) -> None:
    (folder / "a" / "b" / "c").mkdir(parents=True)
    (folder / "a" / "b" / "c" / "deep.txt").write_text("x")
    result = run_one(drive, "list_directory", {"path": ".", "recursive": True, "max_depth": 2})
    names = [entry["name"] for entry in result.data["entries"]]
    assert names == ["a", "a/b", "src", "src/main.ts", "src/menu.ts", "notes.txt", "package.json"]


def test_t10_search_by_name(drive: Drive) -> None:
    result = run_one(drive, "search_files", {"path": "src/", "query": "*.ts", "search_type": "filename"})
    assert [entry["path"] for entry in result.data["results"]] == ["src/main.ts", "src/menu.ts"]
    assert result.data["results"][0]["matches"] == [{"line": 0, "text": "main.ts", "column": 1}]


def test_t11_search_by_content(drive: Drive) -> None:
    result = run_one(drive, "search_files", {"path": "src/", "query": "import electron", "search_type": "content"})
    assert result.data["results"] == [
        {"path": "src/main.ts", "matches": [{"line": 2, "text": "import electron from 'electron'", "column": 1}]}
    ]
    assert (result.data["total_files"], result.data["total_matches"]) == (1, 1)


def test_t17_a_tool_that_is_switched_off(drive: Drive) -> None:
    result = run_one(drive, "read_file", {"path": "notes.txt"}, enabledTools={"read_file": False})
    assert result.code is Code.DISABLED


def test_t17_a_tool_that_is_switched_off_is_not_sent(drive: Drive) -> None:
    with ScriptedServer(text("hello")) as server:
        driver = drive(server, enabledTools={"read_file": False})
        driver.ask("hello?")
        names = [tool["function"]["name"] for tool in server.chats[0]["tools"]]
        assert names == ["list_directory", "search_files"]


def test_t17_the_master_switch_sends_no_tools(drive: Drive) -> None:
    with ScriptedServer(text("hello")) as server:
        driver = drive(server, enabled=False)
        driver.ask("hello")
        assert "tools" not in server.chats[0]


def test_t18_the_loop_ends_without_calls(drive: Drive) -> None:
    with ScriptedServer(text("Nothing ", "to do.")) as server:
        driver = drive(server)
        finished = driver.ask("hello")
        assert (finished.end, finished.problem) == (TurnEnd.ANSWERED, None)
        assert driver.text() == "Nothing to do."


def circles(rounds: int) -> list[Any]:
    """That many rounds with a new call each."""
    return [calls(("read_file", {"path": "notes.txt", "end_line": n + 1})) for n in range(rounds)]


def test_t19_after_ten_rounds_the_user_is_asked_and_silence_ends_it(drive: Drive) -> None:
    with ScriptedServer(*circles(10)) as server:
        driver = drive(server, answer_seconds=0.3)
        finished = driver.ask("loop")
        assert (finished.end, finished.problem) == (
            TurnEnd.LIMIT,
            Problem(ProblemCode.ROUND_LIMIT, {"rounds": "10"}),
        )
        assert len(server.chats) == 10
        (asked,) = driver.of(QuestionAsked)
        assert (asked.kind, asked.choices, asked.details) == (QuestionKind.GO_ON, ("go_on", "stop"), {"rounds": "10"})
        assert driver.of(QuestionAnswered) == [QuestionAnswered(asked.turn_id, asked.question_id, "stop")]
        waiting = [event.state for event in driver.of(StateChanged)][-2:]
        assert waiting == [TurnState.CONFIRMING, TurnState.DONE]


def test_t19_going_on_is_ten_more_rounds(drive: Drive) -> None:
    with ScriptedServer(*circles(10), *circles(10)) as server:
        driver = drive(server)
        driver.start("loop")
        for answer in ("go_on", "stop"):
            asked = driver.wait(QuestionAsked)
            driver.send(AnswerQuestion(asked.question_id, answer))
        finished = driver.wait(TurnFinished)
        assert (finished.end, finished.problem and finished.problem.details) == (TurnEnd.LIMIT, {"rounds": "20"})
        assert len(server.chats) == 20
        assert [event.answer for event in driver.of(QuestionAnswered)] == ["go_on", "stop"]


def test_t19_where_nobody_can_answer_nobody_is_asked(drive: Drive) -> None:
    with ScriptedServer(*circles(3)) as server:
        driver = drive(server, answer_seconds=0, maxRounds=3)
        assert driver.ask("loop").end is TurnEnd.LIMIT
        assert not driver.of(QuestionAsked)


def test_t19_the_first_answer_counts_and_only_a_choice_is_one(drive: Drive) -> None:
    with ScriptedServer(*circles(1), text("ok")) as server:
        driver = drive(server, maxRounds=1)
        driver.start("loop")
        asked = driver.wait(QuestionAsked)
        for wrong in (AnswerQuestion("nobody", "go_on"), AnswerQuestion(asked.question_id, "perhaps")):
            driver.send(wrong)
            assert driver.wait(CommandRefused).problem.code is ProblemCode.NO_SUCH_QUESTION
        driver.send(AnswerQuestion(asked.question_id, "go_on"))
        assert driver.wait(TurnFinished).end is TurnEnd.ANSWERED
        driver.send(AnswerQuestion(asked.question_id, "stop"))
        assert driver.wait(CommandRefused).problem.code is ProblemCode.NO_SUCH_QUESTION


@pytest.mark.parametrize("shape", ["early", "final", "text"])
def test_t20_parallel_calls_all_run(drive: Drive, shape: Any) -> None:
    wanted = [("read_file", {"path": "package.json"}), ("read_file", {"path": "notes.txt"})]
    with ScriptedServer(calls(*wanted, shape=shape), text("done")) as server:
        driver = drive(server)
        driver.ask("?")
        sent = server.chats[1]["messages"]
        made = sent[-3]["tool_calls"]
        assert [call["function"]["arguments"]["path"] for call in made] == ["package.json", "notes.txt"]
        assert [message["tool_call_id"] for message in sent[-2:]] == [call["id"] for call in made]
        assert json.dumps("8421")[1:-1] in sent[-2]["content"]
        assert "pelican" in sent[-1]["content"]
        assert {driver.result(0).success, driver.result(1).success} == {True}
        from metona_tk.protocol.events import ToolFinished

        assert {event.status for event in driver.of(ToolFinished)} == {CallStatus.SUCCESS}


def test_the_undo_store_is_tidied_when_the_program_starts(drive: Drive, monkeypatch: pytest.MonkeyPatch) -> None:
    tidied = threading.Event()
    monkeypatch.setattr("metona_tk.agent.recording.Record.tidy", lambda self: tidied.set())
    with ScriptedServer() as server:
        drive(server)
        assert tidied.wait(10)
