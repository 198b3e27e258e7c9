"""What becomes of the workspace between and during turns, by commands and events."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from metona_tk.agent.conversation import Conversation
from metona_tk.agent.gatekeeper import build_gate
from metona_tk.agent.recording import open_record
from metona_tk.agent.tool_call import ToolRunner
from metona_tk.protocol.events import ToolFinished
from metona_tk.protocol.values import TurnEnd
from metona_tk.settings import Settings
from metona_tk.tools.registry import Registry, built_in
from tests.fakes.ollama import ScriptedServer, calls, text
from tests.security.conftest import World
from tests.turns.driver import Driver

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links as POSIX has them")

READING = [
    ("read_file", {"path": "a.txt"}),
    ("read_file", {"path": "s"}),
    ("list_directory", {"path": "."}),
    ("search_files", {"path": ".", "query": "outside"}),
]


def test_a_workspace_that_is_replaced_by_a_link_between_turns(world: World) -> None:
    with (
        ScriptedServer(calls(*READING), text("one")) as server,
        Driver(server.address, world.R, world.home) as driver,
    ):
        assert driver.ask("?").end is TurnEnd.ANSWERED
        driver.events.clear()
        os.rename(world.R, world.base / "moved")
        os.symlink(world.O, world.R)
        finished = driver.ask("?")
        assert finished.problem is not None
        assert finished.problem.code == "workspace_gone"
        said = str([event.result for event in driver.of(ToolFinished)])
        assert str(world.O) not in said and "line 1: outside" not in said and "outside\\n" not in said


def test_a_workspace_that_is_replaced_or_gone_during_a_turn(world: World) -> None:
    gate = build_gate(str(world.R), [], [])
    runner = ToolRunner(
        Conversation("chat", str(world.R)),
        Registry(built_in()),
        gate,
        8192,
        lambda: False,
        open_record(Settings(Path("none"))),
    )
    os.rename(world.R, world.base / "moved")
    os.symlink(world.O, world.R)
    for name, arguments in READING:
        assert runner.run(runner.parse(name, arguments), None).result.code == "outside_root"
    os.unlink(world.R)
    for name, arguments in READING:
        assert runner.run(runner.parse(name, arguments), None).result.code == "not_found"


def test_kill_in_the_middle_leaves_nothing_behind(world: World) -> None:
    """Whoever is killed while reading has written nothing, and the searcher that it started ends too."""
    for number in range(300):
        (world.R / f"f{number}.txt").write_text("needle " * 2000)
    before = {path: path.stat().st_mtime_ns for path in world.R.rglob("*")}
    argv = [sys.executable, "-m", "metona_tk", "tools", "run", "search_files"]
    argv += ['{"path": ".", "query": "needle"}', "--folder", str(world.R)]
    for wait in (0.1, 0.2, 0.3):
        running = subprocess.Popen(
            argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=Path(__file__).parents[2]
        )
        end = time.monotonic() + wait
        while time.monotonic() < end and running.poll() is None:
            os.sched_yield()
        running.send_signal(signal.SIGKILL)
        running.wait()
    assert {path: path.stat().st_mtime_ns for path in world.R.rglob("*")} == before
    end = time.monotonic() + 5
    while readers_in(world.R) and time.monotonic() < end:
        os.sched_yield()
    assert not readers_in(world.R)


def readers_in(folder: Path) -> list[str]:
    found: list[str] = []
    for entry in os.listdir("/proc") if sys.platform == "linux" else []:
        try:
            if entry.isdigit() and os.readlink(f"/proc/{entry}/cwd") == str(folder):
                found.append(entry)
        except OSError:
            continue
    return found
