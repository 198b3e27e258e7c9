"""The original's tests T01 to T20 but those of commands, by name, through engine, socket and gate."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metona_tk.protocol.commands import AnswerQuestion
from metona_tk.protocol.events import (
    ApprovalRequested,
    CommandRefused,
    QuestionAnswered,
    QuestionAsked,
    StateChanged,
    TurnFinished,
)
from metona_tk.protocol.problems import Code, Problem, ProblemCode
from metona_tk.protocol.values import CallStatus, Decision, QuestionKind, TurnEnd, TurnState
from tests.fakes.changes import tree
from tests.fakes.ollama import ScriptedServer, calls, text
from tests.turns.driver import Driver, through

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


@pytest.fixture
def allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder beside the workspace in which changes are allowed; the home folder's bin is the test's."""
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    for name in ("user", "tmp"):
        (tmp_path / name).mkdir()
    return tmp_path / "tmp"


def change(
    drive: Drive, allowed: Path, decision: Decision, *wanted: tuple[str, dict[str, Any]], **options: Any
) -> Driver:
    """A turn for each call, the questions answered with `decision`."""
    replies = [reply for call in wanted for reply in (calls(call), text("done"))]
    with ScriptedServer(*replies) as server:
        driver = drive(server, allowedDirs=[str(allowed)], **options)
        for name, arguments in wanted:
            assert through(driver, "?", decision).end is TurnEnd.ANSWERED
            message = [each for each in server.chats[-1]["messages"] if each["role"] == "tool"][-1]
            assert message["tool_name"] == name
            assert message["content"].startswith(driver.result().text), arguments
        return driver


def test_t04_write_a_new_file(drive: Drive, allowed: Path) -> None:
    path = str(allowed / "test.txt")
    driver = change(drive, allowed, Decision.DENY, ("write_file", {"path": path, "content": "hello"}))
    assert driver.result().success
    assert driver.result().data == {"path": path, "bytesWritten": 5, "created": True}
    assert (allowed / "test.txt").read_bytes() == b"hello"
    assert not driver.of(ApprovalRequested)


def test_t05_overwrite_a_file_that_the_chat_made(drive: Drive, allowed: Path) -> None:
    path = str(allowed / "test.txt")
    wanted = [("write_file", {"path": path, "content": content}) for content in ("hello", "world")]
    driver = change(drive, allowed, Decision.DENY, *wanted)
    assert driver.result().data == {"path": path, "bytesWritten": 5, "created": False}
    assert (allowed / "test.txt").read_bytes() == b"world"
    assert not driver.of(ApprovalRequested)


@pytest.mark.parametrize("decision", [Decision.ALLOW, Decision.DENY])
def test_t05_overwrite_a_file_that_was_there(drive: Drive, allowed: Path, decision: Decision) -> None:
    (allowed / "test.txt").write_text("hello")
    path = str(allowed / "test.txt")
    wanted = [("read_file", {"path": path}), ("write_file", {"path": path, "content": "world"})]
    driver = change(drive, allowed, decision, *wanted)
    (asked,) = driver.of(ApprovalRequested)
    assert asked.rule == "overwrites"
    if decision is Decision.ALLOW:
        assert driver.result().data == {"path": path, "bytesWritten": 5, "created": False}
        assert (allowed / "test.txt").read_text() == "world"
    else:
        assert driver.result().code is Code.DENIED
        assert (allowed / "test.txt").read_text() == "hello"


def test_t06_write_into_a_forbidden_folder(drive: Drive, allowed: Path) -> None:
    driver = change(drive, allowed, Decision.ALLOW, ("write_file", {"path": "/etc/test", "content": "x"}))
    assert driver.result().code is Code.PROTECTED_PATH
    assert not driver.of(ApprovalRequested)
    assert not os.path.lexists("/etc/test")


def test_t12_make_a_folder(drive: Drive, allowed: Path) -> None:
    path = str(allowed / "newdir" / "sub")
    driver = change(drive, allowed, Decision.DENY, ("create_directory", {"path": path}))
    assert driver.result().data == {"path": path, "created": True}
    assert (allowed / "newdir" / "sub").is_dir()


@pytest.mark.parametrize("confirmation", ["all", "write-only"])
@pytest.mark.parametrize("decision", [Decision.ALLOW, Decision.DENY])
def test_t13_delete_a_file(drive: Drive, allowed: Path, decision: Decision, confirmation: str) -> None:
    file = allowed / "test.txt"
    file.write_text("hello")
    wanted = ("delete_file", {"path": str(file)})
    driver = change(drive, allowed, decision, wanted, confirmationMode=confirmation)
    assert len(driver.of(ApprovalRequested)) == 1
    if decision is Decision.ALLOW:
        assert driver.result().data == {"path": str(file), "deleted": True, "recoverable": True}
        assert not file.exists()
    else:
        assert driver.result().code is Code.DENIED
        assert file.read_text() == "hello"


def test_t14_delete_at_a_forbidden_place(drive: Drive, allowed: Path) -> None:
    passwd = Path("/etc/passwd").read_bytes()
    driver = change(drive, allowed, Decision.ALLOW, ("delete_file", {"path": "/etc/passwd"}))
    assert driver.result().code is Code.PROTECTED_PATH
    assert not driver.of(ApprovalRequested)
    assert Path("/etc/passwd").read_bytes() == passwd


def test_security_1_a_private_key_is_not_read(drive: Drive, allowed: Path) -> None:
    key = allowed.parent / "user" / ".ssh" / "id_rsa"
    key.parent.mkdir(parents=True)
    key.write_text("KEY")
    driver = change(drive, allowed, Decision.ALLOW, ("read_file", {"path": "~/.ssh/id_rsa"}))
    assert driver.result().code is Code.PROTECTED_PATH
    assert "KEY" not in driver.result().text
    assert not driver.of(ApprovalRequested)


def test_security_2_the_table_of_timed_jobs_is_not_written(drive: Drive, allowed: Path) -> None:
    before = Path("/etc/crontab").read_bytes() if Path("/etc/crontab").exists() else None
    given = {"path": "/etc/crontab", "content": "* * * * * root id\n"}
    for tool in ("write_file", "append_file"):
        driver = change(drive, allowed, Decision.ALLOW, (tool, given))
        assert driver.result().code is Code.PROTECTED_PATH
        assert not driver.of(ApprovalRequested)
    assert (Path("/etc/crontab").read_bytes() if Path("/etc/crontab").exists() else None) == before


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("read_file", {"path": "{}"}),
        ("write_file", {"path": "{}", "content": "x"}),
        ("edit_file", {"path": "{}", "old_text": "root", "new_text": "x"}),
        ("delete_file", {"path": "{}"}),
        ("move_path", {"source": "{}", "destination": "passwd"}),
        ("copy_path", {"source": "{}", "destination": "passwd"}),
    ],
)
def test_security_3_a_path_that_climbs_out(
    drive: Drive, allowed: Path, folder: Path, tool: str, given: dict[str, Any]
) -> None:
    before = tree(allowed.parent)
    short = "../" * 2 + "etc/passwd"
    for climb, code in (("../" * 40 + "etc/passwd", Code.PROTECTED_PATH), (short, Code.OUTSIDE_ROOT)):
        wanted = (tool, {key: value.replace("{}", climb) for key, value in given.items()})
        driver = change(drive, allowed, Decision.ALLOW, wanted, answer_seconds=0)
        assert driver.result().code is code
        assert not driver.of(ApprovalRequested)
    assert {name: what for name, what in tree(allowed.parent).items() if not name.startswith("home")} == {
        name: what for name, what in before.items() if not name.startswith("home")
    }


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
