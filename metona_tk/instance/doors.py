"""Where a second start knocks: a Unix socket, whose system says who is at the other end; or a port of this machine
with a token, where there are no such sockets. Both sides of each are here. No other user is trusted on either side.
"""

from __future__ import annotations

import errno
import os
import socket
import struct
import sys
from contextlib import suppress

_WAITING = 64  # connections that the system keeps for the program


class UnixDoor:
    """A socket in a folder of the user's own."""

    suffix = "sock"
    tells_who = True  # so that whoever listens may be asked, even without holding the lock
    token = ""

    def __init__(self, path: str) -> None:
        self._path = path
        self._made: tuple[int, int] | None = None

    def open(self) -> socket.socket:
        """Listen, in place of what a program has left behind that is gone."""
        with suppress(FileNotFoundError):
            os.unlink(self._path)
        listener = _unix_socket()
        try:
            listener.bind(self._path)
            listener.listen(_WAITING)
            self._made = _identity(self._path)
        except OSError:
            listener.close()
            raise
        return listener

    def connect(self, seconds: float) -> socket.socket:
        """A connection to the program that runs. OSError when there is none that can be trusted."""
        connection = _unix_socket()
        connection.settimeout(seconds)
        try:
            connection.connect(self._path)
            if not self.admits(connection):
                raise PermissionError(errno.EPERM, "the socket is another user's")
        except OSError:
            connection.close()
            raise
        return connection

    def admits(self, connection: socket.socket) -> bool:
        """Whether this user is at the other end."""
        return user_behind(connection) in {own_user(), None}

    def remove(self) -> None:
        """Take the socket away, unless another stands in its place."""
        with suppress(OSError):
            if self._made == _identity(self._path):
                os.unlink(self._path)


class LoopbackDoor:
    """A port that the system chose. A file that is the user's alone tells it, and a token for those who may come in."""

    suffix = "port"
    tells_who = False  # so nobody is asked where the lock says that no program runs

    def __init__(self, path: str) -> None:
        self._path = path
        self.token = ""

    def open(self) -> socket.socket:
        """Listen, and write the file."""
        import secrets

        with suppress(FileNotFoundError):
            os.unlink(self._path)
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if sys.platform == "win32":  # else another program could listen at the same port
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
            listener.bind(("127.0.0.1", 0))
            listener.listen(_WAITING)
            self.token = secrets.token_hex(32)
            self._write(f"{listener.getsockname()[1]} {self.token}\n")
        except OSError:
            listener.close()
            raise
        return listener

    def _write(self, words: str) -> None:
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(descriptor, words.encode())
        finally:
            os.close(descriptor)

    def _read(self) -> tuple[int, str]:
        """Port and token. OSError where they are not, or not yet."""
        with open(self._path, encoding="ascii", errors="replace") as file:
            words = file.read(200)
        port, _, token = words.partition(" ")
        if not words.endswith("\n") or not port.isdecimal():
            raise ConnectionRefusedError(errno.ECONNREFUSED, "nobody listens yet")
        return int(port), token.strip()

    def connect(self, seconds: float) -> socket.socket:
        """A connection to the program that runs. OSError when there is none."""
        port, self.token = self._read()
        return socket.create_connection(("127.0.0.1", port), seconds)

    def admits(self, connection: socket.socket) -> bool:
        """Everyone: the token decides."""
        return True

    def remove(self) -> None:
        """Take the file away, unless another's stands in its place."""
        with suppress(OSError):
            if self._read()[1] == self.token:
                os.unlink(self._path)


Door = UnixDoor | LoopbackDoor


def own_user() -> int | None:
    """The number of the user that this process acts for."""
    return None if sys.platform == "win32" else os.geteuid()


def user_behind(connection: socket.socket) -> int | None:
    """The user at the other end of a Unix socket; None where the system does not tell: the folder has to do then."""
    if sys.platform == "linux":
        length = struct.calcsize("3i")
        _, uid, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, length))
        return uid
    if sys.platform == "darwin":
        # struct xucred of <sys/ucred.h>: version, uid, then groups; LOCAL_PEERCRED is 1 at level 0
        _, uid = struct.unpack("iI", connection.getsockopt(0, 1, 76)[:8])
        return uid
    return None


def _unix_socket() -> socket.socket:
    if sys.platform == "win32":
        raise OSError(errno.EAFNOSUPPORT, "no Unix sockets")
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)


def _identity(path: str) -> tuple[int, int]:
    found = os.lstat(path)
    return found.st_dev, found.st_ino
