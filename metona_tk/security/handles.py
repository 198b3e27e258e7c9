"""Open handles that cannot be led astray: what was resolved is opened with every link refused (SAFETY rule 1).

Linux: openat2 with RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS; where the kernel or a container lacks it, and on macOS, a
walk piece by piece with O_NOFOLLOW. Windows: `windows`, with the same classes on top. Facts: openat2(2).
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import functools
import itertools
import os
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from metona_tk.protocol.problems import Code
from metona_tk.security import windows
from metona_tk.security.closed_files import has_other_names
from metona_tk.security.paths import GateError

_SYS_OPENAT2 = 437  # the same number on every architecture
_NO_MAGICLINKS, _NO_SYMLINKS, _BENEATH = 2, 4, 8
_TRIES = 20
_PATH = getattr(os, "O_PATH", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
FILE_FLAGS = os.O_RDONLY | _NONBLOCK | _NOFOLLOW | _CLOEXEC | getattr(os, "O_BINARY", 0)
FOLDER_FLAGS: int = os.O_RDONLY | _DIRECTORY | _NOFOLLOW | _CLOEXEC


class _How(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


_state: dict[str, bool] = {"openat2": sys.platform == "linux"}


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _openat2(folder: int, path: str, flags: int) -> int:
    libc = _libc()
    how = _How(flags | _CLOEXEC, 0, _BENEATH | _NO_SYMLINKS | _NO_MAGICLINKS)
    for tries in itertools.count(1):
        got = libc.syscall(
            ctypes.c_long(_SYS_OPENAT2),
            ctypes.c_int(folder),
            ctypes.c_char_p(os.fsencode(path)),
            ctypes.byref(how),
            ctypes.c_size_t(ctypes.sizeof(how)),
        )
        if got >= 0:
            return got
        number = ctypes.get_errno()
        # EAGAIN is a rename on the way, but also a lease that another program may hold for long
        if number != errno.EINTR and (number != errno.EAGAIN or tries >= _TRIES):
            raise OSError(number, os.strerror(number), path)
    raise AssertionError("not reached")


def _walk(folder: int, path: str, flags: int) -> int:
    """The same by one open a component."""
    parts = [part for part in path.split(os.sep) if part]
    if os.pardir in parts or path.startswith(os.sep):
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), path)
    here = os.dup(folder)
    try:
        for part in parts[:-1]:
            deeper = _step(part, here)
            os.close(here)
            here = deeper
        return os.open(parts[-1] if parts else os.curdir, flags | _NOFOLLOW, dir_fd=here)
    finally:
        os.close(here)


def _step(name: str, folder: int) -> int:
    try:
        return os.open(name, _PATH | _DIRECTORY | _NOFOLLOW | _CLOEXEC, dir_fd=folder)
    except NotADirectoryError:
        # the system says so of a link, too
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), name) from None
        raise


def open_beneath(folder: int, path: str, flags: int) -> int:
    """Open `path` (relative, no `..`) below the folder `folder` (a descriptor) without following any link.

    Raises OSError: ELOOP, ENOTDIR or EXDEV where something on the way is a link, else as os.open does.
    """
    if _state["openat2"]:
        try:
            return _openat2(folder, path, flags)
        except OSError as error:
            # an old kernel, or a container that filters the call
            if error.errno not in {errno.ENOSYS, errno.EPERM}:
                raise
            _state["openat2"] = False
    return _walk(folder, path, flags)


def _open_absolute(path: str, flags: int) -> int:
    if sys.platform == "win32":
        return windows.open_exactly(path, flags is FOLDER_FLAGS)
    top = os.open(os.sep, _PATH | _DIRECTORY | _CLOEXEC)
    try:
        return open_beneath(top, path.lstrip(os.sep) or os.curdir, flags)
    finally:
        os.close(top)


def refusal(error: OSError, name: str) -> GateError:
    """A system error in the gate's words; `name` is how the model knows the path."""
    number = error.errno
    if number in {errno.ELOOP, errno.EXDEV}:
        return GateError(Code.CHANGED_SINCE_APPROVAL, f"{name} changed while it was being opened. Try again.")
    if number == errno.ENOENT:
        return GateError(Code.NOT_FOUND, f"There is no {name}.")
    if number == errno.ENOTDIR:
        return GateError(Code.NOT_A_DIRECTORY, f"{name}: something on this path is a file, not a folder.")
    if number in {errno.EACCES, errno.EPERM}:
        return GateError(Code.PERMISSION_DENIED, f"The system does not allow reading {name}.")
    if number in {errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP}:
        return GateError(Code.NOT_REGULAR, f"{name} is no ordinary file.")
    if number in {errno.EAGAIN, errno.EBUSY, errno.ETXTBSY}:
        return GateError(Code.IN_USE, f"Another program holds {name} just now. Try again later.")
    if number == errno.EISDIR:
        return GateError(Code.IS_DIRECTORY, f"{name} is a folder. Use list_directory for it.")
    return GateError(Code.IO_ERROR, f"{name} cannot be read: {error.strerror or error}.")


