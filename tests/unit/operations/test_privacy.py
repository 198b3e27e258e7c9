"""Old bytes are for nobody else's eyes: the store, the journal, temporary files, and what comes back from them."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from metona_tk.operations import failpoints
from tests.fakes import changes
from tests.fakes.changes import Desk, at_point, temps, tree

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")


@pytest.fixture(autouse=True)
def everything_for_everybody() -> Iterator[None]:
    """The most open umask; and no hook is left."""
    before = os.umask(0)
    yield
    os.umask(before)
    failpoints.set_hook(None)


def mode(path: Path | str) -> int:
    return stat.S_IMODE(os.lstat(path).st_mode)


def test_nobody_else_reads_what_the_store_keeps(desk: Desk) -> None:
    (desk.work / "a.txt").write_bytes(b"old")
    (desk.work / "f").mkdir()
    (desk.work / "f" / "in.txt").write_bytes(b"in")
    desk.apply(changes.write(desk.work / "a.txt", b"new"))
    desk.apply(changes.delete(desk.work / "f"))
    kept = [path for path in desk.store.rglob("*") if not path.name.startswith("journal")]
    assert {mode(path) for path in kept if path.is_dir()} == {0o700}
    assert {mode(path) for path in kept if path.is_file()} == {0o600}
    assert len([path for path in kept if path.is_file()]) >= 3
    assert mode(desk.store) == 0o700


@pytest.mark.parametrize("undo", [False, True])
@pytest.mark.parametrize("point", ["opened", "half_written", "stored"])
def test_nobody_else_reads_a_file_that_is_being_written(point: str, undo: bool, desk: Desk) -> None:
    path = desk.work / "a.txt"
    path.write_bytes(b"old")
    path.chmod(0o600)
    plan = changes.write(path, b"new")
    operation = desk.apply(plan).operation_id if undo else ""
    seen: list[int] = []

    def look() -> None:
        seen.extend(mode(each) for each in (*temps(desk.work), *desk.store.glob("incoming/*")))

    with at_point(point, action=look) as points:
        desk.operations.undo(operation) if undo else desk.apply(plan)
    assert point in points or undo
    assert all(each == 0o600 for each in seen)
    assert seen or point == "stored" or undo


@pytest.mark.parametrize("start", [0o600, 0o640, 0o644, 0o755, 0o444, 0o4750, 0o1644])
def test_a_file_keeps_its_mode_whatever_is_done_to_it(start: int, desk: Desk) -> None:
    path, other = desk.work / "a.txt", desk.work / "b.txt"
    path.write_bytes(b"old")
    other.write_bytes(b"other")
    path.chmod(start)
    for plan in (
        lambda: changes.write(path, b"new"),
        lambda: changes.append(path, b"more"),
        lambda: changes.copy(other, path),
    ):
        operation = desk.apply(plan()).operation_id
        assert mode(path) == start
        desk.operations.undo(operation)
        assert (mode(path), path.read_bytes()) == (start, b"old")
    operation = desk.apply(changes.delete(path)).operation_id
    for entry in desk.bin.rglob("*"):
        entry.unlink() if entry.is_file() else None  # then the store has to help
    desk.operations.undo(operation)
    assert (mode(path), path.read_bytes()) == (start, b"old")


def test_a_copy_has_the_mode_and_the_time_of_its_source_and_runs_as_nobody_else(desk: Desk) -> None:
    path = desk.work / "a.txt"
    path.write_bytes(b"old")
    path.chmod(0o6754)
    os.utime(path, ns=(10**18, 10**18))
    desk.apply(changes.copy(path, desk.work / "b.txt"))
    assert mode(desk.work / "b.txt") == 0o754
    assert (desk.work / "b.txt").stat().st_mtime_ns == 10**18


@pytest.mark.parametrize("umask", [0, 0o022, 0o077])
def test_what_is_new_has_the_mode_that_any_program_would_give_it(umask: int, desk: Desk) -> None:
    os.umask(umask)
    desk.apply(changes.folder(desk.work / "f"), changes.create(desk.work / "f" / "a.txt", b"new"))
    assert mode(desk.work / "f") == 0o777 & ~umask
    assert mode(desk.work / "f" / "a.txt") == 0o666 & ~umask


def test_folders_and_all_in_them_come_back_with_their_modes_and_times(desk: Desk) -> None:
    folder = desk.work / "f"
    (folder / "open" / "deep").mkdir(parents=True)
    (folder / "empty").mkdir()
    (folder / "open" / "deep" / "a.txt").write_bytes(b"a")
    (folder / "link").symlink_to("open")
    (folder / "open" / "deep" / "a.txt").chmod(0o640)
    (folder / "empty").chmod(0o711)
    (folder / "open").chmod(0o2775)
    folder.chmod(0o750)
    for each in (folder / "open" / "deep" / "a.txt", folder / "open" / "deep", folder / "open", folder):
        os.utime(each, ns=(10**18, 10**18))
    start, times = tree(desk.work), {path: path.lstat().st_mtime_ns for path in (folder, folder / "open")}
    operation = desk.apply(changes.delete(folder)).operation_id
    for _ in range(2):
        for entry in sorted(desk.bin.rglob("*"), reverse=True):
            entry.rmdir() if entry.is_dir() and not entry.is_symlink() else entry.unlink()
        desk.operations.undo(operation)
        assert tree(desk.work) == start
        assert {path: path.lstat().st_mtime_ns for path in times} == times
        desk.operations.redo(operation)
        assert not folder.exists()


def test_what_the_bin_has_is_for_its_owner(desk: Desk) -> None:
    path = desk.work / "a.txt"
    path.symlink_to("nowhere")  # the program brings it there by itself
    desk.apply(changes.delete(path))
    assert {mode(each) for each in (desk.bin / "files", desk.bin / "info")} == {0o700}
    (record,) = desk.bin.glob("info/*")
    assert mode(record) == 0o600
