"""A copy is bounded in bytes, room and time, and leaves nothing behind; to another disk it arrives whole."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from metona_tk.agent.plan_context import ChangeContext
from metona_tk.operations import atomic
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Mode
from metona_tk.tools import copying
from tests.fakes.changes import temps
from tests.fakes.disks import small_disk
from tests.fakes.tool_chat import ALLOW, ToolChat

SMALL = 8 << 20


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Another disk inside the workspace, of 8 MB."""
    with small_disk(tmp_path / "disk", SMALL) as place:
        yield place


def hole(path: Path, size: int) -> None:
    with open(path, "wb") as out:
        out.truncate(size)


@pytest.mark.parametrize("source", ["hole", "folder", "ho*", "many"])
def test_more_than_a_call_may_copy_is_refused_at_once(source: str, tmp_path: Path) -> None:
    for folder in ("folder", "many"):
        (tmp_path / folder).mkdir()
    hole(tmp_path / "hole", 1 << 40)
    hole(tmp_path / "folder" / "hole", copying.MOST_BYTES + 1)
    for number in range(3):
        hole(tmp_path / "many" / str(number), copying.MOST_BYTES // 2)
    chat = ToolChat(tmp_path, mode=Mode.NONE)
    started = time.monotonic()
    result = chat("copy_path", source=source, destination="new/" if "*" in source else "new")
    assert result.code is Code.FILE_TOO_LARGE and "at most 2" in str(result.error), result
    assert time.monotonic() - started < 5 and not (tmp_path / "new").exists()


def test_too_many_things_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "MOST", 3)
    (tmp_path / "d").mkdir()
    for number in range(4):
        (tmp_path / "d" / str(number)).touch()
    assert ToolChat(tmp_path)("copy_path", source="d", destination="e").code is Code.FILE_TOO_LARGE
    assert not (tmp_path / "e").exists()


def test_a_sparse_file_is_no_trouble_to_rename(tmp_path: Path) -> None:
    hole(tmp_path / "hole", 1 << 40)
    assert ToolChat(tmp_path, mode=Mode.NONE)("move_path", source="hole", destination="b").success


