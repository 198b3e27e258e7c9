"""While an editor saves the same file, the user's bytes are on the disk or in the store, whatever comes first."""

from __future__ import annotations

import os
import random
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from metona_tk.operations.failures import CannotUndo, ChangedSince, Conflicted, OperationFailed
from tests.fakes import changes
from tests.fakes.changes import Desk, temps

SOAK = bool(os.environ.get("METONA_TK_SOAK"))
TIMES = 3_000 if SOAK else 500


def save_by_rename(path: Path, content: bytes) -> None:
    new = path.with_suffix(".editor")
    new.write_bytes(content)
    os.replace(new, path)


def save_in_place(path: Path, content: bytes) -> None:
    with path.open("r+b", buffering=0) as file:
        file.truncate()
        file.write(content[:4])
        file.write(content[4:])


def kept(desk: Desk, objects: dict[Path, bytes]) -> list[bytes]:
    """All bytes that the user still can get at; `objects` remembers those of the store, which never change."""
    for path in desk.store.glob("objects/*/*"):
        if path not in objects:
            objects[path] = path.read_bytes()
    return [*objects.values(), *(path.read_bytes() for path in [*desk.work.glob("*"), *desk.bin.glob("files/*")])]


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    "save",
    [
        save_by_rename,
        pytest.param(
            save_in_place,
            marks=pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who has a file open"),
        ),
    ],
)
def test_a_save_at_the_same_time_is_never_lost(save: Callable[[Path, bytes], None], desk: Desk) -> None:
    path, dice = desk.work / "text.txt", random.Random(7)
    path.write_bytes(b"the first text")
    last, objects = "", dict[Path, bytes]()
    came_between, usual = 0, 0.004  # seconds that a change takes here and now
    for number in range(TIMES):
        content = f"what the user wrote, {number}".encode() * 20
        editor = threading.Thread(target=_save_soon, args=(save, path, content, dice.random() * 2 * usual))
        plan = changes.write(path, f"what the tool wrote, {number}".encode())
        editor.start()
        begun = time.monotonic()
        try:
            if last and number % 3 == 2:
                desk.operations.undo(last)
                last = ""
            else:
                last = desk.apply(plan).operation_id
        except (ChangedSince, OperationFailed, Conflicted, CannotUndo):
            came_between += 1
        usual = 0.9 * usual + 0.1 * min(0.05, time.monotonic() - begun)
        editor.join()
        assert content in kept(desk, objects), number
        assert temps(desk.base) == []
    assert 0 < came_between < TIMES


def _save_soon(save: Callable[[Path, bytes], None], path: Path, content: bytes, after: float) -> None:
    time.sleep(after)  # any instant of the change may be the one
    save(path, content)


def test_an_editor_that_holds_the_file_open_keeps_it(desk: Desk) -> None:
    path = desk.work / "text.txt"
    path.write_bytes(b"old")
    plan = changes.write(path, b"of the tool")
    with path.open("r+b", buffering=0) as held:
        if sys.platform == "linux":
            with pytest.raises(ChangedSince):
                desk.apply(plan)
            held.write(b"user")
            assert path.read_bytes() == b"user"
    assert temps(desk.base) == []


@pytest.mark.parametrize("save", [save_by_rename, save_in_place])
@pytest.mark.parametrize("point", ["stored", "opened", "half_written", "synced"])
def test_a_save_in_the_middle_of_a_write_stays(point: str, save: Callable[[Path, bytes], None], desk: Desk) -> None:
    path = desk.work / "text.txt"
    path.write_bytes(b"old text")
    with changes.at_point(point, action=lambda: save(path, b"of the user")), pytest.raises(ChangedSince):
        desk.apply(changes.write(path, b"of the tool"))
    assert path.read_bytes() == b"of the user"
    assert desk.operations.last() is None


def test_undo_over_a_later_save_asks_and_keeps_it_for_redo(desk: Desk) -> None:
    path = desk.work / "text.txt"
    path.write_bytes(b"old text")
    operation = desk.apply(changes.write(path, b"of the tool")).operation_id
    save_by_rename(path, b"of the user")
    with pytest.raises(Conflicted) as conflict:
        desk.operations.undo(operation)
    assert path.read_bytes() == b"of the user"
    (item,) = conflict.value.items
    assert (item.now_content(), item.then_content()) == (b"of the user", b"old text")
    save_by_rename(path, b"of the user, later")
    with pytest.raises(Conflicted) as again:
        desk.operations.undo(operation, conflict.value.digest)
    assert path.read_bytes() == b"of the user, later"
    desk.operations.undo(operation, again.value.digest)
    assert path.read_bytes() == b"old text"
    desk.operations.redo(operation)
    assert path.read_bytes() == b"of the user, later"


def test_a_save_after_a_crash_is_not_taken_for_the_tools_work(desk: Desk) -> None:
    path = desk.work / "text.txt"
    path.write_bytes(b"old text")

    class Died(BaseException):
        pass

    with changes.at_point("synced", Died()), pytest.raises(Died):
        desk.apply(changes.write(path, b"of the tool"))
    save_by_rename(path, b"of the user")
    desk.again().tidy()
    assert path.read_bytes() == b"of the user"
    for (operation,) in desk.rows("SELECT id FROM operations WHERE state = 'done'"):
        with pytest.raises(Conflicted):
            desk.operations.undo(operation)
    assert path.read_bytes() == b"of the user"
