"""The rows of a conflict: each place, what is there now, what undo or redo would bring, and the difference. Pure."""

from __future__ import annotations

import time
from collections.abc import Iterator

from metona_tk.i18n import tr
from metona_tk.i18n.quantities import size_words
from metona_tk.protocol.changes import Conflict, ConflictItem, FileState
from metona_tk.ui.chat.spans import escaping
from metona_tk.ui.previews.diff_rows import Row, diff_rows
from metona_tk.ui.visible import visible


def conflict_rows(conflict: Conflict) -> list[Row]:
    """All of it."""
    return [row for item in conflict.items for row in _item(item, conflict.redo)]


def _item(item: ConflictItem, redo: bool) -> Iterator[Row]:
    yield Row("item", tuple(escaping(visible(item.path), "mono-strong")))
    then = tr("after redo") if redo else tr("after undo")
    yield Row("fact", ((tr("now") + "\t", ("quiet",)), (state_words(item.now), ())))
    yield Row("fact", ((then + "\t", ("quiet",)), (_then_words(item), ())))
    yield from diff_rows(item.diff)


def _then_words(item: ConflictItem) -> str:
    if item.goes_to:
        return tr("it goes to {path}, as it is now", path=visible(item.goes_to))
    return state_words(item.then)


def state_words(state: FileState) -> str:
    """What is at a place, and since when."""
    if state.kind == "none":
        return tr("nothing is there")
    if state.kind == "symlink":
        return tr("link to") + " " + visible(state.target)
    kind = {"directory": tr("folder"), "file": tr("file")}.get(state.kind, tr("special"))
    size = size_words(state.size) if state.kind == "file" else ""
    changed = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(state.modified_ns / 1e9)) if state.modified_ns else ""
    return tr(" · ").join(part for part in (kind, size, tr("changed {when}", when=changed) if changed else "") if part)
