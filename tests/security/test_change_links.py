"""Rows about changes that are about links, special files and what happens meanwhile, through the whole gate."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Answer, Mode, Preview
from tests.fakes.changes import at_point, temps, tree
from tests.fakes.tool_chat import ALLOW, ToolChat
from tests.security.conftest import World
from tests.security.gate_cases import asked_in, case, confirmed, every_mode, refused, row
from tests.security.table import code_of, expectation

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="facts of Linux")

TO_OUTSIDE = "write R/l -> O/s"


@row(TO_OUTSIDE)
def test_a_link_to_a_file_outside_is_not_written_through(world: World) -> None:
    (world.R / "l").symlink_to(world.O / "s")
    (world.R / "rel").symlink_to("../out/s")
    (world.R / "two").symlink_to("rel")
    for path in ("l", "rel", "two"):
        refused(world, code_of(TO_OUTSIDE), "write_file", path=path, content="x")
        refused(world, code_of(TO_OUTSIDE), "append_file", path=path, content="x")
        refused(world, code_of(TO_OUTSIDE), "edit_file", path=path, old_text="outside", new_text="x")
        refused(world, code_of(TO_OUTSIDE), "copy_path", source=path, destination="taken.txt")
        for tool in ("copy_path", "move_path"):
            refused(world, code_of(TO_OUTSIDE), tool, source="a.txt", destination=path, overwrite=True)
    assert (world.O / "s").read_text() == "outside\n"


FOLDER_OUTSIDE = "create R/d/n where R/d -> O"


@row(FOLDER_OUTSIDE)
def test_nothing_is_made_behind_a_link_to_a_folder_outside(world: World) -> None:
    (world.R / "d").symlink_to(world.O)
    (world.R / "passwords" / "up").symlink_to("../../out")
    for folder in ("d", "passwords/up"):
        refused(world, code_of(FOLDER_OUTSIDE), "write_file", path=f"{folder}/n", content="x")
        refused(world, code_of(FOLDER_OUTSIDE), "append_file", path=f"{folder}/n", content="x")
        refused(world, code_of(FOLDER_OUTSIDE), "create_directory", path=f"{folder}/n/m")
        refused(world, code_of(FOLDER_OUTSIDE), "delete_file", path=f"{folder}/s")
        refused(world, code_of(FOLDER_OUTSIDE), "delete_file", path=f"{folder}/*")
        refused(world, code_of(FOLDER_OUTSIDE), "move_path", source=f"{folder}/s", destination="taken")
        for tool in ("move_path", "copy_path"):
            refused(world, code_of(FOLDER_OUTSIDE), tool, source="a.txt", destination=f"{folder}/n")
            refused(world, code_of(FOLDER_OUTSIDE), tool, source="a.txt", destination=f"{folder}/")
    assert os.listdir(world.O) == ["s"]


DANGLING = "write R/q, dangling -> O/new"


@row(DANGLING)
def test_a_dangling_link_to_outside_makes_nothing_there(world: World) -> None:
    (world.R / "q").symlink_to(world.O / "new")
    refused(world, code_of(DANGLING), "write_file", path="q", content="x")
    refused(world, code_of(DANGLING), "append_file", path="q", content="x")
    refused(world, code_of(DANGLING), "create_directory", path="q")
    for tool in ("move_path", "copy_path"):
        refused(world, code_of(DANGLING), tool, source="a.txt", destination="q", overwrite=True)
    assert not (world.O / "new").exists()


INSIDE = "write R/in -> R/a.txt"


@row(INSIDE)
@every_mode
def test_through_a_link_inside_the_target_changes_and_the_link_stays(world: World, mode: Mode) -> None:
    (world.R / "in").symlink_to(world.R / "a.txt")
    chat = case(INSIDE, mode, world, "overwrites", "write_file", path="in", content="new\n", reads=("in",))
    if chat.asked:
        assert (chat.shown.items[0].typed, chat.shown.items[0].path) == ("in", str(world.R / "a.txt"))
        assert "inside_link" in chat.shown.items[0].flags
    assert os.readlink(world.R / "in") == str(world.R / "a.txt")
    assert (world.R / "a.txt").read_text() == "new\n"
    assert not (world.R / "a.txt").is_symlink()


PARENT = "parent swapped between dialog and Allow"
MEANWHILE = {
    "write_file": {"path": "d/f.txt", "content": "new\n"},
    "append_file": {"path": "d/f.txt", "content": "new\n"},
    "edit_file": {"path": "d/f.txt", "old_text": "old", "new_text": "new"},
    "create_directory": {"path": "d/made"},
    "move_path": {"source": "d/f.txt", "destination": "d/g.txt"},
    "copy_path": {"source": "d/f.txt", "destination": "d/g.txt"},
    "delete_file": {"path": "d/f.txt"},
}


def read_first(world: World, answer: Callable[[Preview], Answer]) -> ToolChat:
    """A chat that has read d/f.txt and asks for every change."""
    (world.R / "d").mkdir()
    (world.R / "d" / "f.txt").write_text("old\n")
    chat = ToolChat(world.R, Mode.ALL, answer)
    assert chat("read_file", path="d/f.txt").success
    return chat


@row(PARENT)
@pytest.mark.parametrize("by", ["a link out", "a link inside", "another folder"])
@pytest.mark.parametrize("tool", MEANWHILE)
def test_a_parent_that_is_swapped_while_the_dialog_is_open(world: World, tool: str, by: str) -> None:
    def swap(preview: Preview) -> Answer:
        (world.R / "d").rename(world.R / "aside")
        if by == "another folder":
            (world.R / "d").mkdir()
            (world.R / "d" / "f.txt").write_text("old\n")
        else:
            (world.R / "d").symlink_to(world.O if by == "a link out" else "aside")
        swapped.update(tree(world.base))
        return ALLOW

    swapped: dict[str, Any] = {}
    chat = read_first(world, swap)
    (world.O / "f.txt").write_text("old\n")
    result = chat(tool, **MEANWHILE[tool])
    if by == "another folder" and tool == "create_directory":
        # nothing that was shown is another: the same new folder at the same path
        assert result.success and (world.R / "d" / "made").is_dir()
        return
    assert len(chat.asked) == 1
    assert result.code == code_of(PARENT), result.error
    assert tree(world.base) == swapped


EDITED = "content changed by an editor while the dialog is open"


@row(EDITED)
@pytest.mark.parametrize("tool", [tool for tool in MEANWHILE if tool != "create_directory"])
def test_a_file_that_is_saved_while_the_dialog_is_open_is_asked_for_again(world: World, tool: str) -> None:
    file = world.R / "d" / "f.txt"

    def save(preview: Preview) -> Answer:
        if len(chat.asked) == 1:
            file.write_text("the user's old line\n")
        return ALLOW

    chat = read_first(world, save)
    result = chat(tool, **MEANWHILE[tool])
    assert result.code == code_of(EDITED), result.error
    assert file.read_text() == "the user's old line\n"
    assert os.listdir(file.parent) == ["f.txt"]
    assert chat("read_file", path="d/f.txt").success
    assert chat(tool, **MEANWHILE[tool]).success
    assert len(chat.asked) == 2
    if tool in {"write_file", "edit_file"}:
        assert ("-", "the user's old line") in [(line.sign, line.text) for line in chat.shown.items[0].diff]


HARD_LINK = "write R/h, hard link to O/s"


@row(HARD_LINK)
@every_mode
def test_the_other_name_of_a_hard_link_keeps_its_bytes(world: World, mode: Mode) -> None:
    os.link(world.O / "s", world.R / "h")
    chat = case(HARD_LINK, mode, world, "overwrites", "write_file", path="h", content="new\n", reads=("h",))
    assert not chat.asked or "hard_link" in chat.shown.items[0].flags
    assert (world.R / "h").read_text() == "new\n"
    assert (world.O / "s").read_text() == "outside\n"


@every_mode
@pytest.mark.parametrize("tool", ["append_file", "edit_file", "copy_path", "move_path"])
def test_the_other_name_keeps_its_bytes_whatever_changes_the_file(world: World, mode: Mode, tool: str) -> None:
    os.link(world.O / "s", world.R / "h")
    given: dict[str, Any] = {
        "append_file": {"path": "h", "content": "new\n"},
        "edit_file": {"path": "h", "old_text": "outside", "new_text": "new"},
    }.get(tool, {"source": "a.txt", "destination": "h", "overwrite": True})
    confirmed(world, mode, asked_in("ask"), "overwrites", tool, reads=("h",), **given)
    assert (world.R / "h").read_text() != "outside\n"
    assert (world.O / "s").read_text() == "outside\n"


FULL = "write over a file, allowed, disk full"


@row(FULL)
@every_mode
@pytest.mark.parametrize("point", ["opened", "half_written"])
def test_on_a_full_disk_the_old_file_stays_whole(world: World, mode: Mode, point: str) -> None:
    assert asked_in(expectation(FULL)) == {Mode.ALL, Mode.WRITE_ONLY}
    before = tree(world.base)
    chat = ToolChat(world.R, mode, ALLOW)
    assert chat("read_file", path="a.txt").success
    with at_point(point, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))) as reached:
        result = chat("write_file", path="a.txt", content="new\n")
    assert point in reached
    assert result.code is Code.IO_ERROR
    assert len(chat.asked) == (mode is not Mode.NONE)
    assert tree(world.base) == before
    assert temps(world.R) == []
    assert chat("write_file", path="a.txt", content="new\n").success


KEPT = "rewrite a file of mode 0751 with xattr user.x"


@row(KEPT)
@every_mode
@pytest.mark.parametrize("tool", ["write_file", "append_file", "edit_file"])
def test_mode_and_attributes_are_kept(world: World, mode: Mode, tool: str) -> None:
    file = world.R / "a.txt"
    file.chmod(0o751)
    try:
        os.setxattr(file, "user.x", b"kept")
    except OSError as error:
        pytest.skip(f"no attributes here: {error}")
    given: dict[str, Any] = {
        "write_file": {"content": "new\n"},
        "append_file": {"content": "new\n"},
        "edit_file": {"old_text": "first", "new_text": "new"},
    }[tool]
    case(KEPT, mode, world, "overwrites", tool, path="a.txt", reads=("a.txt",), **given)
    assert "new" in file.read_text()
    assert file.stat().st_mode & 0o7777 == 0o751
    assert os.getxattr(file, "user.x") == b"kept"
