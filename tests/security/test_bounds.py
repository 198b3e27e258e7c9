"""The notes of the table of cases: bounded memory, bounded answers, bounded time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.security.conftest import World

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="facts of Linux")

MEASURE = """
import json, resource, sys
from pathlib import Path
from metona_tk.agent.by_hand import run_by_hand
from metona_tk.agent.recording import open_record
from metona_tk.settings import Settings
from metona_tk.tools.registry import Registry, built_in
def call(arguments):
    return run_by_hand(Settings(Path("none")), Registry(built_in()), sys.argv[2], json.dumps(arguments), sys.argv[1],
                       (), None, open_record(Settings(Path("none"))))
assert call(json.loads(sys.argv[3])).success
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
result = call(json.loads(sys.argv[4]))
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"result": result.as_json(), "more": after - before}))
"""


def measured(world: World, tool: str, small: dict[str, Any], large: dict[str, Any]) -> tuple[dict[str, Any], float]:
    """(result, megabytes that the second call needed more than the first) in a process of its own."""
    argv = [sys.executable, "-c", MEASURE, str(world.R), tool, json.dumps(small), json.dumps(large)]
    done = subprocess.run(argv, capture_output=True, text=True, cwd=Path(__file__).parents[2], timeout=50)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    return told["result"], told["more"] / 1024


def test_lines_before_a_hole_of_a_tebibyte(world: World) -> None:
    with open(world.R / "hole.txt", "wb") as out:
        out.write(b"".join(b"line %d\n" % number for number in range(1, 101)))
        out.truncate(1 << 40)
    arguments = {"path": "hole.txt", "start_line": 1, "end_line": 10}
    result, more = measured(world, "read_file", {"path": "a.txt"}, arguments)
    assert result["success"] and result["content"].count("\n") == 10
    assert result["lines"] is None and result["size"] == 1 << 40
    assert more < 20, more
    assert world.read("hole.txt").code == "file_too_large"


def test_a_folder_of_100_000_entries(world: World) -> None:
    folder = world.R / "many"
    folder.mkdir()
    here = os.open(folder, os.O_RDONLY)
    try:
        for number in range(100_000):
            os.close(os.open(f"f{number}", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    finally:
        os.close(here)
    result = world.call("list_directory", {"path": "many"})
    assert len(result.data["entries"]) == 500
    assert result.data["total"] == 100_000 and result.data["truncated"]
    assert [entry["name"] for entry in result.data["entries"][:3]] == ["f0", "f1", "f2"]


def test_a_hostile_pattern_over_a_megabyte(world: World) -> None:
    (world.R / "a.md").write_text("a" * 1_000_000 + "!")
    started = time.monotonic()
    result = world.call("search_files", {"path": ".", "query": "(a+)+$", "regex": True})
    assert result.success
    assert time.monotonic() - started < 5  # a second on a machine that has nothing else to do


WORDS = "nonsense\nthat is not there\nat all"


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("edit_file", {"old_text": WORDS, "new_text": "q"}, "no_match"),
        ("edit_file", {"old_text": "\n", "new_text": "q"}, "several_matches"),
        ("edit_file", {"old_text": "\n", "new_text": "\nq"}, "several_matches"),
        ("edit_file", {"old_text": "\n", "new_text": "q", "replace_all": True}, "content_too_large"),
    ],
)
def test_an_edit_of_twenty_million_lines_takes_little(
    world: World, tool: str, arguments: dict[str, Any], code: str
) -> None:
    (world.R / "lines").write_bytes(b"\n" * 20_000_000)
    (world.R / "same").write_text("a\n")
    small = {"path": "same", "old_text": "a", "new_text": "a"}
    result, more = measured(world, tool, small, {"path": "lines"} | arguments)
    assert result["code"] == code, result
    assert more < 100, more


def test_a_deletion_waits_once_for_all_that_it_keeps(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from metona_tk.protocol.values import Decision

    (world.R / "many").mkdir()
    for number in range(500):
        (world.R / "many" / str(number)).write_text(str(number))
    waits = [0]
    real = os.fsync

    def fsync(fd: int) -> None:
        waits[0] += 1
        real(fd)

    monkeypatch.setattr(os, "fsync", fsync)
    arguments = {"path": "many", "recursive": True}
    assert world.call("delete_file", arguments, answer=Decision.ALLOW).success
    assert waits[0] < 20, waits


def test_search_says_what_it_leaves_out_for_its_name(world: World) -> None:
    raw = os.fsencode(world.R)
    os.mkdir(raw + b"/dir\xfe")
    for name in (b"/odd\xff.txt", b"/dir\xfe/x.txt"):
        with open(raw + name, "wb") as out:
            out.write(b"needle\n")
    for query in ("needle", "odd", "first"):
        result = world.call("search_files", {"path": ".", "query": query})
        assert "2 files whose name or folder is not valid UTF-8 left out" in str(result.note)
        assert "not valid UTF-8" in result.text
