"""Whether a step was done, told from what is on the disk: after a crash, and after an error that came behind the deed.

Counterparts: `recovery`, `running`.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence

from metona_tk.operations import bins, entries
from metona_tk.operations.acting import Actor
from metona_tk.operations.states import holds_same, is_exactly, state_of
from metona_tk.operations.steps import LEAVING, Step, StepKind
from metona_tk.protocol.changes import FileState


def looked_at(actor: Actor, step: Step) -> Step:
    """The step with whether it was done, and what is there now."""
    now = actor.look(step.path)
    acted, entry = _was_done(actor, step, now)
    if step.kind is StepKind.MOVE and acted and step.before.kind == "file":
        _drop_swapped(actor, step)
    return dataclasses.replace(
        step, acted=acted, bin=entry or step.bin, after=_left(step, now) if acted else step.after
    )


def all_looked_at(actor: Actor, steps: Sequence[Step]) -> list[Step]:
    """Every step of a run. What is at a place that an earlier step should have left is not of a later one."""
    seen: list[Step] = []
    taken: set[str] = set()
    for step in steps:
        found = step if step.path in taken else looked_at(actor, step)
        taken |= {step.source or step.path} if step.kind in LEAVING and not found.acted else set()
        seen.append(found)
    return seen


def _left(step: Step, now: FileState) -> FileState:
    """What the step left. Where others bytes are by now an undo must see that somebody has changed them."""
    return dataclasses.replace(now, digest=step.wanted) if step.wanted and now.kind == "file" else now


def _was_done(actor: Actor, step: Step, now: FileState) -> tuple[bool, bins.BinEntry | None]:
    if step.kind is StepKind.DELETE:
        gone = now.kind == "none" or now.inode != step.before.inode
        return gone, bins.find_deleted(step.path, step.before) if gone else None
    if step.kind is StepKind.MOVE:
        return (now.device, now.inode) == (step.source_before.device, step.source_before.inode), None
    if step.kind is StepKind.LINK:
        return now.kind == "symlink" and now.target == step.source_before.target, None
    if step.kind is StepKind.FOLDER:
        return now.kind == "directory", None
    if step.kind is StepKind.REMOVE_FOLDER:
        return now.kind == "none", None
    if step.kind is StepKind.RESTORE:
        return step.give is not None and _is_back(now, step.give.state), None
    if step.wanted:
        # other bytes than before and than wanted: somebody wrote after us, for nothing of ours takes that long before
        return now.digest == step.wanted or (
            now.kind == "file" and step.before.kind == "file" and _is_later(now, step)
        ), None
    return now.kind == "file" and not is_exactly(now, step.before), None


def _is_back(now: FileState, wanted: FileState) -> bool:
    return now.kind == wanted.kind and (now.kind == "directory" or holds_same(now, wanted))


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
