"""How an operation can fail. Whatever is raised here has left the user's files as they were, unless it says so."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass

from metona_tk.protocol.changes import FileState, NotUndoable
from metona_tk.protocol.problems import Code


class ChangedSince(Exception):
    """Something is not as the plan says that it was; `path` is absolute."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class OperationFailed(Exception):
    """The system would not do it: a code of SPEC 1.0, the absolute path, and the reason in English words.

    `partly`: a part of it is done all the same, because it could not be taken back; it can be undone.
    """

    def __init__(self, code: Code, path: str, reason: str, partly: bool = False) -> None:
        super().__init__(f"{path}: {reason}")
        self.code, self.path, self.reason, self.partly = code, path, reason, partly


class CannotUndo(Exception):
    """Undo or redo is not possible; `path` is what it stumbled over, "" where there is none."""

    def __init__(self, reason: NotUndoable, path: str = "") -> None:
        super().__init__(f"{reason} {path}")
        self.reason, self.path = reason, path


class Damaged(Exception):
    """A stored object is not what it was when it was stored; the digest that it should have."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A path that stands in the way of undo or redo: what is there, what would be, and a way to get both contents.

    `goes_to`: what is there goes to that path, as it is.
    """

    path: str
    now: FileState
    then: FileState
    now_content: Callable[[], bytes | None]
    then_content: Callable[[], bytes | None]
    goes_to: str = ""


class Conflicted(Exception):
    """Undo or redo would touch what somebody changed since. `digest` given back as `accept` goes on."""

    def __init__(self, items: tuple[Standing, ...], digest: str) -> None:
        super().__init__(", ".join(item.path for item in items))
        self.items, self.digest = items, digest


_FULL = frozenset([errno.ENOSPC, errno.EDQUOT])
_BUSY = frozenset([errno.EBUSY, errno.ETXTBSY, errno.EAGAIN])
_DENIED = frozenset([errno.EACCES, errno.EPERM, errno.EROFS])


def failed(error: OSError, path: str) -> OperationFailed:
    """A system error of a change as a failure with a reason that people understand."""
    if error.errno in _FULL:
        return OperationFailed(Code.IO_ERROR, path, "the disk is full")
    if error.errno in _BUSY or isinstance(error, BlockingIOError):
        return OperationFailed(Code.IN_USE, path, "another program holds it")
    if error.errno in _DENIED:
        return OperationFailed(Code.PERMISSION_DENIED, path, "the system does not allow it")
    if error.errno == errno.EEXIST:
        return OperationFailed(Code.EXISTS, path, "something is there already")
    if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}:
        return OperationFailed(Code.CHANGED_SINCE_APPROVAL, path, "its folder is gone or is a link now")
    return OperationFailed(Code.IO_ERROR, path, error.strerror or str(error))


def cannot(error: OSError, path: str) -> CannotUndo:
    """A system error of an undo as the reason why it cannot be."""
    if error.errno in _BUSY:
        return CannotUndo(NotUndoable.BUSY, path)
    if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}:
        return CannotUndo(NotUndoable.PLACE_GONE, path)
    if error.errno == errno.ENOTEMPTY:
        return CannotUndo(NotUndoable.NOT_EMPTY, path)
    return CannotUndo(NotUndoable.NO_ROOM, path)