@dataclass(frozen=True, slots=True)
class Guard:
    """What a walk must leave out: closed folders by path or identity, and sensitive names."""

    closed_folder: Callable[[str], bool]
    closed_identity: Callable[[os.stat_result], bool]
    sensitive: Callable[[str, str], bool]  # (absolute path, name)


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a folder. `kind`: file | directory | symlink | other. `stat` is None when it could not be had."""

    name: str
    kind: str
    stat: os.stat_result | None


@dataclass(slots=True)
class OpenFile:
    """A regular file, open for reading. `path` is absolute and resolved."""

    path: str
    fd: int
    stat: os.stat_result
    _closed: bool = field(default=False, repr=False)

    def read(self, count: int) -> bytes:
        """At most `count` bytes from here on; b"" at the end."""
        return os.read(self.fd, count)

    def rewind(self) -> None:
        """Go back to the first byte."""
        os.lseek(self.fd, 0, os.SEEK_SET)

    def close(self) -> None:
        """Give the descriptor back; harmless twice."""
        if not self._closed:
            self._closed = True
            os.close(self.fd)

    def __enter__(self) -> OpenFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(slots=True)
class OpenFolder:
    """A folder, open for listing. Everything below it is reached through this handle, never by its path."""

    path: str
    fd: int
    guard: Guard
    deep: bool = True  # False: the user opened only what lies directly in it
    _closed: bool = field(default=False, repr=False)

    def scan(self, with_stat: bool) -> Iterator[Entry]:
        """Every entry, in the system's order. A broken or unreadable entry is an odd one, not an error."""
        with os.scandir(self.path if sys.platform == "win32" else self.fd) as found:
            for item in found:
                yield Entry(item.name, _kind_of(item), _stat_of(item) if with_stat else None)

    def stat(self, name: str) -> os.stat_result | None:
        """lstat of an entry, or None."""
        try:
            if sys.platform == "win32":
                return os.lstat(os.path.join(self.path, name))
            return os.stat(name, dir_fd=self.fd, follow_symlinks=False)
        except OSError:
            return None

    def folder(self, name: str) -> OpenFolder:
        """A folder in this one. GateError(protected_path) for a closed one, OSError where it cannot be opened."""
        path = os.path.join(self.path, name)
        self._refuse_deeper(name, True)
        if self.guard.closed_folder(path):
            raise GateError(Code.PROTECTED_PATH, f"{name} is protected and never read.")
        fd = self._open(_plain(name), FOLDER_FLAGS)
        return _checked_folder(path, fd, self.guard, os.fstat(self.fd).st_dev)

    def _refuse_deeper(self, relative: str, is_folder: bool) -> None:
        if not self.deep and (is_folder or os.sep in relative):
            raise GateError(
                Code.OUTSIDE_ROOT, f"{relative} is deeper than what the user opened. Ask for it by its path."
            )

    def holds(self, relative: str) -> bool:
        """Whether a file lies there, reached by no link and in no closed folder. For what a reader only reported."""
        folder, name = os.path.split(relative)
        path = os.path.join(self.path, relative)
        if (folder and not self.deep) or self.guard.closed_folder(path) or _closed_above(path, self.guard):
            return False
        if sys.platform == "win32":
            found = self.stat(relative)
            return found is not None and stat.S_ISREG(found.st_mode)
        try:
            fd = open_beneath(self.fd, folder or os.curdir, _PATH | _DIRECTORY | _NOFOLLOW | _CLOEXEC)
        except OSError:
            return False
        try:
            return stat.S_ISREG(os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode)
        except OSError:
            return False
        finally:
            os.close(fd)

    def file(self, relative: str) -> OpenFile:
        """A regular file below this folder, by its relative path. OSError or GateError where that cannot be."""
        path = os.path.join(self.path, relative)
        self._refuse_deeper(relative, False)
        if self.guard.closed_folder(path) or self.guard.sensitive(path, os.path.basename(path)):
            raise GateError(Code.SENSITIVE_FILE, f"{relative} is not read.")
        _refuse_closed_above(path, self.guard)
        return _checked_file(path, self._open(relative, FILE_FLAGS), self.guard)

    def _open(self, relative: str, flags: int) -> int:
        if sys.platform == "win32":
            return windows.open_exactly(os.path.join(self.path, relative), flags is FOLDER_FLAGS)
        return open_beneath(self.fd, relative, flags)

    def close(self) -> None:
        """Give the descriptor back; harmless twice."""
        if not self._closed:
            self._closed = True
            os.close(self.fd)

    def __enter__(self) -> OpenFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _plain(name: str) -> str:
    if os.sep in name or name in {os.curdir, os.pardir}:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), name)
    return name


