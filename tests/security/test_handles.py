"""Handles: both ways of opening agree, nothing odd is opened, no descriptor is lost."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from metona_tk import places
from metona_tk.agent.gatekeeper import build_gate
from metona_tk.agent.tool_context import make_guard
from metona_tk.security import handles
from metona_tk.security.handles import FILE_FLAGS, FOLDER_FLAGS, Guard, open_beneath, open_file, open_folder
from metona_tk.security.paths import GateError
from tests.security.conftest import World, open_descriptors

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="openat2 and /proc are Linux")

OPEN = Guard(lambda path: False, lambda found: False, lambda path, name: False)


@pytest.fixture(params=["openat2", "walk"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(handles._state, "openat2", request.param == "openat2")
    return request.param


def build(base: Path) -> Path:
    top = base / "top"
    (top / "a" / "b").mkdir(parents=True)
    (top / "a" / "b" / "f").write_text("inner")
    (base / "outside").mkdir()
    (base / "outside" / "s").write_text("outer")
    for name, target in {
        "in": "a/b",
        "in-file": "a/b/f",
        "absolute": str(top / "a"),
        "out": "../outside",
        "out-file": "../outside/s",
        "etc": "/etc",
        "self": "self",
        "dangling": "not-there",
        "magic": "/proc/self/root",
        "dot": ".",
    }.items():
        (top / name).symlink_to(target)
    os.mkfifo(top / "fifo")
    return top


NO_LINK, NO_ENTRY, NO_FOLDER = "link", "missing", "not a folder"
WORDS = {errno.ELOOP: NO_LINK, errno.EXDEV: NO_LINK, errno.ENOENT: NO_ENTRY, errno.ENOTDIR: NO_FOLDER}
TABLE = [
    ("a/b/f", FILE_FLAGS, "opened"),
    ("a//b/./f", FILE_FLAGS, "opened"),
    (".", FOLDER_FLAGS, "opened"),
    ("a/b", FOLDER_FLAGS, "opened"),
    ("a/b/", FOLDER_FLAGS, "opened"),
    ("in/f", FILE_FLAGS, NO_LINK),
    ("in-file", FILE_FLAGS, NO_LINK),
    ("absolute/b/f", FILE_FLAGS, NO_LINK),
    ("out/s", FILE_FLAGS, NO_LINK),
    ("out-file", FILE_FLAGS, NO_LINK),
    ("etc/passwd", FILE_FLAGS, NO_LINK),
    ("self", FILE_FLAGS, NO_LINK),
    ("self/x", FILE_FLAGS, NO_LINK),
    ("dangling", FILE_FLAGS, NO_LINK),
    ("magic/etc/passwd", FILE_FLAGS, NO_LINK),
    ("dot/a/b/f", FILE_FLAGS, NO_LINK),
    ("../outside/s", FILE_FLAGS, NO_LINK),
    ("a/../../outside/s", FILE_FLAGS, NO_LINK),
    ("/etc/passwd", FILE_FLAGS, NO_LINK),
    ("not-there", FILE_FLAGS, NO_ENTRY),
    ("a/not-there/f", FILE_FLAGS, NO_ENTRY),
    ("a/b/f/g", FILE_FLAGS, NO_FOLDER),
    ("a/b/f", FOLDER_FLAGS, NO_FOLDER),
    ("fifo/x", FILE_FLAGS, NO_FOLDER),
    ("fifo", FOLDER_FLAGS, NO_FOLDER),
    ("fifo", FILE_FLAGS, "opened"),  # at once; its kind is told by the handle
]


@pytest.mark.parametrize(("path", "flags", "expected"), TABLE)
def test_both_ways_agree(path: str, flags: int, expected: str, way: str, tmp_path: Path) -> None:
    folder = os.open(build(tmp_path), os.O_RDONLY)
    before = open_descriptors()
    try:
        fd = open_beneath(folder, path, flags)
    except OSError as error:
        assert WORDS.get(error.errno or 0, str(error)) == expected
    else:
        assert expected == "opened"
        assert os.get_inheritable(fd) is False
        os.close(fd)
    assert open_descriptors() <= before  # fewer, where garbage of earlier tests was collected meanwhile
    os.close(folder)


@pytest.mark.parametrize("link", ["in", "out", "etc", "magic"])
def test_a_link_to_a_folder_is_no_folder(link: str, way: str, tmp_path: Path) -> None:
    folder = os.open(build(tmp_path), os.O_RDONLY)
    with pytest.raises(OSError) as raised:
        open_beneath(folder, link, FOLDER_FLAGS)
    assert raised.value.errno in {errno.ELOOP, errno.EXDEV, errno.ENOTDIR}
    os.close(folder)


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EPERM])
def test_the_walk_is_used_where_openat2_is_missing(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    walk = handles._walk

    def missing(folder: int, path: str, flags: int) -> int:
        calls.append("openat2")
        raise OSError(number, os.strerror(number))

    def walked(folder: int, path: str, flags: int) -> int:
        calls.append("walk")
        return walk(folder, path, flags)

    monkeypatch.setitem(handles._state, "openat2", True)
    monkeypatch.setattr(handles, "_openat2", missing)
    monkeypatch.setattr(handles, "_walk", walked)
    top = build(tmp_path)
    for _ in range(2):
        with open_file(str(top / "a" / "b" / "f"), OPEN) as file:
            assert file.read(10) == b"inner"
    assert calls == ["openat2", "walk", "walk"]  # asked once


def test_other_errors_do_not_switch_openat2_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(handles._state, "openat2", True)
    with pytest.raises(FileNotFoundError):
        open_file(str(tmp_path / "none"), OPEN)
    assert handles._state["openat2"]


ODD: dict[str, Callable[[Path], None]] = {
    "fifo": os.mkfifo,
    "link": lambda path: path.symlink_to("a.txt"),
    "out": lambda path: path.symlink_to("/etc/passwd"),
    "folder": lambda path: path.mkdir(),
    "missing": lambda path: None,
}


@pytest.mark.parametrize("kind", sorted(ODD))
def test_no_descriptor_is_lost_by_a_failure(kind: str, way: str, world: World) -> None:
    path = world.R / "odd"
    ODD[kind](path)
    before = open_descriptors()
    for _ in range(20):
        with pytest.raises((OSError, GateError)):
            open_file(str(path), OPEN).close()
    for _ in range(20):
        for call in ("read_file", "list_directory"):
            world.call(call, {"path": "odd"})
        world.call("search_files", {"path": "odd", "query": "x\0"})
    world.call("search_files", {"path": "odd", "query": "nothing of the kind"})
    world.call("search_files", {"path": ".", "query": "(", "regex": True})
    world.call("search_files", {"path": ".", "query": "q" * 200_000})
    assert open_descriptors() <= before  # fewer, where garbage of earlier tests was collected meanwhile


def test_a_refusing_guard_loses_no_descriptor(way: str, world: World) -> None:
    closed = Guard(lambda path: True, lambda found: True, lambda path, name: True)
    (world.R / "twin").hardlink_to(world.R / "a.txt")
    before = open_descriptors()
    with open_folder(str(world.R), OPEN) as folder:
        folder.guard = closed
        for attempt in (lambda: folder.folder("passwords"), lambda: folder.file("a.txt")):
            with pytest.raises(GateError):
                attempt()
    for attempt in (
        lambda: open_file(str(world.R / "twin"), closed),
        lambda: open_folder(str(world.R), closed),
    ):
        with pytest.raises(GateError):
            attempt()
    assert open_descriptors() <= before  # fewer, where garbage of earlier tests was collected meanwhile


def test_reading_does_not_wake_the_writer_of_a_fifo(world: World) -> None:
    os.mkfifo(world.R / "fifo")
    code = "import os, sys; print(flush=True); os.open(sys.argv[1], os.O_WRONLY)"
    writer = subprocess.Popen([sys.executable, "-c", code, world.R / "fifo"], stdout=subprocess.PIPE)
    assert writer.stdout
    writer.stdout.readline()
    try:
        for _ in range(20):
            assert world.read("fifo").code == "not_regular"
            world.call("search_files", {"path": ".", "query": "first"})
        assert writer.poll() is None
    finally:
        writer.kill()
        writer.wait()
        writer.stdout.close()


@pytest.mark.parametrize("device", [(1, 3), (1, 5), (5, 0)])
def test_a_device_is_no_file(device: tuple[int, int], world: World) -> None:
    try:
        os.mknod(world.R / "device", 0o600 | 0o020000, os.makedev(*device))
    except PermissionError:
        pytest.skip("devices are made by root alone")
    for tool, more in (("read_file", {}), ("search_files", {"query": "x"})):
        result = world.call(tool, {"path": "device"} | more)
        assert result.code in {"not_regular", "not_a_directory"}, result
    listed = world.call("list_directory", {"path": "."})
    assert {"name": "device", "type": "other"}.items() <= next(
        entry.items() for entry in listed.data["entries"] if entry["name"] == "device"
    )


@pytest.mark.parametrize("where", ["home", "private", "added"])
def test_a_hard_link_to_a_closed_file_is_the_closed_file(where: str, world: World) -> None:
    added = world.base / "vault"
    added.mkdir()
    (added / "s").write_text("KEY\n")
    source = {
        "home": world.home / ".ssh" / "config",
        "private": places.settings_file(),
        "added": added / "s",
    }[where]
    os.link(source, world.R / "twin.txt")
    blocked = {"blockedDirs": [str(added)]}
    assert world.read("twin.txt", **blocked).code in {"protected_path", "app_private"}
    found = world.call("search_files", {"path": ".", "query": "KEY", "search_type": "content"}, **blocked)
    assert "twin.txt" not in str(found.data)


def test_a_hard_link_to_an_open_file_is_read_and_said(world: World) -> None:
    os.link(world.O / "s", world.R / "twin.txt")
    assert "hard link" in str(world.read("twin.txt").note)


def test_a_closed_folder_under_another_name_is_closed(world: World) -> None:
    """As a bind mount shows it: the same folder by device and inode, under another path."""
    guard = make_guard(build_gate(str(world.R), [], []), frozenset())
    (world.R / "mounted").mkdir()
    found = os.stat(world.home / ".ssh")
    assert guard.closed_identity(found)
    assert not guard.closed_identity(os.stat(world.R / "mounted"))
    mounted = os.stat(world.R / "mounted")
    sly = Guard(lambda path: False, lambda each: os.path.samestat(each, mounted), lambda path, name: False)
    with open_folder(str(world.R), sly) as folder, pytest.raises(GateError):
        folder.folder("mounted")


def test_deep_recursion(world: World) -> None:
    here = os.open(world.R, os.O_RDONLY)
    for _ in range(1500):  # deeper than any path can say
        os.mkdir("deeper", dir_fd=here)
        deeper = os.open("deeper", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(os.open("last-first.txt", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
    before = open_descriptors()
    listed = world.call("list_directory", {"path": ".", "recursive": True, "max_depth": 10_000})
    assert listed.success and max(entry["name"].count("/") for entry in listed.data["entries"]) < 30
    assert world.call("search_files", {"path": ".", "query": "last-first"}).success
    assert open_descriptors() <= before  # fewer, where garbage of earlier tests was collected meanwhile
    subprocess.run(["rm", "-rf", str(world.R / "deeper")], check=True)
