"""A plan is carried out on what it was made for and on nothing else; what is not as it says stays as it is."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from metona_tk.operations import bins, entries
from metona_tk.operations.failures import ChangedSince, OperationFailed
from metona_tk.operations.room import Limits
from metona_tk.protocol.changes import NOTHING, Change, ChangeKind, FileState
from metona_tk.protocol.problems import Code
from tests.fakes import changes
from tests.fakes.changes import Desk, at_point, look, temps, tree

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links are POSIX")
WHEN = 10**18


def put(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    os.utime(path, ns=(WHEN, WHEN))


def plant(work: Path) -> None:
    for name in ("a.txt", "b.txt"):
        put(work / name, f"old {name}".encode())
    (work / "f" / "deep").mkdir(parents=True)
    put(work / "f" / "deep" / "in.txt", b"in")
    (work / "link").symlink_to("a.txt")


def unhashed(plan: Change) -> Change:
    """As a plan has things whose bytes were not looked at."""
    return Change(
        plan.kind,
        plan.path,
        look(plan.path, False),
        plan.content,
        plan.keep,
        plan.source,
        look(plan.source, False) if plan.source else NOTHING,
    )


PLANS: dict[str, Callable[[Path], Change]] = {
    "write": lambda work: changes.write(work / "a.txt", b"new"),
    "append": lambda work: changes.append(work / "a.txt", b"new"),
    "delete": lambda work: changes.delete(work / "a.txt"),
    "move": lambda work: changes.move(work / "a.txt", work / "c.txt"),
    "move over": lambda work: changes.move(work / "b.txt", work / "a.txt"),
    "copy": lambda work: changes.copy(work / "a.txt", work / "c.txt"),
    "copy over": lambda work: changes.copy(work / "b.txt", work / "a.txt"),
}


def other_bytes(path: Path) -> None:
    put(path, b"new a.txt")


def another_file(path: Path) -> None:
    """The same bytes in another file."""
    put(path.with_name("other"), path.read_bytes())
    os.replace(path.with_name("other"), path)


def no_file(path: Path) -> None:
    path.unlink()


def a_link(path: Path) -> None:
    path.rename(path.with_name("real.txt"))
    path.symlink_to("real.txt")


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


SPOILT = [other_bytes, another_file, no_file, a_link, a_folder]


def refused(desk: Desk, *plan: Change) -> Exception:
    """Nothing is done, and nothing is left behind."""
    before = tree(desk.work)
    with pytest.raises((ChangedSince, OperationFailed)) as refusal:
        desk.apply(*plan)
    assert tree(desk.work) == before
    assert temps(desk.base) == []
    assert list(desk.bin.glob("files/*")) == []
    assert desk.operations.last() is None
    return refusal.value


@pytest.mark.parametrize("hashed", [True, False])
@pytest.mark.parametrize("limit", [1000, 1])
@pytest.mark.parametrize("spoil", SPOILT)
@pytest.mark.parametrize("kind", PLANS)
def test_a_file_that_is_another_by_now_is_left_alone(
    kind: str, spoil: Callable[[Path], None], limit: int, hashed: bool, desk: Desk
) -> None:
    desk.limits = Limits(operation=limit)
    desk.again()
    plant(desk.work)
    plan = PLANS[kind](desk.work) if hashed else unhashed(PLANS[kind](desk.work))
    spoil(desk.work / "a.txt")
    refused(desk, plan)


@pytest.mark.parametrize("kind", PLANS)
def test_a_file_that_is_as_it_was_is_changed(kind: str, desk: Desk) -> None:
    plant(desk.work)
    start = tree(desk.work)
    operation = desk.apply(unhashed(PLANS[kind](desk.work))).operation_id
    assert tree(desk.work) != start
    desk.operations.undo(operation)
    assert tree(desk.work) == start


@pytest.mark.parametrize("limit", [1000, 1])
@pytest.mark.parametrize(
    "spoil",
    [
        lambda work: (work / "f" / "deep" / "new.txt").touch(),
        lambda work: (work / "f" / "deep" / "in.txt").unlink(),
        lambda work: another_file(work / "f" / "deep" / "in.txt"),
        lambda work: put(work / "f" / "deep" / "in.txt", b"in and more"),
    ],
)
def test_a_folder_in_which_something_has_changed_stays(spoil: Callable[[Path], None], limit: int, desk: Desk) -> None:
    desk.limits = Limits(operation=limit)
    desk.again()
    plant(desk.work)
    plan = changes.delete(desk.work / "f")
    spoil(desk.work)
    assert isinstance(refused(desk, plan), ChangedSince)


def test_a_link_that_leads_elsewhere_by_now_stays(desk: Desk) -> None:
    plant(desk.work)
    plan = changes.delete(desk.work / "link")
    (desk.work / "link").unlink()
    (desk.work / "link").symlink_to("b.txt")
    assert isinstance(refused(desk, plan), ChangedSince)


@pytest.mark.parametrize("stand", [lambda at: put(at, b"theirs"), Path.mkdir, lambda at: at.symlink_to("a.txt")])
@pytest.mark.parametrize(
    "plan",
    [
        lambda work: changes.create(work / "c.txt", b"new"),
        lambda work: changes.folder(work / "c.txt"),
        lambda work: changes.move(work / "a.txt", work / "c.txt"),
        lambda work: changes.move(work / "f", work / "c.txt"),
        lambda work: changes.copy(work / "a.txt", work / "c.txt"),
    ],
)
def test_what_came_to_a_place_that_was_free_stays(
    plan: Callable[[Path], Change], stand: Callable[[Path], None], desk: Desk
) -> None:
    plant(desk.work)
    planned = plan(desk.work)
    stand(desk.work / "c.txt")
    refused(desk, planned)


@pytest.mark.parametrize("there", ["f", "link"])
@pytest.mark.parametrize("kind", [ChangeKind.WRITE, ChangeKind.MOVE, ChangeKind.COPY])
def test_only_a_file_is_replaced(kind: ChangeKind, there: str, desk: Desk) -> None:
    plant(desk.work)
    source = "" if kind is ChangeKind.WRITE else str(desk.work / "b.txt")
    at = str(desk.work / there)
    before: FileState = look(at)
    error = refused(desk, Change(kind, at, before, b"new", 0, source, look(source) if source else NOTHING))
    assert isinstance(error, OperationFailed) and error.code is Code.EXISTS


@pytest.mark.parametrize("keep", [1, 2, 5, 9])
def test_so_many_bytes_are_kept_as_the_plan_says(keep: int, desk: Desk) -> None:
    path = desk.work / "a.txt"
    path.write_bytes(b"old bytes")
    done = desk.apply(Change(ChangeKind.WRITE, str(path), look(path), b"+new", keep))
    assert path.read_bytes() == b"old bytes"[:keep] + b"+new"
    assert done.states[0].digest == look(path).digest
    desk.operations.undo(done.operation_id)
    assert path.read_bytes() == b"old bytes"


def test_a_place_that_an_earlier_change_frees_is_free(desk: Desk) -> None:
    plant(desk.work)
    start = tree(desk.work)
    plan = [
        changes.delete(desk.work / "a.txt"),
        changes.create(desk.work / "a.txt", b"new"),
        changes.move(desk.work / "f", desk.work / "g"),
        changes.folder(desk.work / "f"),
    ]
    operation = desk.apply(*plan).operation_id
    assert (desk.work / "a.txt").read_bytes() == b"new"
    done = tree(desk.work)
    desk.operations.undo(operation)
    assert tree(desk.work) == start
    desk.operations.redo(operation)
    assert tree(desk.work) == done


def test_what_is_told_of_a_change_is_what_is_there(desk: Desk) -> None:
    plant(desk.work)
    work = desk.work
    done = desk.apply(
        changes.write(work / "a.txt", b"new"),
        changes.copy(work / "b.txt", work / "c.txt"),
        changes.move(work / "link", work / "moved"),
        changes.delete(work / "f"),
        changes.folder(work / "g"),
        changes.create(work / "g" / "n.txt", b"n"),
    )
    names = ("a.txt", "c.txt", "moved", "f", "g", "g/n.txt")
    for name, state in zip(names, done.states, strict=True):
        there = look(work / name) if name != "g" else look(work / name, False)
        assert (state.kind, state.inode, state.size) == (there.kind, there.inode, there.size), name
        assert state.digest == there.digest or there.kind != "file", name
    assert (done.recoverable, done.in_bin) == (True, True)
    assert not desk.apply(changes.create(work / "only.txt", b"new")).in_bin


@pytest.mark.parametrize("kind", ["write", "append", "copy over"])
def test_what_is_seen_to_be_another_is_not_touched_for_an_instant(
    kind: str, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(desk.work)
    plan = PLANS[kind](desk.work)
    swapped: list[str] = []
    monkeypatch.setattr(entries, "exchange", lambda *given: swapped.append(given[1]) or True)
    with at_point("synced", action=lambda: another_file(desk.work / "a.txt")), pytest.raises(ChangedSince):
        desk.apply(plan)
    assert swapped == []
    assert (desk.work / "a.txt").read_bytes() == b"old a.txt"


@pytest.mark.parametrize("spoil", [another_file, other_bytes, a_link, a_folder])
def test_what_goes_for_good_is_what_was_meant(
    spoil: Callable[[Path], None], desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> bins.BinEntry:
        raise bins.NoBin("here")

    monkeypatch.setattr(bins, "trash", none)
    plant(desk.work)
    plan = changes.delete(desk.work / "a.txt")
    there: list[object] = []

    def act() -> None:
        spoil(desk.work / "a.txt")
        there.append(tree(desk.work))

    with at_point("journalled", action=act), pytest.raises((ChangedSince, OperationFailed)):
        desk.apply(plan)
    assert [tree(desk.work)] == there
    assert temps(desk.base) == []


@pytest.mark.parametrize("stored", [True, False])
def test_a_file_that_is_rewritten_after_the_last_look_is_not_lost(stored: bool, desk: Desk) -> None:
    """Its inode, size and time are the same."""
    desk.limits = Limits(operation=1000 if stored else 1)
    desk.again()
    plant(desk.work)
    plan, names = changes.write(desk.work / "a.txt", b"new"), set(tree(desk.work))
    with at_point("synced", action=lambda: other_bytes(desk.work / "a.txt")), pytest.raises(ChangedSince):
        desk.apply(plan)
    assert (desk.work / "a.txt").read_bytes() == b"new a.txt"
    assert set(tree(desk.work)) == names  # nothing of ours is left beside it
    assert temps(desk.base) == []


@pytest.mark.parametrize("spoil", [another_file, other_bytes])
@pytest.mark.parametrize("kind", ["move", "move over"])
def test_another_source_in_the_last_instant_stays_where_it_is(
    kind: str, spoil: Callable[[Path], None], desk: Desk
) -> None:
    plant(desk.work)
    source = desk.work / ("a.txt" if kind == "move" else "b.txt")
    plan = PLANS[kind](desk.work)
    theirs = source.with_name("theirs")
    put(theirs, b"theirs")

    def act() -> None:
        os.replace(theirs, source)
        if spoil is other_bytes:
            put(source, b"new bytes")

    with at_point("journalled", action=act), pytest.raises(ChangedSince):
        desk.apply(plan)
    assert source.read_bytes() == (b"theirs" if spoil is another_file else b"new bytes")
    assert (desk.work / "a.txt").read_bytes() == (source.read_bytes() if kind == "move" else b"old a.txt")
    assert not (desk.work / "c.txt").exists()
    assert temps(desk.base) == []
