"""On a disk that is full the old file is whole, nothing half written is left, and the reason is told."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from metona_tk.operations.failures import CannotUndo, OperationFailed
from metona_tk.protocol.changes import Change, NotUndoable
from metona_tk.protocol.problems import Code, ProblemCode, ProblemError
from tests.fakes import changes
from tests.fakes.changes import Desk, temps, tree
from tests.fakes.disks import small_disk

SIZE = 2 << 20


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A disk of 2 MB."""
    with small_disk(tmp_path / "small", SIZE) as place:
        yield place


@pytest.fixture
def full_work(small: Path, desk: Desk) -> Iterator[Desk]:
    """The workspace is on the small disk, the store is not."""
    desk.work.rmdir()
    desk.work.symlink_to(small)
    made = Small(desk.base)
    yield made
    made.close()


@pytest.fixture
def full_store(small: Path, desk: Desk) -> Desk:
    desk.store.mkdir(exist_ok=True)
    desk.store.rmdir()
    (small / "undo").mkdir()
    desk.store.symlink_to(small / "undo")
    return desk


class Small(Desk):
    @property
    def work(self) -> Path:
        return self.base / "small"


def fill(place: Path, leave: int = 0) -> Path:
    """Fill a disk; the file that takes all of it."""
    filler = place / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"x" * 4096)
    if leave:
        os.truncate(filler, filler.stat().st_size - leave)
    return filler


NEW = b"new" * 20_000
PLANS: dict[str, Callable[[Path], Change]] = {
    "create": lambda work: changes.create(work / "new.txt", NEW),
    "write": lambda work: changes.write(work / "a.txt", NEW),
    "append": lambda work: changes.append(work / "a.txt", NEW),
    "copy": lambda work: changes.copy(work / "a.txt", work / "c.txt"),
    "copy over": lambda work: changes.copy(work / "a.txt", work / "b.txt"),
}


def plant(work: Path) -> None:
    (work / "a.txt").write_bytes(b"old" * 10_000)
    (work / "b.txt").write_bytes(b"old too")


@pytest.mark.parametrize("left", [0, 8192])
@pytest.mark.parametrize("kind", PLANS)
def test_a_change_on_a_full_disk_fails_whole(kind: str, left: int, full_work: Desk) -> None:
    plant(full_work.work)
    filler = fill(full_work.work, left)
    before = tree(full_work.work)
    with pytest.raises(OperationFailed) as failed:
        full_work.apply(PLANS[kind](full_work.work))
    assert (failed.value.code, "full" in failed.value.reason) == (Code.IO_ERROR, True)
    assert tree(full_work.work) == before
    assert temps(full_work.work) == []
    filler.unlink()
    full_work.apply(PLANS[kind](full_work.work))


def test_an_undo_on_a_full_disk_says_that_there_is_no_room(full_work: Desk) -> None:
    plant(full_work.work)
    operation = full_work.apply(changes.write(full_work.work / "a.txt", b"short")).operation_id
    filler = fill(full_work.work)
    before = tree(full_work.work)
    with pytest.raises(CannotUndo) as refusal:
        full_work.operations.undo(operation)
    assert refusal.value.reason is NotUndoable.NO_ROOM
    assert tree(full_work.work) == before
    filler.unlink()
    full_work.operations.undo(operation)
    assert (full_work.work / "a.txt").read_bytes() == b"old" * 10_000


@pytest.mark.parametrize("started", [False, True])
@pytest.mark.parametrize("left", [0, 4096, 20_480, 65_536])
@pytest.mark.parametrize("kind", [*PLANS, "move", "delete"])
def test_a_full_disk_under_the_store_changes_nothing_that_cannot_be_undone(
    kind: str, left: int, started: bool, full_store: Desk, small: Path
) -> None:
    desk = full_store
    plant(desk.work)
    plans = PLANS | {
        "move": lambda work: changes.move(work / "a.txt", work / "c.txt"),
        "delete": lambda work: changes.delete(work / "a.txt"),
    }
    if started:
        desk.apply(changes.create(desk.work / "first.txt", b"first"))
    filler = fill(small, left)
    before = tree(desk.work)
    try:
        done = desk.apply(plans[kind](desk.work)).operation_id
    except OperationFailed as failed:
        assert "full" in failed.reason
    except ProblemError as problem:
        assert problem.problem.code is ProblemCode.STORE_UNUSABLE
        assert "full" in str(problem.problem.details["reason"]) or "space" in str(problem.problem.details["reason"])
    else:
        filler.unlink()
        desk.operations.undo(done)
    assert tree(desk.work) == before
    assert temps(desk.base) == []
    filler.unlink(missing_ok=True)
    desk.again().tidy()
    assert tree(desk.work) == before
    assert desk.operations.problem is None
    assert len(desk.rows("SELECT id FROM operations WHERE state = 'done'")) == int(started)
