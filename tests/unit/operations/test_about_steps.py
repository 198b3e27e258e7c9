"""What is done about steps: their inverses, their way into the record and back, their errors, what a crash left."""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from metona_tk.operations import bins, recovery, undo
from metona_tk.operations.bins import BinEntry
from metona_tk.operations.entries import Inner
from metona_tk.operations.failures import CannotUndo, ChangedSince, Damaged, OperationFailed
from metona_tk.operations.inverse import inverse
from metona_tk.operations.running import Runner, as_failure
from metona_tk.operations.steps import Saved, Step, StepKind, from_json, to_json
from metona_tk.protocol.changes import NOTHING, FileState, NotUndoable, OperationState
from metona_tk.protocol.problems import Code
from tests.fakes import changes
from tests.fakes.changes import Desk, at_point, look, tree

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and inodes are POSIX")

FILE, OTHER = FileState("file", 1, inode=1, digest="f"), FileState("file", 2, inode=2, digest="o")
KEPT, BIN = Saved(FILE, "x", {"user.k": "dg=="}, (1, 2)), BinEntry("files", "name", "info", 1)


def did(kind: StepKind, **more: Any) -> Step:
    return Step(kind, "/a", acted=True, after=OTHER, **more)


RESTORED = Step(StepKind.RESTORE, "/a", give=KEPT)
MOVED: dict[str, Any] = {"source": "/s", "source_before": FILE, "contents": "c"}
BACK = Step(StepKind.MOVE, "/s", NOTHING, "/a", OTHER, contents="c")
TURNED: list[tuple[Step, list[Step]]] = [
    (did(StepKind.CREATE), [Step(StepKind.DELETE, "/a", OTHER)]),
    (did(StepKind.COPY), [Step(StepKind.DELETE, "/a", OTHER)]),
    (did(StepKind.LINK), [Step(StepKind.DELETE, "/a", OTHER)]),
    (did(StepKind.RESTORE, contents="c"), [Step(StepKind.DELETE, "/a", OTHER, contents="c")]),
    (did(StepKind.WRITE, before=FILE, saved=KEPT), [Step(StepKind.WRITE, "/a", OTHER, give=KEPT)]),
    (did(StepKind.COPY, before=FILE, saved=KEPT), [Step(StepKind.WRITE, "/a", OTHER, give=KEPT)]),
    (did(StepKind.DELETE, before=FILE, saved=KEPT), [RESTORED]),
    (did(StepKind.DELETE, before=FILE, saved=KEPT, bin=BIN), [replace(RESTORED, bin=BIN)]),
    (did(StepKind.MOVE, **MOVED), [BACK]),
    (did(StepKind.MOVE, before=FILE, saved=KEPT, **MOVED), [BACK, RESTORED]),
    (did(StepKind.FOLDER), [Step(StepKind.REMOVE_FOLDER, "/a", replace(OTHER, digest=""))]),
    (did(StepKind.REMOVE_FOLDER, before=FILE, saved=KEPT), [Step(StepKind.FOLDER, "/a", give=KEPT)]),
    (Step(StepKind.CREATE, "/a", after=OTHER), []),
]


def test_each_step_has_its_inverse() -> None:
    for step, back in TURNED:
        assert inverse([step]) == back, step


@pytest.mark.parametrize(("beside", "may_fail"), [(StepKind.CREATE, True), (StepKind.FOLDER, False), (None, False)])
def test_a_folder_that_was_made_for_something_may_stay(beside: StepKind | None, may_fail: bool) -> None:
    steps = [did(StepKind.FOLDER), *([replace(did(beside), path="/a/b")] if beside else [])]
    turned = inverse([*steps, Step(StepKind.MOVE, "/x")])
    assert [step.path for step in turned] == [step.path for step in reversed(steps)]
    assert turned[-1].may_fail is may_fail


def test_the_record_gives_steps_back_as_they_were() -> None:
    steps = [step for pair in TURNED for step in (pair[0], *pair[1])]
    steps += [Step(StepKind.WRITE, "/\udcff", keep=3, wanted="w", temp="t", may_fail=True, exact=True)]
    assert from_json(to_json(steps)) == steps
    assert from_json(to_json([Step(StepKind.CREATE, "/a", content=b"secret")])) == [Step(StepKind.CREATE, "/a")]
    plain = Step(StepKind.CREATE, "/a")
    assert (plain.may_fail, plain.exact, plain.acted, plain.keep) == (False, False, False, 0)
    assert [Step(StepKind.WRITE, "/a", saved=a, give=b).objects() for a, b in ((KEPT, None), (None, KEPT))] == [
        ["x"]
    ] * 2
    assert Step(StepKind.WRITE, "/a", saved=Saved(FILE), give=None).objects() == []


