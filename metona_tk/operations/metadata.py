"""What a file has beside its bytes: mode, owner, time, extended attributes (POSIX ACLs are among them on Linux)."""

from __future__ import annotations

import base64
import contextlib
import errno
import os
import sys

_IGNORED = frozenset([errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM, errno.EACCES, errno.EINVAL])


def read_xattrs(fd: int) -> dict[str, str]:
    """The attributes of an open file, their values in base64; {} where the file system has none."""
    if sys.platform != "linux":
        return {}
    found: dict[str, str] = {}
    try:
        for name in os.listxattr(fd):
            with contextlib.suppress(OSError):  # one that may not be read is none that we could restore
                found[name] = base64.b64encode(os.getxattr(fd, name)).decode()
    except OSError as error:
        if error.errno not in _IGNORED:
            raise
    return found


def write_xattrs(fd: int, wanted: dict[str, str]) -> None:
    """Give an open file these attributes. Those of the system that an ordinary user may not set are left out."""
    if sys.platform != "linux":
        return
    for name, value in wanted.items():
        try:
            os.setxattr(fd, name, base64.b64decode(value))
        except OSError as error:
            if error.errno not in _IGNORED:
                raise


def copy_metadata(source: int, target: int) -> None:
    """Give a new file mode, owner and attributes of an old one, both open."""
    found = os.fstat(source)
    give_owner(target, found.st_uid, found.st_gid)
    write_xattrs(target, read_xattrs(source))
    set_mode(target, found.st_mode & 0o7777)


def give_owner(fd: int, owner: int, group: int) -> None:
    """Set the owner where that is another one and may be set; an ordinary user's files are his anyway."""
    if sys.platform != "win32":
        found = os.fstat(fd)
        if (found.st_uid, found.st_gid) != (owner, group):
            with contextlib.suppress(PermissionError):
                os.fchown(fd, owner, group)


def set_mode(fd: int, mode: int) -> None:
    """Set the mode of an open file; on Windows there is none."""
    if sys.platform != "win32":
        os.fchmod(fd, mode)


def set_modified(fd: int, path: str, modified_ns: int) -> None:
    """Set the time of the last change of an open file (`path` on Windows)."""
    os.utime(fd if os.utime in os.supports_fd else path, ns=(modified_ns, modified_ns))
