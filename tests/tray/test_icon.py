"""The icon in a real panel, clicked with a real mouse: show, hide, quick question, quit; and what happens to it.

Each test has a screen and a session bus of its own, with openbox, trayer and dunst on it, and the whole program.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = ("Xvfb", "openbox", "trayer", "dunst", "dbus-daemon", "xdotool")
LACKING = [name for name in NEEDED if not shutil.which(name)]
pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a panel of X11"),
    pytest.mark.skipif(bool(LACKING), reason=f"not installed: {LACKING}"),
    pytest.mark.timeout(120),
]
DEADLINE = 30.0  # s; only how long a failing test takes


def wait(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < end, f"never happened: {what}"
        time.sleep(0.03)


@dataclass
class Desktop:
    """A screen, a bus, a window manager, a panel, and the program."""

    home: Path
    stack: contextlib.ExitStack
    environment: dict[str, str] = field(default_factory=dict)
    running: dict[str, subprocess.Popen] = field(default_factory=dict)

    def start(self, name: str, *command: str, **options) -> subprocess.Popen:
        process = subprocess.Popen(
            [*command],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=options.pop("stdout", subprocess.DEVNULL),
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=ROOT,
            **options,
        )
        self.running[name] = process
        self.stack.callback(self.end, process)
        return process

    def end(self, process: subprocess.Popen) -> None:
        if process.poll() is None:
            process.kill()
        process.wait(10)

    def kill(self, name: str) -> None:
        self.end(self.running.pop(name))

    def panel(self) -> None:
        self.start("trayer", "trayer", "--edge", "top", "--align", "right", "--widthtype", "request", "--height", "24")

    def program(self, *arguments: str) -> subprocess.Popen:
        name = "second" if "metona" in self.running else "metona"
        return self.start(name, sys.executable, "-m", "metona_tk", *arguments)

    def xdo(self, *arguments: str) -> str:
        done = subprocess.run(["xdotool", *arguments], env=self.environment, capture_output=True, text=True, timeout=30)
        return done.stdout

    def windows(self, name: str) -> list[str]:
        """Those that are seen."""
        return self.xdo("search", "--onlyvisible", "--name", name).split()

    def is_shown(self) -> bool:
        return bool(self.windows("^Metona$"))

    def icon(self) -> tuple[int, int] | None:
        """The middle of the icon: trayer's window is as wide as what it holds."""
        for window in self.xdo("search", "--onlyvisible", "--class", "trayer").split():
            found = dict(re.findall(r"^(\w+)=(-?\d+)$", self.xdo("getwindowgeometry", "--shell", window), re.M))
            if int(found.get("WIDTH", 0)) >= 20:
                return int(found["X"]) + int(found["WIDTH"]) // 2, int(found["Y"]) + int(found["HEIGHT"]) // 2
        return None

    def click(self, button: int = 1) -> None:
        wait(self.icon, "the icon")
        x, y = self.icon() or (0, 0)
        self.xdo("mousemove", str(x), str(y), "click", str(button))

    def choose(self, place: int) -> None:
        """An entry of the menu, by keys; from 1. A menu of GTK holds the keys as soon as it is mapped."""
        before = set(self.all_windows())
        self.click(3)
        wait(lambda: set(self.all_windows()) - before, "the menu")
        end = time.monotonic() + 0.5  # the grab of the keys comes after the window; nothing tells of it
        while time.monotonic() < end:
            time.sleep(0.05)
        self.xdo("key", *["Down"] * place, "Return")

    def all_windows(self) -> list[str]:
        return self.xdo("search", "--onlyvisible", "--maxdepth", "1", "--name", ".*").split()

    def helper(self) -> int | None:
        """The process of the icon."""
        program = self.running["metona"].pid
        for line in subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True).stdout.splitlines():
            pid, parent, arguments = line.split(None, 2)
            if parent == str(program) and arguments.endswith("tray-icon"):
                return int(pid)
        return None

    def ready(self) -> None:
        wait(self.is_shown, "the window")
        wait(self.icon, "the icon")


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Desktop]:
    """Without a panel, a bus or the program."""
    with contextlib.ExitStack() as stack:
        (tmp_path / "run").mkdir(mode=0o700)
        desktop = Desktop(tmp_path, stack)
        desktop.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("DBUS_", "XDG_", "WAYLAND_"))},
            "HOME": str(tmp_path),
            "METONA_TK_HOME": str(tmp_path / "metona"),
            "XDG_RUNTIME_DIR": str(tmp_path / "run"),
            "OLLAMA_HOST": "http://127.0.0.1:9",
            "LANG": "C.UTF-8",
            "NO_AT_BRIDGE": "1",
        }
        reading, writing = os.pipe()
        desktop.start(
            "Xvfb", "Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24", "-nolisten", "tcp",
            pass_fds=(writing,),
        )  # fmt: skip
        os.close(writing)
        with os.fdopen(reading) as number:
            desktop.environment["DISPLAY"] = ":" + number.readline().strip()
        desktop.start("openbox", "openbox", "--sm-disable")
        yield desktop