def _kind_of(item: os.DirEntry[str]) -> str:
    try:
        if item.is_symlink():
            return "symlink"
        if item.is_dir(follow_symlinks=False):
            return "directory"
        return "file" if item.is_file(follow_symlinks=False) else "other"
    except OSError:
        return "other"


def _stat_of(item: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return item.stat(follow_symlinks=False)
    except OSError:
        return None


def _closed_above(path: str, guard: Guard) -> bool:
    """Whether a folder on the way is a closed one under another name, as a bind mount shows it."""
    folder = os.path.dirname(path)
    while folder != os.path.dirname(folder):
        with contextlib.suppress(OSError):
            if guard.closed_identity(os.stat(folder)):
                return True
        folder = os.path.dirname(folder)
    return False


def _refuse_closed_above(path: str, guard: Guard) -> None:
    if _closed_above(path, guard):
        raise GateError(Code.PROTECTED_PATH, f"{os.path.basename(path)} lies in a protected folder and is never read.")


def refuse_closed_file(path: str, found: os.stat_result | None, guard: Guard) -> None:
    """GateError(protected_path) for another name of a closed file (hard link): it is the closed file."""
    if found is not None and has_other_names(found) and guard.closed_identity(found):
        raise GateError(Code.PROTECTED_PATH, f"{os.path.basename(path)} is another name of a protected file.")


def _checked_file(path: str, fd: int, guard: Guard) -> OpenFile:
    try:
        found = os.fstat(fd)
        if stat.S_ISDIR(found.st_mode):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.ENXIO, os.strerror(errno.ENXIO), path)
        refuse_closed_file(path, found, guard)
    except BaseException:
        os.close(fd)
        raise
    return OpenFile(path, fd, found)


def _checked_folder(path: str, fd: int, guard: Guard, device: int | None) -> OpenFolder:
    try:
        found = os.fstat(fd)
        if device is not None and found.st_dev != device:
            raise GateError(Code.NOT_A_DIRECTORY, f"{os.path.basename(path)} is another disk and is not entered.")
        if guard.closed_identity(found):
            raise GateError(Code.PROTECTED_PATH, f"{os.path.basename(path)} is protected and never read.")
    except BaseException:
        os.close(fd)
        raise
    return OpenFolder(path, fd, guard)


def open_file(path: str, guard: Guard) -> OpenFile:
    """Open a resolved, approved path for reading; raises OSError or GateError, in under a millisecond for a FIFO."""
    _refuse_closed_above(path, guard)
    return _checked_file(path, _open_absolute(path, FILE_FLAGS), guard)


def open_folder(path: str, guard: Guard) -> OpenFolder:
    """Open a resolved, approved folder for listing; raises OSError or GateError."""
    _refuse_closed_above(path, guard)
    return _checked_folder(path, _open_absolute(path, FOLDER_FLAGS), guard, None)
