"""The recycle bin as the desktop's own programs see it, and what is found there again."""

from __future__ import annotations

import contextlib
import datetime
import errno
import os
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import pytest

from metona_tk.operations import bins, metadata
from metona_tk.operations.entries import Inner
from metona_tk.operations.failures import CannotUndo
from metona_tk.operations.room import Limits
from metona_tk.protocol.changes import NotUndoable
from tests.fakes import changes
from tests.fakes.changes import Desk, look, tree

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the bin of the freedesktop.org specification")


def records(trash: Path) -> dict[str, str]:
    """Where each thing in a bin was; both halves of the bin belong together."""
    found: dict[str, str] = {}
    for info in (trash / "info").iterdir():
        lines = info.read_text("utf-8").splitlines()
        assert lines[0] == "[Trash Info]"
        fields = dict(line.split("=", 1) for line in lines[1:])
        when = datetime.datetime.fromisoformat(fields["DeletionDate"])
        assert abs((datetime.datetime.now() - when).total_seconds()) < 120
        found[info.name.removesuffix(".trashinfo")] = urllib.parse.unquote(fields["Path"])
    assert set(found) == {path.name for path in (trash / "files").iterdir()}
    return found


NAMES = ["a.txt", "a b%20.txt", "ü 中.txt", "no ending", ".hidden", "two.dots.txt"]


@pytest.mark.parametrize("link", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_deleted_is_in_the_bin_with_its_place_as_often_as_it_is_deleted(
    name: str, link: bool, desk: Desk
) -> None:
    path = desk.work / name
    operations: list[str] = []
    for number in range(3):
        path.symlink_to(f"target {number}") if link else path.write_bytes(str(number).encode())
        operations.append(desk.apply(changes.delete(path)).operation_id)
    assert set(records(desk.bin).values()) == {str(path)}
    assert len(records(desk.bin)) == 3
    for number in (1, 0, 2):
        desk.operations.undo(operations[number])
        found = os.readlink(path) if link else path.read_bytes().decode()
        assert found == (f"target {number}" if link else str(number))
        path.unlink()
    assert records(desk.bin) == {}


def test_a_link_that_is_deleted_again_gets_a_name_like_its_own(desk: Desk) -> None:
    path = desk.work / "a.tar.gz"
    for _ in range(3):
        path.symlink_to("nowhere")
        desk.apply(changes.delete(path))
    assert set(records(desk.bin)) == {"a.tar.gz", "a.tar 2.gz", "a.tar 3.gz"}


def test_the_bin_is_that_of_the_environment(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (desk.work / "a.txt").write_bytes(b"a")
    (desk.work / "link").symlink_to("a.txt")
    desk.apply(changes.delete(desk.work / "link"))
    operation = desk.apply(changes.delete(desk.work / "a.txt")).operation_id
    assert len(records(tmp_path / "data" / "Trash")) == 2
    assert not desk.bin.exists()
    monkeypatch.setenv("XDG_DATA_HOME", "")
    assert bins.home_bin() == desk.bin
    desk.operations.undo(operation)  # the bin that it went to
    assert (desk.work / "a.txt").read_bytes() == b"a"


def test_another_thing_under_the_name_in_the_bin_is_not_taken_for_it(desk: Desk) -> None:
    path = desk.work / "a.txt"
    path.write_bytes(b"mine")
    operation = desk.apply(changes.delete(path)).operation_id
    (entry,) = (desk.bin / "files").iterdir()
    entry.rename(desk.base / "kept")  # keeps its inode
    entry.write_bytes(b"another")
    desk.operations.undo(operation)
    assert (path.read_bytes(), entry.read_bytes()) == (b"mine", b"another")


def test_another_large_thing_under_the_name_in_the_bin_does_not_come_back(desk: Desk) -> None:
    desk.limits = Limits(operation=1)
    desk.again()
    path = desk.work / "a.txt"
    path.write_bytes(b"mine")
    operation = desk.apply(changes.delete(path)).operation_id
    assert desk.operations.info(operation).blocked is None
    (entry,) = (desk.bin / "files").iterdir()
    entry.rename(desk.base / "kept")
    entry.write_bytes(b"another")
    assert desk.operations.info(operation).blocked is NotUndoable.BIN_EMPTIED
    with pytest.raises(CannotUndo) as refusal:
        desk.operations.undo(operation)
    assert refusal.value.reason is NotUndoable.BIN_EMPTIED
    assert not path.exists()


def test_what_lay_in_the_bin_before_stays(desk: Desk) -> None:
    for part in ("files", "info"):
        (desk.bin / part).mkdir(parents=True)
    (desk.bin / "files" / "a.txt").write_bytes(b"older")
    (desk.bin / "info" / "a.txt.trashinfo").write_text("[Trash Info]\nPath=/x\nDeletionDate=2020-01-01T00:00:00\n")
    path = desk.work / "a.txt"
    path.write_bytes(b"mine")
    operation = desk.apply(changes.delete(path)).operation_id
    assert (desk.bin / "files" / "a.txt").read_bytes() == b"older"
    desk.operations.undo(operation)
    assert path.read_bytes() == b"mine"
    assert [each.name for each in (desk.bin / "files").iterdir()] == ["a.txt"]


# --- other disks -----------------------------------------------------------------------------------------------------


class OnDisk(Desk):
    """A workspace at the top of a disk of its own."""

    @property
    def work(self) -> Path:
        return self.base / "a disk" / "work"


@pytest.fixture
def disk(tmp_path: Path, desk: Desk) -> Iterator[Desk]:
    place = tmp_path / "a disk"
    place.mkdir()
    if os.getuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "tmpfs", place], capture_output=True).returncode:
        pytest.skip("no disk can be mounted")
    made = OnDisk(desk.base)
    try:
        yield made
    finally:
        made.close()
        subprocess.run(["umount", "-l", place], check=True)


