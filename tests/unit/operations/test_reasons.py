"""What the system says when it refuses becomes a reason that people understand, for changes and for undo."""

from __future__ import annotations

import errno
import os

import pytest

from metona_tk.operations.failures import CannotUndo, OperationFailed, cannot, failed
from metona_tk.protocol.changes import NotUndoable
from metona_tk.protocol.problems import Code

FULL = (Code.IO_ERROR, "the disk is full", NotUndoable.NO_ROOM)
BUSY = (Code.IN_USE, "another program holds it", NotUndoable.BUSY)
DENIED = (Code.PERMISSION_DENIED, "the system does not allow it", NotUndoable.NO_ROOM)
GONE = (Code.CHANGED_SINCE_APPROVAL, "its folder is gone or is a link now", NotUndoable.PLACE_GONE)
MEANT = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EBUSY: BUSY,
    errno.ETXTBSY: BUSY,
    errno.EAGAIN: BUSY,
    errno.EACCES: DENIED,
    errno.EPERM: DENIED,
    errno.EROFS: DENIED,
    errno.ENOENT: GONE,
    errno.ENOTDIR: GONE,
    errno.ELOOP: GONE,
    errno.EEXIST: (Code.EXISTS, "something is there already", NotUndoable.NO_ROOM),
    errno.ENOTEMPTY: (Code.IO_ERROR, os.strerror(errno.ENOTEMPTY), NotUndoable.NOT_EMPTY),
    errno.EIO: (Code.IO_ERROR, os.strerror(errno.EIO), NotUndoable.NO_ROOM),
}


@pytest.mark.parametrize("number", MEANT, ids=errno.errorcode.get)
def test_each_error_of_the_system_has_its_reason(number: int) -> None:
    error = OSError(number, os.strerror(number))
    change, undo = failed(error, "/a"), cannot(error, "/a")
    assert (change.code, change.reason, undo.reason) == MEANT[number]
    assert (change.path, undo.path, change.partly) == ("/a", "/a", False)
    assert isinstance(change, OperationFailed) and isinstance(undo, CannotUndo)


def test_an_error_without_a_number_keeps_its_words() -> None:
    assert failed(OSError("the folder went away"), "/a").reason == "the folder went away"
    assert failed(BlockingIOError("held"), "/a").code is Code.IN_USE
