"""delete_file: files, links and folders into the recycle bin; always asked for."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from metona_tk.i18n import N_
from metona_tk.protocol.changes import Change, ChangeKind
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Effects, Result
from metona_tk.tools.base import ToolArgs, ToolFailed, one_line, plural, size_text
from metona_tk.tools.changing import ChangingTool, Done, Plan, PlanContext, Step


class DeleteFile(ChangingTool):
    """Move files or folders to the recycle bin."""

    name = "delete_file"
    title = N_("Delete {path}")
    description = (
        "Move a file or folder to the recycle bin; the user is asked first. The path may be a pattern such as *.tmp. A "
        "folder with something in it needs recursive=true."
    )
    seconds = 60.0

    class Args(ToolArgs):
        path: Annotated[str, Field(description="The file or folder, or a pattern, relative to the workspace folder.")]
        recursive: Annotated[bool, Field(description="true to delete a folder with all that is in it.")] = False

    def effects(self, args: Args) -> Effects:
        return Effects(deletes=(args.path,), patterns=(args.path,))

    def plan(self, args: Args, context: PlanContext) -> Plan:
        hits = context.hits(args.path)
        steps = tuple(self._step(hit, args.recursive, context) for hit in hits)
        return Plan(steps, facts={"paths": [step.path for step in steps], "pattern": hits != (args.path,)})

    def _step(self, typed: str, recursive: bool, context: PlanContext) -> Step:
        state, path = context.state(typed), context.resolved(typed)
        name = one_line(context.shown(path))
        if state.kind == "none":
            raise ToolFailed(Code.NOT_FOUND, f"There is no {name}.")
        if state.kind == "other":
            raise ToolFailed(Code.NOT_REGULAR, f"{name} is no ordinary file or folder and is left alone.")
        if state.kind != "directory":
            before = context.identity(typed)
            return Step("delete", typed, path, state.kind, (Change(ChangeKind.DELETE, path, before),), before)
        tree = context.tree(typed)
        if tree.entries and not recursive:
            inside = f"{plural(tree.files, 'file')} and {plural(tree.folders, 'folder')}"
            raise ToolFailed(
                Code.NOT_EMPTY,
                f"{name} has {inside} in it. To delete it with all that call "
                f'delete_file(path="{name}", recursive=true).',
            )
        state = context.identity(typed)
        change = Change(ChangeKind.DELETE, path, state)
        return Step("delete", typed, path, "directory", (change,), state, tree=tree)

    def report(self, args: Args, plan: Plan, done: Done, context: PlanContext) -> Result:
        names = [one_line(context.shown(step.path)) for step in plan.steps]
        size = sum(step.tree.size if step.tree else step.before.size for step in plan.steps)
        what = names[0] if len(names) == 1 else f"{plural(len(names), 'thing')}: {', '.join(names[:20])}"
        back = "The user can bring it back." if done.recoverable else "It cannot be brought back."
        data = {"path": plan.steps[0].path, "deleted": True, "recoverable": done.recoverable}
        if plan.facts["pattern"]:
            data = {"path": args.path, "deleted": True, "recoverable": done.recoverable, "paths": plan.facts["paths"]}
        return Result(True, data, None, f"Deleted {what} ({size_text(size)}). {back}")
