"""The rows of what goes when something is deleted, and of what is moved or copied where. Pure."""

from __future__ import annotations

import os
from dataclasses import replace

from metona_tk.i18n import tr, trn
from metona_tk.i18n.quantities import size_words
from metona_tk.protocol.changes import ChangeItem, TreeRow
from metona_tk.ui.chat.spans import Icon, Span, escaping
from metona_tk.ui.previews.diff_rows import Row
from metona_tk.ui.visible import visible

_ICONS = {"directory": "folder", "symlink": "branch"}
STEP = 4  # blanks of the path font a level deeper


def tree_rows(item: ChangeItem, full_path: bool = False) -> list[Row]:
    """What of an item goes, named by its last part or its `full_path`; of one without a listing, itself."""
    name = item.path if full_path else os.path.basename(item.path.rstrip("/\\")) or item.path
    if item.tree:
        return [_row(replace(row, name=name) if row.depth == 0 else row) for row in item.tree]
    return [_row(TreeRow(0, name, item.kind, item.before.size, target=item.before.target))]


def _row(row: TreeRow) -> Row:
    pad: Span = (" " * (STEP * row.depth), ())
    if row.more:
        words = trn("{count} more", "{count} more", row.more)
        return Row("more", (pad, ("⋯  ", ()), (words, ()), (f"\t{size_words(row.size)}", ("size",))))
    folder = row.kind == "directory"
    tags = ("mono-strong",) if not row.depth else ()
    name: list[Span] = escaping(visible(row.name) + ("/" if folder else ""), *tags)
    mark: Span = (Icon(_ICONS.get(row.kind, "file"), "text-3", 14), ())
    return Row("tree", (pad, mark, ("  ", ()), *name, ("\t", ()), *_right(row)))


def _right(row: TreeRow) -> list[Span]:
    if row.kind == "symlink":
        target = escaping(visible(row.target), "size")
        return [(tr("link to") + " ", ("size",)), *target, (tr(" · ") + tr("only the link goes"), ("size",))]
    count = trn("{count} file", "{count} files", row.files) + tr(" · ") if row.kind == "directory" else ""
    return [(count + size_words(row.size), ("size",))]


def moved_rows(items: tuple[ChangeItem, ...], flag_words: dict[str, str]) -> list[Row]:
    """A row for each thing that is moved or copied: its name, and where it gets which."""
    return [_moved(item, flag_words) for item in items]


def _moved(item: ChangeItem, flag_words: dict[str, str]) -> Row:
    mark: Span = (Icon(_ICONS.get(item.kind, "file"), "text-3", 14), ())
    source, target = escaping(visible(item.source)), escaping(visible(item.path))
    warnings = [flag_words[flag] for flag in item.flags if flag in flag_words]
    right: list[Span] = [("\t  " + tr(", ").join(warnings), ("warn",))] if warnings else []
    return Row("tree", (mark, ("  ", ()), *source, ("  →  ", ("warn",)), *target, *right))
