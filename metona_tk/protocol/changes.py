"""Changes to files as every part sees them: planned by tools, judged by the gate, shown to the user, carried out and
undone by `operations`. One declaration for all of them, so that they cannot disagree. No logic.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

Kind = Literal["none", "file", "directory", "symlink", "other"]


class ChangeKind(StrEnum):
    """What one change does. All but FOLDER act on exactly one name of a folder."""

    CREATE = "create"  # a new file with `content`; never over anything
    WRITE = "write"  # other contents for the file that is there; its mode, owner and attributes stay
    FOLDER = "folder"  # a new folder; its parent is there or is made by an earlier change of the same plan
    MOVE = "move"  # `source` gets the name `path`; what was there (a file) is replaced where `before` says so
    COPY = "copy"  # the file `source` once more as `path`; replaces a file where `before` says so
    LINK = "link"  # the link `source` once more as `path`, where nothing is
    DELETE = "delete"  # a file, link or folder with all that is in it, to the recycle bin


@dataclass(frozen=True, slots=True)
class FileState:
    """What is at a place, as far as one can tell it again. `kind` "none": nothing is there, and all else is empty.

    `digest`: sha256 (hex) of a file's bytes; of a folder that of its whole listing (relative path, kind, inode, mode,
    size, times of every entry); "" where it was not taken (moves, and files above 100 MB: there times and inode speak).
    Times are nanoseconds; `changed_ns` is ctime (POSIX; on Windows 0).
    """

    kind: Kind = "none"
    size: int = 0
    mode: int = 0
    modified_ns: int = 0
    changed_ns: int = 0
    device: int = 0
    inode: int = 0
    links: int = 0
    digest: str = ""
    target: str = ""  # of a symlink


NOTHING = FileState()


@dataclass(frozen=True, slots=True)
class Change:
    """One planned change. Paths are absolute and resolved: no link is in them but a last part that is itself meant.

    `content`: all new bytes for CREATE and WRITE; with `keep` > 0 they follow the first `keep` bytes of the file as it
    is (appending). `before` is what has to be at `path`, `source_before` what at `source`, or nothing is done. `exact`:
    a copy, or a new folder, gets owner, mode and attributes of `source` too, because that one goes (another disk).
    """

    kind: ChangeKind
    path: str
    before: FileState = NOTHING
    content: bytes = b""
    keep: int = 0
    source: str = ""
    source_before: FileState = NOTHING
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an operation comes from; ids are "" where there is none (a call by hand)."""

    chat_id: str
    turn_id: str
    call_id: str
    tool: str


class OperationState(StrEnum):
    """Where an operation stands (SAFETY "Undo store")."""

    INTENT = "intent"  # written down, not yet known to be done
    DONE = "done"
    UNDONE = "undone"
    FAILED = "failed"  # nothing of it is left on the disk


class NotUndoable(StrEnum):
    """Why an operation cannot be undone (or redone). Sentences are in i18n."""

    UNKNOWN = "unknown"  # no operation of that id
    ALREADY = "already"  # it is undone (or done) as it is
    EXPIRED = "expired"  # its old bytes were removed after 30 days or for room
    TOO_LARGE = "too_large"  # more than the store takes, and no bin entry
    DAMAGED = "damaged"  # a stored object is not what it was
    BIN_EMPTIED = "bin_emptied"
    NOT_EMPTY = "not_empty"  # a folder that was made has something in it now
    PLACE_GONE = "place_gone"  # the folder it belongs to is gone or is a link now
    NO_ROOM = "no_room"  # the disk is full, or the folder cannot be written
    BUSY = "busy"  # another program holds the file, or another Metona TK is at it


@dataclass(frozen=True, slots=True)
class OperationInfo:
    """What a card, the log and the command line show of an operation. `blocked` None: undo can be tried."""

    operation_id: str
    state: OperationState
    blocked: NotUndoable | None = None