@pytest.fixture
def desktop(bare: Desktop) -> Desktop:
    bus = bare.start(
        "bus", "dbus-daemon", "--session", "--nofork", "--print-address", "--nopidfile", stdout=subprocess.PIPE
    )
    bare.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
    bare.panel()
    bare.start("dunst", "dunst")
    return bare


def test_the_icon_shows_hides_asks_and_quits(desktop):
    program = desktop.program()
    desktop.ready()
    desktop.click()
    wait(lambda: not desktop.is_shown(), "hidden by a click")
    desktop.click()
    wait(desktop.is_shown, "shown by a click")
    desktop.choose(1)
    wait(lambda: not desktop.is_shown(), "hidden by the menu")
    desktop.choose(2)
    wait(lambda: desktop.windows("quick question"), "the small window")
    desktop.xdo("key", "Escape")
    wait(lambda: not desktop.windows("quick question"), "the small window away")
    helper = desktop.helper()
    desktop.choose(6)
    wait(lambda: program.poll() is not None, "the end")
    assert program.returncode == 0
    wait(lambda: not Path(f"/proc/{helper}").exists(), "the end of the icon's process")


def test_closing_hides_and_a_second_start_brings_it_back(desktop):
    desktop.program()
    desktop.ready()
    close(desktop)
    wait(lambda: not desktop.is_shown(), "hidden")
    assert desktop.running["metona"].poll() is None
    second = desktop.program()
    assert second.wait(30) == 0
    wait(desktop.is_shown, "shown again")
    third = desktop.program("ask", "--window")
    assert third.wait(30) == 0
    wait(lambda: desktop.windows("quick question"), "the small window")


def close(desktop: Desktop) -> None:
    """As the window manager does for its cross: it asks the window to close, and the window is seen no more."""

    def asked() -> bool:
        for window in desktop.windows("^Metona$"):
            desktop.xdo("windowactivate", "--sync", window, "key", "--clearmodifiers", "alt+F4")
        return not desktop.is_shown()

    wait(asked, "the window away")


def test_a_killed_panel_brings_the_window_back_and_a_new_one_takes_the_icon(desktop):
    desktop.program()
    desktop.ready()
    desktop.click()
    wait(lambda: not desktop.is_shown(), "hidden")
    desktop.kill("trayer")
    wait(desktop.is_shown, "the window back")
    desktop.panel()
    wait(desktop.icon, "the icon again")
    desktop.click()
    wait(lambda: not desktop.is_shown(), "hidden again")


def test_a_killed_notification_daemon_hurts_nothing(desktop):
    desktop.program()
    desktop.ready()
    desktop.kill("dunst")
    close(desktop)  # tells for the first time that it stays
    wait(lambda: not desktop.is_shown(), "hidden")
    desktop.click()
    wait(desktop.is_shown, "shown")
    assert desktop.running["metona"].poll() is None


def test_without_a_bus_the_icon_works(bare):
    bare.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
    bare.panel()
    bare.program()
    bare.ready()
    bare.click()
    wait(lambda: not bare.is_shown(), "hidden")
    bare.click()
    wait(bare.is_shown, "shown")


def test_without_a_panel_closing_only_minimises(bare):
    bare.program()
    wait(bare.is_shown, "the window")
    wait(bare.helper, "the icon's process")
    close(bare)
    wait(lambda: not bare.is_shown(), "minimised")
    assert bare.running["metona"].poll() is None
    assert bare.program().wait(30) == 0
    wait(bare.is_shown, "shown by a second start")
    bare.xdo("key", "ctrl+q")
    wait(lambda: bare.running["metona"].poll() is not None, "the end")


def test_a_killed_icon_is_started_again_and_a_killed_program_takes_its_icon_with_it(desktop):
    program = desktop.program()
    desktop.ready()
    first = desktop.helper()
    assert first
    os.kill(first, signal.SIGKILL)
    wait(lambda: desktop.helper() not in {None, first}, "another process")
    wait(desktop.icon, "the icon again")
    helper = desktop.helper()
    program.kill()
    wait(lambda: not Path(f"/proc/{helper}").exists(), "the end of the icon's process")


def test_keys_that_are_wished_for_open_the_small_window_from_everywhere(desktop):
    folder = Path(desktop.environment["METONA_TK_HOME"])
    folder.mkdir()
    (folder / "settings.json").write_text(json.dumps({"version": 1, "hotkey": "<ctrl>+<alt>+m"}))
    desktop.program()
    desktop.ready()
    desktop.click()
    wait(lambda: not desktop.is_shown(), "hidden")

    def pressed() -> bool:
        desktop.xdo("key", "ctrl+alt+m")  # until somebody listens
        return bool(desktop.windows("quick question"))

    wait(pressed, "the small window")
