"""Rows about changes of the table of cases that are about places, through the whole gate, in every mode."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import pytest

from metona_tk import places
from metona_tk.agent.gatekeeper import build_gate
from metona_tk.agent.tool_call import ToolRunner
from metona_tk.cli.confirm import lines_of
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Mode
from metona_tk.tools.registry import Registry, built_in
from tests.fakes.changes import tree
from tests.fakes.tool_chat import ALLOW, DENY, ToolChat
from tests.security.conftest import World
from tests.security.gate_cases import asked_in, case, confirmed, every_mode, refused, row
from tests.security.table import code_of, expectation

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="facts of Linux")

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
    assert "8.5 KB" in shown
    for first in ("00/", "0000.txt", "0031.txt"):
        assert first in shown
    assert not (world.R / "big").exists()


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
