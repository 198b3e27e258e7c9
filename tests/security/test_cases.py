"""Every row about reading of the table of cases, through the whole gate, on real files."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from metona_tk import places
from metona_tk.protocol.values import Decision
from metona_tk.security.names import is_sensitive
from tests.security.conftest import World
from tests.security.table import expectation

Calls = list[tuple[str, dict[str, Any] | str]]
CASES: dict[str, Callable[[World], Calls]] = {}
linux = pytest.mark.skipif(sys.platform != "linux", reason="facts of Linux")


def row(name: str) -> Callable[[Callable[[World], Calls]], Callable[[World], Calls]]:
    def keep(make: Callable[[World], Calls]) -> Callable[[World], Calls]:
        CASES[name] = make
        return make

    return keep


def reads(*paths: object) -> Calls:
    return [("read_file", {"path": str(path)}) for path in paths]


def every(path: object) -> Calls:
    """Reading, listing and searching alike."""
    return [
        *reads(path),
        ("list_directory", {"path": str(path)}),
        ("search_files", {"path": str(path), "query": "outside"}),
    ]


def literally(text: str) -> Callable[[World], Calls]:
    return lambda world: reads(text)


CASES["read a.txt"] = literally("a.txt")
CASES["read '%2e%2e/out/s'"] = literally("%2e%2e/out/s")
CASES["read '$HOME/.ssh/id_rsa'"] = literally("$HOME/.ssh/notthere")
CASES["read a name of 300 bytes"] = lambda world: every("n" * 300)
CASES["read 'a.txt\\u0000.png'"] = lambda world: every("a.txt\0.png")
CASES["read '\\ud800'"] = lambda world: every("\ud800")
CASES["read 'file:///etc/passwd'"] = lambda world: every("file:///etc/passwd")
CASES["read ''"] = lambda world: every("")
CASES["read R/id_rsa"] = lambda world: [*reads("id_rsa"), ("search_files", {"path": "id_rsa", "query": "KEY"})]
CASES["read R/.ENV"] = lambda world: reads(".ENV", world.R / ".env")
CASES["read R/monkey.key.md"] = literally("monkey.key.md")
CASES["read R/passwords/readme.md"] = literally("passwords/readme.md")
CASES["read ../out/s"] = lambda world: [*reads("../out/s"), ("search_files", {"path": "../out/s", "query": "outside"})]


@row("read R/a.txt")
def _(world: World) -> Calls:
    return reads(world.R / "a.txt", f"{world.R}//./a.txt", f"{world.R}/passwords/../a.txt")


@row("read R/../<R>-evil/s")
def _(world: World) -> Calls:
    return reads(f"{world.R}/../R-evil/s")


@row("read R2/s")
def _(world: World) -> Calls:
    return [*reads(world.R2 / "s"), ("list_directory", {"path": str(world.R2)})]


@row("read ~/.ssh/config, /etc/shadow")
def _(world: World) -> Calls:
    return [*every("~/.ssh/config"), *every("~/.ssh"), *every("/etc/shadow"), *every("/etc"), *reads("~/.SSH/config")]


@row("read the app's settings")
def _(world: World) -> Calls:
    (world.R / "mine").symlink_to(places.settings_file())
    missing = places.data_dir() / "not-yet" / "chats.db"
    return [*every(places.settings_file()), *every(places.config_dir()), *reads("mine", missing)]


@row("read R/l -> O/s")
def _(world: World) -> Calls:
    (world.R / "l").symlink_to(world.O / "s")
    (world.R / "rel").symlink_to("../out/s")
    (world.R / "two").symlink_to("rel")
    (world.R / "d").symlink_to(world.O)
    (world.R / "to-missing").symlink_to(world.O / "not-there")
    return [*every("l"), *every("rel"), *every("two"), *every("d"), *reads("d/s", "d/not-there", "to-missing")]


@row("read a loop of links")
def _(world: World) -> Calls:
    (world.R / "loop1").symlink_to("loop2")
    (world.R / "loop2").symlink_to("loop1")
    (world.R / "self").symlink_to("self")
    return [*every("loop1"), *reads("self", "loop1/x/y")]


@row("read /proc/self/root/<R>/a.txt")
def _(world: World) -> Calls:
    return [*every(f"/proc/self/root{world.R}/a.txt"), *every("/proc/self/cwd"), *every("/dev/fd/0"), *every("/sys")]


@row("read a FIFO")
def _(world: World) -> Calls:
    os.mkfifo(world.R / "fifo")
    with socket.socket(socket.AF_UNIX) as listening:
        here = os.open(world.R, os.O_RDONLY)
        try:  # by the descriptor, because such an address is at most 107 bytes long
            listening.bind(f"/proc/self/fd/{here}/socket")
        finally:
            os.close(here)
    return reads("fifo", "socket")


QUICK = {"read a loop of links", "read a FIFO"}


@linux
@pytest.mark.parametrize("name", sorted(CASES))
def test_case(name: str, world: World) -> None:
    expected = expectation(name)
    for tool, arguments in CASES[name](world):
        if expected == "ask":
            assert_asked(world, tool, arguments)
            continue
        for answer in (None, Decision.ALLOW):
            started = time.monotonic()
            result = world.call(tool, arguments, answer)
            seconds = time.monotonic() - started
            assert not world.asked, (tool, arguments)
            assert time.monotonic() - started < 2 or name not in QUICK, seconds
            if expected == "allow":
                assert result.success, (arguments, result.error)
            else:
                assert f"refuse({result.code})" == expected, (tool, arguments, result.code, result.error)
                assert "KEY" not in str(result.as_json())


def assert_asked(world: World, tool: str, arguments: Any) -> None:
    world.asked.clear()
    assert world.call(tool, arguments).code == "outside_root"
    assert world.call(tool, arguments, Decision.DENY).code == "denied"
    assert world.call(tool, arguments, Decision.NO_ANSWER).code == "no_answer"
    assert world.call(tool, arguments, Decision.ALLOW).success
    assert len(world.asked) == 3
    world.asked.clear()


@linux
def test_a_file_in_the_workspace_has_its_full_path(world: World) -> None:
    assert world.read("a.txt").data["path"] == str(world.R / "a.txt")


@linux
def test_a_link_inside_works_also_an_absolute_one(world: World) -> None:
    (world.R / "in").symlink_to(world.R / "a.txt")
    (world.R / "folder").symlink_to(world.R / "passwords")
    assert world.read("in").data["path"] == str(world.R / "a.txt")
    assert world.read("folder/readme.md").success
    (world.R / "x.txt").symlink_to("id_rsa")
    assert world.read("x.txt").code == "sensitive_file"


@linux
def test_an_allowed_sensitive_file_is_that_file_alone(world: World) -> None:
    allow = (str(world.R / "id_rsa"),)
    assert "KEY" in world.read("id_rsa", allow=allow).data["content"]
    assert world.read(".env", allow=allow).code == "sensitive_file"
    assert world.read("~/.ssh/config", allow=(str(world.home / ".ssh" / "config"),)).code == "protected_path"


@linux
def test_sensitive_files_do_not_show_in_searches_and_hide_no_folder(world: World) -> None:
    (world.R / "passwords" / "KEY.md").write_text("KEY of the song\n")
    (world.R / ".env.d").mkdir()
    for kind in ("filename", "content", "both"):
        for more in ({}, {"include_hidden": True, "include_ignored": True}):
            result = world.call("search_files", {"path": ".", "query": "KEY", "search_type": kind} | more)
            paths = {entry["path"] for entry in result.data["results"]}
            assert "passwords/KEY.md" in paths, (kind, more)
            assert not any(is_sensitive(os.path.basename(path)) for path in paths)
            assert "TOKEN" not in str(result.as_json())


@linux
def test_ignore_files_unhide_nothing_that_is_closed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (".ignore", ".rgignore", ".gitignore"):
        (world.R / name).write_text("!*\n!.env\n!id_rsa\n!.git\n!*secret*\n")
    (world.R / ".git").mkdir()
    (world.R / ".git" / "config").write_text("KEY\n")
    (world.R / "rc").write_text("--hidden\n--no-ignore\n--follow\n--pre=cat\n")
    (world.R / "d").symlink_to(world.O)
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(world.R / "rc"))
    for query in ("KEY", "outside", "s", "TOKEN"):
        result = world.call("search_files", {"path": ".", "query": query, "include_hidden": True})
        for entry in result.data["results"]:
            assert not is_sensitive(os.path.basename(entry["path"]))
            assert not entry["path"].startswith((".git/", "d/"))
        assert "TOKEN=" not in str(result.as_json()) and "outside\n" not in str(result.as_json())


# -- arguments ------------------------------------------------------------------------------------------------------


@linux
@pytest.mark.parametrize("tool", ["read_file", "list_directory", "search_files"])
def test_arguments_rows(tool: str, world: World) -> None:
    assert world.call("no_such_tool", {}).code == "unknown_tool"
    query = {"query": "x"} if tool == "search_files" else {}
    for bad in (
        {},
        {"path": "a", "more": 1},
        {"path": None},
        {"path": {"description": "File path", "type": "string"}},
        {"path": ["a"]},
        {"path": 1},
    ):
        result = world.call(tool, query | bad)
        assert result.code == "bad_arguments", bad
        assert f"{tool}({{" in (result.error or "")  # what is expected
    assert "twice" in str(world.call(tool, '{"path":"a","path":"/etc/x"}').error)
    for deep in ("[" * 200_000 + "]" * 200_000, '{"path":' * 200_000 + "1" + "}" * 200_000):
        assert world.call(tool, deep).code == "bad_arguments"
