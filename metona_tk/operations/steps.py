"""One step of an operation as it is carried out and written down. Counterparts: `acting`, `inverse`."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from metona_tk.operations.bins import BinEntry
from metona_tk.protocol.changes import NOTHING, Change, FileState


class StepKind(StrEnum):
    """What a step does; the first seven are those of a plan."""

    CREATE = "create"
    WRITE = "write"
    FOLDER = "folder"
    MOVE = "move"
    COPY = "copy"
    LINK = "link"
    DELETE = "delete"
    REMOVE_FOLDER = "remove_folder"  # only an empty one
    RESTORE = "restore"  # what was deleted or replaced, from the bin or the store


# what a place is empty after
LEAVING = frozenset([StepKind.MOVE, StepKind.DELETE, StepKind.REMOVE_FOLDER])


@dataclass(frozen=True, slots=True)
class Saved:
    """Something that was at a place, enough to make it again: a file's bytes are an object, a folder's listing too.

    `content` "": its bytes are not in the store, because they are too many.
    """

    state: FileState
    content: str = ""
    xattrs: dict[str, str] = field(default_factory=dict[str, str])
    owner: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Step:
    """`before` and `source_before`: what has to be there. `wanted`: digest of the bytes that will be at `path`.

    `saved`: what is taken away, `give`: what is brought back. `after`: what is at `path` when it is done. A step that
    `may_fail` is left out where it cannot be done (folders that have got something in them since). `contents` of a
    folder that is moved, restored or deleted: what it held, as `contents` tells it, "" where that was not looked at.
    """

    kind: StepKind
    path: str
    before: FileState = NOTHING
    source: str = ""
    source_before: FileState = NOTHING
    keep: int = 0
    wanted: str = ""
    temp: str = ""
    saved: Saved | None = None
    give: Saved | None = None
    bin: BinEntry | None = None
    may_fail: bool = False
    exact: bool = False
    contents: str = ""
    acted: bool = False
    after: FileState = NOTHING
    content: bytes = field(default=b"", repr=False)  # not written down

    def objects(self) -> list[str]:
        """The objects of the store that this step may still need."""
        return [saved.content for saved in (self.saved, self.give) if saved and saved.content]


def step_of(change: Change) -> Step:
    """The step of a planned change."""
    return Step(
        StepKind(change.kind.value),
        change.path,
        change.before,
        change.source,
        change.source_before,
        change.keep,
        exact=change.exact,
        content=change.content,
    )


def to_json(steps: Sequence[Step]) -> str:
    """Steps as the journal keeps them; names that are no UTF-8 survive as escapes."""
    return json.dumps([fields_of(step, "content") for step in steps], default=fields_of)


def fields_of(made: Any, without: str = "") -> dict[str, Any]:
    """The fields of a dataclass; `asdict` copies everything deeply and takes several times as long."""
    return {each.name: getattr(made, each.name) for each in dataclasses.fields(made) if each.name != without}


def from_json(text: str) -> list[Step]:
    """The steps of a row of the journal; ValueError, KeyError or TypeError where it is none."""
    return [_step(row) for row in json.loads(text)]


def _step(row: dict[str, Any]) -> Step:
    row["kind"] = StepKind(row["kind"])
    for name in ("before", "source_before", "after"):
        row[name] = FileState(**row[name])
    for name in ("saved", "give"):
        row[name] = _saved(row[name])
    row["bin"] = BinEntry(**row["bin"]) if row["bin"] else None
    return Step(**row)


def _saved(row: dict[str, Any] | None) -> Saved | None:
    if row is None:
        return None
    return Saved(FileState(**row["state"]), row["content"], row["xattrs"], tuple(row["owner"]))
