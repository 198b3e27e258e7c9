"""What is kept for how long and how much of it, and what is told beforehand."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from metona_tk.operations.failures import CannotUndo, OperationFailed
from metona_tk.operations.room import Limits
from metona_tk.protocol.changes import NotUndoable, OperationState
from metona_tk.protocol.problems import Code
from tests.fakes import changes
from tests.fakes.changes import Desk, look, tree

DAY = 86400


def written(desk: Desk, name: str, chat: str = "chat", size: int = 1000) -> str:
    path = desk.work / name
    path.write_bytes(name.encode() * size)
    return desk.apply(changes.write(path, b"new"), chat=chat).operation_id


def blocked(desk: Desk, operation: str) -> NotUndoable | None:
    return desk.operations.info(operation).blocked


def stored(desk: Desk) -> int:
    return sum(path.stat().st_size for path in desk.store.glob("objects/*/*") if path.is_file())


def test_after_thirty_days_a_change_is_no_longer_undone(desk: Desk) -> None:
    old = written(desk, "a")
    desk.now += 29 * DAY
    desk.operations.tidy()
    assert blocked(desk, old) is None
    new = written(desk, "b")
    desk.now += 2 * DAY
    desk.operations.tidy()
    assert blocked(desk, old) is NotUndoable.EXPIRED
    with pytest.raises(CannotUndo) as refusal:
        desk.operations.undo(old)
    assert refusal.value.reason is NotUndoable.EXPIRED
    assert stored(desk) == 1000
    desk.operations.undo(new)
    assert (desk.work / "b").read_bytes() == b"b" * 1000


def test_the_oldest_go_first_when_the_store_is_full(desk: Desk) -> None:
    desk.limits = Limits(total=2500)
    desk.again()
    first, second, third = (written(desk, name) for name in "abc")
    desk.operations.tidy()
    assert [blocked(desk, each) for each in (first, second, third)] == [NotUndoable.EXPIRED, None, None]
    assert stored(desk) <= 2500


def test_the_changes_of_an_open_chat_stay(desk: Desk) -> None:
    desk.limits = Limits(total=1500)
    desk.open_chats = {"open"}
    desk.again()
    first, second, third = written(desk, "a", "open"), written(desk, "b", "closed"), written(desk, "c", "open")
    desk.now += 100 * DAY
    desk.operations.tidy()
    assert [blocked(desk, each) for each in (first, second, third)] == [None, NotUndoable.EXPIRED, None]
    desk.open_chats = set()
    desk.operations.tidy()
    assert [blocked(desk, each) for each in (first, third)] == [NotUndoable.EXPIRED] * 2
    assert stored(desk) == 0


def test_bytes_that_two_changes_need_stay_for_the_younger(desk: Desk) -> None:
    old = written(desk, "a")
    desk.now += 20 * DAY
    (desk.work / "b").write_bytes(b"a" * 1000)
    new = desk.apply(changes.write(desk.work / "b", b"new")).operation_id
    desk.now += 20 * DAY
    desk.operations.tidy()
    assert blocked(desk, old) is NotUndoable.EXPIRED
    desk.operations.undo(new)
    assert (desk.work / "b").read_bytes() == b"a" * 1000


def test_a_redo_is_kept_as_long_as_an_undo(desk: Desk) -> None:
    operation = written(desk, "a")
    desk.operations.undo(operation)
    desk.operations.tidy()
    desk.operations.redo(operation)
    desk.operations.tidy()
    desk.operations.undo(operation)
    assert (desk.work / "a").read_bytes() == b"a" * 1000


def test_the_user_empties_the_store(desk: Desk) -> None:
    first = written(desk, "a")
    folder = desk.work / "f"
    folder.mkdir()
    (folder / "in").write_bytes(b"in")
    second = desk.apply(changes.delete(folder)).operation_id
    desk.operations.empty()
    assert stored(desk) == 0
    assert [blocked(desk, each) for each in (first, second)] == [NotUndoable.EXPIRED] * 2
    assert [row for row in desk.rows("SELECT id FROM operations ORDER BY number")] == [(first,), (second,)]
    third = written(desk, "b")
    desk.operations.undo(third)
    assert (desk.work / "b").read_bytes() == b"b" * 1000


# --- more than one operation may store -------------------------------------------------------------------------------


@pytest.fixture
def strict(desk: Desk) -> Desk:
    desk.limits = Limits(operation=100)
    desk.again()
    return desk


def large(desk: Desk, name: str = "large") -> Path:
    path = desk.work / name
    path.write_bytes(name.encode() * 1000)
    return path


def test_how_it_would_be_undone_is_told_before(strict: Desk) -> None:
    path = large(strict)
    small = strict.work / "small"
    small.write_bytes(b"small")
    ask = strict.operations.undo_by
    assert ask([changes.write(small, b"new")]) == "store"
    assert ask([changes.create(strict.work / "new", b"x" * 5000)]) == "store"
    assert ask([changes.move(path, strict.work / "moved")]) == "store"
    assert ask([changes.delete(path)]) == "bin"
    assert ask([changes.write(path, b"new")]) == "none"
    assert ask([changes.delete(path), changes.write(small, b"new")]) == "none"


def test_a_large_file_is_deleted_to_the_bin_and_comes_back_from_there(strict: Desk) -> None:
    path = large(strict)
    start, inode = tree(strict.work), look(path).inode
    done = strict.apply(changes.delete(path))
    assert (done.recoverable, done.in_bin) == (True, True)
    assert stored(strict) == 0
    strict.operations.undo(done.operation_id)
    assert tree(strict.work) == start
    assert look(path).inode == inode
    strict.operations.redo(done.operation_id)
    assert not path.exists()
    strict.operations.undo(done.operation_id)
    assert tree(strict.work) == start


def test_a_large_folder_is_deleted_to_the_bin_and_comes_back_from_there(strict: Desk) -> None:
    folder = strict.work / "f"
    folder.mkdir()
    for name in "abc":
        (folder / name).write_bytes(name.encode() * 60)
    start = tree(strict.work)
    done = strict.apply(changes.delete(folder))
    assert (done.recoverable, done.in_bin, stored(strict)) == (True, True, 0)
    strict.operations.undo(done.operation_id)
    assert tree(strict.work) == start


def test_a_large_file_that_is_written_over_cannot_be_undone_and_says_so(strict: Desk) -> None:
    path = large(strict)
    done = strict.apply(changes.write(path, b"new"))
    assert (done.recoverable, stored(strict)) == (False, 0)
    assert blocked(strict, done.operation_id) is NotUndoable.TOO_LARGE
    with pytest.raises(CannotUndo) as refusal:
        strict.operations.undo(done.operation_id)
    assert refusal.value.reason is NotUndoable.TOO_LARGE
    assert path.read_bytes() == b"new"
    assert strict.operations.info(done.operation_id).state is OperationState.DONE


def test_a_large_and_a_small_deletion_in_one_come_back_together(strict: Desk) -> None:
    path, small = large(strict), strict.work / "small"
    small.write_bytes(b"small")
    start = tree(strict.work)
    done = strict.apply(changes.delete(path), changes.delete(small))
    assert done.recoverable
    strict.operations.undo(done.operation_id)
    assert tree(strict.work) == start


def test_where_there_is_no_bin_large_things_stay_unless_they_may_go_for_good(
    strict: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from metona_tk.operations import bins

    def none(*_: object) -> bins.BinEntry:
        raise bins.NoBin("here")

    monkeypatch.setattr(bins, "trash", none)
    path = large(strict)
    with pytest.raises(OperationFailed) as failed:
        strict.apply(changes.delete(path))
    assert failed.value.code is Code.NOT_RECOVERABLE
    assert path.exists()
    done = strict.apply(changes.delete(path), final=True)
    assert not done.recoverable and not path.exists()
    small = strict.work / "f"
    small.mkdir()
    (small / "in").write_bytes(b"in")
    start = tree(strict.work)
    done = strict.apply(changes.delete(small))
    assert (done.recoverable, done.in_bin) == (True, False)
    strict.operations.undo(done.operation_id)
    assert tree(strict.work) == start
    shutil.rmtree(strict.work)
