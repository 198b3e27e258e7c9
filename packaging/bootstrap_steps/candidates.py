"""The places where a Python may be found. Must keep to what Python 3.6 understands (see `old_python.py`)."""

import glob
import os
import re
import shutil
import sys

VERSIONS = ("3.14", "3.13", "3.12", "3.11")


def candidates() -> "list[list[str]]":
    """Commands that may start a good Python, best first, each file once; whether they do is up to `pythons.py`."""
    paths = [sys.executable]
    paths += [shutil.which("python" + version) or "" for version in VERSIONS]
    paths += [shutil.which("python3") or "", *pyenv_pythons()]
    if os.name == "posix":
        paths += ["/usr/bin/python3"]
    commands: "list[list[str]]" = []
    seen: "set[str]" = set()
    for path in paths:
        real = os.path.realpath(path) if path else ""
        if path and real not in seen:
            seen.add(real)
            commands.append([path])
    launcher = shutil.which("py") if os.name == "nt" else None
    return commands + [[launcher, "-" + version] for version in VERSIONS if launcher]


def pyenv_pythons() -> "list[str]":
    """The Pythons that pyenv installed, newest first: they are often not on PATH."""
    home = os.environ.get("PYENV_ROOT") or os.path.join(os.path.expanduser("~"), ".pyenv")
    found = glob.glob(os.path.join(glob.escape(home), "versions", "*", "bin", "python3"))
    return sorted(found, key=lambda path: [int(n) for n in re.findall(r"\d+", path[len(home) :])], reverse=True)
