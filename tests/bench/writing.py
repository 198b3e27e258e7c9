"""A planned write that can be undone against a bare atomic one (temp, fsync, replace, fsync of the folder)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from metona_tk.operations import failpoints
from tests.bench.figures import fields, in_turn, medians, tell, took
from tests.fakes import changes
from tests.fakes.changes import Desk

ROUNDS, TIMES, MOST = 15, 10, 3.0
SIZES = {"write 4 kB": 4 << 10, "write 1 MB": 1 << 20}


def bare(path: Path, content: bytes) -> None:
    """What every careful program does."""
    temp = path.with_suffix(".tmp")
    with temp.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temp, path)
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def fsyncs(work: Callable[[], object]) -> int:
    """How often Python itself calls fsync; the commits of the journal come on top."""
    counted, real = [0], os.fsync

    def count(fd: int) -> None:
        counted[0] += 1
        real(fd)

    os.fsync = count
    try:
        work()
    finally:
        os.fsync = real
    return counted[0]


def main() -> None:
    """Print the figures."""
    failpoints.set_hook(None)
    with tempfile.TemporaryDirectory(prefix="bench-writing-") as base:
        os.environ["HOME"] = f"{base}/home"
        desk = Desk(Path(base))
        for name, size in SIZES.items():
            measure(desk, name, size)


def measure(desk: Desk, name: str, size: int) -> None:
    """One size; the contents are new each time, so that nothing is in the store already."""
    path, plain = desk.work / "ours.txt", desk.work / "plain.txt"
    path.write_bytes(os.urandom(size))

    def ours() -> float:
        return sum(one() for _ in range(TIMES)) / TIMES

    def one() -> float:
        plan = changes.write(path, os.urandom(size))
        return took(lambda: desk.apply(plan))

    def theirs() -> float:
        contents = [os.urandom(size) for _ in range(TIMES)]
        return sum(took(lambda content=content: bare(plain, content)) for content in contents) / TIMES

    found = medians(in_turn(ROUNDS, ours=ours, bare=theirs))
    synced = fsyncs(lambda: desk.apply(changes.write(path, os.urandom(size))))
    ratio = round(found["ours"] / found["bare"], 2)
    figures = fields(ms=found["ours"], fsyncs=synced)
    tell(name, figures, fields(ms=found["bare"], fsyncs=2), ratio, f"<= {MOST} x", ratio <= MOST)


if __name__ == "__main__":
    main()
