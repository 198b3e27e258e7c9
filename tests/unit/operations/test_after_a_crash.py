"""The program dies, somebody works on, the program starts again: what is told as done is done, and no work is lost."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from metona_tk.operations import failpoints
from metona_tk.operations.failures import CannotUndo, Conflicted
from metona_tk.protocol.changes import OperationState
from tests.fakes import changes
from tests.fakes.changes import Desk, at_point, temps, tree

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a child is forked")


def dies(point: str, work: Callable[[], object], after: int = 1) -> None:
    """Do it in a process that dies at a point."""
    child = os.fork()
    if child == 0:
        seen: list[str] = []

        def die(name: str) -> None:
            seen.append(name)
            if seen.count(point) == after and name == point:
                os._exit(77)

        failpoints.set_hook(die)
        try:
            work()
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 77


def plant(desk: Desk) -> Path:
    path = desk.work / "a.txt"
    path.write_bytes(b"old")
    (desk.work / "b.txt").write_bytes(b"other")
    (desk.work / "f" / "deep").mkdir(parents=True)
    (desk.work / "f" / "deep" / "in.txt").write_bytes(b"in")
    return path


def states(desk: Desk) -> list[str]:
    return [row[0] for row in desk.rows("SELECT state FROM operations ORDER BY number")]


def restarted(desk: Desk) -> list[str]:
    desk.again().tidy()
    assert temps(desk.base) == []
    assert desk.rows("SELECT * FROM runs WHERE state = 'intent'") == []
    return states(desk)


def save_in_place(path: Path) -> None:
    path.write_bytes(b"mine")


def save_by_rename(path: Path) -> None:
    path.with_name("new").write_bytes(b"mine")
    os.replace(path.with_name("new"), path)


@pytest.mark.parametrize("point", ["journalled", "opened", "half_written", "synced"])
def test_a_save_after_a_write_that_was_not_done_is_no_work_of_ours(point: str, desk: Desk) -> None:
    path = plant(desk)
    dies(point, lambda: desk.apply(changes.write(path, b"new")))
    save_in_place(path)
    assert restarted(desk) == ["failed"]
    assert path.read_bytes() == b"mine"


def undone_when_asked(desk: Desk, path: Path) -> str:
    """The last operation, over which the user has worked at `path`: undone only after a question."""
    assert path.read_bytes() == b"mine"
    operation = desk.operations.last()
    assert operation is not None
    with pytest.raises(Conflicted) as conflict:
        desk.operations.undo(operation)
    desk.operations.undo(operation, conflict.value.digest)
    assert path.read_bytes() == b"old"
    return operation


@pytest.mark.parametrize("save", [save_in_place, save_by_rename])
@pytest.mark.parametrize("copied", [False, True])
def test_a_save_after_a_write_that_was_done_is_asked_about(
    copied: bool, save: Callable[[Path], None], desk: Desk
) -> None:
    path = plant(desk)
    plan = changes.copy(desk.work / "b.txt", path) if copied else changes.write(path, b"new")
    dies("replaced", lambda: desk.apply(plan))
    save(path)
    assert restarted(desk) == ["done"]
    desk.operations.redo(undone_when_asked(desk, path))
    assert path.read_bytes() == b"mine"


@pytest.mark.parametrize("make", [save_in_place, Path.mkdir, lambda path: path.symlink_to("a.txt")])
@pytest.mark.parametrize("point", ["journalled", "synced"])
def test_what_the_user_makes_where_a_new_file_was_to_be_is_the_users(
    point: str, make: Callable[[Path], None], desk: Desk
) -> None:
    plant(desk)
    dies(point, lambda: desk.apply(changes.create(desk.work / "new.txt", b"new")))
    make(desk.work / "new.txt")
    there = {name: what for name, what in tree(desk.work).items() if not name.startswith(".metona-")}
    assert restarted(desk) == ["failed"]
    assert tree(desk.work) == there


@pytest.mark.parametrize("name", ["a.txt", "f"])
@pytest.mark.parametrize("make", [save_in_place, Path.mkdir])
def test_what_the_user_makes_where_something_was_to_come_back_is_the_users(
    make: Callable[[Path], None], name: str, desk: Desk
) -> None:
    plant(desk)
    operation = desk.apply(changes.delete(desk.work / name)).operation_id
    dies("journalled", lambda: desk.operations.undo(operation))
    make(desk.work / name)
    there = tree(desk.work)
    desk.again().tidy()
    assert tree(desk.work) == there
    if not (name == "f" and make is Path.mkdir):  # an empty folder cannot be told from one that has come back
        assert states(desk) == ["done"]


@pytest.mark.parametrize("from_store", [False, True])
@pytest.mark.parametrize("name", ["a.txt", "f"])
def test_what_came_back_is_known_to_be_back(name: str, from_store: bool, desk: Desk) -> None:
    plant(desk)
    start = tree(desk.work)
    operation = desk.apply(changes.delete(desk.work / name)).operation_id
    done = tree(desk.work)
    if from_store:
        shutil.rmtree(desk.bin)
    dies("finished", lambda: desk.operations.undo(operation))
    desk.again().tidy()
    assert (states(desk), tree(desk.work)) == (["undone"], start)
    dies("journalled", lambda: desk.operations.redo(operation))
    desk.again().tidy()
    assert (states(desk), tree(desk.work)) == (["undone"], start)
    desk.operations.redo(operation)
    assert tree(desk.work) == done
    desk.operations.undo(operation)
    assert tree(desk.work) == start


@pytest.mark.parametrize("name", ["a.txt", "f"])
def test_a_thing_that_is_deleted_when_the_program_dies_is_found_in_the_bin(name: str, desk: Desk) -> None:
    plant(desk)
    start = tree(desk.work)
    inode = (desk.work / name).stat().st_ino
    dies("binned", lambda: desk.apply(changes.delete(desk.work / name)))
    assert restarted(desk) == ["done"]
    (record,) = (desk.bin / "info").iterdir()
    assert f"Path={desk.work / name}\n" in record.read_text()
    operation = desk.operations.last()
    assert operation is not None
    desk.operations.undo(operation)
    assert tree(desk.work) == start
    assert (desk.work / name).stat().st_ino == inode


def test_a_new_file_where_one_was_deleted_when_the_program_died_stays(desk: Desk) -> None:
    path = plant(desk)
    dies("binned", lambda: desk.apply(changes.delete(path)))
    save_in_place(path)
    assert restarted(desk) == ["done"]
    assert path.read_bytes() == b"mine"
    operation = desk.operations.last()
    assert operation is not None
    with pytest.raises(Conflicted):
        desk.operations.undo(operation)


@pytest.mark.parametrize("save", [save_in_place, save_by_rename])
@pytest.mark.parametrize("point", ["replaced", "moved"])
def test_a_save_to_a_file_that_was_moved_over_another_is_not_lost(
    point: str, save: Callable[[Path], None], desk: Desk
) -> None:
    path = plant(desk)
    dies(point, lambda: desk.apply(changes.move(desk.work / "b.txt", path)))
    assert path.read_bytes() == b"other"
    save(path)
    desk.again().tidy()
    assert path.read_bytes() == b"mine"
    assert temps(desk.base) == []


@pytest.mark.parametrize("kept", [True, False])
def test_a_file_that_is_saved_at_the_name_of_a_moved_one_stays(kept: bool, desk: Desk) -> None:
    """After the swap the replaced file has the source's name; it goes only where it still is that file."""
    path, source = plant(desk), desk.work / "b.txt"
    dies("replaced", lambda: desk.apply(changes.move(source, path)))
    if not kept:
        source.unlink(missing_ok=True)
        source.write_bytes(b"mine")
    assert restarted(desk) == ["done"]
    assert path.read_bytes() == b"other"
    assert (source.read_bytes() if source.exists() else None) == (None if kept else b"mine")
    operation = desk.operations.last()
    assert operation is not None
    if kept:
        desk.operations.undo(operation)
        assert (path.read_bytes(), source.read_bytes()) == (b"old", b"other")


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_of_several_changes_all_are_done_or_taken_back(steps: int, desk: Desk) -> None:
    path = plant(desk)
    start = tree(desk.work)
    plan = [
        changes.write(path, b"new"),
        changes.folder(desk.work / "g"),
        changes.create(desk.work / "g" / "n.txt", b"n"),
        changes.delete(desk.work / "f"),
    ]
    dies("journalled", lambda: desk.apply(*plan), after=steps + 1)
    assert restarted(desk) == ["failed"]
    assert tree(desk.work) == start