@pytest.mark.parametrize("tool", ["copy_path", "move_path"])
@pytest.mark.parametrize("source", ["hole", "folder"])
def test_a_disk_without_the_room_is_told_before_anything_is_written(
    tool: str, source: str, disk: Path, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    hole(tmp_path / "hole", SMALL + 1)
    hole(tmp_path / "folder" / "one", SMALL // 2)
    hole(tmp_path / "folder" / "two", SMALL // 2 + 1)
    free = shutil.disk_usage(disk).free
    result = ToolChat(tmp_path, mode=Mode.NONE)(tool, source=source, destination="disk/new")
    assert result.code is Code.IO_ERROR and "too full" in str(result.error), result
    assert os.listdir(disk) == [] and shutil.disk_usage(disk).free == free
    assert (tmp_path / source).exists()


@pytest.mark.parametrize(("ends", "code"), [("time", Code.TIMEOUT), ("stop", Code.STOPPED)])
@pytest.mark.parametrize("source", ["file", "folder"])
def test_a_copy_that_is_ended_leaves_nothing_behind(
    ends: str, code: Code, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "file", tmp_path / "folder" / "one", tmp_path / "folder" / "two"):
        path.write_bytes(b"x" * (3 << 20))
    chat = ToolChat(tmp_path, mode=Mode.NONE)
    before = sorted(tmp_path.rglob("*"))
    blocks = [0]
    real = atomic.write_all

    def counted(target: int, content: bytes) -> None:
        blocks[0] += 1
        if blocks[0] == 2:
            if ends == "time":
                monkeypatch.setattr(ChangeContext, "remaining", lambda self: 0.0)
            else:
                monkeypatch.setattr(chat.runner._changer, "is_stopped", lambda: True)
        real(target, content)

    monkeypatch.setattr(atomic, "write_all", counted)
    result = chat("copy_path", source=source, destination="new")
    assert result.code is code, result
    assert blocks[0] == 2 and sorted(tmp_path.rglob("*")) == before and temps(tmp_path) == []


def test_a_deletion_that_takes_too_long_to_keep_deletes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "d").mkdir()
    for number in range(20):
        (tmp_path / "d" / str(number)).write_text(str(number))
    monkeypatch.setattr(ChangeContext, "remaining", lambda self: 0.0)
    result = ToolChat(tmp_path, mode=Mode.NONE, answer=ALLOW)("delete_file", path="d/*")
    assert result.code is Code.TIMEOUT, result
    assert len(os.listdir(tmp_path / "d")) == 20


def test_undo_puts_no_more_into_the_store_than_it_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    work = tmp_path / "work"
    work.mkdir()
    chat = ToolChat(work, mode=Mode.NONE)
    operation = chat.outcome("write_file", path="a", content="model's").operation
    assert operation is not None
    hole(work / "a", 1 << 40)
    from metona_tk.operations.failures import Conflicted

    operations = chat.record.operations
    started = time.monotonic()
    with pytest.raises(Conflicted) as asked:
        operations.undo(operation.operation_id)
    operations.undo(operation.operation_id, asked.value.digest)
    assert time.monotonic() - started < 5 and not (work / "a").exists()
    assert (tmp_path / "data" / "Trash" / "files" / "a").stat().st_size == 1 << 40
    operations.redo(operation.operation_id)
    assert (work / "a").stat().st_size == 1 << 40


def shape(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path in (folder, *sorted(folder.rglob("*"))):
        state = path.lstat()
        what = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        marks = {name: os.getxattr(path, name) for name in os.listxattr(path, follow_symlinks=False)}
        found[os.path.relpath(path, folder)] = (what, state.st_mode, state.st_uid, state.st_gid, marks)
    return found


def test_a_folder_arrives_whole_on_another_disk(disk: Path, tmp_path: Path) -> None:
    inside = tmp_path / "d" / "e" / "x"
    inside.parent.mkdir(parents=True)
    inside.write_text("x")
    (tmp_path / "d" / "empty").mkdir()
    for name, target in (("near", "x"), ("up", "../../other"), ("gone", "nowhere"), ("far", str(tmp_path))):
        os.symlink(target, inside.parent / name)
    inside.chmod(0o4750)
    inside.parent.chmod(0o2710)
    for number, path in enumerate((tmp_path / "d", inside.parent, inside, inside.parent / "near")):
        os.chown(path, 1000 + number, 2000 + number, follow_symlinks=False)
    inside.chmod(0o4750)
    before = shape(tmp_path / "d")
    chat = ToolChat(tmp_path, mode=Mode.NONE)
    done = chat.outcome("move_path", source="d", destination="disk/new/d")
    assert done.result.success and done.result.note is None, done.result
    assert shape(disk / "new" / "d") == before and not (tmp_path / "d").exists()
    assert done.operation is not None
    operations = chat.record.operations
    operations.undo(done.operation.operation_id)
    assert shape(tmp_path / "d") == before and os.listdir(disk) == []
    operations.redo(done.operation.operation_id)
    assert shape(disk / "new" / "d") == before and not (tmp_path / "d").exists()


def test_a_link_itself_goes_to_another_disk(disk: Path, tmp_path: Path) -> None:
    os.symlink("nowhere", tmp_path / "link")
    assert ToolChat(tmp_path, mode=Mode.NONE)("move_path", source="link", destination="disk/").success
    assert os.readlink(disk / "link") == "nowhere" and not os.path.lexists(tmp_path / "link")


def test_the_users_file_stays_the_users_on_another_disk(disk: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("the user's")
    chat = ToolChat(tmp_path, answer=ALLOW)
    assert chat("move_path", source="a", destination="disk/a").success
    asked = len(chat.asked)
    assert chat("append_file", path="disk/a", content="more").success
    assert len(chat.asked) == asked + 1


def test_a_copy_leaves_links_out_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    os.symlink("nowhere", tmp_path / "d" / "link")
    result = ToolChat(tmp_path)("copy_path", source="d", destination="e")
    assert result.note == "1 link in it was not copied" and os.listdir(tmp_path / "e") == []
