"""Where the programs of one user meet: one place for each screen and each folder of data, and a lock in it.

The folder has to be the user's alone; one that others could have made or could change is not used.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from zlib import crc32

from metona_tk.instance.doors import Door, LoopbackDoor, UnixDoor

_OWN_ONLY = 0o700
_LONGEST = 103 - len("/0123456789abcdef.sock")  # bytes: the path of a socket has 103 on macOS


class Place:
    """Lock and door of one program."""

    def __init__(self, folder: str, name: str, door: type[UnixDoor] | type[LoopbackDoor]) -> None:
        self.lock_file = os.path.join(folder, f"{name}.lock")  # never removed: two could hold one that is made anew
        self.door: Door = door(os.path.join(folder, f"{name}.{door.suffix}"))

    def take_lock(self) -> int | None:
        """The descriptor that holds the lock, None while another program holds it. OSError where none can be had."""
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        descriptor = os.open(self.lock_file, flags, 0o600)
        try:
            _lock(descriptor)
        except OSError as error:
            os.close(descriptor)
            if error.errno in {errno.EAGAIN, errno.EACCES, errno.EDEADLK}:
                return None
            raise
        return descriptor


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def let_go(lock: int) -> None:
    """Give the lock back, whatever child still has the descriptor."""
    if sys.platform != "win32":
        import fcntl

        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_UN)
    os.close(lock)


def find_place() -> Place | None:
    """This user's place for these data on this screen; its folder is made. None where none can be had."""
    door = LoopbackDoor if sys.platform == "win32" else UnixDoor
    name = _name()
    for folder in _folders():
        with suppress(OSError, ValueError):
            if _is_usable(folder):
                return Place(folder, name, door)
    return None


def _is_usable(folder: str) -> bool:
    if sys.platform != "win32" and len(os.fsencode(folder)) > _LONGEST:
        return False
    _make(folder)
    return is_own(folder) and os.access(folder, os.W_OK | os.X_OK)


def _make(folder: str) -> None:
    with suppress(FileExistsError):
        os.makedirs(os.path.dirname(folder), _OWN_ONLY)
    with suppress(FileExistsError):
        os.mkdir(folder, _OWN_ONLY)


def is_own(folder: str) -> bool:
    """Whether a folder is the user's alone: a real folder, theirs, closed to all others."""
    found = os.lstat(folder)
    if sys.platform == "win32":
        return stat.S_ISDIR(found.st_mode)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077


def _folders() -> Iterator[str]:
    """The candidates, the usual one first."""
    if sys.platform != "win32":
        yield from _runtime_folders()
        yield f"/tmp/metona-tk-{os.geteuid()}"
    from metona_tk import places  # takes longer than all the rest here

    yield os.fspath(places.data_dir() / "run")


def _runtime_folders() -> Iterator[str]:
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    with suppress(OSError, ValueError):
        if os.path.isabs(runtime) and is_own(runtime):
            yield os.path.join(runtime, "metona-tk")


def _name() -> str:
    """Tells screens and folders of data apart; nobody is kept out by it, so what loads faster than a hash will do."""
    words = os.fsencode(f"{_data()}\0{_screen()}")
    return f"{crc32(words):08x}{crc32(words[::-1]):08x}"


def _data() -> str:
    """What decides where the data are: as `places` has it, but without its import."""
    own = os.environ.get("METONA_TK_HOME", "")
    usual = os.environ.get("XDG_DATA_HOME", "").strip() if sys.platform not in {"win32", "darwin"} else ""
    folder = os.path.join(own, "data") if own else os.path.join(usual or "~/.local/share", "metona-tk")
    return os.path.realpath(os.path.expanduser(folder))


def _screen() -> str:
    if sys.platform in {"win32", "darwin"}:
        return ""
    return os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or ""
