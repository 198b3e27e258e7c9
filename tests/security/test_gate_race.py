"""While another process swaps a folder with a link to outside, changing calls go through the whole gate: nothing of
outside is changed, taken, kept or told.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from metona_tk import places
from metona_tk.protocol.values import Mode
from tests.fakes.changes import temps, tree
from tests.fakes.tool_chat import ALLOW, ToolChat
from tests.security.conftest import World
from tests.security.test_operations_race import fresh
from tests.security.test_race import swapping

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="race promises are shown on Linux")
SOAK = bool(os.environ.get("METONA_TK_SOAK"))
SWAPS, SECONDS = 100_000, 30.0 if SOAK else 0.4  # of each tool; the short run makes some 10,000
OUTSIDE = b"of outside alone"

# a.txt, b.txt and deep/in.txt are in the folder that is swapped, top.txt is beside it
CALLS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "write": [("write_file", {"path": "folder/a.txt", "content": "new\n"})],
    "create": [
        ("write_file", {"path": "folder/new.txt", "content": "new\n"}),
        ("write_file", {"path": "folder/more/new.txt", "content": "new\n"}),
    ],
    "append": [
        ("append_file", {"path": "folder/a.txt", "content": "new\n"}),
        ("append_file", {"path": "folder/new.txt", "content": "new\n"}),
    ],
    "edit": [("edit_file", {"path": "folder/a.txt", "old_text": "mine", "new_text": "new"})],
    "folder": [("create_directory", {"path": "folder/new/newer"})],
    "move": [
        ("move_path", {"source": "folder/a.txt", "destination": "folder/c.txt"}),
        ("move_path", {"source": "folder/a.txt", "destination": "folder/b.txt", "overwrite": True}),
        ("move_path", {"source": "folder/deep", "destination": "moved"}),
        ("move_path", {"source": "top.txt", "destination": "folder/"}),
        ("move_path", {"source": "folder/*.txt", "destination": "moved/"}),
    ],
    "copy": [
        ("copy_path", {"source": "folder/a.txt", "destination": "folder/c.txt"}),
        ("copy_path", {"source": "top.txt", "destination": "folder/a.txt", "overwrite": True}),
        ("copy_path", {"source": "folder", "destination": "copied"}),
        ("copy_path", {"source": "folder/*.txt", "destination": "copied/"}),
    ],
    "delete": [
        ("delete_file", {"path": "folder/a.txt"}),
        ("delete_file", {"path": "folder/deep", "recursive": True}),
        ("delete_file", {"path": "folder/*.txt"}),
    ],
}


@contextmanager
def held(folder: Path) -> Iterator[Path]:
    """A path of the folder that no swap leads away."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield Path(f"/proc/self/fd/{fd}/.")
    finally:
        os.close(fd)


def holds_outside(root: Path) -> list[str]:
    """Files below a folder that have bytes of outside."""
    files = (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return [str(path) for path in files if OUTSIDE in path.read_bytes()]


def begin(work: Path) -> None:
    """What every try finds beside the folder."""
    for name in ("moved", "copied"):
        if (work / name).exists():
            fresh(work / name)
            for each in ("deep/in.txt", "a.txt", "b.txt"):
                (work / name / each).unlink()
            (work / name / "deep").rmdir()
            (work / name).rmdir()
    (work / "top.txt").write_bytes(b"mine, at the top\n")


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("kind", CALLS)
def test_nothing_outside_is_touched_while_a_parent_is_swapped(kind: str, world: World) -> None:
    folder = world.R / "folder"
    folder.mkdir()
    (world.R / "link").symlink_to(world.O)
    fresh(world.O)
    for path in sorted(world.O.rglob("*.txt")):
        path.write_bytes(OUTSIDE)
    outside = tree(world.O)
    rng, seen, tries = random.Random(kind), Counter[str](), 0
    chats = [ToolChat(world.R, mode, ALLOW) for mode in (Mode.ALL, Mode.NONE, Mode.NONE)]
    with held(folder) as real, swapping(world.R, "folder", "link") as swaps:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end or tries == 0:
            fresh(real)
            begin(world.R)
            chat, (tool, arguments) = rng.choice(chats), rng.choice(CALLS[kind])
            if kind == "write" and not chat("read_file", path="folder/a.txt").success:
                seen["not read"] += 1
                continue
            result = chat(tool, **arguments)
            seen["done" if result.success else str(result.code)] += 1
            tries += 1
            assert tree(world.O) == outside, (tool, arguments)
            assert OUTSIDE.decode() not in str(result.as_json())
            assert temps(real) == []
    print(kind, "swaps", swaps.count, "tries", tries, dict(seen))
    chats[0].record.tidy()
    assert tree(world.O) == outside
    for place in (world.R / "top.txt", world.R / "moved", world.R / "copied", world.home, places.data_dir()):
        assert holds_outside(place) == []
    assert swaps.count >= (SWAPS if SOAK else tries) > 0
