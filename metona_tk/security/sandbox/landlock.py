"""A read-only wall around a child process by Linux' Landlock; elsewhere, or on old kernels, there is none.

The wall is put around one *thread*, which then starts the child and ends: credentials are a thread's own, so nothing
needs to run between fork and exec. Facts: kernel documentation "Landlock: unprivileged access control"; the struct
for a path is packed.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from functools import cache

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_PR_SET_NO_NEW_PRIVS = 38
_EXECUTE, _READ_FILE, _READ_DIR = 1, 4, 8
_FILESYSTEM_V1 = (1 << 13) - 1  # every right that the first version knows; all of them are handled
_OPEN_FLAGS: int = getattr(os, "O_PATH", 0) | getattr(os, "O_CLOEXEC", 0)
# What a program needs to start: its libraries, its loader's cache.
_SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/etc/ld.so.cache", "/nix/store", "/gnu/store")


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


@cache
def version() -> int:
    """The kernel's Landlock version, 0 where there is none."""
    if sys.platform != "linux":
        return 0
    found = _libc().syscall(ctypes.c_long(_CREATE), None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    return max(0, int(found))


def _allow(ruleset: int, fd: int, rights: int) -> None:
    rule = struct.pack("=Qi", rights, fd)
    _libc().syscall(
        ctypes.c_long(_ADD), ctypes.c_int(ruleset), ctypes.c_int(1), ctypes.c_char_p(rule), ctypes.c_uint32(0)
    )


def restrict_thread(program: str, folders: Iterable[int]) -> bool:
    """From now on this thread and what it starts can read only `folders` (descriptors) and run `program`.

    Nothing can be written anywhere. Returns False, with nothing changed, where Landlock is missing.
    """
    if version() < 1:
        return False
    attributes = struct.pack("Q", _FILESYSTEM_V1)
    ruleset = _libc().syscall(
        ctypes.c_long(_CREATE), ctypes.c_char_p(attributes), ctypes.c_size_t(8), ctypes.c_uint32(0)
    )
    if ruleset < 0:
        return False
    try:
        for folder in folders:
            _allow(ruleset, folder, _READ_FILE | _READ_DIR)
        for path in (*_SYSTEM, os.path.dirname(os.path.realpath(program))):
            _allow_path(ruleset, path)
        if _libc().prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            return False
        done = _libc().syscall(ctypes.c_long(_RESTRICT), ctypes.c_int(ruleset), ctypes.c_uint32(0))
        return done == 0
    finally:
        os.close(ruleset)


def _allow_path(ruleset: int, path: str) -> None:
    try:
        fd = os.open(path, _OPEN_FLAGS)
    except OSError:
        return
    try:
        _allow(ruleset, fd, _EXECUTE | _READ_FILE)  # what is in them is not to be listed
    finally:
        os.close(fd)
