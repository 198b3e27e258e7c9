"""list_directory and read_file against the bare system calls, and what the gate takes for each call."""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.bench.figures import fields, in_turn, share, tell, took
from tests.bench.workspace import Workspace

ROUNDS, TIMES, MOST = 15, 20, 2.0
ENTRIES, LINE = 500, "The quick brown fox jumps over the lazy dog, again and again.\n"


def plant(root: Path) -> None:
    """A folder of 500 files, a text of 500 lines, and one of 100 MB."""
    (root / "many").mkdir()
    for number in range(ENTRIES):
        (root / "many" / f"file-{number}.txt").write_text(LINE)
    (root / "text.txt").write_text(LINE * 499)
    deep = root.joinpath(*(f"level-{number}" for number in range(8)))
    deep.mkdir(parents=True)
    (deep / "a.txt").write_text(LINE)
    with (root / "large.log").open("w") as file:
        for _ in range(100):
            file.write(LINE * (1_000_000 // len(LINE)))


def listed(folder: Path) -> None:
    """The system calls of a listing."""
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            entry.stat(follow_symlinks=False)


def read(path: Path) -> None:
    """The system calls of reading a text."""
    with path.open("rb") as file:
        file.read().decode()


def counted(path: Path) -> None:
    """The system calls of reading a large file through, with its lines counted."""
    with path.open("rb") as file:
        while block := file.read(1 << 16):
            block.count(b"\n")


def times(work: Callable[[], object], count: int) -> Callable[[], float]:
    """ms of one, from several."""
    return lambda: took(lambda: [work() for _ in range(count)]) / count


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory(prefix="bench-calls-") as folder:
        root = Path(folder)
        plant(root)
        work = Workspace(root)
        large = {"path": "large.log", "start_line": 1_500_000, "end_line": 1_500_100}
        pairs: dict[str, tuple[Callable[[], object], Callable[[], object], int]] = {
            "list": (lambda: work.call("list_directory", {"path": "many"}), lambda: listed(root / "many"), TIMES),
            "read": (lambda: work.call("read_file", {"path": "text.txt"}), lambda: read(root / "text.txt"), TIMES),
            "read large": (lambda: work.call("read_file", large), lambda: counted(root / "large.log"), 1),
        }
        for name, (ours, bare, count) in pairs.items():
            found = in_turn(ROUNDS, ours=times(ours, count), bare=times(bare, count))
            mine, theirs = (statistics.median(values) for values in found.values())
            ratio = round(mine / theirs, 2)
            tell(name, fields(ms=mine), fields(ms=theirs), ratio, f"<= {MOST} x", ratio <= MOST)
        gate(work, root)


def gate(work: Workspace, root: Path) -> None:
    """The gate alone, for a path of nine parts, against one lstat of it."""
    path = "/".join([*(f"level-{number}" for number in range(8)), "a.txt"])
    for _ in range(20):
        work.judge("read_file", {"path": path})
    ours = [took(lambda: work.judge("read_file", {"path": path})) for _ in range(500)]
    bare = [took(lambda: os.lstat(root / path)) for _ in range(500)]
    figures = fields(p50_ms=statistics.median(ours), p99_ms=share(ours, 0.99))
    yard = fields(p50_ms=statistics.median(bare))
    ratio = round(statistics.median(ours) / statistics.median(bare), 1)
    tell("gate", figures, yard, ratio, f"p99 <= {MOST} ms a call", figures["p99_ms"] <= MOST)


if __name__ == "__main__":
    main()
