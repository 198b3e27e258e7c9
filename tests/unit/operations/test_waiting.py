"""What is taken away is on the disk before anything is touched, though it goes there while the journal is written."""

from __future__ import annotations

import errno
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from metona_tk.operations.failures import OperationFailed
from metona_tk.operations.journal import Journal
from metona_tk.protocol.problems import Code, ProblemCode, ProblemError
from tests.fakes import changes
from tests.fakes.changes import Desk, at_point, temps

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc for what is synced")


def watch(monkeypatch: pytest.MonkeyPatch, seen: Callable[[str], None]) -> None:
    """Tell `seen` the path of what is about to be synced."""
    real = os.fsync

    def fsync(fd: int) -> None:
        seen(os.readlink(f"/proc/self/fd/{fd}"))
        real(fd)

    monkeypatch.setattr(os, "fsync", fsync)


def plan(desk: Desk) -> Path:
    path = desk.work / "a.txt"
    path.write_bytes(b"what was there")
    return path


def test_old_bytes_and_their_folder_are_on_the_disk_before_the_first_step(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced, before = plan(desk), list[str](), list[str]()
    watch(monkeypatch, synced.append)
    with at_point("journalled", action=lambda: before.extend(synced)):
        desk.apply(changes.write(path, b"what comes"))
    kept = [name for name in before if "/objects/" in name]
    files = [name for name in kept if Path(name).is_file()]
    assert len(files) == 1 and Path(files[0]).read_bytes() == b"what was there"
    assert str(Path(files[0]).parent) in kept


@pytest.mark.parametrize("kind", ["write", "delete", "move"])
def test_a_disk_that_refuses_the_old_bytes_leaves_everything_as_it_was(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    path, other = plan(desk), desk.work / "b.txt"
    other.write_bytes(b"the other")
    wanted = {
        "write": lambda: changes.write(path, b"what comes"),
        "delete": lambda: changes.delete(path),
        "move": lambda: changes.move(other, path),
    }[kind]

    def refuse(name: str) -> None:
        if "/objects/" in name:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as broken:
        watch(broken, refuse)
        with pytest.raises(OperationFailed) as failed:
            desk.apply(wanted())
    assert failed.value.code is Code.IO_ERROR and not failed.value.partly
    assert path.read_bytes() == b"what was there" and other.read_bytes() == b"the other"
    assert temps(desk.base) == []
    assert desk.rows("SELECT state FROM operations") == [("failed",)] and desk.rows("SELECT * FROM objects") == []
    done = desk.apply(wanted())
    desk.operations.undo(done.operation_id)
    assert path.read_bytes() == b"what was there" and other.read_bytes() == b"the other"


def test_a_journal_that_cannot_be_written_leaves_no_thread_and_no_change(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = plan(desk)

    def refuse(*_: object) -> None:
        raise ProblemError(ProblemCode.STORE_UNUSABLE, folder="x", reason="y")

    monkeypatch.setattr(Journal, "begin", refuse)
    with pytest.raises(ProblemError):
        desk.apply(changes.write(path, b"what comes"))
    assert path.read_bytes() == b"what was there"
    assert not [thread for thread in threading.enumerate() if thread.name == "store-sync"]