# --- errors ----------------------------------------------------------------------------------------------------------


class Failing:
    """An actor that fails as told."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def act(self, step: Step) -> Step:
        raise self.error


@pytest.mark.parametrize("may_fail", [False, True])
@pytest.mark.parametrize("number", [errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT, errno.EACCES, errno.EIO])
def test_only_what_may_fail_is_left_out(number: int, may_fail: bool) -> None:
    actor: Any = Failing(OSError(number, "no"))
    step = Step(StepKind.REMOVE_FOLDER, "/a", may_fail=may_fail, content=b"x")
    runner = Runner(SimpleNamespace(), actor)  # type: ignore[arg-type]
    if may_fail and number in {errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT}:
        assert runner._acted(step) == replace(step, content=b"")
        return
    with pytest.raises(OSError) as error:
        runner._acted(step)
    assert error.value.errno == number


BEFORE_IT = [errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EEXIST, errno.ENOTEMPTY, errno.EACCES, errno.EROFS]


@pytest.mark.parametrize("number", [*BEFORE_IT, errno.EIO, errno.ENOSPC, None])
@pytest.mark.parametrize("done", [False, True])
def test_an_error_behind_the_deed_is_told_from_one_before(number: int | None, done: bool, desk: Desk) -> None:
    path = desk.work / "f"
    if done:
        path.mkdir()
    runner = Runner(desk.operations._journal, desk.operations._actor)
    error = ChangedSince(str(path)) if number is None else OSError(number, "no")
    left = runner._done_all_the_same(Step(StepKind.FOLDER, str(path), content=b"x"), error)
    late = done and number in {errno.EIO, errno.ENOSPC}
    assert [(step.acted, step.content, step.after) for step in left] == ([(True, b"", look(path))] if late else [])


def test_trouble_is_told_in_the_words_of_callers() -> None:
    damaged, full = as_failure(Damaged("x"), "/a"), as_failure(OSError(errno.ENOSPC, "full"), "/a")
    assert isinstance(damaged, OperationFailed) and isinstance(full, OperationFailed)
    assert (damaged.code, damaged.reason) == (Code.IO_ERROR, "what was stored is damaged")
    assert full.reason == "the disk is full"
    for error in (ChangedSince("/b"), OperationFailed(Code.EXISTS, "/b", "there")):
        assert as_failure(error, "/a") is error


REASONS = {
    Code.IN_USE: NotUndoable.BUSY,
    Code.CHANGED_SINCE_APPROVAL: NotUndoable.PLACE_GONE,
    Code.NOT_RECOVERABLE: NotUndoable.TOO_LARGE,
    Code.NOT_EMPTY: NotUndoable.NOT_EMPTY,
    Code.IO_ERROR: NotUndoable.NO_ROOM,
    Code.EXISTS: NotUndoable.NO_ROOM,
}


@pytest.mark.parametrize("code", REASONS)
def test_each_failure_of_an_undo_has_its_reason(code: Code) -> None:
    assert undo._reason(OperationFailed(code, "/a", "")) is REASONS[code]


SAVED = {
    "nothing": (None, True),
    "bytes": (KEPT, True),
    "no bytes": (Saved(FILE), False),
    "a link": (Saved(FileState("symlink", target="x")), True),
    "a folder": (Saved(FileState("directory")), False),
}


@pytest.mark.parametrize("what", SAVED)
def test_what_is_kept_somewhere_can_return(what: str) -> None:
    saved, kept = SAVED[what]
    assert undo._can_return(Step(StepKind.DELETE, "/a", saved=saved)) is kept
    assert undo._can_return(Step(StepKind.DELETE, "/a", saved=saved, bin=BIN))


# --- a run that fails ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", ["do", "undo", "redo"])
def test_a_run_that_fails_leaves_the_operation_in_its_state(direction: str, desk: Desk) -> None:
    path = desk.work / "a"
    path.write_bytes(b"old")
    made = changes.write(path, b"new")
    operation = "" if direction == "do" else desk.apply(made).operation_id
    if direction == "redo":
        desk.operations.undo(operation)
    desk.operations.last()  # opens the record
    before, kept = tree(desk.work), desk.rows("SELECT digest, run FROM objects")
    with at_point("synced", OSError(errno.EIO, "io")), pytest.raises((OperationFailed, CannotUndo)):
        desk.apply(made) if direction == "do" else getattr(desk.operations, direction)(operation)
    assert tree(desk.work) == before
    assert desk.rows("SELECT digest, run FROM objects") == kept
    assert desk.rows("SELECT direction, state, steps FROM runs ORDER BY number DESC LIMIT 1") == [
        (direction, "failed", "[]")
    ]
    ((state,),) = desk.rows("SELECT state FROM operations")
    assert state == {"do": "failed", "undo": "done", "redo": "undone"}[direction]
    if direction == "do":
        assert (desk.operations.last(), desk.operations.last(undone=True)) == (None, None)
        return
    known = desk.operations.info(operation)
    assert (known.state.value, known.blocked) == (state, None)
    assert desk.operations.undone() == ({operation} if direction == "redo" else set())
    assert getattr(desk.operations, direction)(operation).state is (
        OperationState.UNDONE if direction == "undo" else OperationState.DONE
    )
    assert path.read_bytes() == (b"old" if direction == "undo" else b"new")


# --- what a crash left -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [StepKind.WRITE, StepKind.COPY, StepKind.CREATE, StepKind.RESTORE])
@pytest.mark.parametrize("before", [FILE, NOTHING])
@pytest.mark.parametrize("digest", ["f", "w", "someone"])
@pytest.mark.parametrize("found", ["file", "directory"])
def test_only_a_swapped_file_of_somebody_else_is_foreign(
    kind: StepKind, before: FileState, digest: str, found: str
) -> None:
    step = Step(kind, "/a", before, wanted="w")
    temp = FileState("file" if found == "file" else "directory", digest=digest)
    swapped = kind in {StepKind.WRITE, StepKind.COPY} and before is FILE
    foreign = swapped and found == "file" and digest == "someone"
    assert recovery._is_foreign(temp, step) is foreign


@pytest.mark.parametrize(
    ("change", "same"),
    [({}, True), ({"inode": 9}, False), ({"device": 9}, False), ({"digest": "x"}, False), ({"modified_ns": 9}, True)],
)
def test_what_was_set_apart_is_known_by_inode_and_bytes(change: dict[str, Any], same: bool) -> None:
    assert recovery._is_it(replace(FILE, **change), FILE) is same


@pytest.mark.parametrize("kind", [StepKind.MOVE, StepKind.DELETE, StepKind.WRITE])
@pytest.mark.parametrize("meant", [True, False])
def test_what_was_set_apart_by_mistake_gets_its_name_back(kind: StepKind, meant: bool, desk: Desk) -> None:
    temp, source = desk.work / ".metona-1.tmp", desk.out / "s"
    temp.write_bytes(b"apart")
    before = look(temp) if meant else replace(look(temp), inode=1)
    step = Step(kind, str(desk.work / "a"), before, str(source) if kind is StepKind.MOVE else "", temp=temp.name)
    recovery._tidy(desk.operations._actor, step)
    assert not temp.exists()
    back = source if kind is StepKind.MOVE else desk.work / "a"
    assert back.exists() is (not meant and kind is not StepKind.WRITE)
    recovery._tidy(desk.operations._actor, replace(step, path=str(desk.work / "none" / "a")))


# --- the bin ---------------------------------------------------------------------------------------------------------


def test_only_the_very_thing_is_in_the_bin(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    inode = (tmp_path / "a").stat().st_ino
    known = BinEntry(str(tmp_path), "a", "", inode)
    assert bins.is_there(known)
    for other in (replace(known, inode=inode + 1), replace(known, name="b"), replace(known, files=""), BinEntry()):
        assert not bins.is_there(other)
    folder = Inner(str(tmp_path), os.open(tmp_path, os.O_RDONLY))
    try:
        for other in (replace(known, inode=inode + 1), replace(known, name="b"), BinEntry("", "a", "", inode)):
            with pytest.raises(FileNotFoundError):
                bins.restore(other, folder, "back")
        bins.restore(known, folder, "back")
    finally:
        folder.close()
    assert os.listdir(tmp_path) == ["back"]


@pytest.mark.skipif(not os.path.ismount("/dev/shm"), reason="no disk that is only memory")
@pytest.mark.parametrize(("path", "memory"), [("/dev/shm/a/b", True), ("/dev/shm", True), ("/proc", False)])
def test_a_disk_that_is_only_memory_is_known(path: str, memory: bool) -> None:
    assert bins._is_temporary(path) is memory


@pytest.mark.parametrize(
    ("files", "shown"),
    [("{home}/files", "/m/d/a%20b"), ("/m/.Trash-7/files", "d/a%20b"), ("/m/.Trash/7/files", "d/a%20b")],
)
def test_a_record_tells_the_place_as_its_bin_has_it(files: str, shown: str, desk: Desk) -> None:
    text = bins._record("/m/d/a b", files.format(home=bins.home_bin()))
    assert text.splitlines()[:2] == ["[Trash Info]", f"Path={shown}"]
    assert text.splitlines()[2].startswith("DeletionDate=20") and text.endswith("\n")
