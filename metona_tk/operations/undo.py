"""The door to all changes: carries plans out, undoes and redoes them, keeps the log. Counterpart: `agent.changing`.

One operation at a time over all programs on one store. What a crash left is put right before the next one begins.
"""

from __future__ import annotations

import dataclasses
import hashlib
import sqlite3
import time
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from metona_tk.operations import bins
from metona_tk.operations.acting import Actor
from metona_tk.operations.entries import OpenPlace
from metona_tk.operations.failures import (
    CannotUndo,
    ChangedSince,
    Conflicted,
    Damaged,
    OperationFailed,
    Standing,
    cannot,
)
from metona_tk.operations.inverse import inverse
from metona_tk.operations.journal import Journal, Operation, unusable
from metona_tk.operations.lock import Busy, locked
from metona_tk.operations.log import CallEntry
from metona_tk.operations.recovery import recover
from metona_tk.operations.room import Limits, make_room
from metona_tk.operations.running import Runner
from metona_tk.operations.saving import Saver
from metona_tk.operations.settling import Stands, in_bin, settle
from metona_tk.operations.space import check_room
from metona_tk.operations.steps import Step, StepKind, step_of
from metona_tk.operations.store import Store
from metona_tk.protocol.changes import (
    NOTHING,
    Change,
    ChangeKind,
    FileState,
    NotUndoable,
    OperationInfo,
    OperationState,
    Origin,
)
from metona_tk.protocol.problems import Code, Problem

UndoBy = Literal["store", "bin", "none"]
_WAIT = 10.0  # seconds for another operation to end
_MOST_SHOWN = 2 << 20  # bytes of a content that a conflict shows


@dataclass(frozen=True, slots=True)
class Applied:
    """A plan that was carried out. `states`: what is at each change's path now; `in_bin`: deleted things are there."""

    operation_id: str
    states: tuple[FileState, ...]
    recoverable: bool
    in_bin: bool


