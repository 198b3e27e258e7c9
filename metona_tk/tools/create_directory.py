"""create_directory: a folder, with the folders above it that are missing."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from metona_tk.i18n import N_
from metona_tk.protocol.changes import Change, ChangeKind
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Effects, Result
from metona_tk.tools.base import ToolArgs, ToolFailed, one_line
from metona_tk.tools.changing import ChangingTool, Done, Plan, PlanContext, Step


class CreateDirectory(ChangingTool):
    """Make a folder."""

    name = "create_directory"
    title = N_("Make the folder {path}")
    description = "Make a folder. Folders above it are made too. Files do not need it: write_file makes their folders."

    class Args(ToolArgs):
        path: Annotated[str, Field(description="The new folder, relative to the workspace folder.")]

    def effects(self, args: Args) -> Effects:
        return Effects(writes=(args.path,))

    def plan(self, args: Args, context: PlanContext) -> Plan:
        state, path = context.state(args.path), context.resolved(args.path)
        if state.kind == "directory":
            return Plan((), facts={"created": False})
        if state.kind != "none":
            name = one_line(context.shown(path))
            raise ToolFailed(Code.EXISTS, f"{name} is a file, so no folder can be made there. Take another name.")
        changes = (*context.parents(args.path), Change(ChangeKind.FOLDER, path))
        return Plan((Step("folder", args.path, path, "directory", changes),), facts={"created": True})

    def report(self, args: Args, plan: Plan, done: Done, context: PlanContext) -> Result:
        path, created = context.resolved(args.path), plan.facts["created"]
        name = one_line(context.shown(path))
        text = f"Made the folder {name}." if created else f"The folder {name} is there already."
        return Result(True, {"path": path, "created": created}, None if created else "it was there already", text)
