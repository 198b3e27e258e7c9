"""Every row about changes of the table of cases, through the whole gate, on real files, in every mode."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from metona_tk import places
from metona_tk.agent.gatekeeper import build_gate
from metona_tk.agent.tool_call import ToolRunner
from metona_tk.cli.confirm import lines_of
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Answer, Mode, Preview
from metona_tk.tools.registry import Registry, built_in
from tests.fakes.changes import at_point, temps, tree
from tests.fakes.tool_chat import ALLOW, DENY, ToolChat
from tests.security.conftest import World
from tests.security.gate_cases import asked_in, confirmed, refused
from tests.security.table import code_of, expectation

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="facts of Linux")
SHOWN: dict[str, Callable[..., None]] = {}
every_mode = pytest.mark.parametrize("mode", list(Mode))
Test = Callable[..., None]


def row(name: str) -> Callable[[Test], Test]:
    """The test of a row; it fails where the table has no such row."""
    expectation(name)

    def keep(test: Test) -> Test:
        SHOWN[name] = test
        return test

    return keep


def case(name: str, mode: Mode, world: World, rule: str, tool: str, **arguments: Any) -> ToolChat:
    """`confirmed` as the row demands; what stood there before is not written by a chat that has not read it."""
    if tool == "write_file" and arguments.get("reads"):
        bare = {key: value for key, value in arguments.items() if key not in {"reads", "allow_files"}}
        refused(world, "not_read", tool, **bare)
    return confirmed(world, mode, asked_in(expectation(name)), rule, tool, **arguments)


OUTSIDE = "write ../out/s; create R2/n"


@row(OUTSIDE)
def test_nothing_outside_is_written_or_made(world: World) -> None:
    code = code_of(OUTSIDE)
    for path in ("../out/s", str(world.O / "s"), f"{world.R}/../out/s", str(world.R2 / "n"), "../R-evil/n"):
        refused(world, code, "write_file", path=path, content="x")
        refused(world, code, "append_file", path=path, content="x")
        refused(world, code, "edit_file", path=path, old_text="outside", new_text="x")
    for path in ("../out/new", str(world.R2 / "n/m"), ".."):
        refused(world, code, "create_directory", path=path)
        refused(world, code, "move_path", source="a.txt", destination=path)
        refused(world, code, "copy_path", source="a.txt", destination=path)
        refused(world, code, "move_path", source="*.txt", destination=f"{path}/")
    for path in ("../out/s", "../out", str(world.R2), f"{world.R2}/*"):
        refused(world, code, "delete_file", path=path, recursive=True)
        refused(world, code, "move_path", source=path, destination="taken")


DECEPTIVE = "create 'cod\\u202etxt.exe'"


@row(DECEPTIVE)
@every_mode
def test_a_deceptive_name_is_asked_for_and_shown_escaped(world: World, mode: Mode) -> None:
    name = "cod\u202etxt.exe"
    chat = case(DECEPTIVE, mode, world, "deceptive_name", "write_file", path=name, content="x")
    assert "deceptive" in chat.shown.items[0].flags
    shown = "\n".join(lines_of(chat.shown, False))
    assert "cod⟨U+202E⟩txt.exe" in shown
    assert "\u202e" not in shown
    assert (world.R / name).read_text() == "x"


ENV = "create R/.env; append to an existing R/.env"


@row(ENV)
@every_mode
def test_a_sensitive_file_is_made_and_added_to_only_with_a_yes(world: World, mode: Mode) -> None:
    chat = case(ENV, mode, world, "sensitive_file", "append_file", path=".env", content="MORE=1\n")
    assert "sensitive" in chat.shown.items[0].flags
    assert (world.R / ".env").read_text() == "TOKEN=KEY\nMORE=1\n"
    (world.R / ".env").unlink()
    case(ENV, mode, world, "sensitive_file", "write_file", path=".env", content="A=1\n")
    assert (world.R / ".env").read_text() == "A=1\n"


SETTINGS = "write the app's settings, automatic mode, file missing"


@row(SETTINGS)
@pytest.mark.parametrize("there", [False, True], ids=["missing", "there"])
def test_the_settings_are_never_changed(world: World, there: bool) -> None:
    settings = places.settings_file()
    if not there:
        settings.unlink()
    (world.R / "mine").symlink_to(settings)
    (world.R / "dir").symlink_to(settings.parent)
    before = tree(settings.parent)
    for path in (str(settings), "mine", f"dir/{settings.name}", str(places.data_dir() / "not-yet" / "chats.db")):
        refused(world, code_of(SETTINGS), "write_file", path=path, content="{}")
        refused(world, code_of(SETTINGS), "append_file", path=path, content="{}")
        refused(world, code_of(SETTINGS), "edit_file", path=path, old_text="{", new_text="{ ")
        refused(world, code_of(SETTINGS), "move_path", source="a.txt", destination=path, overwrite=True)
        refused(world, code_of(SETTINGS), "copy_path", source="a.txt", destination=path, overwrite=True)
    for path in (str(settings), str(settings.parent), f"{settings.parent}/*", f"dir/{settings.name}"):
        refused(world, code_of(SETTINGS), "delete_file", path=path, recursive=True)
        refused(world, code_of(SETTINGS), "move_path", source=path, destination="taken")
    refused(world, code_of(SETTINGS), "create_directory", path=str(settings.parent / "more"))
    assert {name: what for name, what in tree(settings.parent).items() if name == settings.name} == {
        name: what for name, what in before.items() if name == settings.name
    }


HOOK = "write R/.git/hooks/pre-commit"


@row(HOOK)
@every_mode
@pytest.mark.parametrize("there", [False, True], ids=["new", "there"])
def test_a_git_hook_is_written_only_with_a_yes(world: World, mode: Mode, there: bool) -> None:
    hook = world.R / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(parents=True)
    if there:
        hook.write_text("#!/bin/sh\nexit 1\n")
    reads = (".git/hooks/pre-commit",) if there else ()
    given = {"path": ".git/hooks/pre-commit", "content": "#!/bin/sh\n"}
    chat = case(HOOK, mode, world, "runs_later", "write_file", reads=reads, **given)
    assert "runs_later" in chat.shown.items[0].flags
    assert hook.read_text() == "#!/bin/sh\n"


TASKS = "write R/.vscode/tasks.json, automatic mode"


@row(TASKS)
@every_mode
def test_tasks_of_an_editor_are_asked_for_also_in_automatic_mode(world: World, mode: Mode) -> None:
    case(TASKS, mode, world, "runs_later", "write_file", path=".vscode/tasks.json", content="{}")
    assert (world.R / ".vscode" / "tasks.json").read_text() == "{}"
    given = {"path": ".vscode/tasks.json", "content": "{ }", "reads": (".vscode/tasks.json",)}
    case(TASKS, mode, world, "runs_later", "write_file", **given)


ON_A_FILE = "create folder R/a.txt where a file is"


@row(ON_A_FILE)
def test_no_folder_takes_the_place_of_a_file(world: World) -> None:
    refused(world, code_of(ON_A_FILE), "create_directory", path="a.txt")
    refused(world, code_of(ON_A_FILE), "create_directory", path=str(world.R / "a.txt") + "/")


ON_A_FOLDER = "write over a folder"


@row(ON_A_FOLDER)
def test_nothing_is_written_over_a_folder(world: World) -> None:
    for path in ("passwords", "passwords/", ".", str(world.R)):
        refused(world, code_of(ON_A_FOLDER), "write_file", path=path, content="x")
        refused(world, code_of(ON_A_FOLDER), "append_file", path=path, content="x")
        refused(world, code_of(ON_A_FOLDER), "edit_file", path=path, old_text="x", new_text="y")


ROOT = "delete R"


@row(ROOT)
def test_the_workspace_is_neither_deleted_nor_moved(world: World) -> None:
    for path in (".", "./", str(world.R), f"{world.R}/", "passwords/..", "../R"):
        refused(world, code_of(ROOT), "delete_file", path=path, recursive=True)
        refused(world, code_of(ROOT), "move_path", source=path, destination="below")


MANY = "delete a folder of 1,240 files"


@row(MANY)
def test_a_large_folder_is_shown_before_it_goes(world: World) -> None:
    for number in range(1240):
        path = world.R / "big" / f"{number % 31:02}" / f"{number:04}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x" * 7)
    before = tree(world.base)
    for mode in asked_in(expectation(MANY)):
        assert ToolChat(world.R, mode, DENY)("delete_file", path="big", recursive=True).code is Code.DENIED
    assert ToolChat(world.R, Mode.NONE)("delete_file", path="big", recursive=True).code is Code.NO_ANSWER
    assert tree(world.base) == before
    chat = ToolChat(world.R, Mode.NONE, ALLOW)
    assert chat("delete_file", path="big", recursive=True).success
    item = chat.shown.items[0]
    assert (item.files, item.folders, item.total_size) == (1240, 31, 1240 * 7)
    shown = "\n".join(lines_of(chat.shown, False))
    assert "1240 files" in shown
    assert "8680 bytes" in shown
    for first in ("00/", "0000.txt", "0031.txt"):
        assert first in shown
    assert not (world.R / "big").exists()


# --- links and special files ----------------------------------------------------------------------------------------

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


# --- Windows, by the parts that any system can show -----------------------------------------------------------------

ENDINGS = "create 'a.txt.' or 'a.txt '"


@row(ENDINGS)
@pytest.mark.parametrize("name", ["a.txt.", "a.txt ", "x. /a.txt", "NUL", "a.txt::$DATA", "C:a.txt", "//evil/share/x"])
def test_names_that_windows_would_read_as_others_are_refused(world: World, name: str) -> None:
    before = tree(world.base)
    chat = ToolChat(world.R, Mode.ALL, ALLOW)
    gate = replace(build_gate(str(world.R), [], []), platform="win32")
    chat.runner = ToolRunner(chat.chat, Registry(built_in()), gate, 4096, lambda: False, chat.record)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("write_file", {"path": name, "content": "x"}),
        ("append_file", {"path": name, "content": "x"}),
        ("edit_file", {"path": name, "old_text": "x", "new_text": "y"}),
        ("create_directory", {"path": name}),
        ("delete_file", {"path": name}),
        ("move_path", {"source": "b", "destination": name}),
        ("copy_path", {"source": name, "destination": "b"}),
    ]
    for tool, arguments in calls:
        assert chat(tool, **arguments).code == code_of(ENDINGS), tool
    assert chat.asked == []
    assert tree(world.base) == before


# --- arguments ------------------------------------------------------------------------------------------------------

EXACT = "create with NUL, mixed line ends, BOM, no final newline"


@row(EXACT)
@every_mode
@pytest.mark.parametrize("tool", ["write_file", "append_file"])
def test_a_new_file_has_exactly_the_bytes_that_were_given(world: World, mode: Mode, tool: str) -> None:
    content = "\ufeffa\0b\r\nc\rd\n\n\u2028 e"
    confirmed(world, mode, asked_in(expectation(EXACT)), "every_change", tool, path="odd", content=content)
    assert (world.R / "odd").read_bytes() == content.encode()
