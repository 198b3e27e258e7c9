"""What a chat knows of the user's files: which it has read, which it made, and how they were then (SPEC 1.2)."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field, replace

from metona_tk.protocol.changes import FileState
from metona_tk.tools.changing import Seen

_MOST = 10_000  # files that are remembered; the oldest are forgotten first


@dataclass(frozen=True, slots=True)
class _Known:
    state: FileState
    made: bool
    encoding: str  # in which the chat was told to read it
    read: bool


def _same(one: FileState, other: FileState) -> bool:
    """Whether a file is as it was, by identity, size and times."""
    return (one.device, one.inode, one.size, one.modified_ns, one.changed_ns) == (
        other.device,
        other.inode,
        other.size,
        other.modified_ns,
        other.changed_ns,
    )


@dataclass(slots=True)
class KnownFiles:
    """By absolute resolved path; thread-safe. Two calls that read side by side each note what they saw."""

    _files: dict[str, _Known] = field(default_factory=dict[str, _Known])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note_read(self, path: str, state: FileState, encoding: str = "") -> None:
        """The model has seen this file as it is now."""
        with self._lock:
            before = self._files.pop(path, None)
            # what somebody else wrote there since is theirs: it is no longer a file that this chat made
            made = before is not None and before.made and _same(before.state, state)
            self._keep(path, _Known(state, made, encoding or (before.encoding if before else ""), True))

    def note_written(self, path: str, state: FileState, made: bool) -> None:
        """A change of this chat left the file so. `made`: it was not there before."""
        with self._lock:
            before = self._files.pop(path, None)
            if before is None and not made:
                return  # a file that nobody has read is not known by having been edited
            encoding, read = (before.encoding, before.read) if before else ("", False)
            self._keep(path, _Known(state, made or (before is not None and before.made), encoding, read))

    def note_moved(self, source: str, path: str, state: FileState) -> None:
        """A change of this chat gave a file, or a folder with what is in it, another name."""
        with self._lock:
            for old in [each for each in self._files if each == source or each.startswith(source + os.sep)]:
                known = self._files.pop(old)
                new = path + old[len(source) :]
                self._keep(new, replace(known, state=state) if old == source else known)

    def forget(self, path: str) -> None:
        """The file is gone."""
        with self._lock:
            self._files.pop(path, None)

    def _keep(self, path: str, known: _Known) -> None:
        self._files[path] = known
        while len(self._files) > _MOST:
            del self._files[next(iter(self._files))]

    def seen(self, path: str, now: FileState) -> Seen:
        """What is known of the file that is there now."""
        with self._lock:
            known = self._files.get(path)
        if known is None:
            return Seen.UNREAD
        if not _same(known.state, now):
            return Seen.CHANGED
        return Seen.MADE if known.made else Seen.READ

    def encoding(self, path: str) -> str:
        """The encoding that was asked for when it was read, or ""."""
        with self._lock:
            known = self._files.get(path)
        return known.encoding if known else ""

    def last_read(self, most: int) -> list[str]:
        """The files that were read last, newest first."""
        with self._lock:
            return [path for path, known in reversed(self._files.items()) if known.read][:most]
