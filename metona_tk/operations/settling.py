"""Fits the steps of an undo to the disk as it is now, and tells where they would touch what somebody changed since."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from dataclasses import dataclass

from metona_tk.operations.acting import Actor
from metona_tk.operations.failures import CannotUndo
from metona_tk.operations.states import holds_same
from metona_tk.operations.steps import LEAVING, Step, StepKind
from metona_tk.protocol.changes import NOTHING, FileState, NotUndoable


@dataclass(frozen=True, slots=True)
class Stands:
    """What a step would touch. `goes_to`: a moved thing, which goes there as it is."""

    step: Step
    path: str
    now: FileState
    goes_to: str = ""


def settle(steps: Sequence[Step], actor: Actor) -> tuple[list[Stands], list[Step]]:
    """What stands in the way, and the steps as they go on where the user agrees: what is there is kept for another
    undo, then replaced. CannotUndo where no agreement helps.
    """
    standing: list[Stands] = []
    fitted: list[Step] = []
    going = {step.source or step.path for step in steps if step.kind in LEAVING}
    freed: set[str] = set()  # by earlier steps
    for step in steps:
        now = NOTHING if step.path in freed else actor.look(step.path)
        freed |= {step.source or step.path} if step.kind in LEAVING else set()
        stands, own = _fit(step, now, actor, going)
        standing += [Stands(step, step.path, now)] if stands else []
        standing += _edited(step, own, actor)
        fitted += own
    return standing, fitted


def _fit(step: Step, now: FileState, actor: Actor, going: set[str]) -> tuple[bool, list[Step]]:
    """(whether something stands in the way, the steps in place of this one)."""
    if step.kind is StepKind.REMOVE_FOLDER:
        return False, _without_folder(step, now, actor, going)
    if step.kind is StepKind.FOLDER:
        return now.kind not in {"none", "directory"}, [*_away(step, now), step] if now.kind != "directory" else []
    if step.kind is StepKind.DELETE:
        if now.kind == "none":
            return False, []  # somebody has done it already
        return not _is_left(step.path, now, step.before, step, actor), [dataclasses.replace(step, before=now)]
    if step.kind is StepKind.WRITE:
        return not holds_same(now, step.before), _written(step, now)
    if step.kind is StepKind.MOVE:
        source = actor.look(step.source)
        if source.kind != step.source_before.kind:
            raise CannotUndo(NotUndoable.PLACE_GONE, step.source)
        moved = dataclasses.replace(step, before=NOTHING, source_before=source)
        return now.kind != "none", [*_away(step, now), moved]
    return now.kind != "none", [*_away(step, now), step]  # restoring


def _is_left(path: str, now: FileState, left: FileState, step: Step, actor: Actor) -> bool:
    """Whether a thing is as it was left; of a folder also where an undo of ours has made what is in it anew."""
    if holds_same(now, left):
        return True
    return step.contents != "" and actor.contents(path) == step.contents


def _edited(step: Step, fitted: Sequence[Step], actor: Actor) -> list[Stands]:
    """Something that is moved back with what somebody wrote into it since."""
    if step.kind is not StepKind.MOVE:
        return []
    source = fitted[-1].source_before
    same = _is_left(step.source, source, step.source_before, step, actor)
    return [] if same else [Stands(step, step.source, source, step.path)]


def _away(step: Step, now: FileState) -> list[Step]:
    return [Step(StepKind.DELETE, step.path, now)] if now.kind != "none" else []


def _written(step: Step, now: FileState) -> list[Step]:
    """Contents brought back over a file that is there, or where it is gone made again."""
    if now.kind == "file":
        return [dataclasses.replace(step, before=now)]
    return [*_away(step, now), dataclasses.replace(step, kind=StepKind.RESTORE, before=NOTHING)]


def _without_folder(step: Step, now: FileState, actor: Actor, going: set[str]) -> list[Step]:
    if now.kind != "directory":
        return []
    left = [name for name in actor.names(step.path) if os.path.join(step.path, name) not in going]
    if left and not step.may_fail:
        raise CannotUndo(NotUndoable.NOT_EMPTY, step.path)
    return [] if left else [dataclasses.replace(step, before=now)]


def in_bin(step: Step) -> list[Step]:
    """The same where what is there is too large for the store: it goes to the bin, and is not written over."""
    if step.kind is not StepKind.WRITE or step.before.kind != "file":
        return [step]
    return [*_away(step, step.before), dataclasses.replace(step, kind=StepKind.RESTORE, before=NOTHING)]
