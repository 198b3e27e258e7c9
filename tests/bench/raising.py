"""How long a second start takes to bring the hidden window, or the small one, onto the screen.

From the start of the second process to the moment that the window is seen. Yardstick: a Python that does nothing.
Target: 100 ms, median of 20.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

from tests.bench.figures import tell, took
from tests.bench.screen import installed

ROUNDS, MOST, PATIENCE = 20, 100, 20.0
_PROGRAM = """
import queue, sys, threading, time
from metona_tk.app import main
from metona_tk.instance import begin
from metona_tk.protocol.wishes import ShowWindow
from metona_tk.ui.window import Window

asked = queue.SimpleQueue()
threading.Thread(target=lambda: [asked.put(line.strip()) for line in sys.stdin], daemon=True).start()

def say(word):
    sys.stdout.write(f"{word} {time.monotonic()}\\n"); sys.stdout.flush()

def seen(top, word):
    top.bind("<Visibility>", lambda event: say(word) if event.widget is top else None, add=True)

start = Window.start
def started(window, options=None):
    start(window, options)
    top = window.top
    def look():
        top.after(5, look)
        if asked.empty():
            return
        word = asked.get()
        small = window.outside.small()
        if word == "begin":
            seen(top, "large"); seen(small.top, "small")
        top.withdraw(); small.top.withdraw()
        top.update(); say("hidden")
    look()
Window.start = started
wish = ShowWindow()
sys.exit(main([], wish, begin(wish)))
"""


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as home:
        environment = installed(home)
        command = [sys.executable, "-c", _PROGRAM]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, env=environment, cwd=home, **pipes) as program:
            _say(program, "begin")
            bare = [took(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)) for _ in range(ROUNDS)]
            large = [_raised(program, environment, "large") for _ in range(ROUNDS + 1)][1:]
            small = [_raised(program, environment, "small", "ask", "--window") for _ in range(ROUNDS + 1)][1:]
            program.kill()
    yard = statistics.median(bare)
    for name, found in (("second start", large), ("quick ask", small)):
        middle = statistics.median(found)
        figures = {"p50": round(middle, 1), "max": round(max(found), 1)}
        tell(name, figures, {"python": round(yard, 1)}, round(middle / yard, 2), "100 ms", middle <= MOST)


def _say(program: subprocess.Popen[str], word: str) -> None:
    """Ask for something and wait until all windows are hidden."""
    assert program.stdin
    program.stdin.write(word + "\n")
    program.stdin.flush()
    _heard(program, "hidden")


def _heard(program: subprocess.Popen[str], word: str) -> float:
    assert program.stdout
    while line := program.stdout.readline():
        said, _, moment = line.partition(" ")
        if said == word:
            return float(moment)
    raise AssertionError(f"{word} never came")


def _raised(program: subprocess.Popen[str], environment: dict[str, str], word: str, *arguments: str) -> float:
    """ms from the start of a second process to the sight of the window."""
    _say(program, "hide")
    command = [sys.executable, "-P", "-m", "metona_tk", *arguments]
    begun = time.monotonic()
    with subprocess.Popen(command, env=environment, cwd=os.sep) as second:
        seen = _heard(program, word)
        assert second.wait(PATIENCE) == 0
    return (seen - begun) * 1000


if __name__ == "__main__":
    main()
