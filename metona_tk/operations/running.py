"""Runs the steps of an operation, all or none, and writes down before and after. Counterpart: `recovery`."""

from __future__ import annotations

import dataclasses
import errno
import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from metona_tk.logs import log
from metona_tk.operations.acting import Actor
from metona_tk.operations.failpoints import reached
from metona_tk.operations.failures import ChangedSince, Damaged, OperationFailed, failed
from metona_tk.operations.inverse import inverse
from metona_tk.operations.journal import Journal, Run
from metona_tk.operations.looking import looked_at
from metona_tk.operations.steps import LEAVING, Step
from metona_tk.protocol.problems import Code

_TROUBLE = (OSError, ChangedSince, OperationFailed, Damaged)
# of these the disk is as it was
_BEFORE_THE_DEED = frozenset(
    [errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EEXIST, errno.ENOTEMPTY, errno.EACCES, errno.EPERM, errno.EROFS]
)


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs steps with one journal. `with_bytes`: what is taken away goes into the store."""

    journal: Journal
    actor: Actor

    def run(self, steps: Sequence[Step], with_bytes: bool, begin: Callable[[Sequence[Step]], Run]) -> Run:
        """Prepare every step, write them down by `begin`, do them, write down what is there now.

        ChangedSince or OperationFailed: what was done is undone again (OperationFailed says where it could not be).
        """
        prepared: list[Step] = []
        freed: set[str] = set()
        with _as_failures(steps[0].path if steps else ""), self.actor.saver.store.together():
            for step in steps:
                if prepared:
                    self.actor.go_on()
                prepared.append(self._prepared(step, with_bytes, freed))
                freed |= {step.source or step.path} if step.kind in LEAVING else set()
            run = self._begun(prepared, begin)
        done: list[Step] = []
        for step in prepared:
            try:
                reached("journalled")
                if done:
                    self.actor.go_on()
                done.append(self._acted(step))
            except _TROUBLE as error:
                self._give_up(run, [*done, *self._done_all_the_same(step, error)], prepared[len(done) + 1 :])
                raise as_failure(error, step.path) from error
        self._finish(run, done)
        reached("finished")
        return dataclasses.replace(run, steps=done)

    def _begun(self, prepared: Sequence[Step], begin: Callable[[Sequence[Step]], Run]) -> Run:
        run: Run | None = None
        try:
            with self.actor.saver.store.on_its_way():
                run = begin(prepared)
        except OSError:
            if run is not None:
                self.journal.fail(run)  # nothing is touched before what it takes away is on the disk
            raise
        return run

    def _finish(self, run: Run, done: Sequence[Step]) -> None:
        try:
            self.journal.finish(run, done, self.actor.saver.needed_by(done))
        except sqlite3.Error:
            roll_back(self.actor, done)  # what cannot be written down is not done
            raise

    def _prepared(self, step: Step, with_bytes: bool, freed: set[str]) -> Step:
        try:
            return self.actor.prepare(step, with_bytes, freed)
        except _TROUBLE as error:
            raise as_failure(error, step.path) from error

    def _acted(self, step: Step) -> Step:
        try:
            return self.actor.act(step)
        except OSError as error:
            if step.may_fail and error.errno in {errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT}:
                return dataclasses.replace(step, content=b"")
            raise

    def _done_all_the_same(self, step: Step, error: Exception) -> list[Step]:
        """A step whose error came behind the deed, as when the disk does not take the folder's new list of names."""
        if not isinstance(error, OSError) or error.errno in _BEFORE_THE_DEED:
            return []
        seen = looked_at(self.actor, step)
        return [dataclasses.replace(seen, content=b"")] if seen.acted else []

    def _give_up(self, run: Run, done: Sequence[Step], rest: Sequence[Step]) -> None:
        left = roll_back(self.actor, done)
        if left:
            # what could not be taken back is told as done, so that it can still be undone
            kept = [dataclasses.replace(step, content=b"") for step in rest]
            self.journal.finish(run, [*left, *kept], self.actor.saver.needed_by(left))
            raise OperationFailed(Code.IO_ERROR, left[-1].path, "a part of it is done", partly=True)
        self.journal.fail(run)


@contextmanager
def _as_failures(path: str) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise failed(error, path) from error


def roll_back(actor: Actor, done: Sequence[Step]) -> list[Step]:
    """Undo steps, last first; those that could not be. What they have just made goes unstored."""
    left: list[Step] = []
    saver = dataclasses.replace(actor.saver, go_on=lambda: None)
    actor = dataclasses.replace(actor, saver=saver, final=True, go_on=lambda: None)
    for step in reversed(done):
        for back in inverse([step]):
            try:
                actor.act(actor.prepare(back, False))
            except _TROUBLE:
                log.exception("a step could not be taken back: %s", step.kind)
                left.insert(0, step)
    return left


def as_failure(error: Exception, path: str) -> Exception:
    """Trouble of a step as what callers know."""
    if isinstance(error, OSError):
        return failed(error, path)
    if isinstance(error, Damaged):
        return failed(OSError(errno.EIO, "what was stored is damaged"), path)
    return error
