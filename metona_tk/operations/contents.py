"""What a folder holds, whoever made it: told by names, modes, attributes and bytes, not by inodes and times.

So that an undo after another undo, which made things anew, does not take them for somebody else's. Counterparts:
`saving` keeps the same of what it stores, `settling` compares.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator

from metona_tk.operations import entries, metadata
from metona_tk.operations.entries import OpenFolder
from metona_tk.operations.states import MOST_HASHED, hash_open, state_of
from metona_tk.protocol.changes import FileState

_MOST = 10_000  # things in a folder that is looked at in this way

Thing = tuple[str, FileState, str, dict[str, str]]  # relative path, state, digest of a file's bytes, attributes


class _TooMuch(Exception):
    """More than is worth reading."""


def digest_of(things: Iterable[Thing]) -> str:
    """sha256 (hex) of what there is, parents first and sorted."""
    hashed = hashlib.sha256()
    for name, state, digest, xattrs in things:
        row = [os.fsencode(name).hex(), state.kind, state.mode, state.target, digest, sorted(xattrs.items())]
        hashed.update(json.dumps(row).encode() + b"\n")
    return hashed.hexdigest()


def tree_contents(folder: OpenFolder, name: str) -> str:
    """The same of a folder on the disk; "" where it is too much or cannot be read."""
    try:
        return digest_of(_things(folder, name, "", [_MOST, MOST_HASHED]))
    except (_TooMuch, OSError):
        return ""


def _things(folder: OpenFolder, name: str, relative: str, left: list[int]) -> Iterator[Thing]:
    state = state_of(folder, name)
    left[0] -= 1
    left[1] -= state.size
    if min(left) < 0:
        raise _TooMuch
    if state.kind != "directory":
        digest, xattrs = _bytes_and_attributes(folder, name) if state.kind == "file" else ("", dict[str, str]())
        yield relative, state, digest, xattrs
        return
    inner = entries.below(folder, name)
    try:
        yield relative, state, "", read_attributes(inner)
        for each in entries.names_in(inner):
            yield from _things(inner, each, f"{relative}/{each}" if relative else each, left)
    finally:
        inner.close()


def _bytes_and_attributes(folder: OpenFolder, name: str) -> tuple[str, dict[str, str]]:
    fd = entries.open_read(folder, name)
    try:
        return hash_open(fd), metadata.read_xattrs(fd)
    finally:
        os.close(fd)


def read_attributes(folder: OpenFolder) -> dict[str, str]:
    """The attributes of an open folder, where the system has descriptors for it."""
    return metadata.read_xattrs(folder.fd) if folder.fd >= 0 else {}
