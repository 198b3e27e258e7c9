"""While another process swaps folders, files and links as fast as it can, nothing from outside is ever returned."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from metona_tk.agent.gatekeeper import build_gate
from metona_tk.agent.tool_context import make_guard
from metona_tk.protocol.values import Result
from metona_tk.security import handles
from metona_tk.security.paths import Place
from metona_tk.security.sandbox import landlock
from tests.security.conftest import World, open_descriptors

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="race promises are shown on Linux")

# Exchanges a and b until its standard input is closed, then prints how often it did.
SWAPPER = """
import ctypes, os, select, sys
folder, first, second = sys.argv[1:4]
os.chdir(folder)
libc = ctypes.CDLL(None, use_errno=True)
one, two = os.fsencode(first), os.fsencode(second)
exchange = getattr(libc, "renameat2", None)
if exchange is not None and exchange(-100, one, -100, two, 2):
    exchange = None
def by_renames():
    os.rename(first, ".between"); os.rename(second, first); os.rename(".between", second)
print("ready", flush=True)
count = 0
while True:
    for _ in range(50):
        if exchange is None:
            by_renames()
        else:
            exchange(-100, one, -100, two, 2)
        count += 1
    if select.select([sys.stdin], [], [], 0)[0]:
        break
print(count, flush=True)
"""


class Swapping:
    count = 0


@contextmanager
def swapping(folder: Path, first: str, second: str) -> Generator[Swapping]:
    told = Swapping()
    process = subprocess.Popen(
        [sys.executable, "-c", SWAPPER, str(folder), first, second],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin and process.stdout
    try:
        assert process.stdout.readline() == "ready\n"
        yield told
        process.stdin.close()
        told.count = int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


MARK = "Zq7outside"  # in the name and in every line of what is outside
SIZE = 54_321
INSIDE = "Kw3inside"


@dataclass
class Scene:
    """What is swapped, and the calls that run meanwhile; `wanted` must be in a good share of their answers."""

    folder: Path
    first: str
    second: str
    calls: list[tuple[str, dict[str, Any]]]


def scenes(world: World) -> dict[str, Scene]:
    """Build all of it: R/d <-> R/link -> out; R/f.txt <-> R/flink; R/p/d, where R/p <-> R/plink."""
    outside, inside = f"needle {MARK}\n", f"needle {INSIDE}\n"
    for folder, text in ((world.R / "d", inside), (world.R / "p" / "d", inside), (world.O / "d", outside)):
        folder.mkdir(parents=True)
        (folder / "f.txt").write_text(text)
    (world.R / "d" / f"needle-{INSIDE}.txt").write_text(inside)
    (world.R / "p" / "d" / f"needle-{INSIDE}.txt").write_text(inside)
    for folder in (world.O, world.O / "d"):
        (folder / f"needle-{MARK}.txt").write_text(outside)
        (folder / "f.txt").write_bytes(outside.encode().ljust(SIZE, b"\n"))
    (world.R / "f.txt").write_text(inside)
    (world.R / "link").symlink_to(world.O)
    (world.R / "flink").symlink_to(world.O / "f.txt")
    (world.R / "plink").symlink_to(world.O)

    def calls(file: str, folder: str) -> list[tuple[str, dict[str, Any]]]:
        search = {"query": "needle", "max_results": 5}
        return [
            ("read_file", {"path": file}),
            ("list_directory", {"path": folder, "recursive": True}),
            ("search_files", {"path": folder, "search_type": "filename"} | search),
            ("search_files", {"path": folder, "search_type": "content"} | search),
            ("search_files", {"path": ".", "search_type": "both"} | search),
        ]

    return {
        "folder": Scene(world.R, "d", "link", calls("d/f.txt", "d")),
        "file": Scene(world.R, "f.txt", "flink", calls("f.txt", ".")),
        "parent": Scene(world.R, "p", "plink", calls("p/d/f.txt", "p/d")),
    }


def leak_of(world: World, result: Result) -> str | None:
    said = json.dumps(result.as_json(), default=str) + result.text
    for trace in (MARK, str(SIZE), str(world.O)):
        if trace in said:
            return said[:2000]
    return None


def run(world: World, seconds: float, wanted: int, which: tuple[str, ...] = ("folder", "file", "parent")) -> int:
    """Swap at least `wanted` times in all, each scene and call for `seconds` at least; the number of swaps."""
    built = scenes(world)
    swaps, tried = 0, 0
    good: dict[tuple[str, int], list[int]] = {}
    gc.collect()  # what earlier tests left open is none of this one's
    before = open_descriptors()
    while swaps < wanted:
        for name in which:
            scene = built[name]
            with swapping(scene.folder, scene.first, scene.second) as told:
                for place, (tool, arguments) in enumerate(scene.calls):
                    end = time.monotonic() + seconds
                    done = 0
                    of_call = good.setdefault((name, place), [0, 0])
                    while time.monotonic() < end or (of_call[0] < 2 and time.monotonic() < end + 10):
                        result = world.call(tool, arguments)
                        done += 1
                        leak = leak_of(world, result)
                        assert leak is None, (name, tool, arguments, leak)
                        of_call[0] += result.success and INSIDE in str(result.data)
                        of_call[1] += 1
                    tried += done
            swaps += told.count
    assert open_descriptors() == before
    print(f"{swaps} swaps, {tried} calls", {key: f"{value[0]}/{value[1]}" for key, value in good.items()})
    # a test in which nothing is read shows nothing
    assert all(value[0] >= 2 for value in good.values()), good
    assert sum(value[0] for value in good.values()) > 0.2 * tried, good
    return swaps


def test_nothing_from_outside(world: World) -> None:
    assert run(world, 0.6, 100_000) >= 100_000


def test_nothing_from_outside_without_openat2(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(handles._state, "openat2", False)
    run(world, 0.2, 10_000)


def test_nothing_from_outside_without_landlock(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the kernel has no wall for ripgrep, its words alone are never believed."""
    monkeypatch.setattr(landlock, "version", lambda: 0)
    run(world, 0.4, 10_000)


