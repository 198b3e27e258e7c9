"""One name in an open folder: seen and renamed through the folder's descriptor, so that no swapped path leads away.

Windows has no descriptors for folders: there the folder is held open (nobody can rename it meanwhile) and its path is
used. Facts: renameat2(2), renameatx_np(2).
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import signal
import stat
import sys
from collections.abc import Callable
from typing import Protocol

if sys.platform != "win32":
    import fcntl

_NOREPLACE, _EXCHANGE = 1, 2  # Linux
_MAC_SWAP, _MAC_EXCL = 2, 4
_UNSUPPORTED = frozenset([errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP])
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_BINARY = getattr(os, "O_BINARY", 0)


class OpenFolder(Protocol):
    """A checked handle of a folder: its absolute path, and where the system has them a descriptor."""

    path: str
    fd: int

    def close(self) -> None: ...


class OpenPlace(Protocol):
    """Opens a folder by its absolute path, following no link; OSError where it is gone or a link is on the way."""

    def __call__(self, path: str, /) -> OpenFolder: ...


def _at(folder: OpenFolder, name: str) -> str:
    return os.path.join(folder.path, name) if sys.platform == "win32" else name


def _dir(folder: OpenFolder) -> int | None:
    return None if sys.platform == "win32" else folder.fd


def lstat(folder: OpenFolder, name: str) -> os.stat_result | None:
    """What is there under that name, None for nothing."""
    try:
        return os.stat(_at(folder, name), dir_fd=_dir(folder), follow_symlinks=False)
    except FileNotFoundError:
        return None


def open_read(folder: OpenFolder, name: str) -> int:
    """A descriptor of the regular file of that name; OSError for anything else."""
    fd = os.open(_at(folder, name), _READ | _BINARY, dir_fd=_dir(folder))
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "no regular file", name)
    return fd


def open_new(folder: OpenFolder, name: str, mode: int) -> int:
    """A descriptor of a new file; FileExistsError where the name is taken."""
    return os.open(_at(folder, name), _NEW | _BINARY, mode, dir_fd=_dir(folder))


def has_writer(folder: OpenFolder, name: str) -> bool:
    """Whether somebody has a file open for writing, as far as the system tells: a read lease is not given then."""
    if sys.platform != "linux":
        return False
    fd = open_read(folder, name)
    try:
        fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)  # who opens it just now does not end this program
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:  # other errors: not our file, or no leases here
        return error.errno == errno.EAGAIN
    finally:
        os.close(fd)
    return False


def readlink(folder: OpenFolder, name: str) -> str:
    """Where a link leads."""
    return os.readlink(_at(folder, name), dir_fd=_dir(folder))


def symlink(target: str, folder: OpenFolder, name: str, owner: tuple[int, int] | None = None) -> None:
    """Make a link, as another's where that may be."""
    os.symlink(target, _at(folder, name), dir_fd=_dir(folder))
    if owner is not None and sys.platform != "win32":
        with contextlib.suppress(PermissionError):
            os.chown(name, *owner, dir_fd=folder.fd, follow_symlinks=False)


def mkdir(folder: OpenFolder, name: str, mode: int = 0o777) -> None:
    """Make a folder."""
    os.mkdir(_at(folder, name), mode, dir_fd=_dir(folder))


def rmdir(folder: OpenFolder, name: str) -> None:
    """Remove an empty folder."""
    os.rmdir(_at(folder, name), dir_fd=_dir(folder))


def unlink(folder: OpenFolder, name: str) -> None:
    """Remove a file or link."""
    os.unlink(_at(folder, name), dir_fd=_dir(folder))


def names_in(folder: OpenFolder) -> list[str]:
    """Every name, sorted."""
    return sorted(os.listdir(folder.path if sys.platform == "win32" else folder.fd))


def sync(folder: OpenFolder) -> None:
    """Make the folder's own changes last through a crash."""
    if sys.platform != "win32":
        os.fsync(folder.fd)


def below(folder: OpenFolder, name: str) -> OpenFolder:
    """A folder in a folder, no link."""
    path = os.path.join(folder.path, name)
    if sys.platform == "win32":
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        return Inner(path, -1)
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    return Inner(path, os.open(name, flags, dir_fd=folder.fd))


class Inner:
    """A folder that was opened from the one around it."""

    def __init__(self, path: str, fd: int) -> None:
        self.path, self.fd = path, fd

    def close(self) -> None:
        """Give the descriptor back; harmless twice."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def _renamer() -> Callable[[int, bytes, int, bytes, int], int] | None:
    if sys.platform == "win32":
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    call = getattr(libc, "renameatx_np" if sys.platform == "darwin" else "renameat2", None)
    if call is None:
        return None
    call.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    return call


_rename_with_flags = _renamer()


def _special(source: OpenFolder, name: str, target: OpenFolder, new: str, swap: bool) -> bool:
    """Rename with a promise; False where this system or file system cannot give it."""
    if _rename_with_flags is None:
        return False
    flag = (_MAC_SWAP if swap else _MAC_EXCL) if sys.platform == "darwin" else (_EXCHANGE if swap else _NOREPLACE)
    if _rename_with_flags(source.fd, os.fsencode(name), target.fd, os.fsencode(new), flag) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), new)


def exchange(source: OpenFolder, name: str, target: OpenFolder, new: str) -> bool:
    """Swap two names at once; False where that is not possible, and then nothing was done."""
    return _special(source, name, target, new, True)


def rename_new(source: OpenFolder, name: str, target: OpenFolder, new: str) -> None:
    """Rename where nothing is; FileExistsError, and nothing done, where something is."""
    if sys.platform == "win32":
        os.rename(_at(source, name), _at(target, new))  # never replaces there
        return
    if _special(source, name, target, new, False):
        return
    found = lstat(source, name)
    if found is not None and stat.S_ISREG(found.st_mode):
        with contextlib.suppress(PermissionError):  # file systems without hard links say so in this way
            os.link(name, new, src_dir_fd=source.fd, dst_dir_fd=target.fd, follow_symlinks=False)
            os.unlink(name, dir_fd=source.fd)
            return
    if lstat(target, new) is not None:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new)
    os.rename(name, new, src_dir_fd=source.fd, dst_dir_fd=target.fd)


def give_back(source: OpenFolder, name: str, target: OpenFolder, wanted: str) -> None:
    """Rename what was taken by mistake to its own name, or where that is taken to the first free one like it."""
    stem, ending = os.path.splitext(wanted)
    for number in range(1, 10_000):
        with contextlib.suppress(FileExistsError):
            rename_new(source, name, target, wanted if number == 1 else f"{stem} {number}{ending}")
            return


def replace(source: OpenFolder, name: str, target: OpenFolder, new: str) -> None:
    """Rename over what is there."""
    os.replace(_at(source, name), _at(target, new), src_dir_fd=_dir(source), dst_dir_fd=_dir(target))
