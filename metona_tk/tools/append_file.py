"""append_file: text for the end of a file, which is made where it is not there."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from metona_tk.i18n import N_
from metona_tk.protocol.changes import Change, ChangeKind
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Effects, Result
from metona_tk.tools.base import ToolArgs, ToolFailed, one_line, plural, size_text
from metona_tk.tools.changing import ChangingTool, Done, Plan, PlanContext, Step, Text
from metona_tk.tools.texts import FileText, commonest_end, encoded, file_text, limited, line_ends, with_line_ends


class AppendFile(ChangingTool):
    """Add text to the end of a file."""

    name = "append_file"
    title = N_("Add to {path}")
    description = (
        "Add text to the end of a text file, for example a line to a list. What is there already stays. The added text "
        "begins on a new line."
    )

    class Args(ToolArgs):
        path: Annotated[str, Field(description="The file, relative to the workspace folder.")]
        content: Annotated[str, Field(description="The text to add at the end, whole lines.")]

    def effects(self, args: Args) -> Effects:
        return Effects(writes=(args.path,))

    def edited(self, args: Args, text: str) -> Args:
        return args.model_copy(update={"content": text})

    def check(self, args: Args) -> None:
        if not args.content:
            raise ToolFailed(Code.BAD_ARGUMENTS, "content is empty, so there is nothing to add.")

    def plan(self, args: Args, context: PlanContext) -> Plan:
        state = context.state(args.path)
        path = context.resolved(args.path)
        name = one_line(context.shown(path))
        text = context.unmask(args.path, args.content)
        if state.kind == "none":
            content = _limited(encoded(text, "utf-8"))
            changes = (*context.parents(args.path), Change(ChangeKind.CREATE, path, content=content))
            step = Step("create", args.path, path, "file", changes, new=Text(text, "utf-8"))
            return Plan((step,), args.content, facts={"bytes": len(content), "created": True})
        loaded = context.load(args.path)
        if loaded.content is None:
            raise ToolFailed(Code.FILE_TOO_LARGE, f"{name} has {size_text(state.size)}, too large to be added to.")
        plain = text.isascii()
        old = file_text(loaded.content, name, context.known_encoding(args.path), context.preferred_encoding, plain)
        added = _joined(old, text)
        content = _limited(old.encode(added))
        change = Change(ChangeKind.WRITE, path, loaded.state, content, keep=loaded.state.size)
        before, after = Text(old.text, old.encoding), Text(old.text + added, old.encoding)
        step = Step("append", args.path, path, "file", (change,), loaded.state, before, after)
        return Plan((step,), args.content, facts={"bytes": len(content), "created": False})

    def report(self, args: Args, plan: Plan, done: Done, context: PlanContext) -> Result:
        path = context.resolved(args.path)
        name = one_line(context.shown(path))
        lines = len(args.content.strip("\r\n").splitlines())
        made = " (a new file)" if plan.facts["created"] else ""
        text = f"Added {plural(lines, 'line')} to the end of {name}{made}."
        return Result(
            True, {"path": path, "bytesWritten": plan.facts["bytes"], "created": plan.facts["created"]}, None, text
        )


def _joined(old: FileText, text: str) -> str:
    """What is added: in the file's line ends, and on a line of its own where the last line has no end."""
    end = commonest_end(old.text)
    if line_ends(old.text) != "mixed":
        text = with_line_ends(text, end)
    ended = not old.text or old.text.endswith(("\n", "\r"))
    return text if ended or text.startswith(("\n", "\r")) else end + text


def _limited(content: bytes) -> bytes:
    return limited(content, "added", "Add it in several calls.")
