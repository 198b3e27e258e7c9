"""What is damaged, missing or in the way: the reason is the right one, and nothing is overwritten."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from metona_tk.operations.failures import CannotUndo, ChangedSince, Conflicted, OperationFailed
from metona_tk.operations.room import Limits
from metona_tk.protocol.changes import NotUndoable, OperationState
from metona_tk.protocol.problems import Code, ProblemCode, ProblemError
from tests.fakes import changes
from tests.fakes.changes import Desk, temps, tree

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="modes and links are POSIX")
ORDINARY = 65534  # a user who may not do everything


def written(desk: Desk) -> tuple[Path, str]:
    path = desk.work / "a.txt"
    path.write_bytes(b"old bytes")
    return path, desk.apply(changes.write(path, b"new bytes")).operation_id


def objects(desk: Desk) -> list[Path]:
    return [path for path in desk.store.glob("objects/*/*") if path.is_file()]


def refused(desk: Desk, operation: str, direction: str = "undo") -> NotUndoable:
    """Why it is refused; everything is as it was, and it can be asked again."""
    before, state = tree(desk.work), desk.operations.info(operation).state
    with pytest.raises(CannotUndo) as refusal:
        getattr(desk.operations, direction)(operation)
    assert tree(desk.work) == before
    assert desk.operations.info(operation).state is state
    assert temps(desk.base) == []
    return refusal.value.reason


@pytest.mark.parametrize("damage", [lambda old: b"x" + old[1:], lambda old: old[:-1], lambda old: b""])
def test_a_damaged_object_is_told_and_not_used(damage: Callable[[bytes], bytes], desk: Desk) -> None:
    path, operation = written(desk)
    (kept,) = objects(desk)
    kept.write_bytes(damage(kept.read_bytes()))
    assert refused(desk, operation) is NotUndoable.DAMAGED
    assert path.read_bytes() == b"new bytes"


def test_a_damaged_object_is_made_whole_when_its_bytes_come_again(desk: Desk) -> None:
    path, operation = written(desk)
    (kept,) = objects(desk)
    kept.write_bytes(b"garbage")
    (desk.work / "b.txt").write_bytes(b"old bytes")
    desk.apply(changes.delete(desk.work / "b.txt"))
    desk.operations.undo(operation)
    assert path.read_bytes() == b"old bytes"


def test_a_missing_object_is_told(desk: Desk) -> None:
    _, operation = written(desk)
    objects(desk)[0].unlink()
    assert refused(desk, operation) is NotUndoable.EXPIRED


def test_a_damaged_listing_of_a_folder_is_told(desk: Desk) -> None:
    folder = desk.work / "f"
    folder.mkdir()
    (folder / "in.txt").write_bytes(b"in")
    operation = desk.apply(changes.delete(folder)).operation_id
    shutil.rmtree(desk.bin)
    for kept in objects(desk):
        kept.write_bytes(b"[{")
    assert refused(desk, operation) is NotUndoable.DAMAGED


def test_an_unknown_operation_and_one_that_is_undone_already(desk: Desk) -> None:
    _, operation = written(desk)
    assert refused(desk, "nothere1") is NotUndoable.UNKNOWN
    assert refused(desk, operation, "redo") is NotUndoable.ALREADY
    desk.operations.undo(operation)
    assert refused(desk, operation) is NotUndoable.ALREADY


# --- the journal -----------------------------------------------------------------------------------------------------


def other_database(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE operations (something TEXT)")
        db.execute("PRAGMA user_version = 1")
    db.close()


def newer_schema(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()


def steps_that_are_none(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("UPDATE runs SET state = 'intent', steps = '[{\"kind\": 1}]'")
    db.close()


def lines(path: Path) -> None:
    path.write_bytes(b"garbage\n" * 5000)


def cut(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2 + 100])


DAMAGES: list[Callable[[Path], None]] = [lines, cut, other_database, newer_schema, steps_that_are_none]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_journal_is_set_aside_and_its_objects_stay(damage: Callable[[Path], None], desk: Desk) -> None:
    path, operation = written(desk)
    journal = desk.store / "journal.sqlite"
    desk.operations.close()
    with sqlite3.connect(journal) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    damage(journal)
    kept = {each: each.read_bytes() for each in objects(desk)}
    desk.again().tidy()
    problem = desk.operations.problem
    assert problem is not None and problem.code is ProblemCode.JOURNAL_SET_ASIDE
    assert Path(problem.details["path"]).exists()
    assert {each: each.read_bytes() for each in objects(desk)} == kept
    assert path.read_bytes() == b"new bytes"
    assert refused(desk, operation) is NotUndoable.UNKNOWN
    again = desk.apply(changes.write(path, b"newer bytes")).operation_id
    desk.operations.undo(again)
    assert path.read_bytes() == b"new bytes"


def test_an_empty_journal_file_is_a_new_journal(desk: Desk) -> None:
    desk.store.mkdir()
    (desk.store / "journal.sqlite").touch()
    path, operation = written(desk)
    desk.operations.undo(operation)
    assert path.read_bytes() == b"old bytes"


def test_a_store_that_cannot_be_made_is_a_problem_and_nothing_is_changed(desk: Desk) -> None:
    path = desk.work / "a.txt"
    path.write_bytes(b"old bytes")
    desk.store.write_bytes(b"a file where the store should be")
    with pytest.raises((ProblemError, OperationFailed)) as problem:
        desk.apply(changes.write(path, b"new bytes"))
    if isinstance(problem.value, ProblemError):
        assert problem.value.problem.code is ProblemCode.STORE_UNUSABLE
    assert path.read_bytes() == b"old bytes"


# --- the bin ---------------------------------------------------------------------------------------------------------


def test_what_the_bin_has_lost_comes_from_the_store(desk: Desk) -> None:
    folder = desk.work / "f"
    folder.mkdir()
    (folder / "in.txt").write_bytes(b"in")
    before = tree(desk.work)
    operation = desk.apply(changes.delete(folder)).operation_id
    shutil.rmtree(desk.bin)
    desk.operations.undo(operation)
    assert tree(desk.work) == before


def test_what_only_the_bin_had_is_gone_with_it(desk: Desk) -> None:
    desk.limits = Limits(operation=10)
    desk.again()
    path = desk.work / "large.bin"
    path.write_bytes(b"x" * 100)
    operation = desk.apply(changes.delete(path)).operation_id
    shutil.rmtree(desk.bin)
    assert desk.operations.info(operation).blocked is NotUndoable.BIN_EMPTIED
    assert refused(desk, operation) is NotUndoable.BIN_EMPTIED


def test_what_was_edited_in_the_bin_comes_from_the_store_as_it_was(desk: Desk) -> None:
    path = desk.work / "a.txt"
    path.write_bytes(b"old bytes")
    operation = desk.apply(changes.delete(path)).operation_id
    (binned,) = desk.bin.glob("files/*")
    binned.write_bytes(b"edited in the bin")
    desk.operations.undo(operation)
    assert path.read_bytes() == b"old bytes"
    assert binned.read_bytes() == b"edited in the bin"


# --- in the way ------------------------------------------------------------------------------------------------------


def make_file(path: Path) -> None:
    path.write_bytes(b"of the user")


def make_folder(path: Path) -> None:
    path.mkdir()
    (path / "in.txt").write_bytes(b"of the user")


def make_link(path: Path) -> None:
    path.symlink_to("elsewhere")


@pytest.mark.parametrize("stand", [make_file, make_folder, pytest.param(make_link, marks=POSIX)])
@pytest.mark.parametrize("gone", ["delete", "move"])
def test_what_stands_where_something_returns_is_asked_about(
    gone: str, stand: Callable[[Path], None], desk: Desk
) -> None:
    path = desk.work / "a.txt"
    path.write_bytes(b"old bytes")
    start = tree(desk.work)
    plan = changes.delete(path) if gone == "delete" else changes.move(path, desk.work / "b.txt")
    operation = desk.apply(plan).operation_id
    stand(path)
    there = tree(desk.work)
    with pytest.raises(Conflicted) as conflict:
        desk.operations.undo(operation)
    assert [item.path for item in conflict.value.items] == [str(path)]
    assert tree(desk.work) == there
    with pytest.raises(Conflicted):
        desk.operations.undo(operation, "another digest")
    assert tree(desk.work) == there
    desk.operations.undo(operation, conflict.value.digest)
    assert tree(desk.work) == start
    desk.operations.redo(operation)
    assert tree(desk.work) == there


def test_a_folder_that_has_something_in_it_stays(desk: Desk) -> None:
    operation = desk.apply(changes.folder(desk.work / "f")).operation_id
    (desk.work / "f" / "in.txt").write_bytes(b"of the user")
    assert refused(desk, operation) is NotUndoable.NOT_EMPTY


def in_folder(desk: Desk) -> tuple[Path, str]:
    folder = desk.work / "f"
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"old bytes")
    return folder, desk.apply(changes.delete(folder / "a.txt")).operation_id


def test_a_folder_that_is_gone(desk: Desk) -> None:
    folder, operation = in_folder(desk)
    folder.rmdir()
    assert refused(desk, operation) is NotUndoable.PLACE_GONE


@POSIX
def test_a_folder_that_is_a_link_now(desk: Desk) -> None:
    folder, operation = in_folder(desk)
    folder.rmdir()
    folder.symlink_to(desk.out)
    assert refused(desk, operation) is NotUndoable.PLACE_GONE
    assert list(desk.out.iterdir()) == []


@POSIX
def test_a_plan_whose_folder_has_become_a_link_or_is_gone(desk: Desk) -> None:
    folder = desk.work / "f"
    folder.mkdir()
    plan = changes.create(folder / "new.txt", b"new")
    folder.rmdir()
    with pytest.raises(OperationFailed) as gone:
        desk.apply(plan)
    assert gone.value.code is Code.CHANGED_SINCE_APPROVAL
    folder.symlink_to(desk.out)
    with pytest.raises((OperationFailed, ChangedSince)):
        desk.apply(plan)
    assert list(desk.out.iterdir()) == []


def as_ordinary_user(desk: Desk, work: Callable[[], None]) -> None:
    """Do it as somebody who may not do everything; the asserts of `work` are those of the test."""
    if os.getuid() != 0:
        work()
        return
    for each in (desk.base, *desk.base.rglob("*")):
        os.chown(each, ORDINARY, ORDINARY, follow_symlinks=False)
    for above in desk.base.parents:
        mode = above.stat().st_mode
        if mode & 0o011 != 0o011:
            above.chmod(mode | 0o011)
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(ORDINARY)
            os.setuid(ORDINARY)
            work()
            os._exit(0)
        except BaseException:
            import traceback

            traceback.print_exc()
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@POSIX
def test_a_folder_that_may_not_be_written(desk: Desk) -> None:
    folder = desk.work / "f"
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"old bytes")
    (folder / "b.txt").write_bytes(b"old bytes too")

    def work() -> None:
        desk.again()
        operation = desk.apply(changes.write(folder / "a.txt", b"new bytes")).operation_id
        plans = [
            changes.create(folder / "new.txt", b"new"),
            changes.write(folder / "a.txt", b"newer"),
            changes.move(folder / "a.txt", folder / "b.txt"),
            changes.copy(folder / "a.txt", folder / "b.txt"),
            changes.delete(folder / "b.txt"),
        ]
        folder.chmod(0o555)
        before = tree(desk.work)
        for plan in plans:
            with pytest.raises(OperationFailed) as failed:
                desk.apply(plan)
            assert failed.value.code is Code.PERMISSION_DENIED, plan.kind
            assert tree(desk.work) == before
        assert refused(desk, operation) is NotUndoable.NO_ROOM
        folder.chmod(0o755)
        desk.operations.undo(operation)
        assert (folder / "a.txt").read_bytes() == b"old bytes"
        assert desk.operations.info(operation).state is OperationState.UNDONE

    as_ordinary_user(desk, work)
