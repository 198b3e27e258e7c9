"""The steps that undo the steps of a run, in the order in which they have to be done."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from metona_tk.operations.steps import Step, StepKind
from metona_tk.protocol.changes import NOTHING


def inverse(steps: Sequence[Step]) -> list[Step]:
    """What brings back what was there before; steps that were not done have no inverse.

    Folders that were made only to hold something go only when they are empty.
    """
    done = [step for step in steps if step.acted]
    folders_alone = all(step.kind in {StepKind.FOLDER, StepKind.REMOVE_FOLDER} for step in done)
    turned: list[Step] = []
    for step in reversed(done):
        turned += _turned(step, may_fail=not folders_alone)
    return turned


def _turned(step: Step, may_fail: bool) -> list[Step]:
    if step.kind is StepKind.FOLDER:
        # only an empty one goes, whatever its listing was
        return [Step(StepKind.REMOVE_FOLDER, step.path, dataclasses.replace(step.after, digest=""), may_fail=may_fail)]
    if step.kind is StepKind.REMOVE_FOLDER:
        return [Step(StepKind.FOLDER, step.path, give=step.saved)]
    if step.kind is StepKind.MOVE:
        back = Step(
            StepKind.MOVE, step.source, NOTHING, source=step.path, source_before=step.after, contents=step.contents
        )
        return [back, *([_restored(step)] if step.saved else [])]
    if step.kind is StepKind.DELETE:
        return [_restored(step)]
    if step.before.kind == "none":  # made, copied or restored
        return [Step(StepKind.DELETE, step.path, step.after, contents=step.contents)]
    return [Step(StepKind.WRITE, step.path, step.after, give=step.saved)]


def _restored(step: Step) -> Step:
    return Step(StepKind.RESTORE, step.path, NOTHING, give=step.saved, bin=step.bin)
