"""While folders, files and links are swapped under a change, nothing outside changes and no other file is lost."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from metona_tk.operations import bins, failpoints
from metona_tk.operations.entries import OpenFolder
from metona_tk.operations.failures import CannotUndo, ChangedSince, Conflicted, OperationFailed
from metona_tk.protocol.changes import Change
from tests.fakes import changes
from tests.fakes.changes import Desk, temps, tree

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="race promises are shown on Linux")
SOAK = bool(os.environ.get("METONA_TK_SOAK"))
SWAPS = 100_000 if SOAK else 500
SECONDS = 600 if SOAK else 0.45
TIMEOUT = pytest.mark.timeout(1200)


class Swapper:
    """A thread that exchanges two names as fast as it can, between `start` and `stop`."""

    def __init__(self, one: Path, two: Path) -> None:
        self._names = os.fsencode(one), os.fsencode(two)
        self._exchange = ctypes.CDLL(None, use_errno=True).renameat2
        self._go, self._rests, self._ends = threading.Event(), threading.Event(), False
        self.count = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def swap(self) -> None:
        self.count += self._exchange(-100, self._names[0], -100, self._names[1], 2) == 0

    def _run(self) -> None:
        while not self._ends:
            if self._go.is_set():
                self.swap()
            else:
                self._rests.set()
                if self._go.wait(0.02):  # a start and a stop may both have come before this: then it rests once more
                    self._rests.clear()

    def start(self) -> None:
        self._rests.clear()
        self._go.set()

    def stop(self) -> None:
        self._go.clear()
        self._rests.wait()

    def end(self) -> None:
        self._ends = True
        self._go.set()
        self._thread.join()


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    made = Desk(tmp_path)
    (made.out / "deep").mkdir()
    (made.out / "a.txt").write_bytes(b"outside")
    (made.out / "b.txt").write_bytes(b"outside too")
    (made.out / "deep" / "in.txt").write_bytes(b"outside in deep")
    yield made
    made.close()


@contextlib.contextmanager
def quickly_switching() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def fresh(folder: Path) -> None:
    """What every try finds in the folder."""
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    (folder / "deep").mkdir()
    (folder / "a.txt").write_bytes(b"mine")
    (folder / "b.txt").write_bytes(b"mine too")
    (folder / "deep" / "in.txt").write_bytes(b"mine in deep")


KINDS: dict[str, Callable[[Path], list[Change]]] = {
    "create": lambda at: [changes.create(at / "new.txt", b"new")],
    "write": lambda at: [changes.write(at / "a.txt", b"new")],
    "append": lambda at: [changes.append(at / "a.txt", b"new")],
    "folder": lambda at: [changes.folder(at / "new"), changes.create(at / "new" / "n.txt", b"new")],
    "move": lambda at: [changes.move(at / "a.txt", at / "c.txt")],
    "move over": lambda at: [changes.move(at / "a.txt", at / "b.txt")],
    "copy": lambda at: [changes.copy(at / "a.txt", at / "c.txt")],
    "copy over": lambda at: [changes.copy(at / "a.txt", at / "b.txt")],
    "delete": lambda at: [changes.delete(at / "a.txt")],
    "delete a tree": lambda at: [changes.delete(at / "deep")],
}


def attempt(desk: Desk, plan: list[Change]) -> bool:
    """Whether it was done; undone again at once, where that can be."""
    try:
        done = desk.apply(*plan)
    except (ChangedSince, OperationFailed):
        return False
    with contextlib.suppress(CannotUndo, Conflicted):
        desk.operations.undo(done.operation_id)
    return True


@TIMEOUT
@pytest.mark.parametrize("kind", KINDS)
def test_a_swapped_folder_leads_nothing_outside(kind: str, desk: Desk) -> None:
    folder, link = desk.work / "folder", desk.work / "link"
    folder.mkdir()
    link.symlink_to(desk.out)
    outside = tree(desk.out)
    swapper, done, tries, end = Swapper(folder, link), 0, 0, time.monotonic() + SECONDS
    with quickly_switching():
        while swapper.count < SWAPS or time.monotonic() < end:
            if folder.is_symlink():
                swapper.swap()
            fresh(folder)
            plan = KINDS[kind](folder)
            swapper.start()
            done += attempt(desk, plan)
            swapper.stop()
            tries += 1
            assert tree(desk.out) == outside
            if time.monotonic() > end and not SOAK:
                break
    swapper.end()
    desk.again().tidy()
    assert tree(desk.out) == outside
    assert swapper.count > tries
    print(kind, "swaps", swapper.count, "tries", tries, "done", done)


@TIMEOUT
@pytest.mark.parametrize("kind", ["write", "append", "move", "move over", "copy over", "delete"])
@pytest.mark.parametrize("swapped", ["a.txt", "b.txt"])
def test_a_file_put_in_the_place_of_another_is_never_lost(kind: str, swapped: str, desk: Desk) -> None:
    folder = desk.work / "folder"
    folder.mkdir()
    other = folder / "theirs.txt"
    swapper, done, tries, end = Swapper(folder / swapped, other), 0, 0, time.monotonic() + SECONDS
    with quickly_switching():
        while swapper.count < SWAPS or time.monotonic() < end:
            fresh(folder)
            other.write_bytes(b"theirs")
            plan = KINDS[kind](folder)
            swapper.start()
            done += attempt(desk, plan)
            swapper.stop()
            tries += 1
            assert b"theirs" in [path.read_bytes() for path in folder.glob("*.txt")]
            assert b"theirs" not in [path.read_bytes() for path in desk.bin.glob("files/*") if path.is_file()]
            assert temps(folder) == []
            if time.monotonic() > end and not SOAK:
                break
    swapper.end()
    print(kind, "swaps", swapper.count, "tries", tries, "done", done)


@pytest.mark.parametrize("mode", [0o644, 0o444], ids=["by the library", "by ourselves"])
@pytest.mark.parametrize("stands", [False, True], ids=["its name is free", "its name is taken"])
def test_what_the_bin_took_by_mistake_comes_back(
    mode: int, stands: bool, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = desk.work / "a.txt", desk.work / "theirs.txt"
    path.write_bytes(b"mine")
    path.chmod(mode)
    other.write_bytes(b"theirs")
    plan, looked = changes.delete(path), bins._may_be_written

    def swapped(folder: OpenFolder, name: str) -> bool:
        found = looked(folder, name) and mode & 0o200 != 0
        os.replace(path, desk.work / "aside.txt")
        os.replace(other, path)
        return found

    def taken(point: str) -> None:
        if stands and point == "binned":
            path.write_bytes(b"theirs, too")

    monkeypatch.setattr(bins, "_may_be_written", swapped)
    failpoints.set_hook(taken)
    try:
        with pytest.raises(ChangedSince):
            desk.apply(plan)
    finally:
        failpoints.set_hook(None)
    left = {each.read_bytes() for each in desk.work.iterdir()}
    assert left >= {b"mine", b"theirs"}
    assert list(desk.bin.glob("files/*")) == []
    assert list(desk.bin.glob("info/*")) == []
