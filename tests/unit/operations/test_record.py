"""The record of what was done: kept and read back as it was, one program at a time, within its limits to the byte."""

from __future__ import annotations

import os
import stat
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from metona_tk.operations import lock
from metona_tk.operations.entries import Inner
from metona_tk.operations.failures import CannotUndo, Damaged, OperationFailed
from metona_tk.operations.log import CallEntry
from metona_tk.operations.room import Limits
from metona_tk.operations.saving import remove_tree, tree_size
from metona_tk.operations.store import Store
from metona_tk.protocol.changes import NotUndoable
from metona_tk.protocol.problems import Code, ProblemCode, ProblemError
from tests.fakes import changes
from tests.fakes.changes import Desk

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="descriptors of folders are POSIX")
ENTRY = CallEntry(
    5.5, "chat", "turn", "call", "tool", '{"a": 1}', True, "allow", "user", "rule", 7, "success", 0.5, "x"
)


# --- the log ---------------------------------------------------------------------------------------------------------


def test_calls_are_read_back_as_they_were_oldest_first(desk: Desk) -> None:
    entries = [replace(ENTRY, at=float(number), by_program=number % 2 == 0) for number in range(-1, 5)]
    for entry in entries:
        desk.operations.record_call(entry)
    read = desk.operations.calls
    assert read(None, 100) == entries[1:]  # no call is older than 1970
    assert read(None, 2) == entries[-2:]
    assert read(3.0, 100) == entries[4:]
    assert read(4.5, 100) == []
    desk.again()
    assert desk.operations.calls(None, 1) == entries[-1:]
    assert isinstance(desk.operations.calls(None, 1)[0].by_program, bool)


def test_a_log_that_cannot_be_written_is_told(desk: Desk) -> None:
    desk.operations.record_call(ENTRY)
    desk.rows("SELECT 1")
    import sqlite3

    with sqlite3.connect(desk.store / "journal.sqlite") as db:
        db.execute("DROP TABLE calls")
    db.close()
    with pytest.raises(ProblemError) as problem:
        desk.operations.record_call(ENTRY)
    assert problem.value.problem.code is ProblemCode.STORE_UNUSABLE


def test_the_record_is_used_by_many_threads_and_closed_for_all(desk: Desk) -> None:
    errors: list[Exception] = []

    def work(number: int) -> None:
        try:
            for each in range(3):
                desk.apply(changes.create(desk.work / f"{number}-{each}", b""), turn=str(number))
                desk.operations.record_call(replace(ENTRY, turn_id=str(number)))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(desk.operations.calls(None, 100)) == 12
    assert [len(set(desk.operations.of_turn(str(number)))) for number in range(4)] == [3] * 4
    desk.operations.close()
    assert len(desk.operations.calls(None, 100)) == 12  # it is opened anew


def test_a_change_is_on_the_disk_of_the_record_before_it_begins(desk: Desk) -> None:
    """What SQLite promises: with FULL a commit outlives a power cut."""
    operation = desk.apply(changes.create(desk.work / "a", b"")).operation_id
    assert len(operation) == 8 and operation.isalnum() and operation == operation.lower()
    journal = desk.operations._journal
    (durable,) = journal._connection().execute("PRAGMA synchronous").fetchone()
    (quick,) = journal._connection(durable=False).execute("PRAGMA synchronous").fetchone()
    assert (durable, quick) == (2, 1)
    assert journal._connection() is journal._connection()


# --- one at a time ---------------------------------------------------------------------------------------------------


def test_the_lock_is_held_by_one_and_let_go_in_any_case(tmp_path: Path) -> None:
    path = tmp_path / "in" / "folders" / "lock"
    with pytest.raises(RuntimeError, match="inside"), lock.locked(path, 0):
        start = time.monotonic()
        with pytest.raises(lock.Busy), lock.locked(path, 0.05):
            raise AssertionError("two at once")
        assert 0.05 <= time.monotonic() - start < 5
        raise RuntimeError("inside")
    with lock.locked(path, 0):
        assert path.exists()
    with lock.locked(path, 0):
        pass


