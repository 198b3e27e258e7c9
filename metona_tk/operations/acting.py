"""Prepares and does one step, through handles of the folders it is about. Counterpart: `running`."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import hashlib
import os
from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from metona_tk.operations import atomic, bins, entries, metadata
from metona_tk.operations.contents import tree_contents
from metona_tk.operations.entries import OpenFolder, OpenPlace
from metona_tk.operations.failpoints import reached
from metona_tk.operations.failures import ChangedSince, OperationFailed
from metona_tk.operations.saving import Saver, remove_tree, tree_size
from metona_tk.operations.states import is_exactly, is_same_thing, state_of
from metona_tk.operations.steps import Step, StepKind
from metona_tk.protocol.changes import NOTHING, FileState
from metona_tk.protocol.problems import Code

_REPLACES = frozenset([StepKind.WRITE, StepKind.MOVE, StepKind.COPY])
_GONE = frozenset([errno.ENOENT, errno.ENOTDIR])


@dataclass(frozen=True, slots=True)
class Actor:
    """Does steps. `final`: what no bin takes and no store holds may go for good. `go_on` raises what ends long ones."""

    open_place: OpenPlace
    saver: Saver
    final: bool = False
    go_on: Callable[[], None] = lambda: None

    @contextmanager
    def _open(self, path: str) -> Generator[tuple[OpenFolder, str]]:
        folder, name = os.path.split(path)
        opened = self.open_place(folder)
        try:
            yield opened, name
        finally:
            opened.close()

    def look(self, path: str, digest: bool = True) -> FileState:
        """What is at a path; nothing where its folder is not there either."""
        try:
            with self._open(path) as (folder, name):
                return state_of(folder, name, digest)
        except OSError as error:
            if error.errno in _GONE:
                return NOTHING
            raise

    def read(self, path: str, most: int) -> bytes | None:
        """The bytes of a regular file up to `most`; None where there is none, or more."""
        try:
            with self._open(path) as (folder, name):
                fd = entries.open_read(folder, name)
        except OSError:
            return None
        with os.fdopen(fd, "rb") as file:
            content = file.read(most + 1)
        return content if len(content) <= most else None

    def names(self, path: str) -> list[str]:
        """Every name in a folder."""
        folder = self.open_place(path)
        try:
            return entries.names_in(folder)
        finally:
            folder.close()

    def contents(self, path: str) -> str:
        """What a folder holds, as `contents` tells it; "" where that cannot be told."""
        try:
            with self._open(path) as (folder, name):
                return tree_contents(folder, name)
        except OSError:
            return ""

    def size_of(self, path: str) -> int:
        """Bytes of all files of a thing; 0 where it is not there."""
        try:
            with self._open(path) as (folder, name):
                return tree_size(folder, name)
        except OSError:
            return 0

    # --- before ----------------------------------------------------------------------------------------------------

    def prepare(self, step: Step, with_bytes: bool, freed: Collection[str] = ()) -> Step:
        """The step with everything kept that it takes away. ChangedSince where the disk is not as the step says.

        `freed`: places that earlier steps leave empty; what is there now is not what this step will find.
        """
        if step.kind in _REPLACES and step.before.kind not in {"none", "file"}:
            raise OperationFailed(Code.EXISTS, step.path, "only a file can be replaced")
        stored = with_bytes and step.before.kind == "file" and step.before.digest != ""  # looked at when it is stored
        if step.path not in freed:
            self._check(step.path, step.before, not stored)
        if step.source:
            self._check(step.source, step.source_before)
        step = dataclasses.replace(step, temp=atomic.temp_name())
        if step.kind is StepKind.MOVE and step.source_before.kind == "directory":
            step = dataclasses.replace(step, contents=self.contents(step.source))
        if step.before.kind != "none" and step.kind is not StepKind.FOLDER:
            with self._open(step.path) as (folder, name):
                inside = with_bytes and step.kind is not StepKind.REMOVE_FOLDER  # which will be empty
                step = dataclasses.replace(step, saved=self.saver.save(folder, name, step.before, inside))
                reached("stored")
        if step.give is not None and step.kind in {StepKind.WRITE, StepKind.RESTORE}:
            return dataclasses.replace(step, wanted=step.give.state.digest)
        return dataclasses.replace(step, wanted=self._wanted(step))

    def _check(self, path: str, wanted: FileState, with_bytes: bool = True) -> None:
        now = self.look(path, with_bytes and wanted.digest != "")
        if not (is_exactly(now, wanted) if with_bytes else is_same_thing(now, wanted)):
            raise ChangedSince(path)

    def _wanted(self, step: Step) -> str:
        if step.kind is StepKind.COPY:
            return step.source_before.digest
        if step.kind not in {StepKind.CREATE, StepKind.WRITE}:
            return ""
        hashed = hashlib.sha256()
        if step.keep:
            with self._open(step.path) as (folder, name):
                fd = entries.open_read(folder, name)
            with os.fdopen(fd, "rb") as file:
                left = step.keep
                while block := file.read(min(1 << 20, left)):
                    hashed.update(block)
                    left -= len(block)
        hashed.update(step.content)
        return hashed.hexdigest()

    # --- the deed --------------------------------------------------------------------------------------------------

    def act(self, step: Step) -> Step:
        """Do it; the step with what is there afterwards. ChangedSince, OSError, OperationFailed: then nothing was."""
        done = _DOES[step.kind](self, step)
        known = done.source_before.digest if done.kind is StepKind.MOVE else done.wanted
        after = self.look(step.path, known == "" and done.kind is not StepKind.DELETE)
        if known and after.kind != "none":
            after = dataclasses.replace(after, digest=known)
        return dataclasses.replace(done, acted=True, after=after, content=b"")

    def _create(self, step: Step) -> Step:
        with self._open(step.path) as (folder, name):
            atomic.create(folder, name, step.temp, atomic.filler(step.content))
        return step

    def _write(self, step: Step) -> Step:
        with self._open(step.path) as (folder, name):
            fill = self._contents(step, folder, name)
            atomic.replace(folder, name, step.temp, fill, step.before)
        return step

    def _contents(self, step: Step, folder: OpenFolder, name: str) -> atomic.Fill:
        if step.give is not None:
            # nothing but bytes was changed: what the user has given the file since, as its mode, stays
            given = self.saver.bytes_filler(step.give, os.path.join(folder.path, step.temp))
            return atomic.like(folder, name, given)
        new = atomic.filler(step.content)

        def fill(fd: int) -> None:
            if step.keep:
                source = entries.open_read(folder, name)
                try:
                    atomic.copy_bytes(source, fd, step.keep)
                finally:
                    os.close(source)
            new(fd)

        return atomic.like(folder, name, fill)

    def _copy(self, step: Step) -> Step:
        with self._open(step.source) as (place, source_name):
            source = entries.open_read(place, source_name)
        try:
            found = os.fstat(source)
            if (found.st_dev, found.st_ino) != (step.source_before.device, step.source_before.inode):
                raise ChangedSince(step.source)
            with self._open(step.path) as (folder, name):
                copied = self._copy_into(step, source, found, folder, name)
        finally:
            os.close(source)
        return dataclasses.replace(step, wanted=copied)

    def _copy_into(self, step: Step, source: int, found: os.stat_result, folder: OpenFolder, name: str) -> str:
        copied: list[str] = []

        def fill(fd: int) -> None:
            copied.append(atomic.copy_hashed(source, fd, self.go_on))
            if copied[0] != step.wanted if step.wanted else not _is_as_it_was(source, found):
                raise ChangedSince(step.source)
            if step.exact and step.before.kind == "none":
                metadata.copy_metadata(source, fd)
            elif step.before.kind == "none":
                metadata.set_mode(fd, found.st_mode & 0o777)
            metadata.set_modified(fd, os.path.join(folder.path, step.temp), found.st_mtime_ns)

        if step.before.kind == "none":
            atomic.create(folder, name, step.temp, fill)
        else:
            atomic.replace(folder, name, step.temp, atomic.like(folder, name, fill), step.before)
        return copied[0]

    def _link(self, step: Step) -> Step:
        with self._open(step.source) as (place, old):
            found = entries.lstat(place, old)
        with self._open(step.path) as (folder, name):
            entries.symlink(step.source_before.target, folder, name, (found.st_uid, found.st_gid) if found else None)
            reached("replaced")
            entries.sync(folder)
        return step

    def _folder(self, step: Step) -> Step:
        with self._open(step.path) as (folder, name):
            entries.mkdir(folder, name)
            reached("replaced")
            if step.exact:
                self._make_like(step.source, folder, name)
            elif step.give is not None:
                self.saver.settle(step.give, folder, name)
            entries.sync(folder)
        return step

    def _make_like(self, source: str, folder: OpenFolder, name: str) -> None:
        """Owner, attributes and mode of another folder; its owner can put something into it all the same."""
        old, new = self.open_place(source), entries.below(folder, name)
        try:
            if new.fd >= 0:
                metadata.copy_metadata(old.fd, new.fd)
                metadata.set_mode(new.fd, os.fstat(old.fd).st_mode & 0o7777 | 0o700)
        finally:
            new.close()
            old.close()

    def _move(self, step: Step) -> Step:
        with self._open(step.source) as (place, old), self._open(step.path) as (folder, new):
            if step.before.kind == "none":
                entries.rename_new(place, old, folder, new)
                self._check_moved(step, place, old, folder, new)
            elif entries.exchange(place, old, folder, new):
                self._check_swapped(step, place, old, folder, new)
            else:
                entries.replace(place, old, folder, new)
            reached("moved")
            entries.sync(folder)
            entries.sync(place)
        return step

    def _check_moved(self, step: Step, place: OpenFolder, old: str, folder: OpenFolder, new: str) -> None:
        found = entries.lstat(folder, new)
        if found is None or (found.st_dev, found.st_ino) != (step.source_before.device, step.source_before.inode):
            entries.give_back(folder, new, place, old)
            raise ChangedSince(step.source)

    def _check_swapped(self, step: Step, place: OpenFolder, old: str, folder: OpenFolder, new: str) -> None:
        """The replaced file is at the source's name now: it goes, if it is the one that was meant."""
        found = entries.lstat(folder, new)
        moved = found is not None and found.st_ino == step.source_before.inode
        if not (moved and atomic.is_untouched(place, old, step.before)):
            entries.exchange(place, old, folder, new)
            raise ChangedSince(step.path)
        reached("replaced")
        atomic.set_apart(place, old, folder, step.temp, step.before)
        entries.unlink(folder, step.temp)

    def _delete(self, step: Step) -> Step:
        with self._open(step.path) as (folder, name):
            try:
                entry = bins.trash(folder, name, step.before)
            except bins.NoBin:
                entry = None
                self._remove(step, folder, name)
            entries.sync(folder)
        return dataclasses.replace(step, bin=entry)

    def _remove(self, step: Step, folder: OpenFolder, name: str) -> None:
        """Where there is no bin: the store has it, or the user knows that it is for good."""
        kept = step.saved is not None and (step.saved.content or step.before.kind == "symlink")
        if not kept and not self.final:
            raise OperationFailed(Code.NOT_RECOVERABLE, step.path, "there is no recycle bin for it")
        atomic.set_apart(folder, name, folder, step.temp, step.before)
        reached("replaced")
        remove_tree(folder, step.temp)

    def _remove_folder(self, step: Step) -> Step:
        with self._open(step.path) as (folder, name):
            entries.rmdir(folder, name)
            reached("replaced")
            entries.sync(folder)
        return step

    def _restore(self, step: Step) -> Step:
        if step.give is None:
            raise FileNotFoundError(errno.ENOENT, "nothing was kept", step.path)
        with self._open(step.path) as (folder, name):
            if step.bin is not None and _is_unchanged(step.bin, step.give.state):
                with contextlib.suppress(FileNotFoundError):
                    bins.restore(step.bin, folder, name)
                    entries.sync(folder)
                    reached("replaced")
                    return dataclasses.replace(step, wanted="", contents=self.saver.contents(step.give))
            self.saver.make(step.give, folder, name, step.temp)
        return dataclasses.replace(step, wanted="", contents=self.saver.contents(step.give))


