"""Who may change files at all, told from the source: operations on the user's files, a few modules on the app's own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = {
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "."): ast.parse(path.read_text("utf-8"))
    for path in sorted((ROOT / "metona_tk").rglob("*.py"))
}
OPERATIONS = "metona_tk.operations."
# module: what of a writing kind it uses, and on what. Nothing of it is a file of the user's workspace.
WRITERS = {
    "metona_tk.settings": ({"mkdir", "open to write", "replace", "unlink"}, "the app's settings"),
    "metona_tk.logs": ({"mkdir"}, "the folder of the app's own log"),
    "metona_tk.database.opening": ({"mkdir", "replace", "import shutil"}, "the app's databases; free room"),
    "metona_tk.__main__": ({"open to write"}, "the null device, where a program has no streams"),
    "metona_tk.instance.doors": ({"O_ flag", "unlink", "write"}, "the app's own socket, or its port and token"),
    "metona_tk.instance.place": ({"O_ flag", "mkdir", "makedirs"}, "the folder of the app's socket, and its lock"),
    "metona_tk.cli.main": ({"O_ flag"}, "a closed pipe becomes the null device"),
    "metona_tk.security.handles": ({"import ctypes"}, "openat2, of folders and for reading"),
    "metona_tk.security.windows": ({"import ctypes"}, "the final path of a handle"),
    "metona_tk.security.sandbox.landlock": ({"import ctypes"}, "rules for a reading process"),
    "metona_tk.security.sandbox.launch": (
        {"import subprocess", "import shutil", "import tempfile", "import mmap"},
        "starts readers, whose output is a nameless file",
    ),
}
# Behind the door `operations.undo`: values, failures, looking.
OPEN_TO_ALL = {"failures", "undo", "log", "states"}
DOOR = {"metona_tk.agent.changing", "metona_tk.agent.recording", "metona_tk.agent.undoing"}


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CALLS = words(
    "rename renames unlink remove rmdir removedirs mkdir makedirs link symlink truncate ftruncate chmod fchmod lchmod "
    "chown fchown lchown utime mkfifo mknod setxattr removexattr pwrite sendfile copy_file_range touch write_text "
    "write_bytes symlink_to hardlink_to link_to"
)
_OF_OS = words("rename renames remove link replace write")  # words that other things have too
_FLAGS = words("O_WRONLY O_RDWR O_CREAT O_TRUNC O_APPEND O_TMPFILE")
_MODULES = words("shutil tempfile send2trash ctypes subprocess mmap _winapi nt posix")


def writing(tree: ast.AST) -> Iterator[str]:
    """Every use of something that changes files, by its kind."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _call(node)
        elif isinstance(node, ast.Attribute) and node.attr in _FLAGS:
            yield "O_ flag"
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
            yield from (f"import {name.split('.')[0]}" for name in names if name.split(".")[0] in _MODULES)
            if isinstance(node, ast.ImportFrom) and node.module == "os":
                yield from (each.name for each in node.names if each.name in _CALLS | _OF_OS)


def _call(node: ast.Call) -> Iterator[str]:
    called = node.func
    if isinstance(called, ast.Name):
        if called.id == "open" and _writes(node):
            yield "open to write"
        return
    if not isinstance(called, ast.Attribute):
        return
    of_os = isinstance(called.value, ast.Name) and called.value.id == "os"
    if called.attr in _OF_OS and of_os or called.attr in _CALLS - _OF_OS:
        yield called.attr
    elif called.attr in {"rename", "replace"} and len(node.args) == 1 and not node.keywords:
        yield called.attr  # of a path; a text's has two
    elif called.attr in {"open", "fdopen"} and not (of_os and called.attr == "open") and _writes(node):
        yield "open to write"


def _writes(node: ast.Call) -> bool:
    """Whether a call of open has a mode that is not plainly one for reading."""
    given = [each.value for each in node.keywords if each.arg == "mode"] + node.args[:2]
    modes = [each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    named = any(each.arg == "mode" for each in node.keywords) or len(node.args) > 1
    return any(set(mode) & set("wax+") and len(mode) < 4 for mode in modes) or (named and not modes)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("import os\nos.replace(a, b)", "replace"),
        ("from os import unlink", "unlink"),
        ("Path(a).replace(b)", "replace"),
        ("path.write_text('x')", "write_text"),
        ("open(a, 'w')", "open to write"),
        ("open(a, mode=kind)", "open to write"),
        ("Path(a).open('r+b')", "open to write"),
        ("os.open(a, os.O_RDWR)", "O_ flag"),
        ("from shutil import rmtree", "import shutil"),
        ("import send2trash.plat_other", "import send2trash"),
    ],
)
def test_a_use_that_writes_is_found(source: str, kind: str) -> None:
    assert set(writing(ast.parse(source))) == {kind}


@pytest.mark.parametrize("source", ["'a'.replace('b', 'c')", "open(a)", "open(a, 'rb')", "os.open(a, os.O_RDONLY)"])
def test_a_use_that_does_not_write_is_none(source: str) -> None:
    assert set(writing(ast.parse(source))) == set()


def uses(module: str) -> set[str]:
    return set(writing(SOURCES[module]))


@pytest.mark.parametrize("module", [name for name in SOURCES if not name.startswith(OPERATIONS)])
def test_only_operations_and_a_few_others_change_files(module: str) -> None:
    assert uses(module) == WRITERS.get(module, (set(), ""))[0]


def test_the_list_of_others_is_of_modules_that_are_there() -> None:
    assert set(WRITERS) - set(SOURCES) == set()
    assert any(uses(name) for name in SOURCES if name.startswith(OPERATIONS))


def imported(tree: ast.AST) -> set[str]:
    """Modules of operations that are imported, by their own name."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            full = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
        elif isinstance(node, ast.Import):
            full = [each.name for each in node.names]
        else:
            continue
        found |= {name.removeprefix(OPERATIONS).split(".")[0] for name in full if name.startswith(OPERATIONS)}
    return found


@pytest.mark.parametrize("module", [name for name in SOURCES if not name.startswith(OPERATIONS)])
def test_nobody_else_reaches_behind_the_door(module: str) -> None:
    names = imported(SOURCES[module])
    assert names <= OPEN_TO_ALL
    assert "undo" not in names or module in DOOR


def calls_of(name: str) -> set[str]:
    """Modules with a call of that name."""
    return {
        module
        for module, tree in SOURCES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and name in {getattr(node.func, "attr", ""), getattr(node.func, "id", "")}
        and not module.startswith("metona_tk.ui.")
    }


def test_plans_are_carried_out_in_one_place() -> None:
    assert calls_of("apply") == {"metona_tk.agent.changing"}
    assert calls_of("Changer") == {"metona_tk.agent.tool_call"}
    assert calls_of("Operations") == {"metona_tk.agent.recording"}
    assert calls_of("Runner") | calls_of("Actor") == {"metona_tk.operations.undo"}
