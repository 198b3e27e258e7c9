"""A program that is killed at any instant while it changes and undoes leaves whole files and a true record."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import traceback
from pathlib import Path

import pytest

from metona_tk.operations.failures import CannotUndo, Conflicted
from metona_tk.protocol.changes import OperationState
from tests.fakes import changes
from tests.fakes.changes import Desk, temps

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is POSIX")

BLOCK = 4096
KINDS = ("create", "write", "append", "edit", "move", "over", "copy", "delete", "tree", "undo", "undo", "redo")


def contents(name: str, number: int) -> bytes:
    """Bytes that tell whether they are all there: a mark, and it again at the end."""
    mark = f"<{number}>".encode()
    return mark + b"x" * (number % (20 * BLOCK)) + mark


def is_whole(content: bytes) -> bool:
    """Whole contents, one or several in a row (as appending makes them)."""
    while content:
        mark = content[: content.find(b">") + 1]
        size = int(mark[1:-1]) % (20 * BLOCK)
        whole = mark + b"x" * size + mark
        if not content.startswith(whole):
            return False
        content = content[len(whole) :]
    return True


def work_on(base: Path, seed: int, ready: int) -> None:
    """Change things until killed."""
    desk, dice = Desk(base), random.Random(seed)
    desk.operations.tidy()
    os.write(ready, b"!")
    while True:
        files = [path for path in desk.work.rglob("*.txt") if path.is_file()]
        folders = [path for path in desk.work.rglob("*") if path.is_dir()] + [desk.work]
        new = dice.choice(folders) / f"{dice.randrange(10**6)}.txt"
        some = dice.choice(files) if files else None
        number = dice.randrange(10**6)
        kind = dice.choice(KINDS)
        if kind in {"undo", "redo"}:
            last = desk.operations.last(undone=kind == "redo")
            try:
                if last is not None:
                    getattr(desk.operations, kind)(last)
            except (CannotUndo, Conflicted):
                pass  # later operations have built upon it
        elif kind == "tree" and len(folders) > 4:
            desk.apply(changes.delete(folders[0]))
        elif kind == "tree":
            inner = new.with_suffix("")
            desk.apply(changes.folder(inner), changes.create(inner / "in.txt", contents("in", number)))
        elif kind == "create" or some is None:
            desk.apply(changes.create(new, contents(new.name, number)))
        elif kind in {"write", "edit"}:
            desk.apply(changes.write(some, contents(some.name, number)))
        elif kind == "append" and some.stat().st_size < 1 << 20:
            desk.apply(changes.append(some, contents(some.name, number)))
        elif kind == "move":
            desk.apply(changes.move(some, new))
        elif kind == "over" and (other := dice.choice(files)) != some:
            desk.apply(changes.move(some, other))
        elif kind == "copy":
            desk.apply(changes.copy(some, new))
        elif kind == "delete":
            desk.apply(changes.delete(some))


def kill(base: Path, seed: int, after: float) -> None:
    read, ready = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            work_on(base, seed, ready)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(ready)
    assert os.read(read, 1) == b"!"
    os.close(read)
    time.sleep(after)  # the instant is what is tested
    os.kill(child, signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL, "it ended by itself"


def check(desk: Desk) -> None:
    desk.again().tidy()
    torn = [path for path in desk.work.rglob("*.txt") if path.is_file() and not is_whole(path.read_bytes())]
    assert torn == []
    assert temps(desk.base) == []
    assert list(desk.store.glob("incoming/*")) == []
    assert desk.rows("SELECT * FROM runs WHERE state = 'intent'") == []
    assert desk.rows("SELECT * FROM operations WHERE state = 'intent'") == []


def check_all_undoable(desk: Desk) -> None:
    """Newest first everything goes back, or says why not."""
    gone_back = 0
    for (operation,) in desk.rows("SELECT id FROM operations WHERE state = 'done' ORDER BY changed DESC, number DESC"):
        try:
            desk.operations.undo(operation)
            gone_back += 1
        except CannotUndo as error:
            assert error.path
        except Conflicted as conflict:
            assert conflict.items
            desk.operations.undo(operation, conflict.digest)
            gone_back += 1
    assert gone_back
    assert not [row for row in desk.rows("SELECT state FROM operations") if row[0] == OperationState.INTENT]


def rounds(desk: Desk, kills: int, seed: int) -> None:
    dice = random.Random(seed)
    for number in range(kills):
        kill(desk.base, seed + number, dice.random() * 0.06)
        check(desk)
    check_all_undoable(desk)
    check(desk)


def test_killed_at_any_instant_everything_is_whole(desk: Desk) -> None:
    rounds(desk, 100, 1)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_killed_two_thousand_times_everything_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for part in range(20):
        monkeypatch.setenv("HOME", str(tmp_path / str(part) / "home"))
        desk = Desk(tmp_path / str(part))
        rounds(desk, 100, 1000 * part)
        desk.close()
