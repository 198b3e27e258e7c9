"""Every shape of text that the model reads, frozen: prompts, whole requests, results, refusals, pushes.

Tuning for small models is tuning of these words, so none changes without a difference that somebody has looked at.
`tests/unit/tools/test_schema.py` freezes the tools' own descriptions.
"""

from __future__ import annotations

import datetime
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from metona_tk import i18n
from metona_tk.agent import loop_rules, prompt
from metona_tk.agent.reply import Reply
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Result
from tests.fakes.ollama import ScriptedServer, calls, text
from tests.snapshots import check_snapshot
from tests.turns.driver import Driver

Drive = Callable[..., Driver]
Call = tuple[str, dict[str, Any]]
SMALL: dict[str, Any] = {"parameter_size": "1.5B"}
MOMENT = datetime.datetime(2026, 2, 3, 4, 5, 6, tzinfo=datetime.UTC).timestamp()
TODAY = datetime.date(2026, 3, 31)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with a bit of everything; the same bytes and times always."""
    root = tmp_path / "work"
    (root / "Reports" / "Old").mkdir(parents=True)
    (root / "账单").mkdir()
    files = {
        "notes.txt": "The pelican eats fish.\nHerons stand.\n",
        "server.toml": '[http]\nport = 8421\nhost = "127.0.0.1"\n',
        "Reports/January.md": "# January\n\nSales rose by 4 %.\nStaff: Ann, Bob\n",
        "Reports/February.md": "# February\n\nSales fell by 2 %.\nStaff: Ann\n",
        "Reports/Old/December.md": "# December\n\nSales were flat.\n",
        "long.log": "".join(f"2026-01-{1 + at // 30:02d} {at:04d} {_word(at)}\n" for at in range(900)),
        "empty.txt": "",
        ".hidden": "x\n",
    }
    for name, content in files.items():
        (root / name).write_bytes(content.encode())
    (root / "Loans").mkdir()
    for at in range(1, 6):
        state = "open, since May" if at in {2, 5} else f"returned 2026-01-0{at}"
        (root / "Loans" / f"Loan {at}.txt").write_bytes(f"Loan {at}\nTool: saw {at}\nState: {state}\n".encode())
    (root / "账单" / "三月.txt").write_bytes("水费：38 元\n电费：120 元\n".encode("gb18030"))
    (root / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(64))
    for at, path in enumerate(sorted(path for path in root.rglob("*") if path.is_file())):
        os.utime(path, (MOMENT + at, MOMENT + at))
    return root


def _word(at: int) -> str:
    return "failed: disk full" if at == 700 else ("warning: paper low" if at % 90 == 0 else "ok")


@pytest.fixture
def chinese() -> Iterator[None]:
    before = i18n.language()
    i18n.set_language("zh_CN")
    yield
    i18n.set_language(before)


def told(messages: list[dict[str, Any]], folder: Path) -> str:
    """Messages as a reader sees them; what differs from run to run is named instead."""
    rows: list[str] = []
    for message in messages:
        rows.append(f"--- {message['role']} {message.get('tool_name', '')}".rstrip())
        rows += [message["content"]] if message["content"] else []
        rows += [
            f"calls {call['function']['name']} {json.dumps(call['function']['arguments'], ensure_ascii=False)}"
            for call in message.get("tool_calls", ())
        ]
    plain = "\n".join(rows).replace(str(folder.resolve()), "<workspace>").replace(str(folder), "<workspace>")
    plain = re.sub(r"(Today is|今天是) \d{4}-\d\d-\d\d", r"\1 <today>", plain)
    return plain.replace(str(folder.resolve().parent), "<above>") + "\n"


def results_of(drive: Drive, folder: Path, wanted: list[Call]) -> str:
    """What the model reads after each of these calls, made in one round."""
    with ScriptedServer(calls(*wanted), text("Done.")) as server:
        drive(server, answer_seconds=0).ask("?")
        messages = [message for message in server.chats[-1]["messages"] if message["role"] == "tool"]
    assert len(messages) == len(wanted)
    parts = [
        f"=== {name} {json.dumps(arguments, ensure_ascii=False)}\n{told([message], folder)}"
        for (name, arguments), message in zip(wanted, messages, strict=True)
    ]
    return "\n".join(parts)


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_prompts(language: str) -> None:
    before = i18n.language()
    i18n.set_language(language)
    try:
        few = prompt.system_prompt("/home/ann/Papers", ["notes.txt", "Reports/January.md"], TODAY)
        many = prompt.system_prompt("/home/ann/Papers", [f"Reports/{at}.md" for at in range(60)], TODAY)
        none = prompt.system_prompt("/home/ann/Papers", [], TODAY)
        answer = prompt.answer_prompt()
    finally:
        i18n.set_language(before)
    parts = {"few files": few, "many files": many, "no files": none, "answer from what was looked up": answer}
    check_snapshot(f"prompts_{language}.txt", "\n".join(f"=== {name}\n{part}\n" for name, part in parts.items()))


def test_a_request_with_tools(drive: Drive, folder: Path) -> None:
    call = calls(("read_file", {"path": "Reports/January.md"}), before="I look. ")
    with ScriptedServer(call, text("By 4 %.")) as server:
        drive(server).ask("How did the sales of January change?")
        sent = server.chats
    assert [tool["function"]["name"] for tool in sent[0]["tools"]] == ["list_directory", "read_file", "search_files"]
    check_snapshot("request_tools.txt", told(sent[-1]["messages"], folder))


def test_the_requests_to_a_small_model(drive: Drive, folder: Path) -> None:
    with ScriptedServer(text("LOOK"), text("It eats fish."), **SMALL) as server:
        drive(server).ask("What does the pelican eat?")
        first, second = server.chats
    assert "tools" not in first
    parts = told(first["messages"], folder), told(second["messages"], folder)
    check_snapshot("request_small.txt", "=== first\n{}\n=== with tools\n{}".format(*parts))


def test_the_request_in_chinese(drive: Drive, folder: Path, chinese: None) -> None:
    with ScriptedServer(text("LOOK"), text("120 元"), **SMALL) as server:
        drive(server).ask("三月的电费是多少？")
        first, second = server.chats
    parts = told(first["messages"], folder), told(second["messages"], folder)
    check_snapshot("request_small_zh_CN.txt", "=== first\n{}\n=== with tools\n{}".format(*parts))


LOOKED_UP = [
    "What does server.toml say about the port?",  # a file that is named
    "How many files are in my Reports?",  # sums
    "How many of the loans are still open?",  # files that are counted
    "Which file is the largest, and how big is it?",
    "Which of my files was changed last?",
    "Which line of the log says that the disk was full?",  # a long file
    "Compare the sales of January and February.",
    "What did I write about Mr Underwood?",  # nothing has it
    "账单里的水费是多少？",
    "hello",  # nothing to look up
]


def test_what_is_looked_up(drive: Drive, folder: Path) -> None:
    parts: list[str] = []
    for question in LOOKED_UP:
        with ScriptedServer(text("Done."), **SMALL) as server:
            drive(server).ask(question)
            parts.append(f"=== {question}\n{told(server.chats[0]['messages'][-1:], folder)}")
    check_snapshot("looked_up.txt", "\n".join(parts))


def test_results_of_list_directory(drive: Drive, folder: Path) -> None:
    (folder / "Nothing").mkdir()
    wanted: list[Call] = [
        ("list_directory", {"path": "."}),
        ("list_directory", {"path": ".", "recursive": True}),
        ("list_directory", {"path": ".", "include_hidden": True, "filter_extension": ".txt"}),
        ("list_directory", {"path": "Reports/January.md"}),
        ("list_directory", {"path": "Nothing"}),
        ("list_directory", {"path": "Report"}),
    ]
    check_snapshot("result_list_directory.txt", results_of(drive, folder, wanted))


def test_results_of_read_file(drive: Drive, folder: Path) -> None:
    wanted: list[Call] = [
        ("read_file", {"path": "notes.txt"}),
        ("read_file", {"path": "notes.txt", "start_line": 2}),
        ("read_file", {"path": "long.log", "start_line": 699, "end_line": 702}),
        ("read_file", {"path": "账单/三月.txt"}),
        ("read_file", {"path": "empty.txt"}),
        ("read_file", {"path": "picture.png"}),
        ("read_file", {"path": "January.md"}),  # the name is unique, so it is found
        ("read_file", {"path": "Reports\\February.md"}),
        ("read_file", {"path": "Reports"}),
        ("read_file", {"path": "note.txt"}),
        ("read_file", {"path": "notes.txt", "start_line": 50}),
        ("read_file", {"path": "notes.txt", "start_line": 2, "end_line": 1}),
        ("read_file", {"path": "notes.txt", "encoding": "klingon"}),
    ]
    check_snapshot("result_read_file.txt", results_of(drive, folder, wanted))


def test_the_result_for_a_long_file(drive: Drive, folder: Path) -> None:
    read = results_of(drive, folder, [("read_file", {"path": "long.log"})])
    lines = read.splitlines()
    check_snapshot("result_read_file_long.txt", "\n".join([*lines[:5], "[...]", *lines[-3:]]) + "\n")


def test_results_of_search_files(drive: Drive, folder: Path) -> None:
    wanted: list[Call] = [
        ("search_files", {"path": ".", "query": "sales"}),
        ("search_files", {"path": ".", "query": "*.md"}),
        ("search_files", {"path": ".", "query": "january"}),  # by name and by content
        ("search_files", {"path": ".", "query": "水费"}),
        ("search_files", {"path": "long.log", "query": "warning"}),
        ("search_files", {"path": ".", "query": "ok", "max_results": 3}),
        ("search_files", {"path": "Reports", "query": "pelican"}),  # is elsewhere
        ("search_files", {"path": ".", "query": "Pelican", "case_sensitive": True}),
        ("search_files", {"path": ".", "query": "fish pelican"}),  # each word for itself
        ("search_files", {"path": ".", "query": "Januery"}),  # nothing, but a name is near
        ("search_files", {"path": ".", "query": "Reports", "search_type": "filename"}),  # a folder
        ("search_files", {"path": "reports", "query": "sales"}),  # a folder in other letters
        ("search_files", {"path": ".", "query": "(", "regex": True}),
        ("search_files", {"path": ".", "query": " "}),
        ("search_files", {"path": "Report", "query": "sales"}),
    ]
    check_snapshot("result_search_files.txt", results_of(drive, folder, wanted))


def test_refusals(drive: Drive, folder: Path) -> None:
    (folder / ".env").write_text("KEY=1\n")
    wanted: list[Call] = [
        ("read_file", {"path": ".env"}),
        ("read_file", {"path": "../elsewhere.txt"}),
        ("read_file", {}),
        ("read_file", {"path": "notes.txt", "mode": "fast"}),
        ("read_file", {"path": "notes.txt", "start_line": "soon"}),
        ("read_files", {"path": "notes.txt"}),
        ("teleport", {"path": "notes.txt"}),
        ("search_files", {"path": ".", "query": "x", "search_type": "deep"}),
    ]
    check_snapshot("result_refused.txt", results_of(drive, folder, wanted))


def test_a_tool_that_is_switched_off(drive: Drive, folder: Path) -> None:
    with ScriptedServer(calls(("read_file", {"path": "notes.txt"})), text("I may not.")) as server:
        drive(server, enabledTools={"read_file": False}).ask("?")
        assert [tool["function"]["name"] for tool in server.chats[0]["tools"]] == ["list_directory", "search_files"]
        check_snapshot("result_switched_off.txt", told(server.chats[-1]["messages"][-1:], folder))


def test_pushes() -> None:
    offered = ["list_directory", "read_file", "search_files"]
    failed = Result(False, text="Error: no", code=Code.NOT_FOUND, error="no")
    pushes = {
        "a plan": loop_rules.nudge_for(Reply("I will read the file."), None, offered),
        "a call in words": loop_rules.nudge_for(Reply('So: {"name": "read_file"}'), None, offered),
        "helpless after a look-up": loop_rules.nudge_for(Reply("I cannot access files."), None, offered, True),
        "a plan after a failure": loop_rules.nudge_for(Reply("I will read the file."), [failed], offered),
        "an answer": loop_rules.nudge_for(Reply("It is 5."), None, offered),
        "empty": loop_rules.empty_nudge(Reply(), offered),
        "empty, without tools": loop_rules.empty_nudge(Reply(), []),
        "only thought": loop_rules.empty_nudge(Reply(thinking="Hm."), offered),
        "the same call again": loop_rules.repeated_text("<result>"),
        "an unreadable call": loop_rules.correction(1, "<what the server said>"),
        "an unreadable call again": loop_rules.correction(2, "<what the server said>"),
    }
    check_snapshot("pushes.txt", "".join(f"=== {name}\n{push}\n" for name, push in pushes.items()))
