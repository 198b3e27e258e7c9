"""Names, files and mounts that are out of the ordinary, through the whole gate."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from metona_tk.security import handles
from tests.security.conftest import World

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="openat2 and /proc are Linux")


@pytest.fixture(params=["openat2", "walk"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(handles._state, "openat2", request.param == "openat2")
    return request.param


def test_names_that_are_not_utf8(world: World) -> None:
    raw = os.fsencode(world.R)
    with open(raw + b"/bad\xff.txt", "wb") as out:
        out.write(b"needle\n")
    os.mkdir(raw + b"/dir\xfe")
    with open(raw + b"/dir\xfe/x.txt", "wb") as out:
        out.write(b"needle\n")
    listed = world.call("list_directory", {"path": ".", "recursive": True})
    assert listed.success and "not valid UTF-8" in str(listed.note)
    listed.text.encode()
    str(listed.as_json()).encode()
    for kind in ("filename", "content", "both"):
        for query in ("needle", "x", "bad"):
            found = world.call("search_files", {"path": ".", "query": query, "search_type": kind})
            assert found.success
            (found.text + str(found.as_json())).encode()
    world.read("bad\udcff.txt")
    missing = world.read("bad.txt")
    assert missing.code == "not_found"
    str(missing.error).encode()


def reachable_by_anybody(path: Path) -> bool:
    return all(os.stat(each).st_mode & 0o001 for each in (path, *path.parents))


@contextmanager
def opened_to_all(base: Path) -> Generator[None]:
    """pytest makes its folders for their owner alone; ours may be entered by anybody for a moment."""
    changed: list[tuple[Path, int]] = []
    for each in (base, *base.parents):
        mode = os.stat(each).st_mode
        if os.stat(each).st_uid == os.getuid() and not mode & 0o001 and "pytest-" in str(each):
            os.chmod(each, mode | 0o005)
            changed.append((each, mode))
    try:
        yield
    finally:
        for each, mode in changed:
            os.chmod(each, mode & 0o7777)


def test_what_cannot_be_read_is_one_odd_entry(world: World) -> None:
    (world.R / "shut").mkdir()
    (world.R / "shut" / "x.txt").write_text("first KEY\n")
    (world.R / "shut.txt").write_text("first KEY\n")
    os.chmod(world.R / "shut", 0)
    os.chmod(world.R / "shut.txt", 0)
    calls = [
        ("list_directory", {"path": ".", "recursive": True}),
        ("list_directory", {"path": "shut"}),
        ("read_file", {"path": "shut.txt"}),
        ("read_file", {"path": "shut/x.txt"}),
        ("search_files", {"path": ".", "query": "first"}),
    ]
    try:
        if os.getuid():
            results = [world.call(name, arguments).as_json() for name, arguments in calls]
        else:
            results = as_nobody(world, calls)
        listed, shut, text, below, found = results
        assert listed["success"] and "shut" in listed["note"]
        assert {entry["name"] for entry in listed["entries"]} >= {"a.txt", "shut", "shut.txt"}
        assert shut["code"] == text["code"] == "permission_denied"
        assert below["code"] in {"permission_denied", "not_found"}
        assert found["success"] and found["results"][0]["path"] == "a.txt"
        assert "KEY" not in json.dumps(results)
    finally:
        os.chmod(world.R / "shut", 0o700)


def as_nobody(world: World, calls: list[tuple[str, dict[str, object]]]) -> list[dict[str, object]]:
    """The calls' results in a child without root's rights; what they import is imported before."""
    for name, arguments in calls:
        world.call(name, arguments)
    with opened_to_all(world.R):
        if not reachable_by_anybody(world.R):
            pytest.skip("another user cannot reach this folder")
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            try:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
                told = [world.call(name, arguments).as_json() for name, arguments in calls]
            except BaseException as error:
                told = repr(error)
            os.write(writing, json.dumps(told).encode())
            os._exit(0)
        os.close(writing)
        with open(reading, "rb") as source:
            told = json.loads(source.read())
        os.waitpid(child, 0)
    assert isinstance(told, list), told
    return told


LEASE = """
import fcntl, signal, sys, time
signal.signal(signal.SIGIO, signal.SIG_IGN)
held = open(sys.argv[1], "r+")
fcntl.fcntl(held, fcntl.F_SETLEASE, fcntl.F_WRLCK)
print("held", flush=True)
sys.stdin.read()
"""


def test_a_file_that_another_program_holds_does_not_hang(way: str, world: World) -> None:
    assert fcntl.F_SETLEASE and signal.SIGIO
    holder = subprocess.Popen(
        [sys.executable, "-c", LEASE, str(world.R / "a.txt")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout and holder.stdin
    try:
        if holder.stdout.readline() != "held\n":
            pytest.skip("this filesystem knows no leases")
        started = time.monotonic()
        result = world.read("a.txt")
        assert time.monotonic() - started < 2
        assert result.code == "in_use", result
    finally:
        holder.kill()
        holder.wait()
        holder.stdin.close()
        holder.stdout.close()


def test_a_silent_search_ends_in_time(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """ripgrep says nothing while it reads a file without end; the time limit holds all the same."""
    from metona_tk.tools.search_files import SearchFiles

    monkeypatch.setattr(SearchFiles, "seconds", 1.0)
    with open(world.R / "hole.bin", "wb") as out:
        out.write(b"text\n")
        out.truncate(1 << 40)
    started = time.monotonic()
    result = world.call("search_files", {"path": "hole.bin", "query": "nowhere"})
    assert time.monotonic() - started < 5
    assert result.success and result.data["truncated"] and "time ran out" in str(result.note)
    for query in ("nowhere", "不在"):  # the second makes ripgrep read binary files to their end
        started = time.monotonic()
        assert world.call("search_files", {"path": ".", "query": query}).success
        assert time.monotonic() - started < 6


def test_a_hit_behind_an_endless_line(world: World) -> None:
    with open(world.R / "long.txt", "wb") as out:
        for _ in range(60):
            out.write(b"x" * (1 << 20))
        out.write(b"\nneedle\n")
    started = time.monotonic()
    result = world.call("search_files", {"path": ".", "query": "needle"})
    assert result.data["results"] == [{"path": "long.txt", "matches": [{"line": 2, "text": "needle", "column": 1}]}]
    assert time.monotonic() - started < 8


MOUNTED = """
import json, sys
from pathlib import Path
from metona_tk.agent.by_hand import run_by_hand
from metona_tk.agent.recording import open_record
from metona_tk.settings import Settings
from metona_tk.tools.registry import Registry, built_in
for name, arguments in json.loads(sys.argv[2]):
    result = run_by_hand(
        Settings(Path("none")), Registry(built_in()), name, json.dumps(arguments), sys.argv[1], (), None,
        open_record(Settings(Path("none"))),
    )
    print(json.dumps(result.as_json()))