def plant(work: Path) -> None:
    (work / "a.txt").write_bytes(b"a")
    (work / "link").symlink_to("a.txt")
    (work / "f").mkdir()
    (work / "f" / "in.txt").write_bytes(b"in")


@pytest.mark.parametrize("name", ["a.txt", "link", "f"])
def test_a_disk_that_is_only_memory_has_no_bin(name: str, disk: Desk) -> None:
    plant(disk.work)
    start = tree(disk.work)
    path = disk.work / name
    assert not bins.may_take(str(path), look(path).device)
    done = disk.apply(changes.delete(path))
    assert (done.in_bin, done.recoverable) == (False, True)
    assert [each.name for each in disk.work.parent.iterdir()] == ["work"]
    assert list(disk.bin.glob("files/*")) == []
    disk.operations.undo(done.operation_id)
    assert tree(disk.work) == start


@pytest.mark.parametrize("name", ["a.txt", "link", "f"])
def test_another_disk_has_a_bin_of_its_own(name: str, disk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bins, "_is_temporary", lambda _: False)
    plant(disk.work)
    start = tree(disk.work)
    path = disk.work / name
    assert bins.may_take(str(path), look(path).device)
    done = disk.apply(changes.delete(path))
    assert (done.in_bin, done.recoverable) == (True, True)
    assert records(disk.work.parent / f".Trash-{os.getuid()}") == {name: f"work/{name}"}
    assert list(disk.bin.glob("files/*")) == []
    disk.operations.undo(done.operation_id)
    assert tree(disk.work) == start


def test_the_disk_of_the_home_folder_has_a_bin(desk: Desk) -> None:
    path = desk.work / "a.txt"
    path.write_bytes(b"a")
    assert bins.may_take(str(path), look(path).device)
    (desk.home / ".local" / "share").mkdir(parents=True)
    assert bins.may_take(str(path), look(path).device)


@pytest.mark.parametrize("there", [None, b"another"])
def test_only_the_very_thing_is_taken_out_of_the_bin(there: bytes | None, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"mine")
    inode = (tmp_path / "a.txt").stat().st_ino
    (tmp_path / "a.txt").rename(tmp_path / "kept")
    if there is not None:
        (tmp_path / "a.txt").write_bytes(there)
    entry = bins.BinEntry(str(tmp_path), "a.txt", str(tmp_path / "info"), inode)
    folder = Inner(str(tmp_path), os.open(tmp_path, os.O_RDONLY))
    try:
        for each in (entry, bins.BinEntry()):
            assert not bins.is_there(each)
            with pytest.raises(FileNotFoundError):
                bins.restore(each, folder, "back")
    finally:
        folder.close()
    assert not (tmp_path / "back").exists()
    assert there is None or (tmp_path / "a.txt").read_bytes() == there


@pytest.mark.parametrize(("number", "told"), [(errno.EIO, True), (errno.ENOTSUP, False), (errno.EPERM, False)])
@pytest.mark.parametrize("call", ["listxattr", "setxattr"])
def test_attributes_that_cannot_be_had_are_left_out_and_a_broken_disk_is_told(
    call: str, number: int, told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object) -> object:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, call, refuses)
    with (tmp_path / "a").open("wb") as file, contextlib.ExitStack() as expected:
        if told:
            expected.enter_context(pytest.raises(OSError, match=os.strerror(number)))
        if call == "listxattr":
            assert metadata.read_xattrs(file.fileno()) == {}
        else:
            metadata.write_xattrs(file.fileno(), {"user.a": "QQ=="})
