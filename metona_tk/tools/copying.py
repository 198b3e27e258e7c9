"""The changes that make a copy: of a file one, of a folder one for each thing in it."""

from __future__ import annotations

import os

from metona_tk.protocol.changes import Change, ChangeKind
from metona_tk.protocol.problems import Code
from metona_tk.tools.base import ToolFailed, plural
from metona_tk.tools.changing import PlanContext, Tree
from metona_tk.tools.relocating import Way

MOST = 10_000  # things in a folder that is copied


def copies(way: Way, tree: Tree | None, context: PlanContext) -> tuple[Change, ...]:
    """The changes. Links in a folder are left out, since a copy would mean another place; `links_note` says so."""
    source, target = context.resolved(way.source), context.resolved(way.destination)
    if way.source_state.kind == "symlink":
        raise ToolFailed(Code.NOT_REGULAR, "A link is not copied. Copy the file that it leads to.")
    if tree is None:
        there = context.identity(way.destination) if way.there.kind == "file" else way.there
        state = context.identity(way.source)
        return (Change(ChangeKind.COPY, target, there, source=source, source_before=state),)
    if len(tree.entries) > MOST:
        raise ToolFailed(Code.FILE_TOO_LARGE, f"The folder has more than {MOST:,} things in it. Copy parts of it.")
    made = [Change(ChangeKind.FOLDER, target)]
    for entry in tree.entries:
        path = os.path.join(target, entry.relative)
        if entry.kind == "directory":
            made.append(Change(ChangeKind.FOLDER, path))
        elif entry.kind == "file":
            made.append(
                Change(ChangeKind.COPY, path, source=os.path.join(source, entry.relative), source_before=entry.state)
            )
    return tuple(made)


def links_note(trees: list[Tree | None]) -> str:
    """What a copy leaves out, for the result's note."""
    count = sum(tree.links for tree in trees if tree)
    return f"{plural(count, 'link')} in it {'was' if count == 1 else 'were'} not copied" if count else ""
