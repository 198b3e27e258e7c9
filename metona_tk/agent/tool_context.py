"""What a running tool is given: handles on what the gate approved, ripgrep behind its wall, its limits.

The only place where tools and security meet; errors of the gate and of the system become answers for the model here.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from metona_tk.agent.masks import Masks
from metona_tk.operations.states import from_stat
from metona_tk.protocol.changes import FileState
from metona_tk.protocol.problems import Code
from metona_tk.security.handles import Entry, Guard, OpenFile, OpenFolder, open_file, open_folder, refusal
from metona_tk.security.names import fold, is_sensitive, sensitive_globs
from metona_tk.security.paths import GateError, PathGate, Target
from metona_tk.security.policy import Grant
from metona_tk.security.sandbox import launch
from metona_tk.tools.base import FileHandle, FolderHandle, KeyScan, Part, Reading, ToolFailed

BUDGET_SHARE = 4  # a result gets at most this part of the model's window
CHARACTERS_A_TOKEN = 3.0  # as `tools.base.weight` counts characters; before a server has counted
# no rules from elsewhere, no other disks, and a bound on what one pattern may take of memory
_ALWAYS = ("--no-ignore-global", "--one-file-system", "--regex-size-limit", "10M", "--dfa-size-limit", "10M")


@contextmanager
def answering(name: str) -> Generator[None]:
    """Errors of the gate and the system, as answers that name the path as the model knows it."""
    try:
        yield
    except GateError as error:
        raise ToolFailed(error.code, error.text) from error
    except OSError as error:
        told = refusal(error, name)
        raise ToolFailed(told.code, told.text) from error


@dataclass(slots=True)
class _File:
    """A file handle whose errors are answers."""

    inner: OpenFile
    name: str

    @property
    def path(self) -> str:
        return self.inner.path

    @property
    def stat(self) -> os.stat_result:
        return self.inner.stat

    def read(self, count: int) -> bytes:
        with answering(self.name):
            return self.inner.read(count)

    def rewind(self) -> None:
        self.inner.rewind()

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        self.inner.close()


@dataclass(slots=True)
class _Folder:
    """A folder handle whose errors are answers."""

    inner: OpenFolder
    name: str

    @property
    def path(self) -> str:
        return self.inner.path

    def scan(self, with_stat: bool) -> Iterator[Entry]:
        with answering(self.name):
            yield from self.inner.scan(with_stat)

    def stat(self, name: str) -> os.stat_result | None:
        return self.inner.stat(name)

    def folder(self, name: str) -> _Folder:
        with answering(name):
            return _Folder(self.inner.folder(name), name)

    def holds(self, relative: str) -> bool:
        return self.inner.holds(relative)

    def file(self, relative: str) -> _File:
        with answering(relative):
            return _File(self.inner.file(relative), relative)

    def __enter__(self) -> _Folder:
        return self

    def __exit__(self, *_: object) -> None:
        self.inner.close()


def make_guard(gate: PathGate, allowed_files: frozenset[str], hidden_files: frozenset[str] = frozenset()) -> Guard:
    """What no walk may enter or read, by path and by identity."""
    from metona_tk.security.names import folded_parts

    def closed_folder(path: str) -> bool:
        parts = folded_parts(path)
        return gate.protected.is_private(parts) or gate.protected.is_protected(parts)

    def sensitive(path: str, name: str) -> bool:
        return path not in allowed_files and (path in hidden_files or is_sensitive(name))

    closed = gate.protected.identities()

    def closed_identity(found: os.stat_result) -> bool:
        if (found.st_dev, found.st_ino) in closed:
            return True
        return not stat.S_ISDIR(found.st_mode) and gate.protected.is_closed_identity(found)

    return Guard(closed_folder, closed_identity, sensitive)


@dataclass(slots=True)
class CallContext:
    """The ToolContext of one call. `targets`: typed path -> what the gate approved for it."""

    gate: PathGate
    guard: Guard
    targets: Mapping[str, Target]
    num_ctx: int
    seconds: float
    is_stopped: Callable[[], bool]
    preferred_encoding: str = ""
    grants: tuple[Grant, ...] = ()
    characters_a_token: float = CHARACTERS_A_TOKEN
    masks: Masks = field(default_factory=Masks)
    keep_read: Callable[[str, FileState, str, Part], None] | None = None
    started: float = field(default_factory=time.monotonic)

    @property
    def text_budget(self) -> int:
        return int(self.num_ctx * self.characters_a_token / BUDGET_SHARE)

    def stopped(self) -> bool:
        return self.is_stopped()

    def remaining(self) -> float:
        return max(0.0, self.seconds - (time.monotonic() - self.started))

    def kind(self, path: str) -> str | None:
        return self.targets[path].kind

    def shown(self, absolute: str) -> str:
        return self.gate.shown(absolute)

    def open_file(self, path: str) -> FileHandle:
        target = self.targets[path]
        with answering(self._name(target)):
            # what was judged as a folder is never opened as a file; opening a FIFO would wake its writer
            if target.kind == "directory":
                raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), path)
            if target.kind in {"other", "symlink"}:
                raise OSError(errno.ENXIO, os.strerror(errno.ENXIO), path)
            return _File(open_file(target.resolved, self.guard), self._name(target))

    def open_folder(self, path: str) -> FolderHandle:
        return self._folder(self.targets[path].resolved)

    def open_parent(self, path: str) -> FolderHandle:
        target = self.targets[path]
        folder = os.path.dirname(target.resolved)
        if not self._is_open(folder):
            raise ToolFailed(Code.NOT_A_DIRECTORY, f"{self._name(target)} is a file, and its folder is not open.")
        return self._folder(folder)

    def _is_open(self, folder: str) -> bool:
        """Whether a folder lies in a root, or in what the user opened for reading."""
        return self._in_a_root(folder) or any(
            folder == grant.folder or (grant.deep and folder.startswith(grant.folder.rstrip(os.sep) + os.sep))
            for grant in self.grants
        )

    def _in_a_root(self, path: str) -> bool:
        roots = [root.real for root in self.gate.roots]
        return any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in roots)

    def open_workspace(self) -> FolderHandle:
        return self._folder(self.gate.workspace.real)

    def _folder(self, path: str) -> FolderHandle:
        name = self.shown(path)
        with answering(name):
            opened = open_folder(path, self.guard)
            opened.deep = self._opened_deep(path)
            return _Folder(opened, name)

    def _opened_deep(self, path: str) -> bool:
        """False for a folder of which the user opened only what lies directly in it."""
        return self._in_a_root(path) or all(grant.deep or grant.folder != path for grant in self.grants)

    def _name(self, target: Target) -> str:
        return self.shown(target.resolved)

    def sensitive(self, name: str) -> bool:
        return is_sensitive(name)

    def key_scan(self) -> KeyScan:
        return self.masks.key_scan()

    def mask_window(self, path: str, window: str, before: str, inside_key: bool, cut: bool, after: str = "") -> str:
        return self.masks.masker.mask_window(path, window, before, inside_key, cut, after)

    def mask_line(self, path: str, line: str, before: str, inside_key: bool) -> str:
        return self.masks.masker.mask_line(path, line, before, inside_key)

    def mask_lines(self, path: str, lines: list[str]) -> list[str]:
        return self.masks.masker.mask_lines(path, lines)

    def mask_places(self, path: str, text: str, places: list[tuple[int, int]]) -> list[str]:
        return self.masks.masker.mask_places(path, text, places)

    def first_match(self, pattern: str, text: str) -> int | None:
        from metona_tk.security.linear import first_match

        return first_match(pattern, text)

    def mask_bytes(self, path: str, raw: bytes) -> bytes:
        return self.masks.masker.mask_bytes(path, raw)

    def betrays(self, path: str, raw: bytes, shown: bytes, text: str) -> bool:
        from metona_tk.agent.readings import betrays

        return betrays(path, raw, shown, text)

    def was_read(self, file: FileHandle, encoding: str, part: Part) -> None:
        if self.keep_read is not None:
            self.keep_read(file.path, from_stat(file.stat), encoding, part)

    def ripgrep(
        self, options: list[str], folder: FolderHandle | None = None, stdin: FileHandle | bytes | None = None
    ) -> Reading:
        program = launch.ripgrep()
        if program is None:
            raise ToolFailed(Code.IO_ERROR, "The search program (ripgrep) is missing. Tell the user to reinstall.")
        argv = [program, "--no-config", "--color", "never", *_ALWAYS, *options]
        source = stdin.inner.fd if isinstance(stdin, _File) else stdin if isinstance(stdin, bytes) else None
        try:
            if isinstance(folder, _Folder):
                started = self._ripgrep_in(argv, folder.inner)
            else:
                started = launch.start_reader([*argv, "--", "-"], stdin=source)
        except OSError as error:
            raise ToolFailed(Code.IO_ERROR, f"The search could not be started: {error.strerror}.") from error
        threading.Thread(target=started.watch, args=(self._go_on,), name="watch-reader", daemon=True).start()
        return started

    def _go_on(self) -> bool:
        return not self.stopped() and self.remaining() > 0

    def _ripgrep_in(self, argv: list[str], folder: OpenFolder) -> launch.Reading:
        argv = [*argv, *self._left_out(folder.path, names="--files" not in argv), "--", "./"]
        if folder.path == self.gate.workspace.real:
            argv.insert(1, "--no-ignore-parent")  # rules above the workspace are not the user's for it
        if not folder.deep:
            argv[1:1] = ["--max-depth", "1"]
        where = folder.fd if launch.FOLDER_BY_DESCRIPTOR else folder.path
        readable = [folder.fd]
        workspace = -1
        try:
            if folder.path != self.gate.workspace.real and self._below_workspace(folder.path):
                # the workspace's own .gitignore holds for its folders too
                workspace = open_folder(self.gate.workspace.real, self.guard).fd
                readable.append(workspace)
            return launch.start_reader(argv, where, None, tuple(readable))
        finally:
            if workspace >= 0:
                os.close(workspace)

    def _below_workspace(self, path: str) -> bool:
        return path.startswith(self.gate.workspace.real.rstrip(os.sep) + os.sep)

    def _left_out(self, folder: str, names: bool) -> list[str]:
        """Globs for what a walk must not see. Names of sensitive files are counted by the tool, contents never read."""
        from metona_tk.security.names import folded_parts

        globs = ["!.git/"]
        for parts in self.gate.protected.below(folded_parts(folder)):
            globs.append("!/" + "/".join(_escaped(part) for part in parts))
        options = [argument for glob in globs for argument in ("--iglob", glob)]
        if names:
            # a type holds for files alone: a folder named "passwords" does not hide what is in it
            for pattern in sensitive_globs():
                options += ["--type-add", f"secrets:{_any_case(pattern)}"]
            options += ["--type-not", "secrets"]
        return options


def _any_case(pattern: str) -> str:
    return "".join(f"[{char}{char.upper()}]" if "a" <= char <= "z" else char for char in pattern)


def _escaped(part: str) -> str:
    return "".join(f"[{char}]" if char in "*?[]{}!" else char for char in fold(part))
