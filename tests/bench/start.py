"""From the start of the process to the first window drawn and to a key that arrives in the composer (Linux, X11).

The yardstick is a bare window of CustomTkinter. Keys are pressed by the X server all the time, so that the first one
that can arrive does.
"""

from __future__ import annotations

import ctypes
import os
import selectors
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from tests.bench.figures import fields, tell
from tests.bench.screen import installed

ROUNDS, PATIENCE = 15, 20.0
BARE = """
import sys, customtkinter as ctk
root = ctk.CTk()
root.geometry("1100x760")
def ready():
    sys.stdout.write("READY\\n"); sys.stdout.flush()
def seen(event):
    root.unbind("<Visibility>"); root.after_idle(ready)
root.bind("<Visibility>", seen)
root.mainloop()
"""
_OURS = """
import sys
from metona_tk.app import main
from metona_tk.instance.listening import Instance
from metona_tk.protocol.wishes import ShowWindow
from metona_tk.ui.window import Window
start = Window.start
def started(window, options=None):
    start(window, options)
    def typed(event):
        window.composer.text.unbind("<Key-a>", bound)
        sys.stdout.write("KEY\\n"); sys.stdout.flush()
    bound = window.composer.text.bind("<Key-a>", typed, add=True)
Window.start = started
sys.exit(main([], ShowWindow(), Instance()))
"""


class Keyboard:
    """Presses a key through the X server's own test extension."""

    def __init__(self) -> None:
        self._x = ctypes.CDLL("libX11.so.6")
        self._test = ctypes.CDLL("libXtst.so.6")
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._display = ctypes.c_void_p(self._x.XOpenDisplay(None))
        if not self._display:
            sys.exit("There is no DISPLAY to show a window on.")
        self._code = self._x.XKeysymToKeycode(self._display, ctypes.c_ulong(ord("a")))

    def press(self) -> None:
        """Down and up."""
        for down in (1, 0):
            self._test.XTestFakeKeyEvent(self._display, self._code, down, ctypes.c_ulong(0))
        self._x.XFlush(self._display)


def times(command: list[str], words: tuple[str, ...], keyboard: Keyboard | None, home: str) -> dict[str, float]:
    """ms from the start of the process to each word that it says."""
    environment = installed(home) | {"METONA_TK_ANNOUNCE_READY": "1"}
    found: dict[str, float] = {}
    begun = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env=environment, cwd=home, start_new_session=True
    ) as process:
        assert process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while set(words) - set(found) and time.perf_counter() < begun + PATIENCE:
                if selector.select(0.003):
                    now = time.perf_counter()
                    for word in os.read(process.stdout.fileno(), 4096).decode().split():
                        found.setdefault(word, (now - begun) * 1000)
                elif keyboard:
                    keyboard.press()
        os.killpg(process.pid, signal.SIGTERM)  # an executable in one file is two processes, and clears up at this
    missing = set(words) - set(found)
    assert not missing, f"{missing} never came"
    return found


def main() -> None:
    """Print the figures."""
    keyboard = Keyboard()
    bare: list[float] = []
    drawn: list[float] = []
    usable: list[float] = []
    with tempfile.TemporaryDirectory() as home:
        for number in range(ROUNDS + 1):
            yard = times([sys.executable, "-c", BARE], ("READY",), None, home)
            ours = times([sys.executable, "-c", _OURS], ("READY", "KEY"), keyboard, home)
            if number:
                bare.append(yard["READY"])
                drawn.append(ours["READY"])
                usable.append(ours["KEY"])
    yardstick, first, keys = statistics.median(bare), statistics.median(drawn), statistics.median(usable)
    figures = fields(drawn_ms=first, usable_ms=keys, drawn_least=min(drawn), usable_least=min(usable))
    yard = fields(drawn_ms=yardstick, drawn_least=min(bare))
    tell("start drawn", figures, yard, round(first / yardstick, 2), "<= 1.6 x", first <= 1.6 * yardstick)
    tell("start usable", figures, yard, round(keys / yardstick, 2), "<= 2.5 x", keys <= 2.5 * yardstick)


if __name__ == "__main__":
    main()
