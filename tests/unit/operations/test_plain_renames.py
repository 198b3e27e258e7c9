"""Systems and file systems that cannot swap two names, or rename only where nothing is, keep the same promises."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from metona_tk.operations import entries
from metona_tk.operations.entries import Inner
from metona_tk.operations.failures import ChangedSince, OperationFailed
from metona_tk.protocol.changes import Change
from metona_tk.protocol.problems import Code
from tests.fakes import changes
from tests.fakes.changes import Desk, at_point, look, temps, tree

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither")


def saying(number: int) -> Callable[..., int]:
    def call(*_: object) -> int:
        ctypes.set_errno(number)
        return -1

    return call


@pytest.fixture(params=["missing", errno.ENOSYS, errno.EINVAL], ids=["missing", "unknown", "unsupported"])
def plain(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "_rename_with_flags", None if request.param == "missing" else saying(request.param))


def plant(work: Path) -> None:
    (work / "a.txt").write_bytes(b"old a")
    (work / "a.txt").chmod(0o640)
    (work / "b.txt").write_bytes(b"old b")
    (work / "f").mkdir()
    (work / "f" / "in.txt").write_bytes(b"in")
    (work / "link").symlink_to("a.txt")


PLANS: dict[str, tuple[Callable[[Path], Change], dict[str, bytes | None]]] = {
    "create": (lambda work: changes.create(work / "c.txt", b"new"), {"c.txt": b"new"}),
    "write": (lambda work: changes.write(work / "a.txt", b"new"), {"a.txt": b"new"}),
    "append": (lambda work: changes.append(work / "a.txt", b"new"), {"a.txt": b"old anew"}),
    "move": (lambda work: changes.move(work / "a.txt", work / "c.txt"), {"a.txt": None, "c.txt": b"old a"}),
    "move over": (lambda work: changes.move(work / "a.txt", work / "b.txt"), {"a.txt": None, "b.txt": b"old a"}),
    "move a folder": (lambda work: changes.move(work / "f", work / "g"), {"f/in.txt": None, "g/in.txt": b"in"}),
    "move a link": (lambda work: changes.move(work / "link", work / "moved"), {"link": None, "moved": b"old a"}),
    "copy over": (lambda work: changes.copy(work / "a.txt", work / "b.txt"), {"b.txt": b"old a"}),
    "delete": (lambda work: changes.delete(work / "a.txt"), {"a.txt": None}),
    "delete a link": (lambda work: changes.delete(work / "link"), {"link": None}),
}


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("kind", PLANS)
def test_every_change_is_done_and_undone(kind: str, desk: Desk) -> None:
    plan, wanted = PLANS[kind]
    plant(desk.work)
    start = tree(desk.work)
    operation = desk.apply(plan(desk.work)).operation_id
    found = {name: (desk.work / name).read_bytes() if (desk.work / name).exists() else None for name in wanted}
    assert found == wanted
    done = tree(desk.work)
    desk.operations.undo(operation)
    assert tree(desk.work) == start
    desk.operations.redo(operation)
    assert tree(desk.work) == done
    assert temps(desk.base) == []


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("name", ["a.txt", "f", "link"])
def test_a_name_that_is_taken_stays(name: str, desk: Desk) -> None:
    plant(desk.work)
    (desk.work / "taken").write_bytes(b"theirs")
    before = tree(desk.work)
    folder = Inner(str(desk.work), os.open(desk.work, os.O_RDONLY))
    try:
        with pytest.raises(FileExistsError):
            entries.rename_new(folder, name, folder, "taken")
        assert tree(desk.work) == before
        entries.give_back(folder, name, folder, "taken")
    finally:
        folder.close()
    assert (desk.work / "taken").read_bytes() == b"theirs"
    assert os.path.lexists(desk.work / "taken 2") and not os.path.lexists(desk.work / name)


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("name", ["a.txt", "f", "link"])
def test_a_name_that_is_not_there_is_not_renamed(name: str, tmp_path: Path) -> None:
    folder = Inner(str(tmp_path), os.open(tmp_path, os.O_RDONLY))
    try:
        with pytest.raises(FileNotFoundError):
            entries.rename_new(folder, name, folder, "new")
    finally:
        folder.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("kind", ["write", "append", "copy over"])
def test_a_save_before_the_last_look_stays(kind: str, desk: Desk) -> None:
    plant(desk.work)
    plan = PLANS[kind][0](desk.work)
    before = look(plan.path)

    def save_in_place() -> None:
        with open(plan.path, "r+b") as file:
            file.write(b"new")
        assert look(plan.path).inode == before.inode

    with at_point("synced", action=save_in_place), pytest.raises((ChangedSince, OperationFailed)):
        desk.apply(plan)
    assert Path(plan.path).read_bytes().startswith(b"new")
    assert temps(desk.base) == []


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC, errno.EACCES])
def test_other_errors_of_a_rename_are_told(number: int, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(desk.work)
    before = tree(desk.work)
    monkeypatch.setattr(entries, "_rename_with_flags", saying(number))
    for kind in ("create", "write", "move", "move over"):
        with pytest.raises(OperationFailed) as failed:
            desk.apply(PLANS[kind][0](desk.work))
        assert failed.value.code is (Code.PERMISSION_DENIED if number == errno.EACCES else Code.IO_ERROR)
        assert tree(desk.work) == before
        assert temps(desk.base) == []


def test_names_like_the_wanted_one_are_tried_in_order(tmp_path: Path) -> None:
    for name in ("mine.txt", "mine 2.txt", "taken.txt"):
        (tmp_path / name).write_bytes(name.encode())
    folder = Inner(str(tmp_path), os.open(tmp_path, os.O_RDONLY))
    try:
        entries.give_back(folder, "taken.txt", folder, "mine.txt")
        assert (tmp_path / "mine 3.txt").read_bytes() == b"taken.txt"
        entries.give_back(folder, "mine 3.txt", folder, "free.txt")
    finally:
        folder.close()
        folder.close()
    assert {path.name for path in tmp_path.iterdir()} == {"mine.txt", "mine 2.txt", "free.txt"}