def test_handles_in_a_tight_loop(world: World) -> None:
    """The gate's name and the opening of it, without what is around them: many more tries in the same time."""
    scene = scenes(world)["folder"]
    gate = build_gate(str(world.R), [], [])
    guard = make_guard(gate, frozenset())
    seen: Counter[str] = Counter()
    with swapping(scene.folder, scene.first, scene.second) as told:
        end = time.monotonic() + 3
        while time.monotonic() < end:
            for path, opening in (("d/f.txt", handles.open_file), ("d", handles.open_folder)):
                target = gate.target(path)
                if target.place is not Place.INSIDE:
                    seen["refused by name"] += 1
                    continue
                try:
                    with opening(target.resolved, guard) as opened:
                        if isinstance(opened, handles.OpenFile):
                            assert opened.read(100).decode() == f"needle {INSIDE}\n"
                        else:
                            assert MARK not in str([entry.name for entry in opened.scan(True)])
                        seen["opened"] += 1
                except (OSError, handles.GateError):
                    seen["refused by the handle"] += 1
    print(told.count, seen)
    assert told.count > 10_000
    assert seen["opened"] > 0.05 * seen.total() and seen["refused by the handle"] > 0


def test_a_naive_opening_is_caught(world: World) -> None:
    """The yardstick itself: to open the path that was checked, as most programs do, lets the outside in."""
    scene = scenes(world)["folder"]
    gate = build_gate(str(world.R), [], [])
    tries = 0
    with swapping(scene.folder, scene.first, scene.second):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            target = gate.target("d/f.txt")
            tries += 1
            if target.place is Place.INSIDE:
                with suppress(OSError), open(target.resolved, encoding="utf-8") as source:
                    if MARK in source.read():
                        return
    pytest.fail(f"no escape in {tries} tries: this machine shows nothing")


def test_a_folder_that_turns_into_a_sensitive_file(world: World) -> None:
    """Judged as a folder, opened as a file: the name of a file with secrets is free for a folder."""
    (world.R / "spare").mkdir()
    os.rename(world.R / "id_rsa", world.R / "key")
    os.rename(world.R / "spare", world.R / "id_rsa")
    calls = 0
    with swapping(world.R, "id_rsa", "key") as told:
        end = time.monotonic() + 2
        while time.monotonic() < end:
            result = world.read("id_rsa")
            calls += 1
            assert not result.success and "KEY" not in str(result.as_json())
    assert told.count > 1000 and calls > 50


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_nothing_from_outside_for_long(world: World) -> None:
    assert run(world, 5.0, 1_000_000) >= 1_000_000
