"""Whether a file is one of the closed ones under another name, as a hard link is: told by device and inode.

Counterparts: `protected` names the folders, `handles` and `agent.plan_context` ask for files with several names.
"""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Iterator

_MOST = 50_000  # names of one closed folder that are looked at
_AGE = 1.0  # seconds that what was seen holds at least, and ten times as long as the look took


class ClosedFiles:
    """The files below some folders, whether these are there yet or not; thread-safe."""

    def __init__(self, folders: tuple[str, ...]) -> None:
        self._folders = folders
        self._lock = threading.Lock()
        self._until = 0.0
        self._known: frozenset[tuple[int, int]] = frozenset()

    def holds(self, found: os.stat_result) -> bool:
        """Whether it is one of them."""
        with self._lock:
            now = time.monotonic()
            if now >= self._until:
                self._known = frozenset(pair for folder in self._folders for pair in _files_in(folder))
                end = time.monotonic()
                self._until = end + max(_AGE, 10 * (end - now))
            return (found.st_dev, found.st_ino) in self._known


def _files_in(top: str) -> Iterator[tuple[int, int]]:
    """Device and inode of every file below a folder, the nearest first; links are not followed, nor other disks."""
    try:
        device = os.stat(top).st_dev
    except OSError:
        return
    todo, left = [top], _MOST
    while todo:
        try:
            with os.scandir(todo.pop(0)) as entries:
                for entry in entries:
                    left -= 1
                    if left < 0:
                        return
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
                    elif entry.is_file(follow_symlinks=False):
                        yield device, entry.inode()
        except OSError:
            continue


def has_other_names(found: os.stat_result) -> bool:
    """Whether it is a file with several names, one of which may be a closed one."""
    return stat.S_ISREG(found.st_mode) and found.st_nlink > 1
