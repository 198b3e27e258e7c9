"""One operation at a time on one store, over all threads and programs; a program that dies lets go of it by itself."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_PAUSE = 0.001  # seconds between two tries; a longer one would hardly ever meet the moment between two operations


class Busy(Exception):
    """Another program, or another thread, is at it for too long."""


@contextmanager
def locked(path: Path, seconds: float) -> Generator[None]:
    """Hold the lock; Busy when it cannot be had within `seconds`. OSError where the file cannot be made."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        end = time.monotonic() + seconds
        while not _take(fd):
            if time.monotonic() > end:
                raise Busy(str(path))
            time.sleep(_PAUSE)
        yield
    finally:
        os.close(fd)  # which lets go


def _take(fd: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
