"""What somebody else changed since is seen by undo and redo; what undo itself made anew is not taken for that."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from metona_tk.operations.failures import Conflicted
from metona_tk.protocol.changes import OperationState
from tests.fakes import changes
from tests.fakes.changes import Desk, tree

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes and ctime are POSIX")


def edited_as_before(path: Path) -> None:
    """Other bytes of the same size, and the time set back as archivers do."""
    found = path.stat()
    path.write_bytes(path.read_bytes()[::-1])
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def opened_to_all(path: Path) -> None:
    path.chmod(0o777)


def opened_folder(path: Path) -> None:
    path.parent.chmod(0o700)


def added(path: Path) -> None:
    (path.parent / "new").write_bytes(b"user")


def marked(path: Path) -> None:
    os.setxattr(path, "user.k", b"v")


EDITS = [edited_as_before, opened_to_all, opened_folder, added]


def planted(desk: Desk) -> Path:
    inside = desk.work / "d" / "e" / "x"
    inside.parent.mkdir(parents=True)
    inside.write_bytes(b"12")
    return inside


def conflict(desk: Desk, operation: str, direction: str) -> Conflicted:
    before = tree(desk.work)
    with pytest.raises(Conflicted) as raised:
        getattr(desk.operations, direction)(operation)
    assert tree(desk.work) == before
    return raised.value


@pytest.mark.parametrize("edit", EDITS)
def test_redo_of_a_deletion_sees_every_edit_inside(edit: Callable[[Path], None], desk: Desk) -> None:
    inside = planted(desk)
    operation = desk.apply(changes.delete(desk.work / "d")).operation_id
    desk.operations.undo(operation)
    edit(inside)
    conflict(desk, operation, "redo")


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("from_store", [False, True])
def test_redo_sees_edits_in_what_was_made_anew(edit: Callable[[Path], None], from_store: bool, desk: Desk) -> None:
    inside = planted(desk)
    operation = desk.apply(changes.delete(desk.work / "d")).operation_id
    if from_store:
        shutil.rmtree(desk.bin)
    desk.operations.undo(operation)
    edit(inside)
    conflict(desk, operation, "redo")


@pytest.mark.parametrize("edit", EDITS)
def test_undo_of_a_moved_folder_asks_before_edits_go_along(edit: Callable[[Path], None], desk: Desk) -> None:
    planted(desk)
    operation = desk.apply(changes.move(desk.work / "d", desk.work / "f")).operation_id
    edit(desk.work / "f" / "e" / "x")
    after = tree(desk.work / "f")
    asked = conflict(desk, operation, "undo")
    assert [(item.path, item.goes_to) for item in asked.items] == [(str(desk.work / "f"), str(desk.work / "d"))]
    assert desk.operations.undo(operation, asked.digest).state is OperationState.UNDONE
    assert tree(desk.work / "d") == after and not (desk.work / "f").exists()


@pytest.mark.parametrize("over", [False, True])
def test_undo_of_a_moved_file_asks_before_edits_go_along(over: bool, desk: Desk) -> None:
    source, path = desk.work / "a", desk.work / "b"
    source.write_bytes(b"A")
    if over:
        path.write_bytes(b"B")
    operation = desk.apply(changes.move(source, path)).operation_id
    path.write_bytes(b"user")
    asked = conflict(desk, operation, "undo")
    assert [(item.path, item.now.size, item.goes_to) for item in asked.items] == [(str(path), 4, str(source))]
    desk.operations.undo(operation, asked.digest)
    assert source.read_bytes() == b"user"
    assert path.read_bytes() == b"B" if over else not path.exists()


def test_an_answer_is_bound_to_the_edit_that_was_shown(desk: Desk) -> None:
    source, path = desk.work / "a", desk.work / "b"
    source.write_bytes(b"A")
    operation = desk.apply(changes.move(source, path)).operation_id
    path.write_bytes(b"one")
    asked = conflict(desk, operation, "undo")
    path.write_bytes(b"two")
    with pytest.raises(Conflicted):
        desk.operations.undo(operation, asked.digest)
    assert path.read_bytes() == b"two"


def test_undo_of_contents_keeps_mode_and_attributes_given_since(desk: Desk) -> None:
    path = desk.work / "a"
    path.write_bytes(b"old")
    path.chmod(0o644)
    operation = desk.apply(changes.write(path, b"new")).operation_id
    path.chmod(0o600)
    marked(path)
    for direction, content in (("undo", b"old"), ("redo", b"new")):
        getattr(desk.operations, direction)(operation)
        assert path.read_bytes() == content
        assert path.stat().st_mode & 0o777 == 0o600 and os.getxattr(path, "user.k") == b"v"


def test_redo_knows_what_undo_and_redo_made_anew(desk: Desk) -> None:
    inside, other = planted(desk), desk.work / "other"
    other.write_bytes(b"other")
    before = tree(desk.work)
    done = [
        desk.apply(changes.copy(other, inside.parent / "y")).operation_id,
        desk.apply(changes.write(inside, b"written")).operation_id,
        desk.apply(changes.move(desk.work / "d", desk.work / "f")).operation_id,
        desk.apply(changes.write(desk.work / "f" / "e" / "x", b"again")).operation_id,
        desk.apply(changes.delete(desk.work / "f")).operation_id,
    ]
    for from_store in (False, True):
        if from_store:
            shutil.rmtree(desk.bin)
        for operation in reversed(done):
            desk.operations.undo(operation)
        assert tree(desk.work) == before
        for operation in done:
            desk.operations.redo(operation)
        assert sorted(os.listdir(desk.work)) == ["other"]


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() != 0, reason="only root gives files away")
def test_a_folder_from_the_store_has_its_owners_and_attributes(desk: Desk) -> None:
    inside = planted(desk)
    os.symlink("x", inside.parent / "link")
    for number, path in enumerate((desk.work / "d", inside.parent, inside, inside.parent / "link")):
        os.chown(path, 1000 + number, 2000 + number, follow_symlinks=False)
    marked(desk.work / "d")
    marked(inside.parent)
    inside.parent.chmod(0o2750)
    operation = desk.apply(changes.delete(desk.work / "d")).operation_id
    shutil.rmtree(desk.bin)
    desk.operations.undo(operation)
    for number, path in enumerate((desk.work / "d", inside.parent, inside, inside.parent / "link")):
        found = path.lstat()
        assert (found.st_uid, found.st_gid) == (1000 + number, 2000 + number), path
    assert inside.parent.stat().st_mode & 0o7777 == 0o2750
    assert os.getxattr(desk.work / "d", "user.k") == os.getxattr(inside.parent, "user.k") == b"v"
