"""For a start under Python 3.6 to 3.10: hands over to a newer Python, or says what to install.

This file and `candidates.py` must keep to what Python 3.6 understands; all others may use 3.11.
"""

import os
import subprocess
import sys

from .candidates import candidates

NEW_ENOUGH = "import sys; sys.exit(sys.version_info < (3, 11))"


def newer_python() -> "list[str] | None":
    """The first command that starts a Python 3.11+, since the one that runs is too old for the program."""
    for command in candidates():
        try:
            code = subprocess.call(
                command + ["-I", "-c", NEW_ENOUGH], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        except OSError:
            continue
        if code == 0:
            return command
    return None


def go_on_with_a_newer_python() -> None:
    """Start bootstrap.py again under a newer Python, so that `python3` may stay whatever the machine needs."""
    command = newer_python()
    if command is None:
        sys.stderr.write(
            "Metona TK needs Python 3.11 or newer, but this is Python {}.{} and no newer one was found.\n"
            "Install one from https://www.python.org/downloads/ or with your package manager, "
            "then start it again.\n".format(*sys.version_info[:2])
        )
        sys.exit(1)
    command = command + [os.path.abspath(sys.argv[0])] + sys.argv[1:]
    if os.name == "posix":
        os.execv(command[0], command)
    sys.exit(subprocess.call(command))
