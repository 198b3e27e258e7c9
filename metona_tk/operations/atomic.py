"""A file gets new contents in one instant: a temporary file beside it, complete and on the disk, takes its name.

Where the system can swap two names, what came out is looked at, so that a save by another program between the last look
and the swap is put back and never lost.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from collections.abc import Callable, Generator
from contextlib import contextmanager

from metona_tk.operations import entries, metadata
from metona_tk.operations.entries import OpenFolder
from metona_tk.operations.failpoints import reached
from metona_tk.operations.failures import ChangedSince
from metona_tk.operations.states import is_exactly, state_of
from metona_tk.protocol.changes import FileState

PREFIX, SUFFIX = ".metona-", ".tmp"
Fill = Callable[[int], None]  # writes contents and metadata to an open file


def temp_name() -> str:
    """A name that is recognised as ours and that nobody else has."""
    return f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}"


@contextmanager
def _temp(folder: OpenFolder, name: str, mode: int, fill: Fill) -> Generator[None]:
    """A complete file on the disk under a temporary name; gone afterwards, unless it was renamed away."""
    fd = entries.open_new(folder, name, mode)
    try:
        try:
            reached("opened")
            fill(fd)
            os.fsync(fd)
            reached("synced")
        finally:
            os.close(fd)
        yield
    finally:
        with contextlib.suppress(FileNotFoundError):
            entries.unlink(folder, name)


def create(folder: OpenFolder, name: str, temp: str, fill: Fill, mode: int = 0o666) -> None:
    """A new file. FileExistsError where the name is taken, and then nothing was done."""
    with _temp(folder, temp, mode, fill):
        entries.rename_new(folder, temp, folder, name)
        reached("replaced")
    entries.sync(folder)


def replace(folder: OpenFolder, name: str, temp: str, fill: Fill, before: FileState) -> None:
    """Other contents for the file that `before` tells of; ChangedSince, and nothing done, where another is there."""
    with _temp(folder, temp, 0o600, fill):
        if not is_exactly(state_of(folder, name, bool(before.digest)), before):
            raise ChangedSince(os.path.join(folder.path, name))
        if entries.exchange(folder, temp, folder, name):
            _check_what_came_out(folder, name, temp, before)
        else:
            entries.replace(folder, temp, folder, name)
        reached("replaced")
    entries.sync(folder)


def _check_what_came_out(folder: OpenFolder, name: str, temp: str, before: FileState) -> None:
    """The old file has the temporary name now; if it is not the one that was meant, it gets its own back."""
    out = state_of(folder, temp, bool(before.digest))
    same_thing = (out.kind, out.device, out.inode) == (before.kind, before.device, before.inode)
    same_bytes = out.digest == before.digest if before.digest else out.size == before.size
    if not (same_thing and same_bytes):
        entries.exchange(folder, temp, folder, name)
        raise ChangedSince(os.path.join(folder.path, name))


def filler(content: bytes) -> Fill:
    """Writes these bytes."""

    def fill(fd: int) -> None:
        half = len(content) // 2
        write_all(fd, content[:half])
        reached("half_written")
        write_all(fd, content[half:])

    return fill


def write_all(fd: int, content: bytes) -> None:
    """All of the bytes, however few the system takes at once."""
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]


def copy_bytes(source: int, target: int, most: int | None = None) -> None:
    """Copy from the start of an open file, `most` bytes or all."""
    os.lseek(source, 0, os.SEEK_SET)
    left = most if most is not None else 1 << 62
    while left > 0 and (block := os.read(source, min(1 << 20, left))):
        write_all(target, block)
        left -= len(block)


def copy_hashed(source: int, target: int) -> str:
    """Copy an open file from its start; sha256 (hex) of what was copied."""
    os.lseek(source, 0, os.SEEK_SET)
    hashed = hashlib.sha256()
    while block := os.read(source, 1 << 20):
        hashed.update(block)
        write_all(target, block)
    reached("half_written")
    return hashed.hexdigest()


def like(folder: OpenFolder, name: str, fill: Fill) -> Fill:
    """The same, with mode, owner and attributes of the file that is there."""

    def filled(fd: int) -> None:
        fill(fd)
        source = entries.open_read(folder, name)
        try:
            metadata.copy_metadata(source, fd)
        finally:
            os.close(source)

    return filled
