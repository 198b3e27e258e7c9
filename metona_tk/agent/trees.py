"""All that is in a folder, for a change of it and for the dialog: through checked handles, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from metona_tk.operations.states import state_of
from metona_tk.protocol.changes import TreeRow
from metona_tk.protocol.problems import Code
from metona_tk.security.handles import Guard, OpenFolder, open_folder, refuse_closed_file
from metona_tk.security.paths import GateError
from metona_tk.tools.base import ToolFailed
from metona_tk.tools.changing import Tree, TreeEntry

MOST = 200_000  # entries
_DEPTH = 200
_ROWS, _A_FOLDER = 5000, 200  # that a dialog lists, in all and of one folder


def read_tree(path: str, guard: Guard, name: str, go_on: Callable[[], bool]) -> Tree:
    """The folder at `path` (absolute, resolved). ToolFailed where it is too large, GateError where a closed place or
    another disk is in it: what cannot be seen whole is not changed as a whole.
    """
    entries: list[TreeEntry] = []
    with open_folder(path, guard) as folder:
        for entry in _walk(folder, "", 0):
            entries.append(entry)
            if len(entries) > MOST or (len(entries) % 500 == 0 and not go_on()):
                raise ToolFailed(
                    Code.FILE_TOO_LARGE,
                    f"{name} holds too much to be looked through. Take the folders in it one by one.",
                )
    return _tree(os.path.basename(path), entries)


def _walk(folder: OpenFolder, above: str, depth: int) -> Iterator[TreeEntry]:
    if depth > _DEPTH:
        raise ToolFailed(Code.FILE_TOO_LARGE, f"{above} is nested too deeply.")
    for found in sorted(folder.scan(False), key=lambda entry: entry.name):
        relative = os.path.join(above, found.name)
        if found.kind == "directory":
            with _inner(folder, found.name, relative) as inner:
                yield TreeEntry(relative, "directory", state_of(folder, found.name, False))
                yield from _walk(inner, relative, depth + 1)
        elif found.kind == "other":
            raise ToolFailed(Code.NOT_REGULAR, f"{relative} in it is no ordinary file, so the folder is left alone.")
        else:
            state = state_of(folder, found.name, False)
            if state.links > 1:
                refuse_closed_file(relative, folder.stat(found.name), folder.guard)
            yield TreeEntry(relative, state.kind, state)


def _inner(folder: OpenFolder, name: str, relative: str) -> OpenFolder:
    try:
        return folder.folder(name)
    except GateError as error:
        raise GateError(error.code, f"{relative} in it cannot be touched: {error.text}") from error


def _tree(name: str, entries: list[TreeEntry]) -> Tree:
    files = [entry for entry in entries if entry.kind == "file"]
    newest = max(files, key=lambda entry: entry.state.modified_ns, default=None)
    size = sum(entry.state.size for entry in files)
    folders = sum(entry.kind == "directory" for entry in entries)
    links = sum(entry.kind == "symlink" for entry in entries)
    rows = (TreeRow(0, name, "directory", size, len(files)), *_rows(entries))
    newest_name, newest_ns = (newest.relative, newest.state.modified_ns) if newest else ("", 0)
    return Tree(rows, tuple(entries), len(files), folders, links, size, newest_name, newest_ns)


def _rows(entries: list[TreeEntry]) -> list[TreeRow]:
    """Rows in the order of the walk; a folder's row has its sums, and what is too much is told as a number."""
    sums = _sums(entries)
    rows: list[TreeRow] = []
    shown: dict[str, int] = {}
    hidden: dict[str, tuple[int, int]] = {}
    for entry in entries:
        above, name = os.path.split(entry.relative)
        shown[above] = shown.get(above, 0) + 1
        if shown[above] > _A_FOLDER or len(rows) >= _ROWS:
            count, size = hidden.get(above, (0, 0))
            hidden[above] = count + 1, size + entry.state.size * (entry.kind == "file")
            continue
        depth = entry.relative.count(os.sep) + 1
        size, count = sums.get(entry.relative, (entry.state.size, 0))
        rows.append(TreeRow(depth, name, entry.kind, size, count, entry.state.target))
    for above, (count, size) in hidden.items():
        depth = above.count(os.sep) + 2 if above else 1
        rows.append(TreeRow(depth, above, "none", size, more=count))
    return rows


def _sums(entries: list[TreeEntry]) -> dict[str, tuple[int, int]]:
    """Bytes and number of the files below each folder."""
    sums: dict[str, tuple[int, int]] = {entry.relative: (0, 0) for entry in entries if entry.kind == "directory"}
    for entry in entries:
        if entry.kind != "file":
            continue
        above = os.path.dirname(entry.relative)
        while above:
            size, count = sums[above]
            sums[above] = size + entry.state.size, count + 1
            above = os.path.dirname(above)
    return sums
