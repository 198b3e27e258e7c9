"""What a chat knows of the user's files: which it has read, which it made, and how they were then (SPEC 1.2)."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field, replace

from metona_tk.protocol.changes import FileState
from metona_tk.tools.base import WHOLE, Part
from metona_tk.tools.changing import Seen

_MOST = 10_000  # files that are remembered; the oldest are forgotten first


@dataclass(frozen=True, slots=True)
class _Known:
    state: FileState
    made: bool
    encoding: str  # in which the chat was told to read it
    read: bool
    covered: int  # lines from the top that the model has seen
    whole: bool  # it knows all of it


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

    def note_read(self, path: str, state: FileState, encoding: str = "", part: Part = WHOLE) -> None:
        """The model has seen this part of the file as it is now."""
        with self._lock:
            before = self._files.pop(path, None)
            same = before is not None and _same(before.state, state)
            # what somebody else wrote there since is theirs: it is no longer a file that this chat made
            made = before is not None and before.made and same
            covered = before.covered if before and same else 0
            if part.first <= covered + 1:
                covered = max(covered, part.last)
            whole = (before is not None and same and before.whole) or (part.total is not None and covered >= part.total)
            encoding = encoding or (before.encoding if before else "")
            self._keep(path, _Known(state, made, encoding, True, covered, whole))

    def note_written(self, path: str, before: FileState, after: FileState, made: bool) -> None:
        """A change of this chat turned what was there into `after`. `made`: it was not there."""
        with self._lock:
            known = self._files.get(path)
            if made:
                self._keep(path, _Known(after, True, known.encoding if known else "", False, 0, True))
            elif known is not None and _same(known.state, before):
                self._keep(path, replace(known, state=after))
            # else somebody else has written there since the model saw it, and what it did has not shown it that

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
        self._files.pop(path, None)
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
        if known.made:
            return Seen.MADE
        return Seen.READ if known.whole else Seen.PART

    def encoding(self, path: str) -> str:
        """The encoding that was asked for when it was read, or ""."""
        with self._lock:
            known = self._files.get(path)
        return known.encoding if known else ""

    def last_read(self, most: int) -> list[str]:
        """The files that were read last, newest first."""
        with self._lock:
            return [path for path, known in reversed(self._files.items()) if known.read][:most]