def test_a_change_while_another_program_is_at_it_for_too_long_is_refused(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from metona_tk.operations import undo

    (desk.work / "a").write_bytes(b"old")
    operation = desk.apply(changes.write(desk.work / "a", b"new")).operation_id
    monkeypatch.setattr(undo, "_WAIT", 0.01)
    with lock.locked(desk.store / "lock", 0):
        with pytest.raises(OperationFailed) as failed:
            desk.apply(changes.create(desk.work / "b", b""))
        assert failed.value.code is Code.IN_USE
        with pytest.raises(CannotUndo) as refusal:
            desk.operations.undo(operation)
        assert refusal.value.reason is NotUndoable.BUSY
    assert [path.name for path in desk.work.iterdir()] == ["a"]
    desk.operations.undo(operation)


# --- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "way"), [(99, "store"), (100, "store"), (101, "none")])
def test_as_many_bytes_as_allowed_are_kept_and_not_one_more(size: int, way: str, desk: Desk) -> None:
    desk.limits = Limits(operation=100)
    desk.again()
    path = desk.work / "a"
    path.write_bytes(b"x" * size)
    assert desk.operations.undo_by([changes.write(path, b"new")]) == way
    done = desk.apply(changes.write(path, b"new"))
    assert done.recoverable is (way == "store")


@pytest.mark.parametrize(("size", "way"), [(0, "bin"), (1, "none")])
def test_beside_a_large_deletion_only_what_has_no_bytes_may_change(size: int, way: str, desk: Desk) -> None:
    desk.limits = Limits(operation=100)
    desk.again()
    large, small = desk.work / "large", desk.work / "small"
    large.write_bytes(b"x" * 200)
    small.write_bytes(b"x" * size)
    assert desk.operations.undo_by([changes.delete(large), changes.write(small, b"new")]) == way


def test_a_large_folder_counts_with_all_that_is_in_it(desk: Desk) -> None:
    desk.limits = Limits(operation=100)
    desk.again()
    folder = desk.work / "f" / "deep"
    folder.mkdir(parents=True)
    (folder / "a").write_bytes(b"x" * 50)
    (folder.parent / "b").write_bytes(b"x" * 50)
    assert desk.operations.undo_by([changes.delete(folder.parent)]) == "store"
    (folder / "c").write_bytes(b"x")
    assert desk.operations.undo_by([changes.delete(folder.parent)]) == "bin"


@pytest.mark.parametrize(("total", "kept"), [(2000, 2), (1999, 1), (999, 0)])
def test_the_store_may_be_as_large_as_allowed_and_not_one_byte_larger(total: int, kept: int, desk: Desk) -> None:
    desk.limits = Limits(total=total)
    desk.again()
    made: list[str] = []
    for name in "ab":
        (desk.work / name).write_bytes(name.encode() * 1000)
        made.append(desk.apply(changes.write(desk.work / name, b"new")).operation_id)
    desk.operations.tidy()
    assert [desk.operations.info(each).blocked is None for each in made] == [False] * (2 - kept) + [True] * kept


@pytest.mark.parametrize(("seconds", "kept"), [(0, True), (1, False)])
def test_a_change_can_be_undone_for_thirty_days_to_the_second(seconds: int, kept: bool, desk: Desk) -> None:
    path = desk.work / "a"
    path.write_bytes(b"old")
    operation = desk.apply(changes.write(path, b"new")).operation_id
    desk.now += 30 * 86400 + seconds
    desk.operations.tidy()
    assert (desk.operations.info(operation).blocked is None) is kept


def test_objects_of_a_record_that_was_set_aside_stay_for_thirty_days(desk: Desk) -> None:
    path = desk.work / "a"
    path.write_bytes(b"old")
    desk.apply(changes.write(path, b"new"))
    desk.operations.close()
    (desk.store / "journal.sqlite").write_bytes(b"garbage\n" * 1000)
    for rest in desk.store.glob("journal.sqlite-*"):
        rest.unlink()
    (kept,) = (each for each in desk.store.glob("objects/*/*"))
    for days, there in ((29.9, True), (30.1, False)):
        when = time.time() - days * 86400
        os.utime(kept, (when, when))
        desk.again().tidy()
        assert kept.exists() is there


def test_objects_that_nothing_needs_go_at_once(desk: Desk) -> None:
    unneeded = Store(desk.store).put(b"nobody needs it")
    (desk.work / "a").write_bytes(b"old")
    operation = desk.apply(changes.write(desk.work / "a", b"new")).operation_id
    (desk.store / "incoming" / "half").write_bytes(b"half written")
    desk.operations.tidy()
    assert not Store(desk.store).has(unneeded)
    assert list((desk.store / "incoming").iterdir()) == []
    desk.operations.undo(operation)


# --- the store -------------------------------------------------------------------------------------------------------


def test_the_store_gives_back_what_it_got_and_nothing_else(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    contents = [b"", b"a", b"x" * 3_000_000]
    for content in contents:
        digest = store.put(content)
        assert store.put(content) == digest  # once
        assert store.has(digest) and store.get(digest) == content
        store.check(digest)
        with (tmp_path / "out").open("w+b", buffering=0) as out:
            store.copy_to(digest, out.fileno())
        assert (tmp_path / "out").read_bytes() == content
        with (tmp_path / "out").open("rb") as source:
            source.read(2)
            assert store.put_open(source.fileno()) == digest
        assert store.sizes()[digest] == len(content)
        assert -2 < store.age(digest) < 60
    assert len(store.sizes()) == 3
    assert list((tmp_path / "store" / "incoming").iterdir()) == []
    for digest in store.sizes():
        (place,) = tmp_path.glob(f"store/objects/{digest[:2]}/{digest[2:]}")
        place.write_bytes(b"damaged")
        with pytest.raises(Damaged):
            store.check(digest)
        with pytest.raises(Damaged):
            store.get(digest)
        with (tmp_path / "out").open("w+b", buffering=0) as out, pytest.raises(Damaged):
            store.copy_to(digest, out.fileno())
        store.remove(digest)
        store.remove(digest)
        assert not store.has(digest)
        with pytest.raises(FileNotFoundError):
            store.check(digest)


def test_what_the_disk_did_not_take_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read back is not what was written."""
    store = Store(tmp_path / "store")
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, block: write(fd, b"?" * len(block)))
    with pytest.raises(Damaged):
        store.put(b"old bytes")
    monkeypatch.undo()
    assert store.sizes() == {}
    assert list((tmp_path / "store" / "incoming").iterdir()) == []


# --- trees -----------------------------------------------------------------------------------------------------------


@POSIX
def test_a_tree_is_measured_and_removed_with_everything_in_it_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "kept.txt").write_bytes(b"kept")
    top = tmp_path / "top"
    (top / "deep" / "closed").mkdir(parents=True)
    (top / "a.txt").write_bytes(b"12345")
    (top / "deep" / "closed" / "b.txt").write_bytes(b"678")
    (top / "deep" / "link").symlink_to("../../out")
    (top / "deep" / "closed").chmod(0o500)
    folder = Inner(str(tmp_path), os.open(tmp_path, os.O_RDONLY))
    try:
        link = os.lstat(top / "deep" / "link").st_size
        assert tree_size(folder, "top") == 8 + link
        assert (tree_size(folder, "nothing"), tree_size(folder, "out")) == (0, 4)
        remove_tree(folder, "top")
        with pytest.raises(FileNotFoundError):
            remove_tree(folder, "top")
    finally:
        folder.close()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (out / "kept.txt").read_bytes() == b"kept"
    assert stat.S_IMODE(out.stat().st_mode) & 0o700 == 0o700
