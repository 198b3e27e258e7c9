"""Runs benchmarks, each in a process of its own: all of them, or those that are named.

python -m tests.bench                    # all; the ones with a window want a DISPLAY with a window manager
python -m tests.bench start search       # some
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

NAMES = (
    "start",
    "memory",
    "stream",
    "burst",
    "markdown",
    "opening",
    "resize",
    "search",
    "calls",
    "writing",
    "raising",
    "frozen",
)
ROOT = Path(__file__).parents[2]


def main() -> int:
    """0 when all ran, whatever they found: a target that is missed is told in the line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure, against a yardstick.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    names = parser.parse_args().names or list(NAMES)
    if unknown := [name for name in names if name not in NAMES]:
        parser.error(f"there is no {', '.join(unknown)}; there are {', '.join(NAMES)}")
    codes = [subprocess.run([sys.executable, "-m", f"tests.bench.{name}"], cwd=ROOT).returncode for name in names]
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main())
