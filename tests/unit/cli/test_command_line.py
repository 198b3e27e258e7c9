"""The command line as a user meets it: output, errors, exit codes."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metona_tk import __version__, places
from metona_tk.app import main
from metona_tk.cli.ask import trimmed_line
from metona_tk.cli.terminal import safe
from metona_tk.protocol.events import ContextTrimmed
from metona_tk.settings import Settings
from tests.fakes.ollama import ScriptedServer, answer, as_json, calls, error, html, text

ROOT = Path(__file__).parents[3]
KEYS = ["query", "search_type", "results", "total_files", "total_matches", "truncated", "files_scanned", "skipped"]

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    root.mkdir()
    (root / "notes.txt").write_text("The pelican eats fish.\n")
    (root / "main.ts").write_text("let a = 1\n")
    return root


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """run(*arguments) -> (exit code, standard output, standard error), in this process."""

    def call(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(list(arguments))
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        out, err = capsys.readouterr()
        return code, out, err

    return call


def start(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-m", "metona_tk", *arguments], env=environment, **options)


def test_version_and_help(run: Run) -> None:
    assert run("--version")[:2] == (0, f"Metona TK {__version__}\n")
    code, out, _ = run("--help")
    assert code == 0
    assert "ask" in out


def test_an_answer_on_standard_output_and_the_rest_on_standard_error(run: Run, folder: Path) -> None:
    with ScriptedServer(calls(("read_file", {"path": "notes.txt"})), text("A ", "pelican.")) as server:
        code, out, err = run("ask", "what eats?", "--folder", str(folder), "--host", server.address)
    assert (code, out) == (0, "A pelican.\n")
    assert "read_file notes.txt" in err
    assert "test:1b" in err


def test_json_events_as_lines(run: Run, folder: Path) -> None:
    with ScriptedServer(calls(("read_file", {"path": "notes.txt"})), text("A pelican.")) as server:
        code, out, err = run("ask", "what eats?", "--folder", str(folder), "--host", server.address, "--json")
    events = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    names = [event["event"] for event in events]
    assert names.count("TurnStarted") == names.count("TurnFinished") == 1
    finished = [event for event in events if event["event"] == "ToolFinished"][-1]
    assert finished["result"]["success"] is True
    assert finished["result"]["content"] == "The pelican eats fish.\n"
    assert "".join(event["text"] for event in events if event["event"] == "TextAdded") == "A pelican."
    assert err == ""


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (text("fine"), 0),
        (error(500, "boom"), 1),
        (html(), 4),
        (answer("half", done=False), 1),
    ],
)
def test_exit_codes_by_what_the_server_does(run: Run, folder: Path, reply: Any, code: int) -> None:
    with ScriptedServer(reply) as server:
        assert run("ask", "?", "--folder", str(folder), "--host", server.address)[0] == code


def test_no_server_is_4_with_what_to_do(run: Run, folder: Path) -> None:
    with ScriptedServer() as gone:
        address = gone.address
    code, out, err = run("ask", "?", "--folder", str(folder), "--host", address)
    assert (code, out) == (4, "")
    assert "ollama serve" in err


def test_a_missing_model_shows_the_pull_command(run: Run, folder: Path) -> None:
    with ScriptedServer() as server:
        code, _, err = run("ask", "?", "--folder", str(folder), "--host", server.address, "--model", "nope:1b")
    assert code == 1
    assert "ollama pull nope:1b" in err


@pytest.mark.parametrize(
    "wanted", [{"path": "/var/tmp/../../etc/hostname"}, {"path": "../out.txt"}, {"path": ".env"}], ids=str
)
def test_something_refused_is_3_where_it_counts(run: Run, folder: Path, wanted: dict[str, str]) -> None:
    (folder / ".env").write_text("KEY=1")
    (folder.parent / "out.txt").write_text("x")
    with ScriptedServer(calls(("read_file", wanted)), text("no")) as server:
        code, out, _ = run("ask", "?", "--folder", str(folder), "--host", server.address)
    assert (code, out) == (0 if "etc" in wanted["path"] else 3, "no\n")


def test_allow_file_lets_one_through(run: Run, folder: Path) -> None:
    (folder / ".env").write_text("KEY=1")
    for name in (".env", str(folder / ".env")):
        with ScriptedServer(calls(("read_file", {"path": ".env"})), text("1")) as server:
            arguments = ("ask", "?", "--folder", str(folder), "--host", server.address, "--allow-file", name)
            assert run(*arguments)[0] == 0
    assert run("ask", "?", "--folder", str(folder), "--allow-file", "nope")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ask", "?"), "--folder"),
        (("ask", "?", "--folder", "/nope/nope"), "no folder"),
        (("ask", "?", "--folder", "/etc"), "protected"),
        (("ask", "  ", "--folder", "."), "empty"),
        (("ask",), "question"),
        (("dance",), "invalid choice"),
        (("tools", "run", "read_file"), "arguments"),
        (("models", "--host", "a b"), "address"),
    ],
    ids=str,
)
def test_wrong_use_is_2_with_a_sentence(run: Run, arguments: tuple[str, ...], words: str) -> None:
    code, _, err = run(*arguments)
    assert code == 2
    assert words in err
    assert "Traceback" not in err


def test_the_last_workspace_and_model_are_the_defaults(run: Run, folder: Path) -> None:
    with ScriptedServer(text("a"), text("b"), models={"one:1b": ["completion"], "two:1b": ["completion"]}) as server:
        run("ask", "?", "--folder", str(folder), "--host", server.address, "--model", "two:1b")
        assert run("ask", "?", "--host", server.address)[0] == 0
        assert [chat["model"] for chat in server.chats] == ["two:1b", "two:1b"]


def test_the_first_model_with_tools_is_chosen(run: Run, folder: Path) -> None:
    with ScriptedServer(text("a"), models={"one:1b": ["completion"], "two:1b": ["completion", "tools"]}) as server:
        run("ask", "?", "--folder", str(folder), "--host", server.address)
        assert server.chats[0]["model"] == "two:1b"


def test_the_host_of_one_run_is_not_kept(run: Run, folder: Path) -> None:
    with ScriptedServer(text("a")) as server:
        run("ask", "?", "--folder", str(folder), "--host", server.address)
    saved = json.loads((Path(os.environ["METONA_TK_HOME"]) / "settings.json").read_text())
    assert saved["server"] == ""
    assert saved["workspace"] == str(folder)


def test_the_question_from_standard_input(folder: Path) -> None:
    with ScriptedServer(text("a")) as server:
        process = start(
            "ask", "-", "--folder", str(folder), "--host", server.address, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        out, _ = process.communicate("狗在哪里？\n".encode(), timeout=30)
        assert (process.returncode, out) == (0, b"a\n")
        assert server.chats[0]["messages"][-1]["content"].endswith("狗在哪里？")


def test_control_characters_of_an_answer_cannot_steer_the_terminal(run: Run, folder: Path) -> None:
    with ScriptedServer(text("red \x1b[31m", "bell \x07", "\u202e")) as server:
        _, out, _ = run("ask", "?", "--folder", str(folder), "--host", server.address)
    assert out == "red ⟨U+001B⟩[31mbell ⟨U+0007⟩⟨U+202E⟩\n"
    assert safe("a\tb\n中") == "a\tb\n中"


def test_ctrl_c_stops_with_5_and_the_server_is_free(folder: Path) -> None:
    gate = threading.Event()
    # where the tests run in the background of a shell, Ctrl+C is ignored, and children would inherit that
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with ScriptedServer(answer("half ", gate)) as server:
        process = start("ask", "?", "--folder", str(folder), "--host", server.address, stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert os.read(process.stdout.fileno(), 100).startswith(b"half")
        process.send_signal(signal.SIGINT)
        code = process.wait(20)
        signal.signal(signal.SIGINT, before)
        assert code == 5
        assert server.wait_for_disconnects(1)
        process.stdout.close()
        gate.set()


def test_a_reader_that_goes_away_ends_it_quietly(folder: Path) -> None:
    gate = threading.Event()
    pieces: list[Any] = ["word "] * 2000
    with ScriptedServer(answer("first ", gate, *pieces)) as server:
        process = start(
            "ask",
            "?",
            "--folder",
            str(folder),
            "--host",
            server.address,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None and process.stderr is not None
        os.read(process.stdout.fileno(), 100)
        process.stdout.close()
        gate.set()
        said = process.stderr.read()
        process.stderr.close()
        process.wait(20)
        assert b"Traceback" not in said


def at_a_terminal(typed: bytes, awaited: bytes, *arguments: str) -> tuple[int, bytes, bytes]:
    """Run with a terminal, type once `awaited` is on it: (exit code, standard output, what was on the terminal)."""
    ours, theirs = pty.openpty()
    try:
        process = start(*arguments, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE)
        seen = b""
        end = time.monotonic() + 30
        while awaited not in seen:
            assert time.monotonic() < end, seen
            if select.select([ours], [], [], 1)[0]:
                seen += os.read(ours, 4096)
        os.write(ours, typed)
        out, _ = process.communicate(timeout=30)
    finally:
        os.close(theirs)
        os.close(ours)
    return process.returncode, out, seen


@pytest.mark.parametrize(("typed", "code", "told"), [(b"yes\n", 0, "outside text"), (b"\n", 3, ""), (b"no\n", 3, "")])
def test_questions_are_asked_in_the_terminal(folder: Path, typed: bytes, code: int, told: str) -> None:
    (folder.parent / "out.txt").write_text("outside text")
    wanted = ("tools", "run", "read_file", '{"path": "../out.txt"}', "--folder", str(folder))
    got, out, seen = at_a_terminal(typed, b"deny: ", *wanted)
    assert str(folder.parent / "out.txt").encode() in seen
    result = json.loads(out)
    assert got == code
    assert (result.get("content", "") if code == 0 else "") == told
    assert code == 0 or result["code"] == "denied"


@pytest.mark.parametrize(("typed", "code", "told"), [(b"yes\n", 0, b"A pelican.\n"), (b"\n", 1, b"")])
def test_after_the_rounds_it_is_asked_in_the_terminal(folder: Path, typed: bytes, code: int, told: bytes) -> None:
    Settings(places.settings_file()).change({"maxRounds": 1})
    with ScriptedServer(calls(("read_file", {"path": "notes.txt"})), text("A pelican.")) as server:
        wanted = ("ask", "what eats?", "--folder", str(folder), "--host", server.address)
        got, out, seen = at_a_terminal(typed, b"end here: ", *wanted)
    assert (got, out) == (code, told)
    assert b"1 times in a row" in seen


def test_without_a_terminal_the_rounds_end_it(run: Run, folder: Path) -> None:
    Settings(places.settings_file()).change({"maxRounds": 1})
    with ScriptedServer(calls(("read_file", {"path": "notes.txt"}))) as server:
        code, out, err = run("ask", "what eats?", "--folder", str(folder), "--host", server.address)
    assert (code, out) == (1, "")
    assert "1 times in a row" in err


def test_what_is_left_out_of_the_window_is_said(run: Run, folder: Path) -> None:
    (folder / "long.txt").write_text("a row of the long file\n" * 2000)
    Settings(places.settings_file()).change({"numCtx": 4096})
    looks = [calls(("read_file", {"path": "long.txt", "start_line": n})) for n in (1, 200, 400)]
    with ScriptedServer(*looks, text("ok")) as server:
        code, _, err = run("ask", "what eats?", "--folder", str(folder), "--host", server.address)
    assert code == 0
    assert re.search(r"Left out to fit the model's context: \d tool results?\.\n", err)
    assert trimmed_line(ContextTrimmed("t", 2, 1)).endswith(": 2 tool results, 1 earlier question.")
    assert trimmed_line(ContextTrimmed("t", 0, 0)) == ""


def test_tools_list_schema_and_run(run: Run, folder: Path) -> None:
    names = [
        "append_file",
        "copy_path",
        "create_directory",
        "delete_file",
        "edit_file",
        "list_directory",
        "move_path",
        "read_file",
        "search_files",
        "write_file",
    ]
    assert [line.split()[0] for line in run("tools", "list")[1].splitlines()] == names
    schema = json.loads(run("tools", "schema")[1])
    assert [tool["function"]["name"] for tool in schema] == names
    wanted = '{"path":".","query":"*.ts","search_type":"filename"}'
    code, out, _ = run("tools", "run", "search_files", wanted, "--folder", str(folder))
    assert code == 0
    assert list(json.loads(out)) == ["success", "note", *KEYS]


@pytest.mark.parametrize(
    ("name", "arguments", "code", "told"),
    [
        ("read_file", '{"path": "notes.txt"}', 0, None),
        ("read_file", '{"path": "nope.txt"}', 1, "not_found"),
        ("read_file", '{"path": "/etc/passwd"}', 1, "protected_path"),
        ("read_file", '{"path": "../out.txt"}', 3, "outside_root"),
        ("read_file", '{"path": ".env"}', 3, "sensitive_file"),
        ("read_file", '{"path": "a", "path": "b"}', 2, "bad_arguments"),
        ("read_file", "[" * 200_000, 2, "bad_arguments"),
        ("read_file", "not json", 2, "bad_arguments"),
        ("read_file", "{}", 2, "bad_arguments"),
        ("no_such", "{}", 2, "unknown_tool"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_exit_codes_of_a_tool_by_hand(
    run: Run, folder: Path, name: str, arguments: str, code: int, told: str | None
) -> None:
    (folder.parent / "out.txt").write_text("x")
    (folder / ".env").write_text("x")
    got, out, _ = run("tools", "run", name, arguments, "--folder", str(folder))
    result = json.loads(out)
    assert (got, result.get("code")) == (code, told)
    assert result["success"] is (code == 0)


def test_models(run: Run) -> None:
    with ScriptedServer(models={"one:1b": ["completion"], "two:1b": ["completion", "tools"]}) as server:
        code, out, _ = run("models", "--host", server.address)
        assert code == 0
        assert [line.split()[-2 if "*" not in line else 1] for line in out.splitlines()][1] == "two:1b"
        listed = json.loads(run("models", "--host", server.address, "--json")[1])
        assert [model["name"] for model in listed] == ["one:1b", "two:1b"]
    assert run("models", "--host", server.address)[0] == 4


def test_doctor(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    with ScriptedServer() as server:
        code, out, _ = run("doctor", "--json", "--host", server.address)
        found = json.loads(out)
        assert found["ok"] is (code == 0)
        by_name = {check["name"]: check for check in found["checks"]}
        assert by_name["search"]["ok"]
        assert by_name["server"]["ok"]
        assert by_name["models"]["ok"]
        server.routes["/api/tags"] = as_json({"models": []})
        code, out, _ = run("doctor", "--host", server.address)
        assert code == 1
        assert "ollama pull" in out
    code, out, _ = run("doctor", "--host", server.address)
    assert code == 1
    assert "ollama serve" in out
