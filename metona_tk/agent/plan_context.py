"""What a changing tool is given to plan with: it looks through checked handles, and has no way to change anything.

Counterparts: `tools.changing`, `agent.changing`, which carries the plan out.
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePath

from metona_tk.agent.known_files import KnownFiles
from metona_tk.agent.patterns import TooMany, expand, is_pattern, split
from metona_tk.agent.roots import root_gone
from metona_tk.agent.tool_context import CallContext, answering
from metona_tk.agent.trees import read_tree
from metona_tk.operations.states import from_stat, state_of
from metona_tk.protocol.changes import NOTHING, Change, ChangeKind, FileState
from metona_tk.protocol.problems import Code
from metona_tk.security.handles import OpenFolder, open_folder, refuse_closed_file
from metona_tk.security.paths import GateError, Target
from metona_tk.tools.base import ToolFailed, one_line
from metona_tk.tools.changing import MAX_LOADED, Loaded, Seen, Tree

Approve = Callable[[str], Target]


@dataclass(slots=True)
class PlanTargets:
    """The targets of one call, by typed path. What is derived from them is approved in the same way."""

    known: dict[str, Target]
    approve: dict[str, Approve]  # how the typed path itself was approved, for what a pattern of it means
    look: dict[str, Approve]  # how the folder of a pattern is approved, which is only looked into
    write: Approve


@dataclass(slots=True)
class ChangeContext(CallContext):
    """The PlanContext of one call."""

    approvals: PlanTargets = field(kw_only=True)
    files: KnownFiles = field(kw_only=True)
    by_person: bool = False
    _hits: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    _trees: dict[str, Tree] = field(default_factory=dict[str, Tree])

    def resolved(self, path: str) -> str:
        return self.targets[path].resolved

    def state(self, path: str) -> FileState:
        return self._state(self.resolved(path), False)

    def identity(self, path: str) -> FileState:
        return self._state(self.resolved(path), True)

    def _state(self, path: str, digest: bool) -> FileState:
        folder, name = os.path.split(path)
        with answering(self.shown(path)):
            try:
                opened = open_folder(folder, self.guard)
            except OSError as error:
                if error.errno in {errno.ENOENT, errno.ENOTDIR}:
                    return self._nothing(path)
                raise
            with opened:
                refuse_closed_file(path, opened.stat(name), self.guard)
                return state_of(opened, name, digest)

    def _nothing(self, path: str) -> FileState:
        """Nothing is there; but where a file stands on the way, nothing can be made there either."""
        above = _existing(os.path.dirname(path))
        if not os.path.isdir(above):
            name = one_line(self.shown(above))
            raise ToolFailed(Code.NOT_A_DIRECTORY, f"{name} is a file, so nothing can be in it. Take another folder.")
        return NOTHING

    def load(self, path: str, most: int = MAX_LOADED) -> Loaded:
        with self.open_file(path) as file:
            content = _bytes_of(file.read, most)
            if content is None:
                return Loaded(self.identity(path), None)
            # of the very bytes that are planned with: a save while they are read is seen before anything is done
            return Loaded(from_stat(file.stat, hashlib.sha256(content).hexdigest()), content)

    def seen(self, path: str) -> Seen:
        return self.files.seen(self.resolved(path), self.state(path))

    def known_encoding(self, path: str) -> str:
        return self.files.encoding(self.resolved(path))

    def note_read(self, path: str, encoding: str = "") -> None:
        self.files.note_read(self.resolved(path), self.state(path), encoding)

    def device(self, folder: str) -> int:
        return os.stat(_existing(folder)).st_dev

    def parents(self, path: str) -> tuple[Change, ...]:
        missing: list[Change] = []
        folder = os.path.dirname(self.resolved(path))
        there = _existing(folder)
        root = self.targets[path].root
        if root is not None and there != root.real and not is_inside(there, root.real):
            raise root_gone(root)  # moved away while the call was looked at: it is not made anew
        while folder != there:
            missing.append(Change(ChangeKind.FOLDER, folder))
            folder = os.path.dirname(folder)
        return tuple(reversed(missing))

    def below(self, folder: str, name: str) -> str:
        typed = folder.rstrip("/") + "/" + name if folder.strip("/") else folder + name
        if typed not in self.approvals.known:
            self.approvals.known[typed] = self.approvals.write(typed)
        return typed

    def hits(self, path: str) -> tuple[str, ...]:
        if path not in self._hits:
            self._hits[path] = self._expand(path)
        return self._hits[path]

    def _expand(self, path: str) -> tuple[str, ...]:
        if not is_pattern(path) or self.targets[path].kind is not None:
            return (path,)
        head, parts = split(path)
        approve = self.approvals.approve[path]
        folder = self.approvals.look[path](head)
        shown = one_line(repr(path))
        try:
            with answering(one_line(self.shown(folder.resolved))), open_folder(folder.resolved, self.guard) as opened:
                found = expand(_Names(opened), parts)
        except TooMany:
            raise ToolFailed(Code.FILE_TOO_LARGE, f"{shown} means too many files. Give a narrower pattern.") from None
        if not found:
            raise ToolFailed(Code.NOT_FOUND, f"Nothing in the workspace is called {shown}. List the folder first.")
        prefix = "" if head == "." else head.rstrip("/") + "/"
        hits = tuple(prefix + each for each in found)
        for hit in hits:
            self.approvals.known[hit] = approve(hit)
        return hits

    def tree(self, path: str) -> Tree:
        resolved = self.resolved(path)
        if resolved not in self._trees:
            name = one_line(self.shown(resolved))
            with answering(name):
                self._trees[resolved] = read_tree(resolved, self.guard, name, self._go_on)
        return self._trees[resolved]

    def mask(self, path: str, text: str) -> str:
        return self.masks.mask(self.resolved(path), text)

    def unmask(self, path: str, text: str) -> str:
        return self.masks.unmask(self.resolved(path), self.shown(self.resolved(path)), text)


@dataclass(slots=True)
class _Names:
    """A folder as patterns see it."""

    folder: OpenFolder

    def names(self) -> Iterator[tuple[str, bool]]:
        for entry in self.folder.scan(False):
            if not any("\ud800" <= char <= "\udfff" for char in entry.name):  # no UTF-8: no path can name it
                yield entry.name, entry.kind == "directory"

    def below(self, name: str) -> _Names | None:
        try:
            return _Names(self.folder.folder(name))
        except (GateError, OSError):
            return None  # closed, on another disk or unreadable: nothing in it is meant by a pattern

    def close(self) -> None:
        self.folder.close()


def _existing(folder: str) -> str:
    """The folder itself, or the nearest one above it that is there."""
    while not os.path.lexists(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return folder


def _bytes_of(read: Callable[[int], bytes], most: int) -> bytes | None:
    """All bytes, or None beyond `most`."""
    parts: list[bytes] = []
    left = most + 1
    while left > 0 and (block := read(min(1 << 20, left))):
        parts.append(block)
        left -= len(block)
    return b"".join(parts) if left > 0 else None


def is_inside(path: str, folder: str) -> bool:
    """Whether an absolute path lies in a folder, by component."""
    return PurePath(folder) in PurePath(path).parents
