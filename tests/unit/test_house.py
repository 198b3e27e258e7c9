"""The rules of the house, checked by machine: types on three systems, style, imports, sizes, words, start-up."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "metona_tk").rglob("*.py"))
ALL_SOURCES = [*SOURCES, *sorted((ROOT / "packaging").rglob("*.py")), *sorted((ROOT / "tests").rglob("*.py"))]
MAX_LINES = 400


def run(*argv: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, env=os.environ | environment)


def tool(name: str) -> str:
    """A command of the environment that runs the tests."""
    found = shutil.which(name, path=os.path.dirname(sys.executable)) or shutil.which(name)
    assert found, f"{name} is not installed"
    return found


@pytest.mark.timeout(240)
@pytest.mark.parametrize("platform", ["Linux", "Windows", "Darwin"])
def test_types_are_strict_on_every_system(platform: str) -> None:
    done = run(tool("pyright"), "-p", ".", "--pythonplatform", platform, "--pythonpath", sys.executable, "--outputjson")
    report = json.loads(done.stdout)
    wrong = [
        f"{entry['file']}:{entry['range']['start']['line'] + 1}: {entry['message']}"
        for entry in report["generalDiagnostics"]
        if entry["severity"] == "error"
    ]
    assert report["summary"]["filesAnalyzed"] >= len(SOURCES)
    assert wrong == []


def test_style() -> None:
    done = run(tool("ruff"), "check", "--no-cache", ".")
    assert done.returncode == 0, done.stdout


def test_imports_keep_their_layers() -> None:
    done = run(tool("lint-imports"), "--no-cache")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", ALL_SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_is_not_too_long(path: Path) -> None:
    lines = path.read_text("utf-8").count("\n")
    assert lines <= MAX_LINES, f"{lines} lines"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_says_what_it_is_for(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    if tree.body:
        assert ast.get_docstring(tree)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_is_swallowed(path: Path) -> None:
    """No `except Exception: pass`, and no bare except."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None, f"line {node.lineno}"
            broad = isinstance(node.type, ast.Name) and node.type.id in {"Exception", "BaseException"}
            assert not (broad and all(isinstance(part, ast.Pass) for part in node.body)), f"line {node.lineno}"


def test_colours_stand_in_the_palette_alone() -> None:
    colour = re.compile(r"[\"']#[0-9A-Fa-f]{6}[\"']")
    found = [path for path in SOURCES if colour.search(path.read_text("utf-8"))]
    assert [path.relative_to(ROOT).as_posix() for path in found] == ["metona_tk/ui/palette.py"]


def test_the_toolkit_is_met_in_ui_alone() -> None:
    found = {
        path.relative_to(ROOT).parts[1]
        for path in SOURCES
        if re.search(r"import (custom)?tkinter", path.read_text("utf-8"))
    }
    assert found == {"ui"}


def test_app_is_small() -> None:
    assert (ROOT / "metona_tk" / "app.py").read_text("utf-8").count("\n") <= 150


def tracked() -> list[Path]:
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        return [*ALL_SOURCES, *ROOT.glob("*.*"), *(ROOT / "packaging").iterdir()]
    listed = run("git", "ls-files", "-z").stdout.split("\0")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


def test_no_file_names_a_machine_or_an_index() -> None:
    """No path of a developer's machine, no address of a package index."""
    wrong: list[str] = []
    index = re.compile(
        rb"https?://(pypi\.org|files\.pythonhosted\.org|[\w.]*mirror[\w.]*)|/work/"
        rb"(main|shared)|/root/"
        rb"\.pyenv|file:///opt/"
    )
    for path in tracked():
        if path.is_dir() or path == Path(__file__) or path.suffix in {".png", ".mo"} or "wire" in path.parts:
            continue
        for number, line in enumerate(path.read_bytes().splitlines(), 1):
            if index.search(line):
                wrong.append(f"{path.relative_to(ROOT)}:{number}: {line[:100]!r}")
    assert wrong == []


def test_tests_mirror_the_program() -> None:
    """A folder of unit tests belongs to a package of the program (or to what the tests themselves are made of)."""
    known = {path.name for path in (ROOT / "metona_tk").iterdir() if path.is_dir()} | {"packaging", "fakes", "evals"}
    for folder in (ROOT / "tests" / "unit").iterdir():
        if folder.is_dir() and folder.name != "__pycache__":
            assert folder.name in known, folder


LATE = ("requests", "pydantic", "urllib3", "charset_normalizer", "sqlite3", "mcp", "pygments", "pystray", "markdown_it")
LATE += ("re2", "send2trash")


def loaded_by(code: str) -> set[str]:
    done = run(sys.executable, "-c", f"{code}\nimport sys, json; print(json.dumps(list(sys.modules)))")
    assert done.returncode == 0, done.stderr
    return {name.split(".")[0] for name in json.loads(done.stdout.splitlines()[-1])}


@pytest.mark.parametrize(
    "module", ["metona_tk.app", "metona_tk.ui.window", "metona_tk.protocol.events", "metona_tk.settings"]
)
def test_what_the_first_window_must_not_load(module: str) -> None:
    assert not loaded_by(f"import {module}") & set(LATE)


def test_the_command_line_does_not_load_the_toolkit() -> None:
    code = "from metona_tk.app import main\ntry:\n    main(['tools', 'list'])\nexcept SystemExit: pass"
    assert not loaded_by(code) & {"tkinter", "customtkinter", "PIL"}


def test_the_protocol_stands_on_the_standard_library_and_has_no_logic() -> None:
    for path in (ROOT / "metona_tk" / "protocol").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                top = node.module.split(".")[0]
                assert top == "metona_tk" or top in sys.stdlib_module_names | {"__future__"}, node.module
