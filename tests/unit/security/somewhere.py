"""A place for tests of what names tell: a user's home, a workspace in it by way of a link, and a target there."""

from __future__ import annotations

import sys

import pytest

from metona_tk.security.paths import PathGate, Place, Root, Target
from metona_tk.security.protected import protected_places

ROOT = Root("/home/u/work", "/disk/work")
MORE = Root("/home/u/work/inner/deep", "/disk/work/inner/deep")
posix = pytest.mark.skipif(sys.platform == "win32", reason="paths as POSIX has them")


def gate(platform: str = "linux", *more: Root) -> PathGate:
    """The gate of `ROOT` and `more`, with the program's own folder closed."""
    closed = protected_places("/home/u", platform, ["/home/u/.config/metona-tk"])
    return PathGate(ROOT, (ROOT, *more), "/home/u", closed, platform)


def target(
    path: str = "/disk/work/a.txt",
    place: Place = Place.INSIDE,
    loop: bool = False,
    kind: str | None = "file",
    lexical: str = "",
) -> Target:
    """A target that is the same under each of its names, unless `lexical` is given."""
    return Target(path, lexical or path, path, place, ROOT, loop, kind)