def _is_as_it_was(fd: int, before: os.stat_result) -> bool:
    now = os.fstat(fd)
    return (now.st_size, now.st_mtime_ns, now.st_ctime_ns) == (before.st_size, before.st_mtime_ns, before.st_ctime_ns)


def _is_unchanged(entry: bins.BinEntry, state: FileState) -> bool:
    """Whether the bin still has the very thing; a file that somebody edited there is not."""
    if not bins.is_there(entry):
        return False
    found = os.lstat(os.path.join(entry.files, entry.name))
    return state.kind == "directory" or (found.st_size, found.st_mtime_ns) == (state.size, state.modified_ns)


_DOES: dict[StepKind, Callable[[Actor, Step], Step]] = {
    StepKind.CREATE: Actor._create,  # pyright: ignore[reportPrivateUsage]
    StepKind.WRITE: Actor._write,  # pyright: ignore[reportPrivateUsage]
    StepKind.COPY: Actor._copy,  # pyright: ignore[reportPrivateUsage]
    StepKind.LINK: Actor._link,  # pyright: ignore[reportPrivateUsage]
    StepKind.FOLDER: Actor._folder,  # pyright: ignore[reportPrivateUsage]
    StepKind.MOVE: Actor._move,  # pyright: ignore[reportPrivateUsage]
    StepKind.DELETE: Actor._delete,  # pyright: ignore[reportPrivateUsage]
    StepKind.REMOVE_FOLDER: Actor._remove_folder,  # pyright: ignore[reportPrivateUsage]
    StepKind.RESTORE: Actor._restore,  # pyright: ignore[reportPrivateUsage]
}
