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
from metona_tk.operations.states import holds_same, is_exactly, is_same_thing, state_of
from metona_tk.protocol.changes import FileState

PREFIX, SUFFIX = ".metona-", ".tmp"
Fill = Callable[[int], None]  # writes contents and metadata to an open file


def temp_name() -> str:
    """A name that is recognised as ours and that nobody else has."""
    return f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}"


@contextmanager
def _temp(folder: OpenFolder, name: str, mode: int, fill: Fill) -> Generator[int]:
    """A complete file on the disk under a temporary name, its inode; gone afterwards, unless it was renamed away."""
    fd = entries.open_new(folder, name, mode)
    try:
        try:
            reached("opened")
            fill(fd)
            os.fsync(fd)
            reached("synced")
            inode = os.fstat(fd).st_ino
        finally:
            os.close(fd)
        yield inode
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
    with _temp(folder, temp, 0o600, fill) as ours:
        if not is_same_thing(state_of(folder, name), before):
            raise ChangedSince(os.path.join(folder.path, name))
        if entries.exchange(folder, temp, folder, name):
            _check_what_came_out(folder, name, temp, before, ours)
        else:
            _replace_at_once(folder, name, temp, before)
        reached("replaced")
    entries.sync(folder)


def _replace_at_once(folder: OpenFolder, name: str, temp: str, before: FileState) -> None:
    """Where no swap is to be had: the last look is a moment before."""
    if not is_exactly(state_of(folder, name, bool(before.digest)), before):
        raise ChangedSince(os.path.join(folder.path, name))
    entries.replace(folder, temp, folder, name)


def _check_what_came_out(folder: OpenFolder, name: str, temp: str, before: FileState, ours: int) -> None:
    """The old file has the temporary name now; if it is not the one that was meant, it gets its own back."""
    if not is_untouched(folder, temp, before):
        _swap_back(folder, name, temp, ours)
        raise ChangedSince(os.path.join(folder.path, name))


def is_untouched(folder: OpenFolder, name: str, before: FileState) -> bool:
    """Whether something that was just renamed is what was meant, and nobody is writing to it."""
    out = state_of(folder, name)
    if (out.kind, out.device, out.inode) != (before.kind, before.device, before.inode):
        return False
    if out.kind == "file" and entries.has_writer(folder, name):
        return False
    try:
        return holds_same(state_of(folder, name, bool(before.digest)), before)
    except OSError:  # what cannot be read is not known to be it
        return False


def _swap_back(folder: OpenFolder, name: str, temp: str, ours: int) -> None:
    """What came out gets its name back. Where somebody saves or renames meanwhile the newest keeps the name, and what
    nobody else has a name for gets one.
    """
    with contextlib.suppress(FileNotFoundError):
        entries.exchange(folder, temp, folder, name)
        if _inode(folder, temp) != ours:
            entries.exchange(folder, temp, folder, name)
    if _inode(folder, temp) not in {ours, 0}:
        entries.give_back(folder, temp, folder, name)


def _inode(folder: OpenFolder, name: str) -> int:
    found = entries.lstat(folder, name)
    return found.st_ino if found else 0


def set_apart(place: OpenFolder, name: str, folder: OpenFolder, temp: str, before: FileState) -> None:
    """Rename what is about to go for good, so that nobody can save there any more. ChangedSince: it is another."""
    entries.rename_new(place, name, folder, temp)
    if not is_untouched(folder, temp, before):
        entries.give_back(folder, temp, place, name)
        raise ChangedSince(os.path.join(place.path, name))


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
    while block := os.read(source, min(1 << 20, left)):
        write_all(target, block)
        left -= len(block)


def copy_hashed(source: int, target: int, go_on: Callable[[], None]) -> str:
    """Copy an open file from its start; sha256 (hex) of what was copied. `go_on` raises what ends it."""
    os.lseek(source, 0, os.SEEK_SET)
    hashed = hashlib.sha256()
    while block := os.read(source, 1 << 20):
        go_on()
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
