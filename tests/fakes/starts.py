"""Starts of the program as far as its place and the handing over of wishes, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
# says FIRST, HANDED or why not, then each wish; "late": it listens only after a line of its input, with which it ends
PROGRAM = """
import sys
from metona_tk.instance import HandOverFailed, begin, doors, place
from metona_tk.protocol.handed import AskQuickly
question, door, late = sys.argv[1:]
if door == "port":
    place.UnixDoor = doors.LoopbackDoor
def say(*words):
    print(*words, flush=True)
try:
    found = begin(AskQuickly(None, "", question))
except HandOverFailed as error:
    say(type(error).__name__)
    sys.exit(1)
if found is None:
    say("HANDED")
else:
    say("ALONE" if found.trouble else "FIRST")
    if late:
        sys.stdin.readline()
    found.listen(lambda wish: say(type(wish).__name__, wish.question))
    sys.stdin.read()
    found.close()
"""


class Started:
    """One start; `door` "sock" or "port"."""

    def __init__(self, question: str, door: str, late: bool, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, question, door, "late" if late else ""],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            cwd=ROOT,
            env=os.environ | environment,
        )

    def line(self) -> str:
        """The next that it says, "" at its end."""
        return self.process.stdout.readline().strip()

    def say(self, words: str) -> None:
        """A line of its input."""
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()

    def end(self) -> str:
        """Have it end; what else it said."""
        return self.process.communicate(timeout=20)[0]

    def kill(self) -> None:
        """As by kill -9."""
        self.process.kill()
        self.process.wait(20)


class Starts:
    """Makes starts and ends those that are left."""

    def __init__(self) -> None:
        self._made: list[Started] = []

    def __call__(self, question: str = "", door: str = "sock", late: bool = False, **environment: str) -> Started:
        self._made.append(Started(question, door, late, environment))
        return self._made[-1]

    def end(self) -> None:
        """None is left."""
        for each in self._made:
            if each.process.poll() is None:
                each.kill()
            each.process.stdin.close()
            each.process.stdout.close()


@contextmanager
def starts() -> Iterator[Starts]:
    """For the length of a test."""
    made = Starts()
    try:
        yield made
    finally:
        made.end()
