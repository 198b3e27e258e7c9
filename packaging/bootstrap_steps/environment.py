"""Makes `.venv` from the lock files, once; a stamp written last says that it is whole and what was installed."""

import contextlib
import errno
import hashlib
import json
import os
import subprocess
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from .pythons import Python, ask
from .words import Stop, reason, say


@dataclass(frozen=True, slots=True)
class Environment:
    """The `.venv` of the project in `root`; `locks` are the lock files in `packaging/` that it must hold.

    The executables are built in one of another `name`, so that they hold nothing of the tests.
    """

    root: Path
    locks: tuple[str, ...]
    name: str = ".venv"

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self.root / self.name

    @property
    def python(self) -> Path:
        """Its Python."""
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def stamp(self) -> Path:
        """The file that says what is installed; a `.venv` without it was never finished."""
        return self.folder / "metona-tk.json"

    def wanted(self) -> dict[str, str]:
        """The sha256 of each lock file."""
        return {name: hashlib.sha256((self.root / "packaging" / name).read_bytes()).hexdigest() for name in self.locks}

    def installed(self) -> dict[str, str]:
        """The sha256 of what is installed, empty when the `.venv` is missing, half made, or its Python has changed."""
        try:
            stamp = json.loads(self.stamp.read_text("utf-8"))
            version, locks = tuple(stamp["python"]), dict(stamp["locks"])
        except (OSError, ValueError, KeyError, TypeError):
            return {}
        python = ask([str(self.python)])
        if python is None or python.tk_problem or python.version != version:
            return {}
        return locks

    def ready(self) -> bool:
        """Whether nothing is to be done: about 60 ms, with neither pip nor apt."""
        return self.wanted().items() <= self.installed().items()

    def build(self, base: Python) -> None:
        """Bring it up to the lock files. Only one at a time may do this: see `alone`."""
        with alone(self.root / "packaging" / "bootstrap.py") as lock:
            installed, wanted = self.installed(), self.wanted()
            if wanted.items() <= installed.items():
                return
            if not installed:
                say(f"Making {self.name} with Python {base.version[0]}.{base.version[1]} ...")
                self.create(base, lock)
            changed = [name for name in self.locks if installed.get(name) != wanted[name]]
            before = self.stamp.read_bytes() if installed else b""
            self.stamp.unlink(missing_ok=True)
            try:
                self.install(changed, lock)
            except Stop:
                if before:  # pip went to its own end, so what was there before still works
                    self.write_stamp(before)
                raise
            kept = {} if "lock.txt" in changed else installed
            content = {"python": list(base.version if not installed else self.version()), "locks": kept | wanted}
            self.write_stamp(json.dumps(content).encode())

    def version(self) -> tuple[int, int]:
        """The version of its Python, which may be another than the one that was found now."""
        python = ask([str(self.python)])
        return python.version if python else (0, 0)

    def create(self, base: Python, lock: int) -> None:
        """An empty environment with pip, in place of whatever lies there."""
        self.call([base.path, "-I", "-m", "venv", "--clear", "--without-pip", str(self.folder)], lock, "made")
        self.call([str(self.python), "-I", "-m", "ensurepip", "--default-pip"], lock, "made")

    def install(self, names: list[str], lock: int) -> None:
        """Install the lock files `names`, each file checked against its hash."""
        say("Installing the packages of " + " and ".join(names) + " (only now; about a minute) ...")
        files = [part for name in names for part in ("-r", str(self.root / "packaging" / name))]
        options = ["--require-hashes", "--no-deps", "--no-input", "--disable-pip-version-check", "--retries", "2"]
        self.call([str(self.python), "-I", "-m", "pip", "install", "-q", *options, *files], lock, "filled")

    def call(self, command: list[str], lock: int, done: str) -> None:
        """Run one step; Stop with the reason if it fails. It holds the lock too, lest it work on when we are killed."""
        environment = {k: v for k, v in os.environ.items() if k not in {"PYTHONHOME", "PYTHONPATH", "PIP_USER"}}
        result = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            env=environment,
            pass_fds=(lock,) if os.name == "posix" else (),
            check=False,
        )
        if result.returncode:
            raise Stop(f"{self.name} could not be {done}. {reason(result.stdout, self.root)}")

    def write_stamp(self, content: bytes) -> None:
        """Put the stamp there whole or not at all."""
        part = self.stamp.with_suffix(".part")
        part.write_bytes(content)
        part.replace(self.stamp)


@contextlib.contextmanager
def alone(file: Path) -> Generator[int, None, None]:
    """Keep other bootstraps of this project waiting while the block runs; gives the locked descriptor.

    An existing file is locked, so that none has to be left behind. The system frees it when the process ends.
    """
    with file.open("rb") as handle:
        if not try_lock(handle.fileno()):
            say("Another start of Metona TK is installing in this folder. Waiting for it ...")
            while not try_lock(handle.fileno()):
                time.sleep(0.2)
        yield handle.fileno()


def try_lock(descriptor: int) -> bool:
    """Whether the lock is ours now. A file system without locks counts as yes: better unguarded than never."""
    try:
        if os.name == "nt":
            import msvcrt

            os.lseek(descriptor, 1 << 30, os.SEEK_SET)  # far behind the end: reading the file stays free
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in {errno.EAGAIN, errno.EACCES, errno.EDEADLK}
    return True
