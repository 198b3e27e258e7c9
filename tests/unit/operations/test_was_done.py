"""Whether a step was done, told from the disk alone: every kind of step on everything that can be at its place."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from metona_tk.operations.looking import all_looked_at, looked_at
from metona_tk.operations.steps import Saved, Step, StepKind
from metona_tk.protocol.changes import NOTHING, FileState
from tests.fakes.changes import Desk, look

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and inodes are POSIX")
WHEN = 10**18


def put(path: Path, content: bytes = b"old", when: int = WHEN) -> FileState:
    path.write_bytes(content)
    os.utime(path, ns=(when, when))
    return look(path)


def digest(content: bytes) -> str:
    import hashlib

    return hashlib.sha256(content).hexdigest()


def nothing(path: Path) -> None:
    """Nobody has done anything."""


def gone(path: Path) -> None:
    path.unlink()


def anew(path: Path, content: bytes = b"old") -> None:
    """Another file with these bytes; the old one keeps its inode elsewhere."""
    path.rename(path.with_name("set apart"))
    put(path, content)


def other(path: Path) -> None:
    anew(path, b"other")


def wanted(path: Path) -> None:
    anew(path, b"new")


def in_place(path: Path) -> None:
    put(path, b"other", WHEN + 1)


def folder(path: Path) -> None:
    path.rename(path.with_name("set apart"))
    path.mkdir()


def link(path: Path) -> None:
    path.rename(path.with_name("set apart"))
    path.symlink_to("there")


def wrong_link(path: Path) -> None:
    path.rename(path.with_name("set apart"))
    path.symlink_to("elsewhere")


ACTS = [nothing, gone, anew, other, wanted, in_place, folder, link, wrong_link]
# the step on a file `old` that was there, and after which acts it counts as done
DONE: dict[str, tuple[Callable[[str, FileState], Step], set[Callable[[Path], None]]]] = {
    "delete": (
        lambda path, before: Step(StepKind.DELETE, path, before),
        {gone, anew, other, wanted, folder, link, wrong_link},
    ),
    "write": (lambda path, before: Step(StepKind.WRITE, path, before, wanted=digest(b"new")), {wanted, other}),
    "copy": (lambda path, before: Step(StepKind.COPY, path, before, wanted=digest(b"new")), {wanted, other}),
    "create": (lambda path, _: Step(StepKind.CREATE, path, wanted=digest(b"new")), {wanted}),
    "write of bytes that are not known": (
        lambda path, before: Step(StepKind.WRITE, path, before),
        {anew, other, wanted, in_place},
    ),
    "link": (lambda path, _: Step(StepKind.LINK, path, source_before=FileState("symlink", target="there")), {link}),
    "folder": (lambda path, _: Step(StepKind.FOLDER, path), {folder}),
    "remove a folder": (lambda path, before: Step(StepKind.REMOVE_FOLDER, path, before), {gone}),
    "restore": (lambda path, before: Step(StepKind.RESTORE, path, give=Saved(before)), {nothing, anew}),
    "restore a folder": (
        lambda path, _: Step(StepKind.RESTORE, path, give=Saved(FileState("directory", mode=0o111))),
        {folder},
    ),
    "restore a link": (
        lambda path, _: Step(StepKind.RESTORE, path, give=Saved(FileState("symlink", target="there"))),
        {link},
    ),
    "restore nothing": (lambda path, _: Step(StepKind.RESTORE, path), set()),
    "move": (
        lambda path, before: Step(StepKind.MOVE, path, source="/none/a", source_before=before),
        {nothing, in_place},
    ),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("kind", DONE)
def test_what_is_there_tells_whether_it_was_done(kind: str, act: Callable[[Path], None], desk: Desk) -> None:
    path = desk.work / "a"
    step, acts = DONE[kind]
    made = replace(step(str(path), put(path)), after=FileState("other", 77))
    act(path)
    seen = looked_at(desk.operations._actor, made)
    assert seen.acted is (act in acts)
    if not seen.acted:
        assert seen == made
    elif made.wanted and path.is_file():
        assert seen.after == replace(look(path), digest=made.wanted)
    else:
        assert seen.after == look(path)


@pytest.mark.parametrize("kept", ["bytes", "no bytes", "nothing"])
@pytest.mark.parametrize("before", ["as it was", "edited", "new"])
def test_what_was_replaced_goes_only_when_it_is_kept_and_untouched(kept: str, before: str, desk: Desk) -> None:
    """The program died between the swap of two files and the removal of the replaced one."""
    source, path = desk.work / "s", desk.work / "a"
    old, mine = put(source, b"old"), put(path, b"mine")  # swapped
    saved = {"bytes": Saved(old, digest(b"old")), "no bytes": Saved(old), "nothing": None}[kept]
    step = Step(StepKind.MOVE, str(path), old, str(source), mine, saved=saved)
    if before == "edited":
        put(source, b"OLD")
    if before == "new":
        step = replace(step, before=NOTHING)
    assert looked_at(desk.operations._actor, step).acted
    assert source.exists() is not (kept == "bytes" and before == "as it was")
    assert path.read_bytes() == b"mine"


def test_what_was_not_moved_leaves_the_source_alone(desk: Desk) -> None:
    source, path = desk.work / "s", desk.work / "a"
    mine, old = put(source, b"mine"), put(path, b"old")
    step = Step(StepKind.MOVE, str(path), old, str(source), mine, saved=Saved(old, digest(b"old")))
    assert looked_at(desk.operations._actor, step) == step
    assert (source.read_bytes(), path.read_bytes()) == (b"mine", b"old")
    lost = replace(step, source=str(desk.work / "none" / "s"), source_before=old, before=mine)
    assert looked_at(desk.operations._actor, lost).acted


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("kind", [StepKind.MOVE, StepKind.DELETE, StepKind.REMOVE_FOLDER])
def test_a_place_that_was_not_left_has_nothing_of_a_later_step(kind: StepKind, first: bool, desk: Desk) -> None:
    place, target = desk.work / "a", desk.work / "b"
    place.mkdir()
    before = look(place)
    if kind is StepKind.MOVE:
        leaving = Step(kind, str(target), source=str(place), source_before=before)
    else:
        leaving = Step(kind, str(place), before)
    if first:
        place.rename(target)
        place.mkdir() if kind is not StepKind.REMOVE_FOLDER else None
    then = Step(StepKind.FOLDER, str(place))
    free = Step(StepKind.FOLDER, str(desk.work))
    seen = all_looked_at(desk.operations._actor, [leaving, then, free])
    there = first and kind is not StepKind.REMOVE_FOLDER
    assert [step.acted for step in seen] == [first, there, True]


def test_a_step_that_leaves_nothing_hides_no_later_one(desk: Desk) -> None:
    place = desk.work / "a"
    place.mkdir()
    steps = [Step(StepKind.CREATE, str(place), wanted="x"), Step(StepKind.FOLDER, str(place))]
    assert [step.acted for step in all_looked_at(desk.operations._actor, steps)] == [False, True]
