"""Undo and redo where the user has been at the files since: what is asked, what is kept, what goes on by itself."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from metona_tk.operations import undo
from metona_tk.operations.failures import CannotUndo, Conflicted
from metona_tk.protocol.changes import Change, NotUndoable, OperationState
from tests.fakes import changes
from tests.fakes.changes import Desk, at_point, look, temps, tree

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links are POSIX")


def plant(work: Path) -> None:
    (work / "a.txt").write_bytes(b"old a")
    (work / "b.txt").write_bytes(b"old b")
    (work / "f").mkdir()
    (work / "f" / "in.txt").write_bytes(b"in")


PLANS: dict[str, Callable[[Path], list[Change]]] = {
    "create": lambda work: [changes.create(work / "c.txt", b"new c")],
    "write": lambda work: [changes.write(work / "a.txt", b"new a")],
    "copy over": lambda work: [changes.copy(work / "b.txt", work / "a.txt")],
    "copy": lambda work: [changes.copy(work / "b.txt", work / "c.txt")],
    "delete": lambda work: [changes.delete(work / "a.txt")],
    "folder": lambda work: [changes.folder(work / "g")],
    "in a folder": lambda work: [changes.folder(work / "g"), changes.create(work / "g" / "n.txt", b"n")],
}


def file(content: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        gone(path)
        path.write_bytes(content)

    return make


def folder(path: Path) -> None:
    gone(path)
    path.mkdir()
    (path / "mine.txt").write_bytes(b"mine")


def link(path: Path) -> None:
    gone(path)
    path.symlink_to("f")


def gone(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    else:
        path.unlink(missing_ok=True)


MINE = file(b"mine")
ASKED = [
    ("create", "undo", "c.txt", MINE),
    ("create", "undo", "c.txt", folder),
    ("create", "undo", "c.txt", link),
    ("create", "redo", "c.txt", MINE),
    ("create", "redo", "c.txt", folder),
    ("create", "redo", "c.txt", link),
    ("write", "undo", "a.txt", MINE),
    ("write", "undo", "a.txt", folder),
    ("write", "undo", "a.txt", link),
    ("write", "undo", "a.txt", gone),
    ("write", "redo", "a.txt", MINE),
    ("write", "redo", "a.txt", folder),
    ("write", "redo", "a.txt", gone),
    ("copy", "undo", "c.txt", MINE),
    ("copy over", "undo", "a.txt", MINE),
    ("delete", "undo", "a.txt", MINE),
    ("delete", "redo", "a.txt", MINE),
    ("delete", "redo", "a.txt", link),
    ("folder", "redo", "g", MINE),
    ("folder", "redo", "g", link),
]


def done_to(desk: Desk, kind: str, direction: str) -> str:
    plant(desk.work)
    operation = desk.apply(*PLANS[kind](desk.work)).operation_id
    if direction == "redo":
        desk.operations.undo(operation)
    return operation


@pytest.mark.parametrize(("kind", "direction", "name", "meanwhile"), ASKED)
def test_what_the_user_has_changed_is_asked_about_and_can_be_had_back(
    kind: str, direction: str, name: str, meanwhile: Callable[[Path], None], desk: Desk
) -> None:
    operation = done_to(desk, kind, direction)
    turn, back = getattr(desk.operations, direction), "undo" if direction == "redo" else "redo"
    state = desk.operations.info(operation).state
    path = desk.work / name
    meanwhile(path)
    there = tree(desk.work)
    with pytest.raises(Conflicted) as conflict:
        turn(operation)
    (item,) = conflict.value.items
    assert (item.path, item.now) == (str(path), look(path))
    assert item.now_content() == (path.read_bytes() if meanwhile is MINE else None)
    assert (tree(desk.work), desk.operations.info(operation).state) == (there, state)
    assert turn(operation, conflict.value.digest).state is not state
    now = tree(desk.work)
    assert now.get(name) != there.get(name)
    getattr(desk.operations, back)(operation)
    assert tree(desk.work) == there
    turn(operation)
    assert tree(desk.work) == now
    assert temps(desk.base) == []


AGREED = [
    ("create", "undo", "c.txt", gone, "none"),
    ("copy", "undo", "c.txt", gone, "none"),
    ("delete", "redo", "a.txt", gone, "none"),
    ("folder", "undo", "g", gone, "none"),
    ("folder", "undo", "g", MINE, "file"),  # it is the user's and nothing of ours
    ("folder", "redo", "g", Path.mkdir, "directory"),
    ("write", "undo", "a.txt", file(b"new a"), "file"),  # the same bytes in another file
]


@pytest.mark.parametrize(("kind", "direction", "name", "meanwhile", "left"), AGREED)
def test_what_is_as_it_should_be_is_not_asked_about(
    kind: str, direction: str, name: str, meanwhile: Callable[[Path], None], left: str, desk: Desk
) -> None:
    operation = done_to(desk, kind, direction)
    meanwhile(desk.work / name)
    done = getattr(desk.operations, direction)(operation)
    assert done.state is (OperationState.UNDONE if direction == "undo" else OperationState.DONE)
    assert look(desk.work / name).kind == left
    if left == "file":
        assert (desk.work / name).read_bytes() == (b"old a" if kind == "write" else b"mine")


def test_a_folder_that_was_made_for_a_file_stays_when_the_user_has_put_something_into_it(desk: Desk) -> None:
    operation = done_to(desk, "in a folder", "undo")
    (desk.work / "g" / "mine.txt").write_bytes(b"mine")
    desk.operations.undo(operation)
    assert [path.name for path in (desk.work / "g").iterdir()] == ["mine.txt"]
    desk.operations.redo(operation)
    assert {path.name for path in (desk.work / "g").iterdir()} == {"mine.txt", "n.txt"}
    (desk.work / "g" / "mine.txt").unlink()
    desk.operations.undo(operation)
    assert not (desk.work / "g" / "n.txt").exists()


def test_agreement_is_to_what_was_shown(desk: Desk) -> None:
    operation = done_to(desk, "write", "undo")
    path = desk.work / "a.txt"
    path.write_bytes(b"mine")
    with pytest.raises(Conflicted) as first:
        desk.operations.undo(operation)
    path.write_bytes(b"mine again")
    with pytest.raises(Conflicted) as second:
        desk.operations.undo(operation, first.value.digest)
    assert second.value.digest != first.value.digest
    assert path.read_bytes() == b"mine again"


@pytest.mark.parametrize(("size", "shown"), [(10, True), (11, False), (1, True)])
def test_both_contents_are_shown_unless_they_are_too_large(
    size: int, shown: bool, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undo, "_MOST_SHOWN", 10)
    path = desk.work / "a.txt"
    path.write_bytes(b"o" * size)
    operation = desk.apply(changes.write(path, b"new")).operation_id
    path.write_bytes(b"m" * size)
    with pytest.raises(Conflicted) as conflict:
        desk.operations.undo(operation)
    (item,) = conflict.value.items
    assert item.now_content() == (b"m" * size if shown else None)
    assert item.then_content() == (b"o" * size if shown else None)
    assert (item.now.size, item.then.size, item.then.kind) == (size, size, "file")


def test_a_folder_that_would_come_back_is_told_without_bytes(desk: Desk) -> None:
    plant(desk.work)
    operation = desk.apply(changes.delete(desk.work / "f")).operation_id
    (desk.work / "f").write_bytes(b"mine")
    with pytest.raises(Conflicted) as conflict:
        desk.operations.undo(operation)
    (item,) = conflict.value.items
    assert (item.then.kind, item.then_content(), item.now_content()) == ("directory", None, b"mine")


def test_a_moved_file_that_would_come_back_is_told(desk: Desk) -> None:
    plant(desk.work)
    moved = look(desk.work / "a.txt")
    operation = desk.apply(changes.move(desk.work / "a.txt", desk.work / "c.txt")).operation_id
    (desk.work / "a.txt").write_bytes(b"mine")
    with pytest.raises(Conflicted) as conflict:
        desk.operations.undo(operation)
    (item,) = conflict.value.items
    assert (item.then.inode, item.then.size, item.then_content()) == (moved.inode, moved.size, None)


@pytest.mark.parametrize("became", [gone, folder, link])
def test_what_was_moved_and_is_not_there_any_more_does_not_come_back(
    became: Callable[[Path], None], desk: Desk
) -> None:
    plant(desk.work)
    operation = desk.apply(changes.move(desk.work / "a.txt", desk.work / "c.txt")).operation_id
    became(desk.work / "c.txt")
    there = tree(desk.work)
    with pytest.raises(CannotUndo) as refusal:
        desk.operations.undo(operation)
    assert (refusal.value.reason, refusal.value.path) == (NotUndoable.PLACE_GONE, str(desk.work / "c.txt"))
    assert tree(desk.work) == there


@pytest.mark.parametrize("kind", ["write", "delete"])
def test_a_save_in_the_last_instant_before_an_undo_stays(kind: str, desk: Desk) -> None:
    operation = done_to(desk, kind, "undo")
    path = desk.work / "a.txt"
    with at_point("journalled", action=lambda: MINE(path)), pytest.raises(CannotUndo) as refusal:
        desk.operations.undo(operation)
    assert refusal.value.reason is NotUndoable.BUSY or kind == "delete"
    assert path.read_bytes() == b"mine"
    assert desk.operations.info(operation).state is OperationState.DONE


def test_bytes_that_are_damaged_in_the_last_instant_are_not_used(desk: Desk) -> None:
    operation = done_to(desk, "write", "undo")

    def damage() -> None:
        for kept in desk.store.glob("objects/*/*"):
            kept.write_bytes(b"damaged")

    with at_point("journalled", action=damage), pytest.raises(CannotUndo) as refusal:
        desk.operations.undo(operation)
    assert refusal.value.path == str(desk.work / "a.txt")
    assert (desk.work / "a.txt").read_bytes() == b"new a"
    assert temps(desk.base) == []


def test_what_is_known_of_an_operation(desk: Desk) -> None:
    unknown = desk.operations.info("nothere1")
    assert (unknown.state, unknown.blocked) == (OperationState.FAILED, NotUndoable.UNKNOWN)
    operation = done_to(desk, "write", "undo")
    known = desk.operations.info(operation)
    assert (known.state, known.blocked) == (OperationState.DONE, None)
    desk.operations.undo(operation)
    assert desk.operations.info(operation).blocked is None
    desk.operations.empty()
    known = desk.operations.info(operation)
    assert (known.state, known.blocked) == (OperationState.UNDONE, NotUndoable.EXPIRED)
    with at_point("opened", OSError(5, "io")), pytest.raises(Exception, match="rror|io"):
        desk.apply(changes.write(desk.work / "a.txt", b"newer"))
    (failed,) = desk.rows("SELECT id FROM operations WHERE state = 'failed'")
    known = desk.operations.info(failed[0])
    assert (known.state, known.blocked) == (OperationState.FAILED, None)
    for turn in (desk.operations.undo, desk.operations.redo):
        with pytest.raises(CannotUndo) as refusal:
            turn(failed[0])
        assert refusal.value.reason is NotUndoable.UNKNOWN


def test_the_last_one_and_those_of_a_turn_are_known_newest_first(desk: Desk) -> None:
    plant(desk.work)
    assert (desk.operations.last(), desk.operations.last(undone=True), desk.operations.of_turn("t")) == (None, None, [])
    made: list[str] = []
    for name in "xyz":
        desk.now += 1
        made.append(desk.apply(changes.create(desk.work / name, b""), turn="t").operation_id)
    desk.now += 1
    other = desk.apply(changes.create(desk.work / "o", b""), turn="other").operation_id
    assert desk.operations.of_turn("t") == made[::-1]
    assert desk.operations.last() == other
    desk.now += 1
    desk.operations.undo(made[2])
    desk.now += 1
    desk.operations.undo(made[0])
    assert desk.operations.of_turn("t") == [made[1]]
    assert (desk.operations.last(), desk.operations.last(undone=True)) == (other, made[0])
    desk.now += 1
    desk.operations.redo(made[2])
    assert (desk.operations.last(), desk.operations.last(undone=True)) == (made[2], made[0])


def test_what_cannot_be_taken_back_is_told_and_undone_in_order(desk: Desk) -> None:
    """A third step fails, and the first two cannot be undone just then."""
    plant(desk.work)
    start = tree(desk.work)
    plan = [changes.folder(desk.work / "g"), changes.create(desk.work / "g" / "n.txt", b"n")]
    with pytest.MonkeyPatch.context() as patch:
        from metona_tk.operations import acting, failpoints
        from metona_tk.operations.failures import OperationFailed

        def broken(*_: object) -> object:
            raise OSError(5, "io")

        def at(point: str) -> None:
            if point == "journalled" and (desk.work / "g" / "n.txt").exists():
                patch.setattr(acting.Actor, "prepare", broken)
                raise OSError(5, "io")

        patch.setattr(failpoints, "_hook", at)
        with pytest.raises(OperationFailed) as failed:
            desk.apply(*plan, changes.write(desk.work / "a.txt", b"new"))
    assert failed.value.partly
    assert (desk.work / "g" / "n.txt").read_bytes() == b"n"
    operation = desk.operations.last()
    assert operation is not None
    desk.operations.undo(operation)
    assert tree(desk.work) == start
