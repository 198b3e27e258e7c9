"""The changes that make a copy: of a file one, of a folder one for each thing in it."""

from __future__ import annotations

import os
from collections.abc import Sequence

from metona_tk.protocol.changes import NOTHING, Change, ChangeKind, FileState
from metona_tk.protocol.problems import Code
from metona_tk.tools.base import ToolFailed, plural, size_text
from metona_tk.tools.changing import PlanContext, Step, Tree
from metona_tk.tools.relocating import Way

MOST = 10_000  # things in a folder that is copied
MOST_BYTES = 2 << 30  # of one call


def copies(way: Way, tree: Tree | None, context: PlanContext, moves: bool = False) -> tuple[Change, ...]:
    """The changes. `moves`: the source goes afterwards, so that nothing of it is left out.

    Links in a folder are else left out, since a copy would mean another place; `links_note` says so.
    """
    source, target = context.resolved(way.source), context.resolved(way.destination)
    if tree is None:
        there = context.identity(way.destination) if way.there.kind == "file" else way.there
        state = context.identity(way.source)
        if state.kind == "symlink" and not (moves and there.kind == "none"):
            raise ToolFailed(Code.NOT_REGULAR, "A link is not copied. Copy the file that it leads to.")
        return (_again(target, source, state, there, moves),)
    if len(tree.entries) > MOST:
        raise ToolFailed(Code.FILE_TOO_LARGE, f"The folder has more than {MOST:,} things in it. Take parts of it.")
    made = [_again(target, source, way.source_state, NOTHING, moves)]
    for entry in tree.entries:
        if entry.kind != "symlink" or moves:
            here, there = os.path.join(source, entry.relative), os.path.join(target, entry.relative)
            made.append(_again(there, here, entry.state, NOTHING, moves))
    return tuple(made)


def _again(path: str, source: str, state: FileState, there: FileState, moves: bool) -> Change:
    """The change that makes one thing once more."""
    if state.kind == "directory" and not moves:
        return Change(ChangeKind.FOLDER, path)
    kind = {"directory": ChangeKind.FOLDER, "symlink": ChangeKind.LINK}.get(state.kind, ChangeKind.COPY)
    return Change(kind, path, there, source=source, source_before=state, exact=moves)


def check_size(steps: Sequence[Step]) -> None:
    """ToolFailed where more would be copied than one call may. A sparse file counts with the size that it tells."""
    size = sum(change.source_before.size for step in steps for change in step.changes if change.kind == "copy")
    if size > MOST_BYTES:
        raise ToolFailed(
            Code.FILE_TOO_LARGE,
            f"{size_text(size)} would be copied; at most {size_text(MOST_BYTES)} can be copied at once. Take parts of "
            "it, or tell the user to do it.",
        )


def links_note(trees: list[Tree | None]) -> str:
    """What a copy leaves out, for the result's note."""
    count = sum(tree.links for tree in trees if tree)
    return f"{plural(count, 'link')} in it {'was' if count == 1 else 'were'} not copied" if count else ""
