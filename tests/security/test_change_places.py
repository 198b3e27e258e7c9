"""More of the same kinds as the rows of the table: whatever tool and way leads to such a place, it is judged alike."""

from __future__ import annotations

import itertools
import os
import socket
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from metona_tk.protocol.values import Mode
from tests.fakes.changes import tree
from tests.fakes.tool_chat import ALLOW, ToolChat
from tests.security.conftest import World
from tests.security.gate_cases import ALWAYS, ASK, STRICT, confirmed, every_mode, refused

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="facts of Linux")


def put(path: Path, text: str = "old\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


# A place, and why it is asked for in every mode.
MARKED = {
    ".git/hooks/pre-commit": "runs_later",
    ".git/config": "runs_later",
    "sub/.git": "runs_later",
    ".vscode/tasks.json": "runs_later",
    ".envrc": "runs_later",
    "Makefile": "runs_later",
    "makefile": "runs_later",
    "deep/down/conftest.py": "runs_later",
    "x.pth": "runs_later",
    "package.json": "runs_later",
    "sub/.env.local": "sensitive_file",
    "id_ed25519": "sensitive_file",
    "server.PEM": "sensitive_file",
    "my passwords.txt": "sensitive_file",
    "p\u0430y.txt": "deceptive_name",
    "a\u200b.txt": "deceptive_name",
    "d\u202e/a.txt": "deceptive_name",
}
# tool and arguments that bring something to a place where nothing is, or change what is there
TO_NEW: dict[str, dict[str, Any]] = {
    "write_file": {"path": "{}", "content": "x\n"},
    "append_file": {"path": "{}", "content": "x\n"},
    "move_path": {"source": "a.txt", "destination": "{}"},
    "copy_path": {"source": "a.txt", "destination": "{}"},
}
TO_OLD: dict[str, dict[str, Any]] = {
    "append_file": {"path": "{}", "content": "x\n"},
    "edit_file": {"path": "{}", "old_text": "old", "new_text": "x"},
    "move_path": {"source": "{}", "destination": "harmless.txt"},
    "delete_file": {"path": "{}"},
    "copy over": {"source": "a.txt", "destination": "{}", "overwrite": True},
    "move over": {"source": "a.txt", "destination": "{}", "overwrite": True},
}
TOOLS = {"copy over": "copy_path", "move over": "move_path"}


def every_third(ways: Iterable[str], places: Iterable[str]) -> list[tuple[str, str]]:
    """A third of the pairs: every way with a third of the places, every place with a third of the ways."""
    pairs = itertools.product(enumerate(ways), enumerate(places))
    return [(way, place) for (i, way), (j, place) in pairs if (i + j) % 3 == 0]


def at(arguments: dict[str, Any], place: str) -> dict[str, Any]:
    return {key: value.replace("{}", place) if isinstance(value, str) else value for key, value in arguments.items()}


@pytest.mark.parametrize(("tool", "place"), every_third(TO_NEW, MARKED))
def test_a_marked_place_is_asked_for_whatever_comes_there(world: World, tool: str, place: str) -> None:
    confirmed(world, Mode.NONE, ALWAYS, MARKED[place], tool, **at(TO_NEW[tool], place))
    assert (world.R / place).is_file()


@pytest.mark.parametrize(("way", "place"), every_third(TO_OLD, MARKED))
def test_what_is_at_a_marked_place_is_changed_only_with_a_yes(world: World, way: str, place: str) -> None:
    put(world.R / place)
    allowed = (str(world.R / place),) if way == "edit_file" else ()  # its text must not be had without a yes either
    given = at(TO_OLD[way], place)
    confirmed(world, Mode.NONE, ALWAYS, MARKED[place], TOOLS.get(way, way), allow_files=allowed, **given)
    assert not (world.R / place).exists() or (world.R / place).read_text() != "old\n"


@pytest.mark.parametrize("name", [".git/hooks", ".vscode", ".husky/_", "node_modules/x", ".github/workflows"])
def test_a_folder_that_runs_later_is_made_only_with_a_yes(world: World, name: str) -> None:
    confirmed(world, Mode.NONE, ALWAYS, "runs_later", "create_directory", path=name)
    assert (world.R / name).is_dir()


INSIDE_FOLDERS = {"sub/Makefile": "runs_later", "deep/er/.env": "sensitive_file", "x/p\u0430y.txt": "deceptive_name"}


@pytest.mark.parametrize("inner", INSIDE_FOLDERS)
@pytest.mark.parametrize("tool", ["move_path", "copy_path", "delete_file"])
def test_a_folder_is_judged_by_what_is_in_it(world: World, tool: str, inner: str) -> None:
    put(world.R / "d" / inner)
    given = {"path": "d", "recursive": True} if tool == "delete_file" else {"source": "d", "destination": "e"}
    chat = confirmed(world, Mode.NONE, ALWAYS, INSIDE_FOLDERS[inner], tool, **given)
    assert chat.shown.items[0].kind == "directory"
    assert (world.R / "d").exists() == (tool == "copy_path")


@pytest.mark.parametrize("pattern", ["*", "d/*", "*/pre-*"])
def test_a_pattern_is_judged_by_its_hits(world: World, pattern: str) -> None:
    put(world.R / "d" / "pre-commit")
    chat = confirmed(world, Mode.NONE, ALWAYS, "runs_later", "move_path", source=pattern, destination=".git/hooks/")
    assert str(world.R / ".git/hooks") in {os.path.dirname(item.path) for item in chat.shown.items}


@pytest.mark.parametrize(("path", "rule"), [("l", "runs_later"), ("sub/../Makefile", "runs_later"), ("MAKE/in", "")])
def test_a_link_or_a_detour_to_a_marked_place_is_that_place(world: World, path: str, rule: str) -> None:
    put(world.R / "Makefile")
    (world.R / "sub").mkdir()
    (world.R / "l").symlink_to("Makefile")
    given = {"path": path, "content": "x\n"}
    chat = confirmed(world, Mode.NONE, ALWAYS if rule else (), rule, "append_file", **given)
    assert not rule or chat.shown.items[0].path == str(world.R / "Makefile")


# --- in which mode ---------------------------------------------------------------------------------------------------


@every_mode
@pytest.mark.parametrize(
    ("tool", "arguments", "asks"),
    [
        ("write_file", {"path": "new/n.txt", "content": "x"}, STRICT),
        ("append_file", {"path": "n.txt", "content": "x"}, STRICT),
        ("create_directory", {"path": "new/folder"}, STRICT),
        ("copy_path", {"source": "a.txt", "destination": "b.txt"}, STRICT),
        ("copy_path", {"source": "passwords", "destination": "copy"}, STRICT),
        ("append_file", {"path": "a.txt", "content": "x"}, ASK),
        ("edit_file", {"path": "a.txt", "old_text": "first", "new_text": "x"}, ASK),
        ("move_path", {"source": "a.txt", "destination": "b.txt"}, ASK),
        ("move_path", {"source": "passwords", "destination": "moved"}, ASK),
        ("move_path", {"source": "a.txt", "destination": "monkey.key.md", "overwrite": True}, ASK),
        ("copy_path", {"source": "a.txt", "destination": "monkey.key.md", "overwrite": True}, ASK),
        ("delete_file", {"path": "a.txt"}, ALWAYS),
        ("delete_file", {"path": "passwords", "recursive": True}, ALWAYS),
        ("delete_file", {"path": "*.txt"}, ALWAYS),
    ],
)
def test_each_change_is_asked_for_in_its_modes(
    world: World, mode: Mode, tool: str, arguments: dict[str, Any], asks: frozenset[Mode]
) -> None:
    rule = {STRICT: "every_change", ASK: "overwrites", ALWAYS: "deletes"}[asks]
    chat = confirmed(world, mode, asks, rule, tool, **arguments)
    assert not chat.asked or chat.shown.mode == mode


# --- refusals of the same kinds -------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["~/.ssh/authorized_keys", "~/.gnupg/x", "~/.aws/credentials", "/etc/x", "/proc/x"])
def test_protected_places_are_never_changed(world: World, place: str) -> None:
    for tool in ("write_file", "append_file"):
        refused(world, "protected_path", tool, path=place, content="x")
    refused(world, "protected_path", "edit_file", path=place, old_text="a", new_text="b")
    refused(world, "protected_path", "create_directory", path=place)
    refused(world, "protected_path", "delete_file", path=place)
    refused(world, "protected_path", "move_path", source=place, destination="taken")
    refused(world, "protected_path", "copy_path", source=place, destination="taken")
    for tool in ("copy_path", "move_path"):
        refused(world, "protected_path", tool, source="a.txt", destination=place)


@pytest.mark.parametrize("tool", ["move_path", "delete_file", "copy_path"])
def test_a_folder_that_holds_a_protected_one_stays_whole(world: World, tool: str) -> None:
    chat = ToolChat(world.home, Mode.NONE, ALLOW)
    before = tree(world.base)
    for source in (".ssh", "."):
        given = {"path": source, "recursive": True}
        if tool != "delete_file":
            given = {"source": source, "destination": "taken"}
        result = chat(tool, **given)
        assert not result.success, (tool, source)
        assert chat.asked == []
        assert tree(world.base) == before


@pytest.mark.parametrize("path", ["", "a\0b", "n" * 300, "x/" * 3000, "file:///etc/passwd", "\ud800", "http://x/y"])
def test_paths_that_are_none_are_refused_by_every_tool(world: World, path: str) -> None:
    refused(world, "bad_path", "write_file", path=path, content="x")
    refused(world, "bad_path", "append_file", path=path, content="x")
    refused(world, "bad_path", "edit_file", path=path, old_text="a", new_text="b")
    refused(world, "bad_path", "create_directory", path=path)
    refused(world, "bad_path", "delete_file", path=path)
    refused(world, "bad_path", "move_path", source=path, destination="b")
    refused(world, "bad_path", "move_path", source="a.txt", destination=path)
    refused(world, "bad_path", "copy_path", source=path, destination="b")
    refused(world, "bad_path", "copy_path", source="a.txt", destination=path)


def test_a_circle_of_links_is_refused_and_its_links_can_go(world: World) -> None:
    (world.R / "loop1").symlink_to("loop2")
    (world.R / "loop2").symlink_to("loop1")
    for path in ("loop1", "loop1/in/it"):
        refused(world, "link_loop", "write_file", path=path, content="x")
        refused(world, "link_loop", "append_file", path=path, content="x")
        refused(world, "link_loop", "edit_file", path=path, old_text="a", new_text="b")
        refused(world, "link_loop", "create_directory", path=path)
        refused(world, "link_loop", "copy_path", source=path, destination="b")
        refused(world, "link_loop", "move_path", source="a.txt", destination=path)
    confirmed(world, Mode.NONE, ALWAYS, "deletes", "delete_file", path="loop1")
    assert not os.path.lexists(world.R / "loop1")
    assert os.path.lexists(world.R / "loop2")


def test_what_is_no_file_and_no_folder_is_left_alone(world: World) -> None:
    os.mkfifo(world.R / "odd")
    (world.R / "d").mkdir()
    here = os.open(world.R / "d", os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"/proc/self/fd/{here}/socket")  # such an address is at most 107 bytes long
        os.close(here)
    for path in ("odd", "d/socket"):
        refused(world, "not_regular", "write_file", path=path, content="x")
        refused(world, "not_regular", "append_file", path=path, content="x")
        refused(world, "not_regular", "edit_file", path=path, old_text="a", new_text="b")
        refused(world, "not_regular", "delete_file", path=path)
        refused(world, "not_regular", "move_path", source=path, destination="b")
        refused(world, "not_regular", "copy_path", source=path, destination="b")
        refused(world, "exists", "create_directory", path=path)
        for tool in ("copy_path", "move_path"):
            refused(world, "exists", tool, source="a.txt", destination=path, overwrite=True)
    refused(world, "not_regular", "delete_file", path="d", recursive=True)
    refused(world, "not_regular", "move_path", source="d", destination="e")
    refused(world, "not_regular", "copy_path", source="d", destination="e")


@pytest.mark.parametrize("tool", ["move_path", "copy_path"])
def test_nothing_is_replaced_unless_the_call_says_so(world: World, tool: str) -> None:
    refused(world, "exists", tool, source="a.txt", destination="monkey.key.md")
    refused(world, "exists", tool, source="a.txt", destination="a.txt", overwrite=True)
    refused(world, "exists", tool, source="passwords", destination="monkey.key.md", overwrite=True)
    refused(world, "bad_path", tool, source="passwords", destination="passwords/in/it")
    put(world.R / "other" / "passwords" / "x")
    refused(world, "exists", tool, source="passwords", destination="other", overwrite=True)


def test_a_link_is_moved_and_deleted_itself(world: World) -> None:
    (world.R / "l").symlink_to(world.O / "s")
    (world.R / "d").symlink_to(world.O)
    before = tree(world.O)
    confirmed(world, Mode.WRITE_ONLY, ASK, "overwrites", "move_path", source="l", destination="moved")
    assert os.readlink(world.R / "moved") == str(world.O / "s")
    confirmed(world, Mode.NONE, ALWAYS, "deletes", "delete_file", path="moved")
    confirmed(world, Mode.NONE, ALWAYS, "deletes", "delete_file", path="d", recursive=True)
    assert not os.path.lexists(world.R / "d")
    assert tree(world.O) == before
