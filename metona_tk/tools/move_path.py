"""move_path: renames and moves files and folders; a pattern goes into a folder."""

from __future__ import annotations

import dataclasses
import os
from typing import Annotated

from pydantic import Field

from metona_tk.i18n import N_
from metona_tk.protocol.changes import Change, ChangeKind
from metona_tk.protocol.values import Effects, Result
from metona_tk.tools.base import ToolArgs
from metona_tk.tools.changing import ChangingTool, Done, Plan, PlanContext, Step
from metona_tk.tools.copying import check_size, copies
from metona_tk.tools.relocating import Way, step_of, told, ways


class MovePath(ChangingTool):
    """Move or rename a file or folder."""

    name = "move_path"
    title = N_("Move {source} to {destination}")
    description = (
        "Move or rename a file or folder. The source may be a pattern such as *.pdf when the destination is a folder "
        "(end it with /). Folders that are missing are made."
    )
    seconds = 60.0

    class Args(ToolArgs):
        source: Annotated[str, Field(description="The file or folder, or a pattern, relative to the workspace folder.")]
        destination: Annotated[str, Field(description="The new path; a folder ends with /.")]
        overwrite: Annotated[bool, Field(description="true to replace a file that is there.")] = False

    def effects(self, args: Args) -> Effects:
        return Effects(moves=(args.source,), writes=(args.destination,), patterns=(args.source,))

    def plan(self, args: Args, context: PlanContext) -> Plan:
        found = ways(self.name, args.source, args.destination, args.overwrite, context)
        steps = tuple(_step(way, context) for way in found)
        check_size(steps)
        return Plan(steps, facts={"pattern": context.hits(args.source) != (args.source,)})

    def report(self, args: Args, plan: Plan, done: Done, context: PlanContext) -> Result:
        return told("Moved", "moved", args.source, args.destination, plan, context)


def _step(way: Way, context: PlanContext) -> Step:
    before, source = context.parents(way.destination), context.resolved(way.source)
    target = context.resolved(way.destination)
    tree = context.tree(way.source) if way.source_state.kind == "directory" else None
    if _same_disk(way, before, context):
        there = context.identity(way.destination) if way.there.kind == "file" else way.there
        move = Change(ChangeKind.MOVE, target, there, source=source, source_before=context.identity(way.source))
        return dataclasses.replace(step_of("move", way, (*before, move), context), tree=tree)
    copied = copies(way, tree, context, moves=True)
    gone = Change(ChangeKind.DELETE, source, context.identity(way.source))
    step = step_of("move", way, (*before, *copied, gone), context)
    return dataclasses.replace(step, tree=tree, flags=(*step.flags, "other_disk"))


def _same_disk(way: Way, missing: tuple[Change, ...], context: PlanContext) -> bool:
    """Whether one rename can do it: the folder that will hold it lies on the source's own disk."""
    first = os.path.dirname(missing[0].path if missing else context.resolved(way.destination))
    return context.device(first) == context.device(os.path.dirname(context.resolved(way.source)))
