"""Opening on Windows: by handle, then the name that the system itself gives for that handle is compared.

GetFinalPathNameByHandleW tells where a handle really leads, through junctions, links and 8.3 names; a handle that leads
elsewhere than was approved is closed unread. A folder's handle is opened without FILE_SHARE_DELETE, so that it cannot
be renamed away while it is held. Facts: Microsoft's documentation of CreateFileW and GetFinalPathNameByHandleW.
"""

from __future__ import annotations

import errno
import os
import sys

if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

    _GENERIC_READ = 0x80000000
    _LIST = 0x0001  # FILE_LIST_DIRECTORY
    _SHARE_ALL, _SHARE_NO_DELETE = 7, 3
    _OPEN_EXISTING = 3
    _BACKUP_SEMANTICS = 0x02000000  # needed to open a folder
    _INVALID = ctypes.c_void_p(-1).value
    _kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel32.CreateFileW.restype = wintypes.HANDLE
    _kernel32.CreateFileW.argtypes = [
        wintypes.LPCWSTR,
        wintypes.DWORD,
        wintypes.DWORD,
        wintypes.LPVOID,
        wintypes.DWORD,
        wintypes.DWORD,
        wintypes.HANDLE,
    ]
    _kernel32.GetFinalPathNameByHandleW.restype = wintypes.DWORD
    _kernel32.GetFinalPathNameByHandleW.argtypes = [wintypes.HANDLE, wintypes.LPWSTR, wintypes.DWORD, wintypes.DWORD]

    def _final_path(handle: int) -> str:
        buffer = ctypes.create_unicode_buffer(32768)
        length = _kernel32.GetFinalPathNameByHandleW(handle, buffer, len(buffer), 0)
        if not length or length >= len(buffer):
            raise ctypes.WinError(ctypes.get_last_error())
        return buffer.value

    def open_exactly(path: str, folder: bool) -> int:
        """A descriptor of `path`, or OSError: ELOOP where the handle leads elsewhere than the path says."""
        access = _LIST if folder else _GENERIC_READ
        share = _SHARE_NO_DELETE if folder else _SHARE_ALL
        handle = _kernel32.CreateFileW(path, access, share, None, _OPEN_EXISTING, _BACKUP_SEMANTICS, None)
        if handle is None or handle == _INVALID:
            raise ctypes.WinError(ctypes.get_last_error())
        try:
            if comparable(_final_path(handle)) != comparable(path):
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
            return msvcrt.open_osfhandle(handle, os.O_RDONLY | os.O_BINARY | os.O_NOINHERIT)
        except BaseException:
            _kernel32.CloseHandle(handle)
            raise


def comparable(path: str) -> str:
    """A Windows path as two are compared: without the `\\\\?\\` prefix, one kind of slash, without case."""
    plain = path.removeprefix("\\\\?\\")
    return plain.replace("/", "\\").rstrip("\\").casefold()
