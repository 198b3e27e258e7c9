"""What is at a place, taken through the folder's handle, and whether it is still that."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Iterator

from metona_tk.operations import entries
from metona_tk.operations.entries import OpenFolder
from metona_tk.protocol.changes import NOTHING, FileState, Kind

MOST_HASHED = 100 << 20  # bytes of a file up to which its bytes are part of what it is
_BLOCK = 1 << 20


def kind_of(mode: int) -> Kind:
    """The kind that a mode tells."""
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "directory"
    return "symlink" if stat.S_ISLNK(mode) else "other"


def state_of(folder: OpenFolder, name: str, digest: bool = False) -> FileState:
    """What is there now. `digest`: with the hash of a file's bytes (up to MOST_HASHED), or of a folder's listing."""
    found = entries.lstat(folder, name)
    if found is None:
        return NOTHING
    kind = kind_of(found.st_mode)
    target = entries.readlink(folder, name) if kind == "symlink" else ""
    hashed = ""
    if digest and kind == "file" and found.st_size <= MOST_HASHED:
        hashed, found = _hashed_file(folder, name)
    elif digest and kind == "directory":
        hashed = tree_digest(folder, name)
    return from_stat(found, hashed, target)


def from_stat(found: os.stat_result, digest: str = "", target: str = "") -> FileState:
    """A state from what the system tells of it."""
    kind = kind_of(found.st_mode)
    return FileState(
        kind,
        0 if kind == "directory" else found.st_size,
        stat.S_IMODE(found.st_mode),
        found.st_mtime_ns,
        0 if sys.platform == "win32" else found.st_ctime_ns,
        found.st_dev,
        found.st_ino,
        found.st_nlink,
        digest,
        target,
    )


def _hashed_file(folder: OpenFolder, name: str) -> tuple[str, os.stat_result]:
    fd = entries.open_read(folder, name)
    try:
        return hash_open(fd), os.fstat(fd)
    finally:
        os.close(fd)


def hash_open(fd: int) -> str:
    """sha256 (hex) of an open file from its first byte on."""
    os.lseek(fd, 0, os.SEEK_SET)
    hashed = hashlib.sha256()
    while block := os.read(fd, _BLOCK):
        hashed.update(block)
    return hashed.hexdigest()


def tree_digest(folder: OpenFolder, name: str) -> str:
    """Hash of the whole listing below a folder: path, kind, inode, mode, size and times of every entry."""
    hashed = hashlib.sha256()
    inner = entries.below(folder, name)
    try:
        for line in _listing(inner, ""):
            hashed.update(line.encode("utf-8", "surrogateescape") + b"\0")
    finally:
        inner.close()
    return hashed.hexdigest()


def _listing(folder: OpenFolder, above: str) -> Iterator[str]:
    for name in entries.names_in(folder):
        state = state_of(folder, name)
        # a folder's own times tell only what the entries in it tell as well
        times = "" if state.kind == "directory" else f"{state.modified_ns} {state.changed_ns}"
        yield f"{above}{name}\0{state.kind}\0{state.inode}\0{state.mode}\0{state.size}\0{times}\0{state.target}"
        if state.kind == "directory":
            inner = entries.below(folder, name)
            try:
                yield from _listing(inner, f"{above}{name}/")
            finally:
                inner.close()


def is_exactly(now: FileState, wanted: FileState) -> bool:
    """Whether a place holds the very thing, unchanged: by inode, and by bytes where they were hashed."""
    if (now.kind, now.target) != (wanted.kind, wanted.target):
        return False
    if now.kind == "none":
        return True
    if (now.device, now.inode) != (wanted.device, wanted.inode):
        return False
    if now.digest and wanted.digest:
        return now.digest == wanted.digest and _same_folder_mode(now, wanted)
    if now.kind == "directory":
        return True
    return (now.size, now.modified_ns, now.changed_ns) == (wanted.size, wanted.modified_ns, wanted.changed_ns)


def is_same_thing(now: FileState, wanted: FileState) -> bool:
    """Whether it is the very thing, whatever its bytes are by now."""
    return (now.kind, now.device, now.inode, now.target) == (wanted.kind, wanted.device, wanted.inode, wanted.target)


def holds_same(now: FileState, wanted: FileState) -> bool:
    """Whether a place holds the same contents, whatever its inode; large files by size and time."""
    if (now.kind, now.target) != (wanted.kind, wanted.target):
        return False
    if now.kind in {"none", "symlink"}:
        return True
    if now.digest and wanted.digest:
        return now.digest == wanted.digest and _same_folder_mode(now, wanted)
    return now.kind == "directory" or (now.size, now.modified_ns) == (wanted.size, wanted.modified_ns)


def _same_folder_mode(now: FileState, wanted: FileState) -> bool:
    return now.kind != "directory" or now.mode == wanted.mode
