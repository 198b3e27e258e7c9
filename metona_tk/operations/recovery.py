"""Puts right what the program left when it died: finishes what is wholly done, takes back what is half done."""

from __future__ import annotations

import contextlib
import dataclasses
import os

from metona_tk.logs import log
from metona_tk.operations import entries
from metona_tk.operations.acting import Actor
from metona_tk.operations.entries import OpenFolder
from metona_tk.operations.failures import ChangedSince, OperationFailed
from metona_tk.operations.journal import Journal, Run
from metona_tk.operations.looking import all_looked_at
from metona_tk.operations.running import roll_back
from metona_tk.operations.saving import remove_tree
from metona_tk.operations.states import holds_same, state_of
from metona_tk.operations.steps import Step, StepKind
from metona_tk.protocol.changes import FileState


def recover(journal: Journal, actor: Actor) -> None:
    """Every run that was begun and not ended, newest first. Nobody else is at it: the caller holds the lock."""
    for run in reversed(journal.unfinished()):
        try:
            _recover(journal, actor, run)
        except OSError:
            log.exception("an operation that broke off could not be looked at; it is tried again at the next start")


def _recover(journal: Journal, actor: Actor, run: Run) -> None:
    for step in run.steps:
        _tidy(actor, step)
    seen = all_looked_at(actor, run.steps)
    done = [step for step in seen if step.acted]
    if not done:
        journal.fail(run)
    elif all(step.acted or step.may_fail for step in seen):
        ended = [step if step.acted else _tried(actor, step) for step in seen]
        journal.finish(run, ended, actor.saver.needed_by(ended))
    else:
        left = roll_back(actor, done)
        journal.finish(run, left, actor.saver.needed_by(left)) if left else journal.fail(run)


def _tried(actor: Actor, step: Step) -> Step:
    """A step that may be left out, where it can be done still: a folder that is empty now."""
    try:
        before = dataclasses.replace(step.before, digest="")
        return actor.act(actor.prepare(dataclasses.replace(step, before=before), True))
    except (OSError, ChangedSince, OperationFailed):
        return step


def _tidy(actor: Actor, step: Step) -> None:
    """Remove a temporary file. After a swap it is the old file: one that is not the old one gets its name back."""
    try:
        folder = actor.open_place(os.path.dirname(step.path))
    except OSError:
        return
    try:
        name = os.path.basename(step.path)
        temp = state_of(folder, step.temp, True)
        if temp.kind == "none":
            return
        if step.kind in {StepKind.MOVE, StepKind.DELETE} and not _is_it(temp, step.before):
            _give_back(actor, step, folder)
            return
        if _is_foreign(temp, step) and state_of(folder, name, True).digest == step.wanted:
            entries.exchange(folder, step.temp, folder, name)
        _remove(folder, step.temp)
    finally:
        folder.close()


def _is_it(temp: FileState, before: FileState) -> bool:
    return (temp.device, temp.inode) == (before.device, before.inode) and holds_same(temp, before)


def _give_back(actor: Actor, step: Step, folder: OpenFolder) -> None:
    """What was set apart is not what was meant: it gets its name back."""
    place = actor.open_place(os.path.dirname(step.source or step.path))
    try:
        entries.give_back(folder, step.temp, place, os.path.basename(step.source or step.path))
    finally:
        place.close()


def _is_foreign(temp: FileState, step: Step) -> bool:
    """Whether the temporary name holds a file that somebody else saved in the instant of the swap."""
    swapped = step.kind in {StepKind.WRITE, StepKind.COPY} and step.before.kind == "file"
    return swapped and temp.kind == "file" and temp.digest not in {step.wanted, step.before.digest}


def _remove(folder: OpenFolder, name: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        remove_tree(folder, name)
