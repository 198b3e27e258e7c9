"""Old bytes by their hash: objects/ab/cdef..., private, written and read back before anything relies on them."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import secrets
import sys
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from metona_tk.operations.failures import Damaged

_BLOCK = 1 << 20
_FEW = 16  # objects that are waited for one by one


class Store:
    """The objects below `folder`, which is made when it is first needed. OSError where the disk does not play along."""

    def __init__(self, folder: Path) -> None:
        self._objects, self._incoming = folder / "objects", folder / "incoming"
        self._unsynced: list[Path] | None = None

    @contextmanager
    def together(self) -> Generator[None]:
        """What is kept meanwhile is waited for at `on_its_way`, else at the end: waiting for each takes too long.

        For one operation, which has the store alone.
        """
        self._unsynced = []
        try:
            yield
            self._sync_all(self._unsynced)
        finally:
            self._unsynced = None

    @contextmanager
    def on_its_way(self) -> Generator[None]:
        """What was kept `together` goes to the disk while the block runs, since the disk takes both in one go.

        It is there at the end; OSError where the disk refused it, after the block was done.
        """
        places, self._unsynced = self._unsynced or [], []
        if not places:
            yield
            return
        refused: list[OSError] = []

        def sync() -> None:
            try:
                self._sync_all(places)
            except OSError as error:
                refused.append(error)

        beside = threading.Thread(target=sync, name="store-sync")
        beside.start()
        try:
            yield
        finally:
            beside.join()
        if refused:
            raise refused[0]

    def _sync_all(self, places: list[Path]) -> None:
        if len(places) > _FEW and sync_disk_of(self._objects):
            return
        for place in places:
            fd = os.open(place, os.O_RDWR | getattr(os, "O_BINARY", 0))
            try:
                os.fsync(fd)
            finally:
                os.close(fd)
        for folder in {place.parent for place in places}:
            _sync(folder)

    def _place(self, digest: str) -> Path:
        return self._objects / digest[:2] / digest[2:]

    def has(self, digest: str) -> bool:
        """Whether an object is there (its bytes are looked at when it is used)."""
        return self._place(digest).is_file()

    def put(self, content: bytes) -> str:
        """Keep bytes; their digest."""
        return self._keep(iter([content]))

    def put_open(self, fd: int) -> str:
        """Keep all bytes of an open file; their digest."""
        os.lseek(fd, 0, os.SEEK_SET)
        return self._keep(iter(lambda: os.read(fd, _BLOCK), b""))

    def _keep(self, blocks: Iterator[bytes]) -> str:
        self._incoming.mkdir(parents=True, exist_ok=True, mode=0o700)
        temp = self._incoming / secrets.token_hex(12)
        fd = os.open(temp, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        try:
            hashed = hashlib.sha256()
            for block in blocks:
                hashed.update(block)
                _write_all(fd, block)
            if self._unsynced is None:
                os.fsync(fd)
            digest = hashed.hexdigest()
            os.lseek(fd, 0, os.SEEK_SET)
            if _hash(fd) != digest:
                raise Damaged(digest)
        except BaseException:
            os.close(fd)
            temp.unlink(missing_ok=True)
            raise
        os.close(fd)
        self._settle(temp, digest)
        return digest

    def _settle(self, temp: Path, digest: str) -> None:
        place = self._place(digest)
        if place.is_file() and _hash_of(place) == digest:
            temp.unlink()
            os.utime(place)  # it is young again: what nothing refers to yet is not tidied away
            return
        if not place.parent.is_dir():
            self._make_folders()
        os.replace(temp, place)
        if self._unsynced is None:
            _sync(place.parent)
        else:
            self._unsynced.append(place)

    def _make_folders(self) -> None:
        """All of them at once: a new one for almost every object would make each wait for the disk once more."""
        self._objects.mkdir(exist_ok=True, mode=0o700)
        for number in range(256):
            (self._objects / f"{number:02x}").mkdir(exist_ok=True, mode=0o700)
        _sync(self._objects)

    def copy_to(self, digest: str, fd: int) -> None:
        """Write an object's bytes to an open file. Damaged where they are not what they were, FileNotFoundError."""
        hashed = hashlib.sha256()
        with open(self._place(digest), "rb") as source:
            while block := source.read(_BLOCK):
                hashed.update(block)
                _write_all(fd, block)
        if hashed.hexdigest() != digest:
            raise Damaged(digest)

    def get(self, digest: str) -> bytes:
        """An object's bytes. Damaged, FileNotFoundError."""
        content = self._place(digest).read_bytes()
        if hashlib.sha256(content).hexdigest() != digest:
            raise Damaged(digest)
        return content

    def check(self, digest: str) -> None:
        """Damaged or FileNotFoundError where an object cannot be used."""
        if _hash_of(self._place(digest)) != digest:
            raise Damaged(digest)

    def sizes(self) -> dict[str, int]:
        """Bytes of every object, by digest."""
        found: dict[str, int] = {}
        for folder in self._objects.glob("??"):
            for entry in os.scandir(folder):
                found[folder.name + entry.name] = entry.stat().st_size
        return found

    def remove(self, digest: str) -> None:
        """Forget an object; harmless where it is gone."""
        self._place(digest).unlink(missing_ok=True)

    def age(self, digest: str) -> float:
        """Seconds since it was stored (or stored again)."""
        return time.time() - self._place(digest).stat().st_mtime

    def tidy_incoming(self) -> None:
        """Remove what a crash left half written; called while nobody writes."""
        with contextlib.suppress(FileNotFoundError):
            for entry in os.scandir(self._incoming):
                os.unlink(entry.path)


def _write_all(fd: int, block: bytes) -> None:
    view = memoryview(block)
    while view:
        view = view[os.write(fd, view) :]


def _hash(fd: int) -> str:
    hashed = hashlib.sha256()
    while block := os.read(fd, _BLOCK):
        hashed.update(block)
    return hashed.hexdigest()


def _hash_of(path: Path) -> str:
    with open(path, "rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def sync_disk_of(folder: Path) -> bool:
    """Wait until all that was written to the disk of a folder is there; False where the system cannot do that."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if libc.syncfs(fd) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(folder))
    finally:
        os.close(fd)
    return True


def _sync(folder: Path) -> None:
    if os.name == "posix":
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
