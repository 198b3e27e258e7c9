"""What moving and copying have in common: which things go where, and what stands in their way (SPEC 1.7, 1.8)."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass

from metona_tk.protocol.changes import Action, Change, FileState
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Result
from metona_tk.tools.base import ToolFailed, one_line, plural
from metona_tk.tools.changing import Plan, PlanContext, Step


@dataclass(frozen=True, slots=True)
class Way:
    """One thing on its way: typed paths of source and destination, and what is at both now."""

    source: str
    destination: str
    source_state: FileState
    there: FileState


def ways(tool: str, source: str, destination: str, overwrite: bool, context: PlanContext) -> list[Way]:
    """Source to destination, a pattern's hits each into the folder. ToolFailed with the call that would work."""
    hits = context.hits(source)
    folder = context.state(destination)
    slash = destination.endswith(("/", os.sep))
    into = folder.kind == "directory" or (slash and folder.kind == "none")
    if folder.kind not in {"none", "directory"} and (slash or hits != (source,)):
        raise ToolFailed(
            Code.NOT_A_DIRECTORY, f"{_named(destination, context)} is a file, no folder to put things into."
        )
    if hits != (source,) and not into:
        raise ToolFailed(
            Code.NOT_A_DIRECTORY,
            f"A pattern goes into a folder, and {_named(destination, context)} is none yet. Call "
            f'{tool}(source="{source}", destination="{destination.rstrip("/")}/").',
        )
    if hits != (source,):  # what a pattern means is never the folder that it goes into, nor one around it
        goal = context.resolved(destination)
        hits = tuple(hit for hit in hits if not f"{goal}{os.sep}".startswith(context.resolved(hit) + os.sep))
    found = [_way(each, destination, into, context) for each in hits]
    for way in found:
        _check(tool, way, overwrite, context)
    _check_names(found, context)
    return found


def _way(source: str, destination: str, into: bool, context: PlanContext) -> Way:
    state = context.state(source)
    if state.kind == "none":
        raise ToolFailed(Code.NOT_FOUND, f"There is no {_named(source, context)}.")
    if state.kind == "other":
        raise ToolFailed(
            Code.NOT_REGULAR, f"{_named(source, context)} is no ordinary file or folder; it is left alone."
        )
    name = os.path.basename(context.resolved(source))
    target = context.below(destination, name) if into else destination
    return Way(source, target, state, context.state(target))


def _check(tool: str, way: Way, overwrite: bool, context: PlanContext) -> None:
    source, target = context.resolved(way.source), context.resolved(way.destination)
    if source == target:
        raise ToolFailed(
            Code.EXISTS,
            f"{_named(way.source, context)} is there already; source and destination are one. To rename it give its "
            f'new path, in whole: {tool}(source="{_named(way.source, context)}", destination=<folder and new name>).',
        )
    if way.source_state.kind == "directory" and target.startswith(source + os.sep):
        raise ToolFailed(Code.BAD_PATH, f"The folder {_named(way.source, context)} cannot go into itself.")
    if way.there.kind == "none":
        return
    both_files = way.there.kind == "file" and way.source_state.kind == "file"
    if overwrite and both_files:
        return
    here = _named(way.destination, context)
    hint = (
        f'Call {tool}(source="{way.source}", destination="{way.destination}", overwrite=true) to replace it, or take '
        "another name."
        if both_files
        else "Take another name."
    )
    raise ToolFailed(Code.EXISTS, f"There is a {here} already, and nothing was changed. {hint}")


def _check_names(found: list[Way], context: PlanContext) -> None:
    counted = Counter(context.resolved(way.destination) for way in found)
    twice = next((path for path, count in counted.items() if count > 1), None)
    if twice is not None:
        raise ToolFailed(
            Code.EXISTS,
            f"Several of these are called {os.path.basename(twice)!r}, and only one can be. Give a narrower pattern.",
        )


def told(done_word: str, key: str, source: str, destination: str, plan: Plan, context: PlanContext) -> Result:
    """The result of moving or copying: `path`, `key`, and for a pattern `paths`."""
    paths = [step.path for step in plan.steps]
    pattern = bool(plan.facts["pattern"])
    path = context.resolved(destination) if pattern else paths[0]
    data = {"path": path, key: True} | ({"paths": paths} if pattern else {})
    shown = [f"{one_line(context.shown(step.source))} to {one_line(context.shown(step.path))}" for step in plan.steps]
    if len(shown) == 1:
        return Result(True, data, plan.note or None, f"{done_word} {shown[0]}.")
    folder = one_line(context.shown(path))
    lines = "\n".join(shown[:50]) + (f"\n... and {len(shown) - 50} more" if len(shown) > 50 else "")
    text = f"{done_word} {plural(len(shown), 'thing')} for {source!r} into {folder}:\n{lines}"
    return Result(True, data, plan.note or None, text)


def step_of(action: Action, way: Way, changes: tuple[Change, ...], context: PlanContext) -> Step:
    """The step of one thing that is moved or copied, without its tree."""
    return Step(
        action,
        way.destination,
        context.resolved(way.destination),
        way.source_state.kind,
        changes,
        way.there,
        source_typed=way.source,
        source=context.resolved(way.source),
        flags=("overwrites",) if way.there.kind == "file" else (),
    )


def _named(typed: str, context: PlanContext) -> str:
    return one_line(context.shown(context.resolved(typed)))