# --- what the confirmation shows -----------------------------------------------------------------------------------

Risk = Literal["low", "medium", "high"]
Action = Literal["create", "overwrite", "edit", "append", "folder", "move", "copy", "delete"]
Flag = Literal[
    "inside_link",  # the typed path leads through a link inside the folder
    "hard_link",  # the file has other names, which keep their bytes
    "other_disk",  # from one disk to another: copied, then deleted
    "overwrites",  # something is at the destination and is replaced
    "binary_before",  # the old contents are no text and are not shown
    "runs_later",  # the system or a tool may run this file by itself
    "deceptive",  # invisible, reordering or mixed-script characters in the name
    "sensitive",  # the name says that it may hold secrets
]


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a difference. `sign`: " " the same, "-" goes, "+" comes, "@" begins a place (text: where, may be "").

    `text` is the line with no line end; `end` is its line end as it is ("\\n", "\\r\\n", "\\r" or "" at the very end).
    `words`: (start, end) character ranges that differ from the other side.
    """

    sign: Literal[" ", "-", "+", "@"]
    old: int | None = None
    new: int | None = None
    text: str = ""
    end: str = "\n"
    words: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class TreeRow:
    """A row of what goes: `depth` 0 is the thing itself. `size` in bytes, for folders the sum; `target` of a link.

    `more` > 0: this row stands for so many entries that are not listed one by one.
    """

    depth: int
    name: str
    kind: Kind
    size: int = 0
    files: int = 0
    target: str = ""
    more: int = 0


@dataclass(frozen=True, slots=True)
class ChangeItem:
    """One thing of a change, as the dialog shows it. Paths: as typed, and absolute and resolved."""

    action: Action
    typed: str
    path: str
    kind: Kind
    before: FileState = NOTHING
    source_typed: str = ""
    source: str = ""
    size_after: int = 0
    encoding: str = ""
    line_ends: str = ""  # "\n", "\r\n", "\r", "mixed", "" for none
    added: int = 0  # lines
    removed: int = 0
    diff: tuple[DiffLine, ...] = ()  # the places that differ, with three lines around each
    whole: tuple[DiffLine, ...] = ()  # every line, where the file is not too long for it (20,000 lines)
    tree: tuple[TreeRow, ...] = ()
    files: int = 0  # of a folder
    folders: int = 0
    links: int = 0
    total_size: int = 0
    newest: str = ""  # relative path of what was changed last, of a folder
    newest_ns: int = 0
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangePreview:
    """What a confirmation of changes shows, all of it made by the program from the frozen plan.

    `digest` names the plan: an answer that carries another one is no answer. `undo`: "store", "bin" (too large for the
    store: from the recycle bin as long as it is there) or "none". `must_type` != "": allowed only when the user types
    this name. `editable`: the new text, which the user may change before allowing; None where that makes no sense.
    `read_before`: files whose text this chat has read, shown paths, newest first. `made_here`: this chat made the file.
    """

    tool: str
    risk: Risk
    rules: tuple[str, ...]
    items: tuple[ChangeItem, ...]
    undo: Literal["store", "bin", "none"]
    digest: str
    read_before: tuple[str, ...] = ()
    must_type: str = ""
    editable: str | None = None
    made_here: bool = False
    mode: str = "write-only"


@dataclass(frozen=True, slots=True)
class ConflictItem:
    """A path that is not as the change left it, so that undo or redo would lose something.

    `now` is what is there, `then` what undo or redo would put there (kind "none": it would go to the bin). `diff` from
    now to then, where both are text. `goes_to`: what is there now goes to that path, as it is.
    """

    path: str
    now: FileState
    then: FileState
    diff: tuple[DiffLine, ...] = ()
    goes_to: str = ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The question before an undo or redo that would touch the user's own work. `digest` binds the answer to it."""

    operation_id: str
    redo: bool
    items: tuple[ConflictItem, ...] = field(default=())
    digest: str = ""
