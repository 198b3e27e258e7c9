"""From the start of an executable to its first window drawn (Linux, X11), and its size.

The yardsticks are the same program from sources, and a bare window of CustomTkinter. The executables are those that
packaging/build.py puts into dist, or those that METONA_TK_PROGRAMS names, one-file first, with a colon between.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from pathlib import Path

from tests.bench.figures import fields, tell
from tests.bench.screen import ROOT
from tests.bench.start import BARE, times

ROUNDS = 11
DIST = ("dist/one-file/metona-tk", "dist/one-folder/metona-tk/metona-tk")


def programs() -> dict[str, Path]:
    """The executables that are there, by their kind."""
    named = os.environ.get("METONA_TK_PROGRAMS", "").split(os.pathsep)
    paths = [Path(name) for name in named] if any(named) else [ROOT / name for name in DIST]
    return {kind: path for kind, path in zip(("one-file", "one-folder"), paths, strict=True) if path.is_file()}


def megabytes(kind: str, path: Path) -> float:
    """What has to be handed on."""
    files = [path] if kind == "one-file" else [file for file in path.parent.rglob("*") if file.is_file()]
    return sum(file.lstat().st_size for file in files) / 1e6


def main() -> None:
    """Print the figures."""
    built = programs()
    if not built:
        sys.stderr.write("There is no executable in dist: python3 packaging/build.py makes them.\n")
        return
    commands = {"bare": [sys.executable, "-c", BARE], "sources": [sys.executable, "-m", "metona_tk"]}
    commands |= {kind: [str(path)] for kind, path in built.items()}
    took: dict[str, list[float]] = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as home:
        for number in range(ROUNDS + 1):
            for name, command in commands.items():
                ready = times(command, ("READY",), None, home)["READY"]
                if number:
                    took[name].append(ready)
    middle = {name: statistics.median(values) for name, values in took.items()}
    yard = fields(sources_ms=middle["sources"], bare_ms=middle["bare"], sources_least=min(took["sources"]))
    for kind, most in (("one-file", 3.0), ("one-folder", 1.2)):
        if kind in built:
            size = megabytes(kind, built[kind])
            figures = fields(drawn_ms=middle[kind], drawn_least=min(took[kind]), megabytes=size)
            ratio = middle[kind] / middle["sources"]
            tell(f"frozen start {kind}", figures, yard, round(ratio, 2), f"<= {most} x sources", ratio <= most)


if __name__ == "__main__":
    main()
