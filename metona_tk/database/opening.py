"""Opens an SQLite file with the settings that every part relies on, migrated; a damaged one is set aside."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path

_BUSY_MS = 5000
_ROOM = 128 << 10  # bytes without which SQLite does not get on
_DAMAGE = frozenset([sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR])  # the last: other tables
_ASIDE = ("", "-wal", "-shm")


class Connection(sqlite3.Connection):
    """One that can be referred to weakly."""


class DamagedDatabase(Exception):
    """The file is no database of ours, or a broken one."""


def connect(path: Path, durable: bool = True) -> sqlite3.Connection:
    """A connection for the thread that calls; another may close it. `durable`: a commit is on the disk when it returns.

    DamagedDatabase; OSError or sqlite3.OperationalError where the disk does not play along.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        made = sqlite3.connect(path, _BUSY_MS / 1000, isolation_level=None, check_same_thread=False, factory=Connection)
        made.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
        made.execute("PRAGMA journal_mode = WAL")
        made.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
    except sqlite3.DatabaseError as error:
        raise as_damage(error) from error
    return made


def reason_of(error: Exception, folder: Path) -> str:
    """What the user is told: a full disk is also met as other errors of the disk."""
    with contextlib.suppress(OSError):
        if shutil.disk_usage(folder).free < _ROOM:
            return "the disk is full"
    return str(error)


def as_damage(error: sqlite3.Error) -> Exception:
    """DamagedDatabase where the file itself is at fault, and never where the disk is full or fails: then the error."""
    return DamagedDatabase(str(error)) if error.sqlite_errorcode & 0xFF in _DAMAGE else error


def migrate(connection: sqlite3.Connection, scripts: list[str], check: Callable[[sqlite3.Connection], None]) -> None:
    """Bring a database to the newest schema, one script after another, all or none. DamagedDatabase."""
    try:
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise DamagedDatabase("the check of its pages failed")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > len(scripts):
            raise DamagedDatabase(f"it was written by a newer program (schema {version})")
        for number, script in enumerate(scripts[version:], version + 1):
            connection.executescript(f"BEGIN IMMEDIATE;{script};PRAGMA user_version = {number};COMMIT;")
        check(connection)
    except sqlite3.OperationalError as error:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        # two programs that make it at once: the second finds it made
        if "already exists" in str(error) or "locked" in str(error):
            check(connection)
            return
        raise as_damage(error) from error
    except sqlite3.DatabaseError as error:
        raise as_damage(error) from error


def script(name: str) -> str:
    """The text of a migration."""
    return resources.files("metona_tk.database").joinpath("migrations", name).read_text(encoding="utf-8")


def set_aside(path: Path) -> Path:
    """Give a damaged file and what belongs to it another name; the name of the file itself."""
    aside = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
    while aside.exists():
        aside = aside.with_name(aside.name + "x")
    for ending in _ASIDE:
        with contextlib.suppress(FileNotFoundError):
            os.replace(f"{path}{ending}", f"{aside}{ending}")
    return aside
