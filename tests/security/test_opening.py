"""What an opened folder lets through, and how the gate words what the system refuses."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from metona_tk.protocol.problems import Code
from metona_tk.security import handles
from metona_tk.security.handles import Guard, open_file, open_folder, refusal
from metona_tk.security.paths import GateError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="handles as Linux has them")
OPEN = Guard(lambda _: False, lambda _: False, lambda *_: False)

WORDS = {
    errno.ELOOP: Code.CHANGED_SINCE_APPROVAL,
    errno.EXDEV: Code.CHANGED_SINCE_APPROVAL,
    errno.ENOENT: Code.NOT_FOUND,
    errno.ENOTDIR: Code.NOT_A_DIRECTORY,
    errno.EACCES: Code.PERMISSION_DENIED,
    errno.EPERM: Code.PERMISSION_DENIED,
    errno.ENXIO: Code.NOT_REGULAR,
    errno.ENODEV: Code.NOT_REGULAR,
    errno.EOPNOTSUPP: Code.NOT_REGULAR,
    errno.EAGAIN: Code.IN_USE,
    errno.EBUSY: Code.IN_USE,
    errno.ETXTBSY: Code.IN_USE,
    errno.EISDIR: Code.IS_DIRECTORY,
    errno.EIO: Code.IO_ERROR,
    errno.EMFILE: Code.IO_ERROR,
}


@pytest.mark.parametrize("number", WORDS, ids=errno.errorcode.get)
def test_each_error_has_its_code(number: int) -> None:
    told = refusal(OSError(number, os.strerror(number)), "a.txt")
    assert told.code is WORDS[number]
    assert "a.txt" in told.text


@pytest.fixture(params=["openat2", "walk"])
def top(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(handles._state, "openat2", request.param == "openat2")
    top = tmp_path / "top"
    (top / "f" / "g").mkdir(parents=True)
    (top / "a.txt").write_bytes(b"first")
    (top / "f" / "b.txt").write_bytes(b"second")
    (top / "f" / "g" / "c.txt").write_bytes(b"third")
    (top / "link").symlink_to("a.txt")
    (top / "to").symlink_to("f")
    os.mkfifo(top / "pipe")
    (tmp_path / "out.txt").write_bytes(b"outside")
    return top


def code(error: BaseException) -> object:
    return error.code if isinstance(error, GateError) else error.errno if isinstance(error, OSError) else None


def test_every_entry_is_told_with_its_kind(top: Path) -> None:
    kinds = {"a.txt": "file", "f": "directory", "link": "symlink", "to": "symlink", "pipe": "other"}
    with open_folder(str(top), OPEN) as folder:
        assert {entry.name: entry.kind for entry in folder.scan(False)} == kinds
        assert all(entry.stat is None for entry in folder.scan(False))
        stats = {entry.name: entry.stat for entry in folder.scan(True)}
        assert {name: stat.st_ino for name, stat in stats.items() if stat} == {
            name: (top / name).lstat().st_ino for name in kinds
        }
        assert folder.stat("none") is None
        linked = folder.stat("link")
        assert linked is not None and linked.st_ino == (top / "link").lstat().st_ino


def test_a_file_is_read_from_its_start_as_often_as_one_likes(top: Path) -> None:
    with open_file(str(top / "a.txt"), OPEN) as file:
        assert (file.read(2), file.read(100), file.read(1)) == (b"fi", b"rst", b"")
        file.rewind()
        assert file.read(100) == b"first"
        assert (file.path, file.stat.st_size) == (str(top / "a.txt"), 5)


@pytest.mark.parametrize("opener", [open_file, open_folder])
def test_a_handle_is_closed_once(opener: object, top: Path) -> None:
    opened = open_file(str(top / "a.txt"), OPEN) if opener is open_file else open_folder(str(top), OPEN)
    opened.close()
    other = os.open(top / "f" / "b.txt", os.O_RDONLY)  # takes the number of the closed one
    opened.close()
    assert os.read(other, 10) == b"second"
    os.close(other)


@pytest.mark.parametrize(
    ("path", "told"), [("f", errno.EISDIR), ("pipe", errno.ENXIO), ("none", errno.ENOENT), ("a.txt/x", errno.ENOTDIR)]
)
def test_what_is_no_file_is_not_opened_as_one(path: str, told: int, top: Path) -> None:
    with pytest.raises(OSError) as error:
        open_file(str(top / path), OPEN)
    assert error.value.errno == told
    with open_folder(str(top), OPEN) as folder, pytest.raises(OSError) as error:
        folder.file(path)
    assert error.value.errno == told


@pytest.mark.parametrize("name", ["f/g", "..", ".", "../top", "to", "a.txt", "none", "/etc"])
def test_only_a_folder_directly_in_it_is_entered(name: str, top: Path) -> None:
    with open_folder(str(top), OPEN) as folder, pytest.raises(OSError):
        folder.folder(name)


def test_what_is_deeper_than_the_user_opened_stays_closed(top: Path) -> None:
    with open_folder(str(top), OPEN) as folder:
        with folder.folder("f") as inner, inner.file("g/c.txt") as file:
            assert (file.read(10), file.path) == (b"third", str(top / "f" / "g" / "c.txt"))
        assert folder.holds("f/b.txt") and folder.holds("a.txt")
        folder.deep = False
        for attempt in (lambda: folder.folder("f"), lambda: folder.file("f/b.txt")):
            with pytest.raises(GateError) as error:
                attempt()
            assert error.value.code is Code.OUTSIDE_ROOT
        assert folder.holds("a.txt") and not folder.holds("f/b.txt")
        with folder.file("a.txt") as file:
            assert file.read(10) == b"first"


@pytest.mark.parametrize(
    ("path", "held"),
    [
        ("a.txt", True),
        ("f/g/c.txt", True),
        ("f", False),
        ("link", False),
        ("to/b.txt", False),
        ("pipe", False),
        ("none", False),
        ("none/a", False),
        ("../out.txt", False),
        ("f/../../out.txt", False),
    ],
)
def test_a_reported_file_is_looked_for_without_links(path: str, held: bool, top: Path) -> None:
    with open_folder(str(top), OPEN) as folder:
        assert folder.holds(path) is held


def test_what_the_guard_closes_is_closed_on_every_way(top: Path) -> None:
    f = (top / "f").stat()
    by_path = Guard(lambda path: path == str(top / "f"), lambda _: False, lambda *_: False)
    by_identity = Guard(lambda _: False, lambda found: os.path.samestat(found, f), lambda *_: False)
    for guard in (by_path, by_identity):
        with open_folder(str(top), guard) as folder:
            with pytest.raises(GateError) as error:
                folder.folder("f")
            assert error.value.code is Code.PROTECTED_PATH
            with folder.file("a.txt") as file:
                assert file.read(9) == b"first"
    for attempt in (
        lambda: open_file(str(top / "f" / "b.txt"), by_identity),
        lambda: open_file(str(top / "f" / "g" / "c.txt"), by_identity),
        lambda: open_folder(str(top / "f"), by_identity),
        lambda: open_folder(str(top / "f" / "g"), by_identity),
    ):
        with pytest.raises(GateError) as error:
            attempt()
        assert error.value.code is Code.PROTECTED_PATH
    with open_folder(str(top), by_identity) as folder:
        assert not folder.holds("f/b.txt") and not folder.holds("f/g/c.txt") and folder.holds("a.txt")
        with pytest.raises(GateError) as error:
            folder.file("f/b.txt")
        assert error.value.code is Code.PROTECTED_PATH


def test_a_sensitive_file_is_not_read_out_of_a_folder(top: Path) -> None:
    named = Guard(lambda _: False, lambda _: False, lambda path, name: (path, name) == (str(top / "a.txt"), "a.txt"))
    with open_folder(str(top), named) as folder, pytest.raises(GateError) as error:
        folder.file("a.txt")
    assert error.value.code is Code.SENSITIVE_FILE
    whole = Guard(lambda path: path == str(top / "f" / "b.txt"), lambda _: False, lambda *_: False)
    with open_folder(str(top), whole) as folder:
        assert not folder.holds("f/b.txt")
        with pytest.raises(GateError):
            folder.file("f/b.txt")


def test_only_a_file_with_several_names_is_compared_with_closed_ones(top: Path) -> None:
    asked: list[int] = []

    def note(found: os.stat_result) -> bool:
        asked.append(found.st_ino)
        return found.st_ino == (top / "a.txt").stat().st_ino

    guard = Guard(lambda _: False, note, lambda *_: False)
    with open_file(str(top / "a.txt"), guard) as file:
        assert file.stat.st_ino not in asked
    (top / "twin").hardlink_to(top / "a.txt")
    with pytest.raises(GateError) as error:
        open_file(str(top / "twin"), guard)
    assert error.value.code is Code.PROTECTED_PATH


@pytest.fixture
def mounted(top: Path) -> Iterator[Path]:
    place = top / "disk"
    place.mkdir()
    if os.getuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "tmpfs", place], capture_output=True).returncode:
        pytest.skip("no disk can be mounted")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def test_another_disk_is_not_entered_by_a_walk_and_opened_when_it_is_meant(mounted: Path, top: Path) -> None:
    (mounted / "a.txt").write_bytes(b"there")
    with open_folder(str(top), OPEN) as folder, pytest.raises(GateError) as error:
        folder.folder("disk")
    assert error.value.code is Code.NOT_A_DIRECTORY
    with open_folder(str(mounted), OPEN) as folder, folder.file("a.txt") as file:
        assert file.read(9) == b"there"


@pytest.mark.parametrize(("failures", "error", "opened"), [(19, "EAGAIN", True), (20, "EAGAIN", False)])
def test_an_opening_that_is_disturbed_is_tried_again(
    failures: int, error: str, opened: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_bytes(b"first")
    real, calls = handles._libc().syscall, []

    class Disturbed:
        @staticmethod
        def syscall(*given: object) -> int:
            calls.append(given)
            if len(calls) <= failures:
                import ctypes

                ctypes.set_errno(getattr(errno, error))
                return -1
            return real(*given)

    monkeypatch.setattr(handles, "_libc", Disturbed)
    monkeypatch.setitem(handles._state, "openat2", True)
    if opened:
        with open_file(str(tmp_path / "a.txt"), OPEN) as file:
            assert file.read(9) == b"first"
    else:
        with pytest.raises(BlockingIOError):
            open_file(str(tmp_path / "a.txt"), OPEN)
        assert len(calls) == 20