def test_what_was_half_taken_back_when_the_user_worked_on_can_still_be_undone(desk: Desk) -> None:
    path = plant(desk)
    plan = [changes.write(path, b"new"), changes.create(desk.work / "c.txt", b"c")]
    dies("journalled", lambda: desk.apply(*plan), after=2)
    save_in_place(path)
    assert restarted(desk) == ["done"]
    undone_when_asked(desk, path)
    assert not (desk.work / "c.txt").exists()


def test_a_folder_that_cannot_be_looked_at_after_a_crash_is_looked_at_later(desk: Desk) -> None:
    path = plant(desk)
    dies("replaced", lambda: desk.apply(changes.write(path, b"new")))
    with pytest.MonkeyPatch.context() as patch:
        from metona_tk.operations import recovery

        def broken(*_: object) -> object:
            raise OSError(5, "io")

        patch.setattr(recovery, "all_looked_at", broken)
        desk.again().tidy()
        assert states(desk) == ["intent"]
        other = desk.apply(changes.create(desk.work / "c.txt", b"c")).operation_id
        assert desk.operations.info(other).state is OperationState.DONE
    assert restarted(desk) == ["done", "done"]
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("direction", ["undo", "redo"])
def test_an_undo_that_is_broken_off_can_be_asked_again(direction: str, desk: Desk) -> None:
    path = plant(desk)
    operation = desk.apply(changes.write(path, b"new"), changes.delete(desk.work / "f")).operation_id
    if direction == "redo":
        desk.operations.undo(operation)
    before = tree(desk.work)
    with at_point("synced", OSError(5, "io")) as points:
        try:
            getattr(desk.operations, direction)(operation)
        except CannotUndo:
            assert tree(desk.work) == before
            getattr(desk.operations, direction)(operation)
    assert "synced" in points
    back = desk.operations.redo if direction == "undo" else desk.operations.undo
    back(operation)
    assert tree(desk.work) == before
