"""copy_path: copies files and folders; a pattern goes into a folder."""

from __future__ import annotations

import dataclasses
from typing import Annotated

from pydantic import Field

from metona_tk.i18n import N_
from metona_tk.protocol.values import Effects, Result
from metona_tk.tools.base import ToolArgs
from metona_tk.tools.changing import ChangingTool, Done, Plan, PlanContext, Step
from metona_tk.tools.copying import check_size, copies, links_note
from metona_tk.tools.relocating import Way, step_of, told, ways


class CopyPath(ChangingTool):
    """Copy a file or folder."""

    name = "copy_path"
    title = N_("Copy {source} to {destination}")
    description = (
        "Copy a file or folder. The source may be a pattern such as *.pdf when the destination is a folder (end it "
        "with /). Folders that are missing are made."
    )
    seconds = 60.0

    class Args(ToolArgs):
        source: Annotated[str, Field(description="The file or folder, or a pattern, relative to the workspace folder.")]
        destination: Annotated[str, Field(description="The path of the copy; a folder ends with /.")]
        overwrite: Annotated[bool, Field(description="true to replace a file that is there.")] = False

    def effects(self, args: Args) -> Effects:
        return Effects(reads=(args.source,), writes=(args.destination,), patterns=(args.source,))

    def plan(self, args: Args, context: PlanContext) -> Plan:
        found = ways(self.name, args.source, args.destination, args.overwrite, context)
        steps = tuple(_step(way, context) for way in found)
        check_size(steps)
        facts = {"pattern": context.hits(args.source) != (args.source,)}
        return Plan(steps, note=links_note([step.tree for step in steps]), facts=facts)

    def report(self, args: Args, plan: Plan, done: Done, context: PlanContext) -> Result:
        return told("Copied", "copied", args.source, args.destination, plan, context)


def _step(way: Way, context: PlanContext) -> Step:
    tree = context.tree(way.source) if way.source_state.kind == "directory" else None
    changes = (*context.parents(way.destination), *copies(way, tree, context))
    return dataclasses.replace(step_of("copy", way, changes, context), tree=tree)
