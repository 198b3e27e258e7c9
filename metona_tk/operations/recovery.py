"""Puts right what the program left when it died: finishes what is wholly done, takes back what is half done."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Sequence

from metona_tk.logs import log
from metona_tk.operations import bins, entries
from metona_tk.operations.acting import Actor
from metona_tk.operations.entries import OpenFolder
from metona_tk.operations.journal import Journal, Run
from metona_tk.operations.running import roll_back
from metona_tk.operations.saving import remove_tree
from metona_tk.operations.states import is_exactly, state_of
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
    seen = [_looked_at(actor, step) for step in run.steps]
    done = [step for step in seen if step.acted]
    if not done:
        journal.fail(run)
    elif len(done) == len([step for step in seen if not step.may_fail]) or len(done) == len(seen):
        journal.finish(run, seen, _objects(actor, seen))
    else:
        left = roll_back(actor, done)
        journal.finish(run, left, _objects(actor, left)) if left else journal.fail(run)


def _objects(actor: Actor, steps: Sequence[Step]) -> list[str]:
    return [digest for step in steps if step.saved for digest in actor.saver.objects_in(step.saved)]


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
        if _is_foreign(temp, step) and state_of(folder, name, True).digest == step.wanted:
            entries.exchange(folder, step.temp, folder, name)
        _remove(folder, step.temp)
    finally:
        folder.close()


def _is_foreign(temp: FileState, step: Step) -> bool:
    """Whether the temporary name holds a file that somebody else saved in the instant of the swap."""
    swapped = step.kind in {StepKind.WRITE, StepKind.COPY} and step.before.kind == "file"
    return swapped and temp.kind == "file" and temp.digest not in {step.wanted, step.before.digest}


def _remove(folder: OpenFolder, name: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        remove_tree(folder, name)


def _looked_at(actor: Actor, step: Step) -> Step:
    """The step with whether it was done, and what is there now."""
    now = actor.look(step.path)
    acted, entry = _was_done(actor, step, now)
    if step.kind is StepKind.MOVE and acted and step.before.kind == "file":
        _drop_swapped(actor, step)
    return dataclasses.replace(step, acted=acted, bin=entry or step.bin, after=now if acted else step.after)


def _was_done(actor: Actor, step: Step, now: FileState) -> tuple[bool, bins.BinEntry | None]:
    if step.kind is StepKind.DELETE:
        gone = now.kind == "none" or now.inode != step.before.inode
        return gone, bins.find_deleted(step.path, step.before) if gone else None
    if step.kind is StepKind.MOVE:
        return (now.device, now.inode) == (step.source_before.device, step.source_before.inode), None
    if step.kind is StepKind.FOLDER:
        return now.kind == "directory", None
    if step.kind is StepKind.REMOVE_FOLDER:
        return now.kind == "none", None
    if step.kind is StepKind.RESTORE:
        return now.kind != "none" and step.give is not None and now.kind == step.give.state.kind, None
    if step.wanted:
        # other bytes than before and than wanted: somebody wrote after us, for nothing of ours takes that long before
        return now.digest == step.wanted or (
            now.kind == "file" and step.before.kind == "file" and _is_later(now, step)
        ), None
    return now.kind == "file" and not is_exactly(now, step.before), None


def _is_later(now: FileState, step: Step) -> bool:
    return now.inode != step.before.inode and now.digest != step.before.digest


def _drop_swapped(actor: Actor, step: Step) -> None:
    """A replaced file that still has the source's name, because the program died between swap and removal."""
    if step.saved is None or not step.saved.content:
        return
    try:
        folder = actor.open_place(os.path.dirname(step.source))
    except OSError:
        return
    try:
        name = os.path.basename(step.source)
        if is_exactly(state_of(folder, name, True), step.before):
            entries.unlink(folder, name)
    finally:
        folder.close()
