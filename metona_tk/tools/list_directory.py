"""list_directory: what is in a folder, with sums first, because a small model misreads a long list (MODELS 13)."""

from __future__ import annotations

import datetime
import os
import re
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field

from metona_tk.i18n import N_
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Effects, Result
from metona_tk.tools.base import (
    Entry,
    FolderHandle,
    Tool,
    ToolArgs,
    ToolContext,
    ToolFailed,
    cut_middle,
    one_line,
    plural,
    size_text,
)

MAX_ENTRIES = 500
MAX_DEPTH = 20
_HIDDEN = getattr(stat, "FILE_ATTRIBUTE_HIDDEN", 2)


class ListDirectory(Tool):
    """List a folder."""

    name = "list_directory"
    title = N_("List {path}")
    description = (
        "List a folder: names, types, sizes, dates, and how many files of each kind there are, the newest and the "
        'largest. The workspace folder itself is ".". With recursive=true also what is in its folders.'
    )
    reading_only = True

    class Args(ToolArgs):
        path: Annotated[str, Field(description='The folder, relative to the workspace folder; "." is the workspace.')]
        recursive: Annotated[bool, Field(description="Also list the folders inside. Default: false.")] = False
        max_depth: Annotated[int, Field(ge=1, description="How deep, with recursive. Default: 3.")] = 3
        include_hidden: Annotated[bool, Field(description="Also names that begin with a dot. Default: false.")] = False
        filter_extension: Annotated[str | None, Field(description="Only files of this kind, like .txt")] = None

    def effects(self, args: Args) -> Effects:
        return Effects(reads=(args.path,))

    def run(self, args: Args, context: ToolContext) -> Result:
        notes: list[str] = []
        if context.kind(args.path) == "file":
            folder = context.open_parent(args.path)
            notes.append(f"{args.path} is a file; this is the folder that it is in ({context.shown(folder.path)})")
        else:
            folder = context.open_folder(args.path)
        with folder:
            listing = _Listing(args, context)
            listing.walk(folder, "", 1)
            return listing.result(folder.path, notes)


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key that puts file2 before file10, without case."""
    parts = re.split(r"(\d+)", name.casefold())
    return [(0, int(part), "") if part.isdigit() and part.isascii() else (1, 0, part) for part in parts if part]


def printable(name: str) -> str:
    """A name as text that any encoder takes; bytes that are no UTF-8 show as \\udcff does: escaped."""
    return name.encode("utf-8", "backslashreplace").decode()


@dataclass(slots=True)
class _Listing:
    args: ListDirectory.Args
    context: ToolContext
    entries: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    total: int = 0
    hidden: int = 0
    odd_names: int = 0
    unreadable: list[str] = field(default_factory=list[str])
    over: bool = False  # the time was up
    kinds: Counter[str] = field(default_factory=Counter[str])
    folders: int = 0
    bytes: int = 0
    newest: tuple[float, str] | None = None
    largest: tuple[int, str] | None = None

    def walk(self, folder: FolderHandle, prefix: str, depth: int) -> None:
        for entry in self._in_order(folder):
            if self.context.stopped():
                raise ToolFailed(Code.STOPPED, "Stopped by the user.")
            if self.context.remaining() <= 0:
                self.over = True
                return
            name = prefix + printable(entry.name)
            if entry.kind == "directory" or self._wanted(entry.name):
                self._count(folder, entry, name)
            if entry.kind == "directory" and self.args.recursive and depth < min(self.args.max_depth, MAX_DEPTH):
                self._enter(folder, entry.name, name, depth)

    def _enter(self, folder: FolderHandle, name: str, shown: str, depth: int) -> None:
        try:
            deeper = folder.folder(name)
        except ToolFailed:
            self.unreadable.append(shown)
            return
        with deeper:
            self.walk(deeper, shown + "/", depth + 1)

    def _in_order(self, folder: FolderHandle) -> Iterator[Entry]:
        found: list[Entry] = []
        for entry in folder.scan(with_stat=os.name == "nt"):
            if not self.args.include_hidden and _is_hidden(entry):
                self.hidden += 1
            else:
                found.append(entry)
        yield from sorted(found, key=lambda entry: (entry.kind != "directory", natural(entry.name), entry.name))

    def _wanted(self, name: str) -> bool:
        wanted = self.args.filter_extension
        return not wanted or name.casefold().endswith("." + wanted.casefold().lstrip("*").lstrip("."))

    def _count(self, folder: FolderHandle, entry: Entry, name: str) -> None:
        if entry.kind == "directory" and self.args.filter_extension:
            return  # a filter asks for files; the folders are walked all the same
        self.total += 1
        self.odd_names += "\\udc" in name
        found = folder.stat(entry.name) if self.total <= 20_000 else None
        if entry.kind == "directory":
            self.folders += 1
        else:
            suffix = os.path.splitext(entry.name)[1].lower()
            self.kinds[printable(suffix) if suffix else "without extension"] += 1
        is_file = entry.kind == "file" and found is not None
        if found and is_file:
            self.bytes += found.st_size
            self.newest = max(self.newest or (0.0, ""), (found.st_mtime, name))
            self.largest = max(self.largest or (-1, ""), (found.st_size, name))
        if len(self.entries) < MAX_ENTRIES:
            size = found.st_size if found and is_file else None
            modified = _iso(found.st_mtime) if found else None
            self.entries.append({"name": name, "type": entry.kind, "size": size, "modified": modified})

    def result(self, path: str, notes: list[str]) -> Result:
        data = {
            "path": path,
            "entries": self.entries,
            "total": self.total,
            "truncated": self.total > len(self.entries) or self.over,
        }
        if self.hidden:
            notes.append(f"{plural(self.hidden, 'hidden entry', 'hidden entries')} not shown (include_hidden=true)")
        if self.over:
            notes.append("the time ran out, so there is more than this")
        if self.unreadable:
            notes.append("not readable: " + ", ".join(self.unreadable[:5]))
        if self.odd_names:
            notes.append(f"{plural(self.odd_names, 'name')} not valid UTF-8, shown with \\udc.. and not to be opened")
        text = self._text(self.context.shown(path), notes)
        return Result(True, data, "; ".join(notes) or None, text)

    def _text(self, name: str, notes: list[str]) -> str:
        where = "the workspace folder" if name == "." else name
        files = self.total - self.folders
        if not self.total:
            kind = f" no {self.args.filter_extension} files" if self.args.filter_extension else " empty"
            return f"{where} is{kind}." + (f" ({'; '.join(notes)})" if notes else "")
        head = [f"In {where}: {plural(files, 'file')}, {plural(self.folders, 'folder')}, {size_text(self.bytes)}."]
        if self.kinds:
            kinds = ", ".join(f"{count:,} {kind}" for kind, count in self.kinds.most_common(8))
            head.append(f"Kinds: {kinds}.")
        if self.newest and self.largest and files > 1:
            inside = "" if name == "." else name.rstrip("/") + "/"
            head.append(f"Newest file: {inside}{one_line(self.newest[1])} (changed {_iso(self.newest[0])[:16]}).")
            head.append(f"Largest file: {inside}{one_line(self.largest[1])} ({size_text(self.largest[0])}).")
        if notes:
            head.append(f"({'; '.join(notes)})")
        if self.total > len(self.entries):
            head.append(f"The first {len(self.entries)} are:")
        lines = [_row(entry) for entry in self.entries]
        return cut_middle("\n".join(head + lines), self.context.text_budget)


def _row(entry: dict[str, Any]) -> str:
    name = one_line(entry["name"])
    if entry["type"] == "directory":
        return f"{name}/"
    if entry["size"] is None:
        return f"{name} ({entry['type']})"
    return f"{name} ({size_text(entry['size'])}, {entry['modified'][:10]})"


def _is_hidden(entry: Entry) -> bool:
    if entry.name.startswith("."):
        return True
    return bool(entry.stat and getattr(entry.stat, "st_file_attributes", 0) & _HIDDEN)


def _iso(moment: float) -> str:
    """ISO 8601 UTC; a time that no calendar holds is given as the epoch."""
    try:
        found = datetime.datetime.fromtimestamp(moment, datetime.UTC)
    except (OverflowError, ValueError, OSError):
        found = datetime.datetime.fromtimestamp(0, datetime.UTC)
    return found.strftime("%Y-%m-%dT%H:%M:%SZ")
