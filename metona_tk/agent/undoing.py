"""Undo and redo as commands: what stands in their way becomes a question or a sentence. Counterpart: `operations`."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass

from metona_tk.agent.differences import difference
from metona_tk.operations.failures import CannotUndo, Conflicted, Standing
from metona_tk.operations.undo import Operations
from metona_tk.protocol.changes import Conflict, ConflictItem
from metona_tk.protocol.commands import RedoOperation, UndoOperation
from metona_tk.protocol.events import OperationChanged, UndoConflicted, UndoRefused
from metona_tk.protocol.problems import Problem
from metona_tk.protocol.values import JsonObject
from metona_tk.tools.base import ToolFailed
from metona_tk.tools.texts import file_text

_SHOWN = 2 << 20  # bytes of a file whose difference is shown


@dataclass(frozen=True, slots=True)
class Undoing:
    """Carries undo and redo out and tells what came of it."""

    operations: Operations

    def outcome(self, command: UndoOperation | RedoOperation) -> OperationChanged | UndoConflicted | UndoRefused:
        """Carry it out, or say what stands in the way; then nothing was done."""
        redo = isinstance(command, RedoOperation)
        act = self.operations.redo if redo else self.operations.undo
        try:
            return OperationChanged(act(command.operation_id, command.accept))
        except Conflicted as error:
            return UndoConflicted(as_conflict(command.operation_id, redo, error))
        except CannotUndo as error:
            info = self.operations.info(command.operation_id)
            return UndoRefused(info, redo, error.reason, error.path)

    def of_turn(self, turn_id: str) -> list[str]:
        """The operations of a turn that are done, newest first."""
        return self.operations.of_turn(turn_id)

    def last(self, undone: bool) -> str | None:
        """The operation that was done (or undone) last."""
        return self.operations.last(undone)

    def calls(self, since: float | None, most: int) -> list[JsonObject]:
        """The log of tool calls, oldest first; arguments as plain values again, and whether the change is undone."""
        undone = self.operations.undone()
        return [
            dataclasses.asdict(entry)
            | {"arguments": json.loads(entry.arguments), "undone": entry.operation_id in undone}
            for entry in self.operations.calls(since, most)
        ]

    def problem(self) -> Problem | None:
        """What was wrong with the record of changes."""
        return self.operations.problem


def as_conflict(operation_id: str, redo: bool, error: Conflicted) -> Conflict:
    """The question to the user, with the difference from what is there to what would be."""
    return Conflict(operation_id, redo, tuple(_item(each) for each in error.items), error.digest)


def _item(standing: Standing) -> ConflictItem:
    now, then = _text(standing.now_content), _text(standing.then_content)
    shown = difference(now, then).places if now is not None or then is not None else ()
    return ConflictItem(standing.path, standing.now, standing.then, shown, standing.goes_to)


def _text(read: Callable[[], bytes | None]) -> str | None:
    """The text of a small file; None where there is none or it is no text."""
    content = read()
    if content is None or len(content) > _SHOWN:
        return None
    try:
        return file_text(content, "", "", "", content.isascii()).text
    except ToolFailed:
        return None