"""


def test_a_bind_mount_opens_nothing_that_is_closed(world: World) -> None:
    for name in ("mounted", "whole"):
        (world.R / name).mkdir()
    (world.home / ".ssh" / "sub").mkdir()
    (world.home / ".ssh" / "sub" / "config").write_text("Host KEY\n")
    calls = [
        ("read_file", {"path": "mounted/config"}),
        ("read_file", {"path": "mounted/sub/config"}),
        ("read_file", {"path": "whole/.ssh/config"}),
        ("list_directory", {"path": "mounted"}),
        ("list_directory", {"path": "mounted/sub"}),
        ("list_directory", {"path": ".", "recursive": True, "include_hidden": True}),
        ("search_files", {"path": ".", "query": "KEY", "include_hidden": True}),
        ("search_files", {"path": ".", "query": "config", "include_hidden": True}),
        ("search_files", {"path": "mounted", "query": "KEY"}),
    ]
    script = 'mount --bind "$1/.ssh" "$2/mounted" && mount --bind "$1" "$2/whole" || exit 77\n'
    script += 'exec "$3" -c "$4" "$2" "$5"'
    home, root = str(world.home), str(world.R)
    argv = ["sh", "-c", script, "sh", home, root, sys.executable, MOUNTED, json.dumps(calls)]
    if not shutil.which("unshare"):
        pytest.skip("no unshare here")
    done = subprocess.run(
        ["unshare", "-m", *argv], capture_output=True, text=True, cwd=Path(__file__).parents[2], timeout=50
    )
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip("mounting is for root alone")
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(results) == len(calls), done.stderr
    for (name, arguments), result in zip(calls, results, strict=True):
        said = json.dumps(result)
        assert "Host" not in said and "KEY\\n" not in said, (name, arguments)
        assert "mounted/config" not in said and ".ssh/config" not in said and "sub/config" not in said, result
        if name == "read_file":
            assert result["code"] == "protected_path"
