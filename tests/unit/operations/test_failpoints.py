"""At every named point of every kind of change the program dies or the disk fails: all is done, or nothing."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from metona_tk.operations import failpoints
from metona_tk.operations.failures import CannotUndo, OperationFailed
from metona_tk.protocol.changes import Change, OperationState
from tests.fakes import changes
from tests.fakes.changes import Desk, Tree, at_point, temps, tree

POINTS = ("journalled", "stored", "opened", "half_written", "synced", "replaced", "moved", "binned", "finished")
UNDOES = ("undo", "redo")
DIED = 77


def plant(work: Path) -> None:
    (work / "a.txt").write_bytes(b"old a\n" * 50)
    (work / "b.txt").write_bytes(b"old b\n")
    (work / "b.txt").chmod(0o640)
    (work / "tree" / "deep").mkdir(parents=True)
    (work / "tree" / "one.txt").write_bytes(b"one")
    (work / "tree" / "deep" / "two.txt").write_bytes(b"two")
    (work / "tree" / "link").symlink_to("one.txt")
    (work / "link").symlink_to("a.txt")
    for path in work.rglob("*.txt"):
        os.utime(path, ns=(10**18, 10**18))


PLANS: dict[str, Callable[[Path], list[Change]]] = {
    "create": lambda work: [changes.create(work / "new.txt", b"new")],
    "create in new folders": lambda work: [
        changes.folder(work / "f"),
        changes.folder(work / "f" / "g"),
        changes.create(work / "f" / "g" / "new.txt", b"new"),
    ],
    "write": lambda work: [changes.write(work / "a.txt", b"new a")],
    "append": lambda work: [changes.append(work / "a.txt", b"more")],
    "folder": lambda work: [changes.folder(work / "f")],
    "move": lambda work: [changes.move(work / "a.txt", work / "c.txt")],
    "move a tree": lambda work: [changes.move(work / "tree", work / "other")],
    "move over": lambda work: [changes.move(work / "a.txt", work / "b.txt")],
    "copy": lambda work: [changes.copy(work / "a.txt", work / "c.txt")],
    "copy over": lambda work: [changes.copy(work / "a.txt", work / "b.txt")],
    "delete": lambda work: [changes.delete(work / "b.txt")],
    "delete a tree": lambda work: [changes.delete(work / "tree")],
    "delete a link": lambda work: [changes.delete(work / "link")],
    "several": lambda work: [
        changes.write(work / "a.txt", b"new a"),
        changes.delete(work / "tree" / "one.txt"),
        changes.move(work / "b.txt", work / "tree" / "b.txt"),
        changes.create(work / "last.txt", b"last"),
    ],
}


def outcomes(desk: Desk, kind: str) -> tuple[Tree, Tree, list[str]]:
    """The workspace before and after, and the points on the way (the same for every run)."""
    plant(desk.work)
    old = tree(desk.work, False)
    with at_point("") as points:
        desk.apply(*PLANS[kind](desk.work))
    return old, tree(desk.work, False), points


def in_child(work: Callable[[], object]) -> int:
    """Exit code of a process that does this; 0 when it came to its end."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def dying_at(point: str, number: int) -> Callable[[str], None]:
    seen: list[str] = []

    def hook(name: str) -> None:
        seen.append(name)
        if name == point and seen.count(name) == number:
            os._exit(DIED)

    return hook


def failing_at(point: str, number: int, code: int) -> Callable[[str], None]:
    seen: list[str] = []

    def hook(name: str) -> None:
        seen.append(name)
        if name == point and seen.count(name) == number:
            raise OSError(code, os.strerror(code))

    return hook


def check_whole(desk: Desk, old: Tree, new: Tree) -> None:
    found = tree(desk.work, False)
    assert found in (old, new)
    assert temps(desk.base) == []
    assert desk.rows("SELECT count(*) FROM runs WHERE state = 'intent'") == [(0,)]
    done = desk.operations.last()
    assert (done is not None) == (found == new)


