"""Plans as tools make them, on a workspace with a store and a bin of its own. Counterpart: `operations.undo`."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from collections.abc import Collection, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from metona_tk.agent.gatekeeper import build_gate
from metona_tk.agent.tool_context import make_guard
from metona_tk.operations import failpoints
from metona_tk.operations.entries import Inner
from metona_tk.operations.room import Limits
from metona_tk.operations.states import state_of
from metona_tk.operations.undo import Applied, Operations
from metona_tk.protocol.changes import NOTHING, Change, ChangeKind, FileState, Origin
from metona_tk.security.handles import open_folder

Tree = dict[str, tuple[Any, ...]]


def look(path: Path | str, digest: bool = True) -> FileState:
    """What is at a path, as a plan has it."""
    folder, name = os.path.split(path)
    opened = Inner(folder, os.open(folder, os.O_RDONLY))
    try:
        return state_of(opened, name, digest)
    finally:
        opened.close()


def create(path: Path, content: bytes) -> Change:
    return Change(ChangeKind.CREATE, str(path), NOTHING, content)


def write(path: Path, content: bytes) -> Change:
    return Change(ChangeKind.WRITE, str(path), look(path), content)


def append(path: Path, content: bytes) -> Change:
    before = look(path)
    return Change(ChangeKind.WRITE, str(path), before, content, keep=before.size)


def folder(path: Path) -> Change:
    return Change(ChangeKind.FOLDER, str(path))


def move(source: Path, path: Path) -> Change:
    """Also over a file that is there."""
    return Change(ChangeKind.MOVE, str(path), look(path), source=str(source), source_before=look(source))


def copy(source: Path, path: Path) -> Change:
    return Change(ChangeKind.COPY, str(path), look(path), source=str(source), source_before=look(source))


def delete(path: Path) -> Change:
    return Change(ChangeKind.DELETE, str(path), look(path))


def tree(root: Path, times: bool = True) -> Tree:
    """Everything below a folder: kind, bytes, mode, link target, and the times of files."""
    found: Tree = {}
    for path in sorted(root.rglob("*")):
        try:
            at = path.lstat()
        except FileNotFoundError:
            continue  # a temporary file of the program's own settings, gone again
        name, mode = os.fsdecode(os.path.relpath(path, root)), stat.S_IMODE(at.st_mode)
        if stat.S_ISLNK(at.st_mode):
            found[name] = ("link", os.readlink(path))
        elif stat.S_ISDIR(at.st_mode):
            found[name] = ("folder", mode)
        elif not stat.S_ISREG(at.st_mode):
            found[name] = ("other", mode)
        else:
            found[name] = ("file", path.read_bytes(), mode, at.st_mtime_ns if times else 0)
    return found


def temps(root: Path) -> list[str]:
    """Every temporary file of ours that is left below a folder."""
    return [str(path) for path in root.rglob(".metona-*")]


@dataclass
class Desk:
    """A workspace and its operations. `base` is the only place that is touched, given HOME is `base`/home."""

    base: Path
    limits: Limits = Limits()
    now: float = 1_800_000_000.0
    open_chats: Collection[str] = frozenset()
    operations: Operations = field(init=False)

    def __post_init__(self) -> None:
        for each in (self.work, self.home, self.out):
            each.mkdir(parents=True, exist_ok=True)
        self.again()

    @property
    def work(self) -> Path:
        return self.base / "work"

    @property
    def home(self) -> Path:
        return self.base / "home"

    @property
    def out(self) -> Path:
        """A folder that no change is about."""
        return self.base / "out"

    @property
    def store(self) -> Path:
        return self.base / "undo"

    @property
    def bin(self) -> Path:
        return self.home / ".local" / "share" / "Trash"

    def again(self) -> Operations:
        """The operations as a program that has just been started has them."""
        self.close()
        guard = make_guard(build_gate(str(self.work), [], []), frozenset())
        self.operations = Operations(
            self.store,
            lambda path: open_folder(path, guard),
            lambda: self.now,
            self.limits,
            lambda: self.open_chats,
        )
        return self.operations

    def close(self) -> None:
        """Give the files back."""
        if hasattr(self, "operations"):
            self.operations.close()

    def apply(self, *changes: Change, chat: str = "chat", turn: str = "turn", final: bool = False) -> Applied:
        return self.operations.apply(changes, Origin(chat, turn, "call", "tool"), final)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Rows of the journal."""
        with contextlib.closing(sqlite3.connect(self.store / "journal.sqlite")) as db:
            return db.execute(query).fetchall()


@contextlib.contextmanager
def at_point(name: str, error: BaseException | None = None, action: Any = None) -> Generator[list[str]]:
    """At the first time that a point is reached the error is raised or the action done; gives the points reached."""
    seen: list[str] = []

    def hook(point: str) -> None:
        seen.append(point)
        if point == name and seen.count(name) == 1:
            if action is not None:
                action()
            if error is not None:
                raise error

    failpoints.set_hook(hook)
    try:
        yield seen
    finally:
        failpoints.set_hook(None)
