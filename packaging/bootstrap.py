"""Starts Metona TK, or its tests, on a machine that has nothing but a Python.

This first file is plain enough for every Python, even 2.7, so that an old one gets a sentence and not a
SyntaxError; the work is done in `bootstrap_steps/command.py`.
"""

import sys

if sys.version_info < (3, 6):
    sys.stderr.write(
        "Metona TK needs Python 3.11 or newer, but this is Python "
        + sys.version.split()[0]
        + ".\nStart it with python3 packaging/bootstrap.py, "
        + "or install Python from https://www.python.org/downloads/ .\n"
    )
    sys.exit(1)

if __name__ == "__main__":
    if sys.version_info < (3, 11):
        from bootstrap_steps.old_python import go_on_with_a_newer_python

        go_on_with_a_newer_python()
    from bootstrap_steps.command import main

    sys.exit(main(sys.argv[1:]))
