"""Opening a file for the user: checked as a read is, and what would run is shown in its folder instead."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from metona_tk.agent.opening import would_run
from metona_tk.protocol.commands import OpenPath
from metona_tk.protocol.events import CommandRefused
from metona_tk.protocol.problems import ProblemCode

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="xdg-open is Linux's")
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """An xdg-open that writes down what it was given; what it was given first."""
    programs, told = tmp_path / "programs", tmp_path / "told"
    programs.mkdir()
    opener = programs / "xdg-open"
    opener.write_text(f'#!/bin/sh\nprintf "%s" "$1" > "{told}.new"\nmv "{told}.new" "{told}"\n')
    opener.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")

    def wait() -> str:
        end = time.monotonic() + 10
        while not told.exists():
            assert time.monotonic() < end, "nothing was opened"
            time.sleep(0.01)
        return told.read_text()

    return wait


def test_a_file_of_the_workspace_opens_with_the_users_program(drive, folder, opened):
    drive(NOWHERE).send(OpenPath("chat", "src/menu.ts"))
    assert opened() == str(folder / "src" / "menu.ts")


@pytest.mark.parametrize("name", ["go.sh", "a.desktop", "x.EXE", "link.url"])
def test_what_would_run_is_shown_in_its_folder(drive, folder, opened, name):
    (folder / "src" / name).write_text("x")
    drive(NOWHERE).send(OpenPath("chat", f"src/{name}"))
    assert opened() == str(folder / "src")


@pytest.mark.parametrize("path", ["../home/settings.json", "/etc/passwd", ".env", "gone.txt", "pipe", "out"])
def test_what_may_not_be_read_is_not_opened(drive, folder, tmp_path, path):
    (folder / ".env").write_text("SECRET=1")
    os.mkfifo(folder / "pipe")
    (tmp_path / "outside.txt").write_text("x")
    (folder / "out").symlink_to(tmp_path / "outside.txt")
    driver = drive(NOWHERE)
    driver.send(OpenPath("chat", path))
    refused = driver.wait(CommandRefused)
    assert refused.problem.code is ProblemCode.CANNOT_OPEN


def test_without_a_folder_nothing_is_opened(drive):
    driver = drive(NOWHERE, None)
    driver.send(OpenPath("chat", "a.txt"))
    assert driver.wait(CommandRefused).problem.code is ProblemCode.NO_WORKSPACE


def test_without_a_program_for_it_it_is_said(drive, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    driver = drive(NOWHERE)
    driver.send(OpenPath("chat", "notes.txt"))
    assert driver.wait(CommandRefused).problem.code is ProblemCode.CANNOT_OPEN


def test_what_would_run(tmp_path):
    plain, tool = tmp_path / "notes.txt", tmp_path / "tool"
    for path in (plain, tool):
        path.write_text("x")
        path.chmod(0o644)
    assert not would_run(str(plain))
    tool.chmod(0o755)
    assert would_run(str(tool))
    dotted = tmp_path / "a.bat ."
    dotted.write_text("x")
    assert would_run(str(dotted))
