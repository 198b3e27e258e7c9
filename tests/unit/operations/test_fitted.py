"""How the steps of an undo are fitted to what is on the disk by now, and whether the disks have room for them."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from metona_tk.operations import contents, space
from metona_tk.operations.bins import BinEntry
from metona_tk.operations.contents import tree_contents
from metona_tk.operations.entries import Inner
from metona_tk.operations.failures import CannotUndo, OperationFailed
from metona_tk.operations.settling import in_bin, settle
from metona_tk.operations.space import check_room
from metona_tk.operations.steps import Saved, Step, StepKind
from metona_tk.protocol.changes import NOTHING, FileState, NotUndoable
from tests.fakes.changes import Desk, look

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and inodes are POSIX")
WHEN = 10**18


def put(path: Path, content: bytes = b"old", when: int = WHEN) -> None:
    path.write_bytes(content)
    os.utime(path, ns=(when, when))


def nothing(path: Path) -> None:
    """Nobody has done anything."""


def gone(path: Path) -> None:
    path.unlink()


def anew(path: Path) -> None:
    path.rename(path.with_name("set apart"))
    put(path)


def edited(path: Path) -> None:
    put(path, b"new")


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


AWAY = StepKind.DELETE
# the steps on a file that is at their place, by what somebody does: (stands in the way, kinds of the fitted steps)
FITTED: dict[StepKind, dict[Callable[[Path], None], tuple[bool, list[StepKind]]]] = {
    StepKind.FOLDER: {
        nothing: (True, [AWAY, StepKind.FOLDER]),
        gone: (False, [StepKind.FOLDER]),
        folder: (False, []),
    },
    StepKind.DELETE: {
        nothing: (False, [AWAY]),
        gone: (False, []),
        anew: (False, [AWAY]),
        edited: (True, [AWAY]),
        folder: (True, [AWAY]),
    },
    StepKind.WRITE: {
        nothing: (False, [StepKind.WRITE]),
        gone: (True, [StepKind.RESTORE]),
        anew: (False, [StepKind.WRITE]),
        edited: (True, [StepKind.WRITE]),
        folder: (True, [AWAY, StepKind.RESTORE]),
    },
    StepKind.RESTORE: {
        nothing: (True, [AWAY, StepKind.RESTORE]),
        gone: (False, [StepKind.RESTORE]),
        folder: (True, [AWAY, StepKind.RESTORE]),
    },
}


@pytest.mark.parametrize(("kind", "act"), [(kind, act) for kind, acts in FITTED.items() for act in acts])
def test_a_step_is_fitted_to_what_is_there(kind: StepKind, act: Callable[[Path], None], desk: Desk) -> None:
    path = desk.work / "a"
    put(path)
    step = Step(kind, str(path), look(path) if kind in {StepKind.DELETE, StepKind.WRITE} else NOTHING)
    act(path)
    stands, kinds = FITTED[kind][act]
    standing, fitted = settle([step], desk.operations._actor)
    assert [(each.path, each.now, each.goes_to) for each in standing] == (
        [(str(path), look(path), "")] if stands else []
    )
    assert [each.kind for each in fitted] == kinds
    for each in fitted:
        there = each.kind in {AWAY, StepKind.WRITE}
        assert each.before == (look(path) if there else NOTHING)


@pytest.mark.parametrize("act", [nothing, gone, anew, edited, folder])
@pytest.mark.parametrize("taken", [False, True])
def test_a_move_back_takes_what_is_there(act: Callable[[Path], None], taken: bool, desk: Desk) -> None:
    source, path = desk.work / "s", desk.work / "a"
    put(source)
    step = Step(StepKind.MOVE, str(path), NOTHING, str(source), look(source))
    if taken:
        put(path, b"theirs")
    act(source)
    if act in {gone, folder}:
        with pytest.raises(CannotUndo) as refusal:
            settle([step], desk.operations._actor)
        assert (refusal.value.reason, refusal.value.path) == (NotUndoable.PLACE_GONE, str(source))
        return
    standing, fitted = settle([step], desk.operations._actor)
    expected = [(str(path), "")] if taken else []
    assert [(each.path, each.goes_to) for each in standing] == expected + (
        [(str(source), str(path))] if act is edited else []
    )
    assert [each.kind for each in fitted] == ([AWAY] if taken else []) + [StepKind.MOVE]
    assert (fitted[-1].before, fitted[-1].source_before) == (NOTHING, look(source))


@pytest.mark.parametrize("may_fail", [False, True])
@pytest.mark.parametrize("inside", [[], ["a"], ["a", "b"], ["a", "c"]])
def test_a_folder_goes_when_nothing_stays_in_it(inside: list[str], may_fail: bool, desk: Desk) -> None:
    made = desk.work / "f"
    made.mkdir()
    for name in inside:
        put(made / name)
    leaving = [
        Step(StepKind.DELETE, str(made / "a"), look(made / "a")),
        Step(StepKind.MOVE, str(desk.work / "b"), NOTHING, str(made / "b"), look(made / "b")),
    ]
    going = leaving if "b" in inside else leaving[:1]
    step = Step(StepKind.REMOVE_FOLDER, str(made), FileState("directory"), may_fail=may_fail)
    if "c" in inside and not may_fail:
        with pytest.raises(CannotUndo) as refusal:
            settle([*going, step], desk.operations._actor)
        assert refusal.value.reason is NotUndoable.NOT_EMPTY
        return
    standing, fitted = settle([*going, step], desk.operations._actor)
    removed = [each.before for each in fitted if each.kind is StepKind.REMOVE_FOLDER]
    assert (standing, removed) == ([], [] if "c" in inside else [look(made)])
    shutil.rmtree(made)
    put(made)
    assert settle([step], desk.operations._actor) == ([], [])


@pytest.mark.parametrize("kind", [StepKind.DELETE, StepKind.MOVE, StepKind.REMOVE_FOLDER, StepKind.WRITE])
def test_what_an_earlier_step_leaves_does_not_stand_in_the_way(kind: StepKind, desk: Desk) -> None:
    path = desk.work / "a"
    path.mkdir() if kind is StepKind.REMOVE_FOLDER else put(path)
    before = look(path)
    if kind is StepKind.MOVE:
        first = Step(kind, str(desk.work / "b"), NOTHING, str(path), before)
    else:
        first = Step(kind, str(path), before)
    standing, fitted = settle([first, Step(StepKind.RESTORE, str(path))], desk.operations._actor)
    assert len(standing) == (1 if kind is StepKind.WRITE else 0)
    assert [each.kind for each in fitted] == [kind, *([AWAY] if standing else []), StepKind.RESTORE]


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("act", ["nothing", "made anew", "other mode", "more", "a file"])
def test_a_folder_that_was_made_anew_is_as_it_was_left(act: str, known: bool, desk: Desk) -> None:
    path = desk.work / "f"
    path.mkdir(0o755)
    put(path / "in")
    left, inside = look(path), desk.operations._actor.contents(str(path))
    if act != "nothing":
        path.rename(desk.out / "f")
        path.mkdir(0o700 if act == "other mode" else 0o755)
        put(path / "in")
    if act == "more":
        put(path / "more")
    if act == "a file":
        shutil.rmtree(path)
        put(path)
    step = Step(StepKind.DELETE, str(path), left, contents=inside if known else "")
    standing, _ = settle([step], desk.operations._actor)
    assert (standing == []) is (act == "nothing" or (act == "made anew" and known))


def test_what_is_too_large_for_the_store_is_not_written_over() -> None:
    file = FileState("file", 5)
    write = Step(StepKind.WRITE, "/a", file, give=Saved(file, "x"))
    assert in_bin(write) == [Step(AWAY, "/a", file), replace(write, kind=StepKind.RESTORE, before=NOTHING)]
    for kind, before in ((StepKind.WRITE, NOTHING), (StepKind.COPY, file), (StepKind.DELETE, file)):
        assert in_bin(Step(kind, "/a", before)) == [Step(kind, "/a", before)]


# --- room ------------------------------------------------------------------------------------------------------------

FIVE = Saved(FileState("file", 5), "x")
SIZES = {
    "copy": (Step(StepKind.COPY, "a", source_before=FileState("file", 5)), 5),
    "restore": (Step(StepKind.RESTORE, "a", give=FIVE), 5),
    "restore from the bin": (Step(StepKind.RESTORE, "a", give=FIVE, bin=BinEntry("f", "n", "i", 1)), 0),
    "bring bytes back": (Step(StepKind.WRITE, "a", give=FIVE), 5),
    "write": (Step(StepKind.WRITE, "a", FileState("file", 5)), 0),
    "delete": (Step(StepKind.DELETE, "a", FileState("file", 5), give=FIVE), 0),
    "move": (Step(StepKind.MOVE, "a", source_before=FileState("file", 5)), 0),
}


@pytest.mark.parametrize("deep", ["a", "none/at/all/a"])
@pytest.mark.parametrize("stored", [0, 3])
@pytest.mark.parametrize("kind", SIZES)
def test_room_is_needed_for_what_is_written_and_not_a_byte_more(
    kind: str, stored: int, deep: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step, size = SIZES[kind]
    steps = [replace(step, path=str(tmp_path / deep))] * 2
    asked: list[str] = []

    def usage(folder: str) -> object:
        asked.append(folder)
        return SimpleNamespace(free=free)

    monkeypatch.setattr(space.shutil, "disk_usage", usage)
    free = stored + 2 * size
    check_room(steps, str(tmp_path / "store" / "objects"), stored)
    assert set(asked) <= {str(tmp_path)}
    free -= 1
    if stored or size:
        with pytest.raises(OperationFailed, match="too full"):
            check_room(steps, str(tmp_path / "store" / "objects"), stored)
    else:
        check_room(steps, str(tmp_path / "store" / "objects"), stored)


def test_each_disk_has_room_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space.shutil, "disk_usage", lambda _: SimpleNamespace(free=5))
    devices = {str(tmp_path): 1, "/": 2}
    monkeypatch.setattr(space.os, "stat", lambda folder: SimpleNamespace(st_dev=devices[folder]))
    monkeypatch.setattr(space.os.path, "isdir", lambda folder: folder == str(tmp_path))
    check_room([replace(SIZES["copy"][0], path="/nowhere/at/all/a")], str(tmp_path / "objects"), 5)


# --- what a folder holds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("things", "read", "told"), [(4, 6, True), (3, 6, False), (4, 5, False), (9, 9, True)])
def test_a_folder_is_read_as_far_as_is_worth_it(
    things: int, read: int, told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = tmp_path / "top"
    (top / "in").mkdir(parents=True)
    put(top / "a")
    put(top / "in" / "b")
    monkeypatch.setattr(contents, "_MOST", things)
    monkeypatch.setattr(contents, "MOST_HASHED", read)
    opened = Inner(str(tmp_path), os.open(tmp_path, os.O_RDONLY))
    try:
        assert (tree_contents(opened, "top") != "") is told
    finally:
        opened.close()


# --- looking ---------------------------------------------------------------------------------------------------------


def test_only_so_many_bytes_of_a_regular_file_are_read(desk: Desk) -> None:
    actor, path = desk.operations._actor, desk.work / "a"
    put(path, b"12345")
    (desk.work / "link").symlink_to("a")
    os.mkfifo(desk.work / "pipe")
    assert (actor.read(str(path), 5), actor.read(str(path), 6), actor.read(str(path), 4)) == (b"12345", b"12345", None)
    for name in ("link", "pipe", "none", "none/a", "a/a"):
        assert actor.read(str(desk.work / name), 5) is None
        assert actor.contents(str(desk.work / name / "x")) == ""
    assert [actor.size_of(str(desk.work / name)) for name in ("a", "none", "none/a")] == [5, 0, 0]
    assert actor.look(str(path)).digest != "" and actor.look(str(path), False).digest == ""
    assert actor.look(str(desk.work / "none" / "a")) == actor.look(str(path / "a")) == NOTHING


@pytest.mark.parametrize("number", [errno.EACCES, errno.ELOOP, errno.EIO])
def test_what_cannot_be_looked_at_is_not_taken_for_nothing(number: int, desk: Desk) -> None:
    def refuse(path: str) -> Inner:
        raise OSError(number, os.strerror(number), path)

    actor = replace(desk.operations._actor, open_place=refuse)
    with pytest.raises(OSError) as error:
        actor.look(str(desk.work / "a"))
    assert error.value.errno == number
