"""One program for each user, screen and data folder: a second start gives its wish to the first and ends.

Imports little, since a second start has to be over at once. A lock says who is first; it listens at a socket of the
user's own (on Windows at a port of this machine, with a token). No other user's socket is trusted, nor their wishes.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
import stat
import struct
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import cast

from metona_tk.protocol.wishes import AskQuickly, ShowWindow

Handed = ShowWindow | AskQuickly
MOST = 64 * 1024  # bytes of a message
PATIENCE = 2.0  # s for one exchange, and for a first start that is just beginning
_KINDS: dict[str, type[ShowWindow] | type[AskQuickly]] = {"show": ShowWindow, "quick": AskQuickly}
_MOST_AT_ONCE = 4  # connections
_OWN_ONLY = 0o700


class HandOverFailed(Exception):
    """A program runs and does not take the wish; the reason in English words."""


# --- messages -------------------------------------------------------------------------------------------------------


def encode(wish: Handed, token: str = "") -> bytes:
    """One line of JSON; HandOverFailed for a question that is too long."""
    kind = "quick" if isinstance(wish, AskQuickly) else "show"
    message = {"v": 1, "kind": kind, "folder": wish.folder, "model": wish.model, "question": wish.question}
    line = json.dumps(message | ({"token": token} if token else {})).encode() + b"\n"
    if len(line) > MOST:
        raise HandOverFailed("the question is too long to be handed over")
    return line


def decode(line: bytes, token: str = "") -> Handed | None:
    """The wish of a line, None for anything that is not one."""
    try:
        parsed: object = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(parsed, dict):
        return None
    message = cast("dict[str, object]", parsed)
    kind, folder, model, question, given = (
        message.get(key, "") for key in ("kind", "folder", "model", "question", "token")
    )
    if not isinstance(given, str) or not _is_token(given, token):
        return None
    if message.get("v") != 1 or not isinstance(model, str) or not isinstance(question, str):
        return None
    if folder is not None and not (isinstance(folder, str) and os.path.isabs(folder) and "\0" not in folder):
        return None
    return _KINDS[kind](folder, model, question) if isinstance(kind, str) and kind in _KINDS else None


def _is_token(given: str, token: str) -> bool:
    if not token:
        return not given
    import hmac

    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())


def wish_of(arguments: list[str]) -> Handed | None:
    """What a command line wishes from a window: the one without arguments, and `ask --window` in its plain forms.

    None for all others, which the command line itself understands or refuses.
    """
    if not arguments:
        return ShowWindow()
    if arguments[0] != "ask" or "--window" not in arguments:
        return None
    given: dict[str, str] = {}
    rest = [word for word in arguments[1:] if word != "--window"]
    while rest:
        name, assigned, value = rest.pop(0).partition("=")
        if name in {"--folder", "--model"}:
            value = value if assigned else rest.pop(0) if rest else ""
        elif name.startswith("-") or "question" in given:
            return None
        else:
            name, value = "question", name + assigned + value
        if not value.strip() or name in given or (value.startswith("-") and not assigned):
            return None
        given[name] = value
    folder = os.path.abspath(os.path.expanduser(given["--folder"])) if "--folder" in given else None
    if folder is not None and not os.path.isdir(folder):
        return None
    return AskQuickly(folder, given.get("--model", ""), given.get("question", "").strip())


# --- where ----------------------------------------------------------------------------------------------------------


def _data_dir() -> str:
    """What tells programs with other data apart. Not `places`: what it imports takes longer than the rest."""
    home = os.environ.get("METONA_TK_HOME", "") or os.environ.get("XDG_DATA_HOME", "") or "~"
    return os.path.abspath(os.path.expanduser(home))


def _screen() -> str:
    if sys.platform in {"win32", "darwin"}:
        return ""
    return os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or ""


def place_name() -> str:
    """The name of this user's place for these data on this screen."""
    return sha256(f"{_data_dir()}\0{_screen()}".encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _is_own(path: str) -> bool:
    """Whether a folder is the user's alone: a real folder, theirs, closed to all others."""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    if sys.platform == "win32":
        return stat.S_ISDIR(found.st_mode)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def find_folder() -> Path | None:
    """A folder of the user's own for lock and socket, made where it is missing; None where none can be had."""
    for folder in _folders():
        with contextlib.suppress(OSError):
            os.makedirs(os.path.dirname(folder), exist_ok=True)
            with contextlib.suppress(FileExistsError):
                os.mkdir(folder, _OWN_ONLY)
            if _is_own(folder) and os.access(folder, os.W_OK | os.X_OK):
                return Path(folder)
    return None


def _folders() -> list[str]:
    if sys.platform == "win32":
        return [os.path.join(os.environ.get("LOCALAPPDATA") or os.path.expanduser("~"), "metona-tk-run")]
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    inside = [os.path.join(runtime, "metona-tk")] if os.path.isabs(runtime) and _is_own(runtime) else []
    # short on purpose: the path of a socket has 104 bytes on macOS
    return [*inside, f"/tmp/metona-tk-{os.getuid()}", os.path.join(_data_dir(), ".metona-tk-run")]


# --- the lock -------------------------------------------------------------------------------------------------------


def _lock(path: Path) -> int | None:
    """The descriptor that holds the lock, None while another program holds it. OSError where none can be had."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags, 0o600)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        if error.errno in {errno.EAGAIN, errno.EACCES, errno.EDEADLK}:
            return None
        raise
    return descriptor


# --- who is there ---------------------------------------------------------------------------------------------------


def is_same_user(connection: socket.socket) -> bool:
    """Whether the other end is a process of this user; where the system does not tell, the folder has to do."""
    if sys.platform == "linux":
        length = struct.calcsize("3i")
        _, uid, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, length))
        return uid == os.getuid()
    if sys.platform == "darwin":
        # struct xucred of <sys/ucred.h>: version, uid, then groups; LOCAL_PEERCRED is 1 at level 0
        _, uid = struct.unpack("2i", connection.getsockopt(0, 1, 76)[:8])
        return uid == os.getuid()
    return True


def _exchange(connection: socket.socket, line: bytes) -> bool:
    """Send a wish; whether it was taken. OSError when nobody answers."""
    connection.sendall(line)
    answer = b""
    while not answer.endswith(b"\n") and len(answer) < 64:
        block = connection.recv(64)
        if not block:
            break
        answer += block
    return answer == b"taken\n"


def _connect(folder: Path, name: str) -> tuple[socket.socket, str]:
    """A connection to the program that runs, and the token it wants. OSError when there is none."""
    if sys.platform == "win32":
        port, token = (folder / f"{name}.port").read_text("ascii").split()
        connection = socket.create_connection(("127.0.0.1", int(port)), PATIENCE)
        return connection, token
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(PATIENCE)
    try:
        connection.connect(str(folder / f"{name}.sock"))
        if not is_same_user(connection):
            raise PermissionError(errno.EPERM, "the socket is another user's")
    except OSError:
        connection.close()
        raise
    return connection, ""


def hand_over(folder: Path, name: str, wish: Handed) -> bool:
    """Give the wish to the program that runs; False when none answers. HandOverFailed when it does not want it."""
    try:
        connection, token = _connect(folder, name)
    except (OSError, ValueError):
        return False
    with connection:
        try:
            taken = _exchange(connection, encode(wish, token))
        except TimeoutError:
            raise HandOverFailed("it does not answer") from None
        except OSError:
            return False
    if not taken:
        raise HandOverFailed("it did not understand the wish; it may be of another version")
    return True


# --- the first one --------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Instance:
    """The first program. Without a `listener` nothing can be handed to it, and a second start opens a window too."""

    listener: socket.socket | None = None
    files: tuple[Path, ...] = ()  # to be removed at the end
    token: str = ""
    lock: int | None = None
    _slots: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(_MOST_AT_ONCE))

    def listen(self, take: Callable[[Handed], object]) -> None:
        """Call `take` with each wish, on other threads; those that came before wait until then."""
        if self.listener is not None:
            threading.Thread(target=self._accept, args=(self.listener, take), name="instance", daemon=True).start()

    def _accept(self, listener: socket.socket, take: Callable[[Handed], object]) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError as error:
                if self.listener is None or error.errno in {errno.EBADF, errno.EINVAL, errno.ENOTSOCK}:
                    return
                time.sleep(0.1)  # no descriptors left, for now
                continue
            self._slots.acquire()
            threading.Thread(target=self._serve, args=(connection, take), name="wish", daemon=True).start()

    def _serve(self, connection: socket.socket, take: Callable[[Handed], object]) -> None:
        try:
            with connection:
                wish = self._read(connection)
                if wish is not None:
                    take(wish)
                connection.sendall(b"taken\n" if wish is not None else b"refused\n")
        except OSError:
            return  # it went away
        finally:
            self._slots.release()

    def _read(self, connection: socket.socket) -> Handed | None:
        if sys.platform != "win32" and not is_same_user(connection):
            return None
        end = time.monotonic() + PATIENCE
        line = b""
        while not line.endswith(b"\n") and len(line) <= MOST:
            left = end - time.monotonic()
            if left <= 0:
                return None
            connection.settimeout(left)
            block = connection.recv(MOST)
            if not block:
                return None
            line += block
        return decode(line, self.token) if len(line) <= MOST else None

    def close(self) -> None:
        """Nothing is taken any more; what was made for it is gone."""
        listener, self.listener = self.listener, None
        for path in self.files if listener is not None else ():
            with contextlib.suppress(OSError):
                path.unlink()
        if listener is not None:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None


def _open(folder: Path, name: str, lock: int) -> Instance:
    """Listen, in place of what a program has left behind that is gone; the lock is let go where that fails."""
    try:
        return _listen(folder, name, lock)
    except BaseException:
        os.close(lock)
        raise


def _listen(folder: Path, name: str, lock: int) -> Instance:
    if sys.platform == "win32":
        import secrets

        listener = socket.create_server(("127.0.0.1", 0), backlog=16)
        token, file = secrets.token_hex(16), folder / f"{name}.port"
        file.write_text(f"{listener.getsockname()[1]} {token}", "ascii")
        return Instance(listener, (file,), token, lock)
    path = folder / f"{name}.sock"
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(str(path))
        listener.listen(16)
    except OSError:
        listener.close()
        raise
    return Instance(listener, (path,), "", lock)


def begin(wish: Handed, log: Callable[[str], object] = lambda _words: None) -> Instance | None:
    """The first program's place, or None: the wish was given to the one that runs. HandOverFailed when that one does
    not take it. Where no place can be had, a program without one (and `log` is told why).
    """
    folder, name = find_folder(), place_name()
    if folder is None:
        log("no folder of the user's own for a socket")
        return Instance()
    end = time.monotonic() + PATIENCE
    while True:
        if hand_over(folder, name, wish):
            return None
        try:
            lock = _lock(folder / f"{name}.lock")
            if lock is not None:
                return _open(folder, name, lock)
        except (OSError, ValueError) as error:
            log(f"no socket: {error}")
            return Instance()
        if time.monotonic() > end:
            raise HandOverFailed("it does not answer")
        time.sleep(0.02)  # it holds the lock and is about to listen, or about to end