def check_undoable(desk: Desk, old: Tree, new: Tree) -> None:
    done = desk.operations.last()
    if done is not None:
        desk.operations.undo(done)
        assert tree(desk.work, False) == old
        desk.operations.redo(done)
        assert tree(desk.work, False) == new


@pytest.fixture
def worlds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Desk]]:
    numbers = iter(range(10_000))

    made: list[Desk] = []

    def world() -> Desk:
        base = tmp_path / f"world{next(numbers)}"
        monkeypatch.setenv("HOME", str(base / "home"))
        made.append(Desk(base))
        return made[-1]

    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    yield world
    for each in made:
        each.close()


@pytest.mark.skipif(sys.platform == "win32", reason="a child is forked")
@pytest.mark.parametrize("kind", PLANS)
def test_dying_at_any_point_leaves_all_or_nothing(kind: str, worlds: Callable[[], Desk]) -> None:
    old, new, points = outcomes(worlds(), kind)
    for place, point in enumerate(points):
        desk = worlds()
        plant(desk.work)

        def die(desk: Desk = desk, place: int = place, point: str = point) -> None:
            failpoints.set_hook(dying_at(point, points[: place + 1].count(point)))
            desk.apply(*PLANS[kind](desk.work))

        assert in_child(die) == DIED, point
        desk.again().tidy()
        check_whole(desk, old, new)
        check_undoable(desk, old, new)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("kind", PLANS)
def test_a_disk_that_fails_at_any_point_leaves_all_or_nothing(kind: str, code: int, worlds: Callable[[], Desk]) -> None:
    old, new, points = outcomes(worlds(), kind)
    for place, point in enumerate(points):
        if point == "finished":
            continue  # everything is done and written down: nothing is left that could fail
        desk = worlds()
        plant(desk.work)
        failpoints.set_hook(failing_at(point, points[: place + 1].count(point), code))
        try:
            with pytest.raises(OperationFailed) as failed:
                desk.apply(*PLANS[kind](desk.work))
        finally:
            failpoints.set_hook(None)
        assert ("full" in failed.value.reason) == (code == errno.ENOSPC)
        assert tree(desk.work, False) == old, point
        check_whole(desk, old, new)
        desk.again().tidy()
        assert tree(desk.work, False) == old, point


@pytest.mark.parametrize("direction", UNDOES)
@pytest.mark.parametrize("kind", PLANS)
def test_an_undo_or_redo_that_dies_or_fails_leaves_all_or_nothing(
    kind: str, direction: str, worlds: Callable[[], Desk]
) -> None:
    first = worlds()
    old, new, _ = outcomes(first, kind)
    points = turn(first, direction)
    for place, point in enumerate(points):
        for code in (0, errno.EIO) if direction == "undo" else (0,):
            if code and point == "finished":
                continue
            desk = worlds()
            plant(desk.work)
            desk.apply(*PLANS[kind](desk.work))
            number = points[: place + 1].count(point)
            hook = failing_at(point, number, code) if code else dying_at(point, number)
            if code:
                with pytest.raises(CannotUndo):
                    turn(desk, direction, hook)
            else:
                assert in_child(lambda desk=desk, hook=hook: turn(desk, direction, hook)) == DIED
            desk.again().tidy()
            found = tree(desk.work, False)
            assert found in (old, new), (point, code)
            assert temps(desk.base) == []
            operation = desk.rows("SELECT id FROM operations")[0][0]
            state = desk.operations.info(operation).state
            assert state is (OperationState.DONE if found == new else OperationState.UNDONE), (point, code)
            if state is OperationState.UNDONE:
                desk.operations.redo(operation)
                assert tree(desk.work, False) == new
            desk.operations.undo(operation)
            assert tree(desk.work, False) == old


def turn(desk: Desk, direction: str, hook: Callable[[str], None] | None = None) -> list[str]:
    """Undo, or undo and redo; the points on the way of the last of them."""
    operation = desk.operations.last()
    assert operation is not None
    if direction == "redo":
        desk.operations.undo(operation)
    points: list[str] = []
    failpoints.set_hook(hook or points.append)
    try:
        getattr(desk.operations, direction)(operation)
    finally:
        failpoints.set_hook(None)
    return points