class Operations:
    """The changes of one user, kept below `folder`, which lies outside every allowed folder. Thread-safe."""

    def __init__(
        self,
        folder: Path,
        open_place: OpenPlace,
        clock: Callable[[], float] = time.time,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        open_chats: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        self._folder, self._clock, self._limits, self._open_chats = folder, clock, limits, open_chats
        self._store = Store(folder)
        self._journal = Journal(folder / "journal.sqlite", clock)
        self._saver = Saver(self._store)
        self._actor = Actor(open_place, self._saver)

    @property
    def problem(self) -> Problem | None:
        """What was wrong with the record, once it was opened: a damaged one was set aside."""
        return self._journal.problem

    # --- doing -----------------------------------------------------------------------------------------------------

    def undo_by(self, changes: Sequence[Change]) -> UndoBy:
        """How an undo of these would work: from the store, for large deletions from the bin, or not at all."""
        if self._bytes_taken(changes) <= self._limits.operation:
            return "store"
        large = [change for change in changes if self._bytes_taken([change]) > 0]
        return "bin" if all(change.kind is ChangeKind.DELETE and self._has_bin(change) for change in large) else "none"

    def _has_bin(self, change: Change) -> bool:
        return bins.may_take(change.path, change.before.device)

    def _bytes_taken(self, changes: Sequence[Change] | Sequence[Step]) -> int:
        """Bytes that have to be kept to undo these."""
        taken = (change for change in changes if change.before.kind in {"file", "directory"})
        return sum(self._size(change) for change in taken if change.kind != StepKind.REMOVE_FOLDER)

    def _size(self, change: Change | Step) -> int:
        return change.before.size if change.before.kind == "file" else self._actor.size_of(change.path)

    def apply(
        self,
        changes: Sequence[Change],
        origin: Origin,
        allow_final: bool = False,
        go_on: Callable[[], None] = lambda: None,
    ) -> Applied:
        """Carry a plan out, all or nothing. ChangedSince, OperationFailed, ProblemError(store_unusable).

        `go_on` is called again and again, and raises OperationFailed when it is to end.
        """
        steps = [step_of(change) for change in changes]
        taken = self._bytes_taken(changes)
        fits = taken <= self._limits.operation
        saver = dataclasses.replace(self._saver, go_on=go_on)
        runner = Runner(self._journal, dataclasses.replace(self._actor, saver=saver, final=allow_final, go_on=go_on))
        with self._alone():
            check_room(steps, str(self._folder / "objects"), taken if fits else 0)
            run = runner.run(steps, fits, lambda prepared: self._journal.begin(prepared, origin))
        deleted = [step for step in run.steps if step.kind is StepKind.DELETE]
        in_bin = bool(deleted) and all(step.bin is not None for step in deleted)
        recoverable = all(_can_return(step) for step in run.steps)
        return Applied(run.operation_id, tuple(step.after for step in run.steps), recoverable, in_bin)

    # --- undoing ---------------------------------------------------------------------------------------------------

    def undo(self, operation_id: str, accept: str = "") -> OperationInfo:
        """Bring back what was there before. CannotUndo; Conflicted, whose digest as `accept` goes on all the same."""
        return self._turn_back(operation_id, OperationState.DONE, "undo", accept)

    def redo(self, operation_id: str, accept: str = "") -> OperationInfo:
        """Do again what was undone; fails as `undo` does."""
        return self._turn_back(operation_id, OperationState.UNDONE, "redo", accept)

    def _turn_back(self, operation_id: str, state: OperationState, direction: str, accept: str) -> OperationInfo:
        try:
            with self._alone():
                steps = self._ready(operation_id, state, direction, accept)
                taken = self._bytes_taken(steps)
                fits = taken <= self._limits.operation
                steps = steps if fits else [each for step in steps for each in in_bin(step)]
                check_room(steps, str(self._folder / "objects"), taken if fits else 0)
                runner = Runner(self._journal, self._actor)
                runner.run(steps, fits, lambda made: self._journal.begin_again(operation_id, direction, made))
        except ChangedSince as error:
            raise CannotUndo(NotUndoable.BUSY, error.path) from error
        except OperationFailed as error:
            raise CannotUndo(_reason(error), error.path) from error
        return self.info(operation_id)

    def _ready(self, operation_id: str, state: OperationState, direction: str, accept: str) -> list[Step]:
        found = self._found(operation_id, state)
        turned = inverse(self._journal.steps_of(found.run or 0))
        for step in turned:
            self._check_kept(step)
        try:
            standing, steps = settle(turned, self._actor)
        except OSError as error:
            raise cannot(error, turned[0].path if turned else "") from error
        if standing:
            digest = _digest(operation_id, direction, standing)
            if accept != digest:
                raise Conflicted(tuple(map(self._standing, standing)), digest)
        return steps

    def _found(self, operation_id: str, state: OperationState) -> Operation:
        found = self._journal.find(operation_id)
        if found is None or found.state is OperationState.FAILED:
            raise CannotUndo(NotUndoable.UNKNOWN)
        if found.state is not state:
            raise CannotUndo(NotUndoable.ALREADY)
        if found.run is None:
            raise CannotUndo(NotUndoable.EXPIRED)
        return found

    def _check_kept(self, step: Step) -> None:
        """That what a step brings back is there, whole; nothing has been touched yet."""
        if (
            step.give is None
            or step.kind not in {StepKind.WRITE, StepKind.RESTORE}
            or step.give.state.kind == "symlink"
        ):
            return
        if step.bin is not None and bins.is_there(step.bin):
            return
        if not step.give.content:
            raise CannotUndo(NotUndoable.BIN_EMPTIED if step.bin else NotUndoable.TOO_LARGE, step.path)
        try:
            self._saver.check(step.give)
        except Damaged as error:
            raise CannotUndo(NotUndoable.DAMAGED, step.path) from error
        except (FileNotFoundError, ValueError) as error:
            raise CannotUndo(NotUndoable.EXPIRED, step.path) from error

    def _standing(self, stands: Stands) -> Standing:
        step, now, give = stands.step, stands.now, stands.step.give
        if stands.goes_to:
            return Standing(stands.path, now, NOTHING, lambda: None, lambda: None, stands.goes_to)
        then = give.state if give else step.source_before if step.kind is StepKind.MOVE else FileState()

        def then_content() -> bytes | None:
            small = give is not None and give.content and give.state.kind == "file" and give.state.size <= _MOST_SHOWN
            return self._store.get(give.content) if small and give else None

        return Standing(step.path, now, then, lambda: self._actor.read(step.path, _MOST_SHOWN), then_content)

    # --- telling ---------------------------------------------------------------------------------------------------

    def info(self, operation_id: str) -> OperationInfo:
        """The state of an operation, and what plainly stands against undo or redo."""
        found = self._journal.find(operation_id)
        if found is None:
            return OperationInfo(operation_id, OperationState.FAILED, NotUndoable.UNKNOWN)
        blocked = None
        if found.state in {OperationState.DONE, OperationState.UNDONE}:
            blocked = NotUndoable.EXPIRED if found.run is None else self._blocked(found.run)
        return OperationInfo(operation_id, found.state, blocked)

    def _blocked(self, run: int) -> NotUndoable | None:
        for step in inverse(self._journal.steps_of(run)):
            brings = step.kind in {StepKind.WRITE, StepKind.RESTORE}
            lost = brings and step.give is not None and step.give.state.kind != "symlink" and not step.give.content
            if lost and not (step.bin and bins.is_there(step.bin)):
                return NotUndoable.BIN_EMPTIED if step.bin else NotUndoable.TOO_LARGE
        return None

    def last(self, undone: bool = False) -> str | None:
        """The operation that was done (or undone) last."""
        return self._journal.last(OperationState.UNDONE if undone else OperationState.DONE)

    def undone(self) -> set[str]:
        """The operations that are undone as it stands."""
        return self._journal.undone()

    def of_turn(self, turn_id: str) -> list[str]:
        """The operations of a turn that are done, newest first."""
        return self._journal.of_turn(turn_id)

    def record_call(self, entry: CallEntry) -> None:
        """Add a call to the log."""
        self._journal.record_call(entry)

    def calls(self, since: float | None, most: int) -> list[CallEntry]:
        """The newest `most` calls since a time (seconds since 1970), oldest first."""
        return self._journal.calls(since, most)

    def close(self) -> None:
        """Let the files go; the next call opens them again."""
        self._journal.close()

    # --- order -----------------------------------------------------------------------------------------------------

    def tidy(self) -> None:
        """Put right what a crash left, and make room. Busy programs are left alone: they tidy themselves."""
        with self._alone():
            make_room(self._journal, self._store, self._limits, self._clock(), self._open_chats())
            self._store.tidy_incoming()

    def empty(self) -> None:
        """The user empties the store: nothing that was done so far can be undone."""
        with self._alone():
            for operation_id, *_ in self._journal.oldest_kept():
                self._journal.forget_steps(operation_id)
            for digest in self._store.sizes():
                self._store.remove(digest)

    @contextmanager
    def _alone(self) -> Generator[None]:
        """Nobody else changes anything meanwhile, and what somebody left half done is put right first."""
        try:
            with self._locked():
                recover(self._journal, self._actor)
                yield
        except Busy as error:
            raise OperationFailed(Code.IN_USE, str(self._folder), "another Metona is making a change") from error
        except sqlite3.Error as error:
            raise unusable(error, self._folder) from error

    @contextmanager
    def _locked(self) -> Generator[None]:
        with ExitStack() as held:
            try:
                held.enter_context(locked(self._folder / "lock", _WAIT))
            except OSError as error:
                raise unusable(error, self._folder) from error
            yield


def _can_return(step: Step) -> bool:
    """Whether what a step took away is kept somewhere."""
    saved = step.saved
    return saved is None or saved.content != "" or saved.state.kind == "symlink" or step.bin is not None


def _digest(operation_id: str, direction: str, standing: Sequence[Stands]) -> str:
    """Names what stands in the way, as it is now."""
    parts = [
        operation_id,
        direction,
        *(f"{each.step.kind} {each.path} {dataclasses.astuple(each.now)}" for each in standing),
    ]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def _reason(error: OperationFailed) -> NotUndoable:
    if error.code is Code.IN_USE:
        return NotUndoable.BUSY
    if error.code is Code.CHANGED_SINCE_APPROVAL:
        return NotUndoable.PLACE_GONE
    if error.code is Code.NOT_RECOVERABLE:
        return NotUndoable.TOO_LARGE
    return NotUndoable.NOT_EMPTY if error.code is Code.NOT_EMPTY else NotUndoable.NO_ROOM
