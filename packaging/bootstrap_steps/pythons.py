"""Finds a Python 3.11+ that can really import tkinter and make a virtual environment; `candidates.py` says where."""

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .candidates import candidates

OLDEST = (3, 11)
# The words of a Python of any age about itself. A Python in a virtual environment names the one that it was made from.
QUESTIONS = """
import json, sys
tk = ""
try:
    import tkinter
except BaseException as error:
    tk = str(error) or type(error).__name__
try:
    import ensurepip, venv
    can_venv = True
except ImportError:
    can_venv = False
base = getattr(sys, "_base_executable", "") if sys.prefix != sys.base_prefix else ""
sys.stdout.write(json.dumps([base or sys.executable, sys.version_info[:2], tk, can_venv]))
"""


@dataclass(frozen=True, slots=True)
class Python:
    """A Python as it describes itself; `tk_problem` is empty where tkinter works."""

    path: str
    version: tuple[int, int]
    tk_problem: str = ""
    can_venv: bool = True

    @property
    def complete(self) -> bool:
        """Whether it can be used as it is."""
        return self.version >= OLDEST and not self.tk_problem and self.can_venv

    def needs(self) -> list[str]:
        """What the system lacks for it, in the words of `system_packages.NAMES`; empty if no package can help."""
        library = re.search(r"lib(tk|tcl)(\d\.\d)", self.tk_problem)
        if library and self.can_venv:
            return ["libtk" + library[2]]
        if Path(self.path).resolve().parent != Path("/usr/bin"):
            return []  # built without Tk: no package of the system adds it
        lacking = (["tkinter"] if self.tk_problem else []) + ([] if self.can_venv else ["venv"])
        default = Path("/usr/bin/python3")
        if default.exists() and default.resolve() == Path(self.path).resolve():
            return lacking
        return [f"{need}-{self.version[0]}.{self.version[1]}" for need in lacking]


def ask(command: list[str]) -> Python | None:
    """What the Python behind `command` says of itself (in its own process, at most 30 s); None if it does not start."""
    try:
        answer = subprocess.run(
            [*command, "-I", "-c", QUESTIONS], capture_output=True, stdin=subprocess.DEVNULL, timeout=30, check=False
        )
        path, version, tk_problem, can_venv = json.loads(answer.stdout)
        return Python(path, (version[0], version[1]), tk_problem, can_venv)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None


def found() -> Iterator[Python]:
    """The Pythons of this machine, best first, each asked only when it is its turn."""
    for command in candidates():
        python = ask(command)
        if python:
            yield python


def choose() -> tuple[Python | None, list[Python]]:
    """The first complete Python, and those met before it that are new enough but lack something."""
    lacking: list[Python] = []
    for python in found():
        if python.complete:
            return python, lacking
        if python.version >= OLDEST:
            lacking.append(python)
    return None, lacking
