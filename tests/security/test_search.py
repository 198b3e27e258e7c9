"""Hostile queries and trees for search_files: each is an answer, none reaches out, hangs or takes the machine."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from pathlib import Path

import pytest

from metona_tk.agent.conversation import Conversation
from metona_tk.agent.gatekeeper import build_gate
from metona_tk.agent.recording import open_record
from metona_tk.agent.tool_call import ToolRunner
from metona_tk.settings import Settings
from metona_tk.tools.registry import Registry, built_in
from tests.security.conftest import World, open_descriptors

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a tree as POSIX has it")

ODD = ["-foo", "--files", "--pre=cat", "-e", "--", "-", "*", "[", "[z-a]", "**", "{a,b}", "$(id)", "`id`", "a\tb", "/"]


@pytest.mark.parametrize("regex", [False, True])
@pytest.mark.parametrize("query", [*ODD, "\u202e", "\u4e2d\u6587", "a\nb", "x" * 50_000, "*a" * 2000, "\u0130"])
def test_an_odd_query_is_an_answer(query: str, regex: bool, world: World) -> None:
    started = time.monotonic()
    result = world.call("search_files", {"path": ".", "query": query, "regex": regex})
    assert result.success or result.code == "bad_regex", result
    assert time.monotonic() - started < 10
    assert len(result.note or "") < 3000
    assert "KEY" not in str(result.data.get("results"))


@pytest.mark.parametrize("query", ["(", "a\\nb", "\\n", "a{1000}{1000}{1000}", "(?P<x", "(?<=a)b", "\\1"])
def test_a_pattern_that_cannot_be_is_said(query: str, world: World) -> None:
    for kind in ("filename", "content", "both"):
        result = world.call("search_files", {"path": ".", "query": query, "regex": True, "search_type": kind})
        assert result.code == "bad_regex", (kind, result)


@pytest.mark.parametrize("query", ["a\0b", "\0"])
def test_a_query_with_nul_is_refused_and_loses_nothing(query: str, world: World) -> None:
    gc.collect()  # what earlier tests left open is none of this one's
    before = open_descriptors()
    for regex in (False, True):
        result = world.call("search_files", {"path": ".", "query": query, "regex": regex})
        assert result.code == "bad_arguments" and "'query'" in str(result.error)
    assert open_descriptors() == before


def test_a_broken_ignore_file_is_no_broken_pattern(world: World) -> None:
    (world.R / "regex pattern").mkdir()
    (world.R / "regex pattern" / ".gitignore").write_text("a[\n{\n\\\n")
    for regex in (False, True):
        result = world.call("search_files", {"path": ".", "query": "second", "regex": regex})
        assert [entry["path"] for entry in result.data["results"]] == ["a.txt"], result


def test_a_file_of_one_endless_line_does_not_take_the_memory(world: World) -> None:
    """ripgrep keeps a line whole; a line of hundreds of megabytes ends it, and that is said."""
    with open(world.R / "long.bin", "wb") as out:
        out.write(b"text\n")
        out.truncate(3 << 30)
    most, done = [0], threading.Event()

    def watch() -> None:
        while not done.is_set():
            most[0] = max(most[0], *(memory(pid) for pid in children()), 0)
            done.wait(0.02)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        result = world.call("search_files", {"path": ".", "query": "\u4e2d\u6587", "search_type": "content"})
    finally:
        done.set()
        watcher.join()
    assert result.success and result.data["truncated"] and "too much memory" in str(result.note)
    assert most[0] < 1 << 30, most


def children() -> list[int]:
    found: list[int] = []
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as source:
                if entry.isdigit() and int(source.read().rsplit(")", 1)[1].split()[1]) == os.getpid():
                    found.append(int(entry))
        except (OSError, ValueError, IndexError):
            continue
    return found


def memory(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as source:
            return int(source.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def test_a_stop_ends_a_silent_search_at_once(world: World) -> None:
    with open(world.R / "hole.bin", "wb") as out:
        out.write(b"text\n")
        out.truncate(1 << 40)
    stop = threading.Event()
    gate = build_gate(str(world.R), [], [])
    runner = ToolRunner(
        Conversation("chat", str(world.R)),
        Registry(built_in()),
        gate,
        8192,
        stop.is_set,
        open_record(Settings(Path("none"))),
    )
    timer = threading.Timer(0.3, stop.set)
    timer.start()
    started = time.monotonic()
    outcome = runner.run(runner.parse("search_files", {"path": "hole.bin", "query": "nowhere"}), None)
    timer.join()
    assert outcome.result.code == "stopped"
    assert time.monotonic() - started < 3
