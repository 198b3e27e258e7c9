"""Puts what a step takes away into the store, and makes it again from there: files, links, whole folders."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from metona_tk.operations import entries, metadata
from metona_tk.operations.atomic import Fill, create, temp_name
from metona_tk.operations.contents import digest_of, read_attributes
from metona_tk.operations.entries import OpenFolder
from metona_tk.operations.failures import ChangedSince
from metona_tk.operations.states import from_stat, state_of
from metona_tk.operations.steps import Saved, Step, fields_of
from metona_tk.operations.store import Store
from metona_tk.protocol.changes import FileState


@dataclass(frozen=True, slots=True)
class Saver:
    """Saves and makes again, with one store."""

    store: Store
    go_on: Callable[[], None] = lambda: None  # called between two files; raises what ends it

    def save(self, folder: OpenFolder, name: str, state: FileState, with_bytes: bool) -> Saved:
        """What is at a place. ChangedSince where its bytes are not those that `state` tells of."""
        if state.kind == "file":
            return self._save_file(folder, name, state, with_bytes)
        if state.kind == "directory":
            inner = entries.below(folder, name)
            try:
                rows = list(self._rows(inner, "")) if with_bytes else []
                listing = self.store.put(json.dumps(rows).encode()) if with_bytes else ""
                found = entries.lstat(folder, name)
                return Saved(state, listing, read_attributes(inner), _owner(found) if found else (0, 0))
            finally:
                inner.close()
        found = entries.lstat(folder, name)
        return Saved(state, owner=_owner(found) if found else (0, 0))

    def _save_file(self, folder: OpenFolder, name: str, state: FileState, with_bytes: bool) -> Saved:
        fd = entries.open_read(folder, name)
        try:
            found = os.fstat(fd)
            if (found.st_dev, found.st_ino) != (state.device, state.inode):
                raise ChangedSince(os.path.join(folder.path, name))
            content = self.store.put_open(fd) if with_bytes else ""
            if content and state.digest and content != state.digest:
                raise ChangedSince(os.path.join(folder.path, name))
            return Saved(state, content, metadata.read_xattrs(fd), _owner(found))
        finally:
            os.close(fd)

    def _rows(self, folder: OpenFolder, above: str) -> Iterator[dict[str, Any]]:
        for name in entries.names_in(folder):
            self.go_on()
            found = entries.lstat(folder, name)
            state = state_of(folder, name)
            row: dict[str, Any] = {"name": above + name, "state": fields_of(state)}
            row["owner"] = _owner(found) if found else (0, 0)
            if state.kind == "file":
                saved = self._save_file(folder, name, state, True)
                row |= {"content": saved.content, "xattrs": saved.xattrs, "owner": saved.owner}
            if state.kind != "directory":
                yield row
                continue
            inner = entries.below(folder, name)
            try:
                yield row | {"xattrs": read_attributes(inner)}
                yield from self._rows(inner, f"{above}{name}/")
            finally:
                inner.close()

    def contents(self, saved: Saved) -> str:
        """What a kept folder held, as `contents.tree_contents` tells it of one on the disk; "" where it is not kept."""
        if not saved.content or saved.state.kind != "directory":
            return ""
        rows = json.loads(self.store.get(saved.content))
        inside = (
            (row["name"], FileState(**row["state"]), row.get("content", ""), row.get("xattrs", {})) for row in rows
        )
        return digest_of([("", saved.state, "", saved.xattrs), *inside])

    def objects_in(self, saved: Saved) -> list[str]:
        """Every object that is needed to make it again."""
        if not saved.content:
            return []
        if saved.state.kind != "directory":
            return [saved.content]
        rows = json.loads(self.store.get(saved.content))
        return [saved.content, *(row["content"] for row in rows if row.get("content"))]

    def needed_by(self, steps: Sequence[Step]) -> list[str]:
        """Every object that undoing these steps needs."""
        return [digest for step in steps if step.saved for digest in self.objects_in(step.saved)]

    def check(self, saved: Saved) -> None:
        """Damaged or FileNotFoundError where it cannot be made again whole."""
        for digest in self.objects_in(saved):
            self.store.check(digest)

    # --- making it again -------------------------------------------------------------------------------------------

    def bytes_filler(self, saved: Saved, path: str) -> Fill:
        """Writes the bytes, with their time."""

        def fill(fd: int) -> None:
            self.store.copy_to(saved.content, fd)
            metadata.set_modified(fd, path, saved.state.modified_ns)

        return fill

    def filler(self, saved: Saved, path: str) -> Fill:
        """Writes the very file: bytes, time, owner, attributes, mode."""
        fill_bytes = self.bytes_filler(saved, path)

        def fill(fd: int) -> None:
            fill_bytes(fd)
            metadata.give_owner(fd, *saved.owner)
            metadata.write_xattrs(fd, saved.xattrs)
            metadata.set_mode(fd, saved.state.mode)

        return fill

    def make(self, saved: Saved, folder: OpenFolder, name: str, temp: str) -> None:
        """Make it again under a free name, in one instant. FileExistsError, and nothing done, where it is taken."""
        if saved.state.kind == "file":
            create(folder, name, temp, self.filler(saved, os.path.join(folder.path, temp)), 0o600)
        elif saved.state.kind == "symlink":
            entries.symlink(saved.state.target, folder, name, saved.owner)
            entries.sync(folder)
        else:
            self._make_folder(saved, folder, name, temp)

    def settle(self, saved: Saved, folder: OpenFolder, name: str) -> None:
        """Give a folder that was made again what it had; its owner can put something into it all the same."""
        inner = entries.below(folder, name)
        try:
            state = dataclasses.replace(saved.state, mode=saved.state.mode | 0o700)
            _settle(inner, state, saved.owner, saved.xattrs)
        finally:
            inner.close()

    def _make_folder(self, saved: Saved, folder: OpenFolder, name: str, temp: str) -> None:
        rows = json.loads(self.store.get(saved.content))
        entries.mkdir(folder, temp, 0o700)
        try:
            inner = entries.below(folder, temp)
            try:
                self._fill_folder(inner, rows, "")
                _settle(inner, saved.state, saved.owner, saved.xattrs)
            finally:
                inner.close()
            entries.rename_new(folder, temp, folder, name)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                remove_tree(folder, temp)
            raise
        entries.sync(folder)

    def _fill_folder(self, folder: OpenFolder, rows: list[dict[str, Any]], above: str) -> None:
        for row in rows:
            relative = row["name"]
            if not relative.startswith(above) or "/" in relative[len(above) :]:
                continue
            name, state = relative[len(above) :], FileState(**row["state"])
            if state.kind == "directory":
                entries.mkdir(folder, name, 0o700)
                inner = entries.below(folder, name)
                try:
                    self._fill_folder(
                        inner, [each for each in rows if each["name"].startswith(f"{relative}/")], f"{relative}/"
                    )
                    _settle(inner, state, tuple(row["owner"]), row["xattrs"])
                finally:
                    inner.close()
            elif state.kind == "file":
                self.make(Saved(state, row["content"], row["xattrs"], tuple(row["owner"])), folder, name, temp_name())
            elif state.kind == "symlink":
                entries.symlink(state.target, folder, name, tuple(row["owner"]))


def _owner(found: os.stat_result) -> tuple[int, int]:
    return found.st_uid, found.st_gid


def _settle(folder: OpenFolder, state: FileState, owner: tuple[int, int], xattrs: dict[str, str]) -> None:
    """Owner, attributes, mode and time of a folder, once everything is in it."""
    if folder.fd >= 0:
        metadata.give_owner(folder.fd, *owner)
        metadata.write_xattrs(folder.fd, xattrs)
        metadata.set_mode(folder.fd, state.mode)
        os.utime(folder.fd, ns=(state.modified_ns, state.modified_ns))


def remove_tree(folder: OpenFolder, name: str) -> None:
    """Remove a name with all that is in it, through handles; no link is followed."""
    found = entries.lstat(folder, name)
    if found is None:
        raise FileNotFoundError(name)
    if not stat.S_ISDIR(found.st_mode):
        entries.unlink(folder, name)
        return
    inner = entries.below(folder, name)
    try:
        if inner.fd >= 0:
            metadata.set_mode(inner.fd, 0o700)
        for each in entries.names_in(inner):
            remove_tree(inner, each)
    finally:
        inner.close()
    entries.rmdir(folder, name)


def tree_size(folder: OpenFolder, name: str) -> int:
    """Bytes of all files of a name."""
    found = entries.lstat(folder, name)
    if found is None:
        return 0
    state = from_stat(found)
    if state.kind != "directory":
        return state.size
    inner = entries.below(folder, name)
    try:
        return sum(tree_size(inner, each) for each in entries.names_in(inner))
    finally:
        inner.close()
