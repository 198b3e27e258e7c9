"""What a typed path means: where it leads, whether that is inside the chat's folders, and what forbids it.

Only names are decided here; `handles` then opens the resolved path in a way that cannot follow anything that was put
in its place meanwhile. Both spellings count, as typed and as resolved: a deny needs one, an allow needs both.
"""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from enum import StrEnum

from metona_tk.protocol.problems import Code
from metona_tk.security.names import bad_path, folded_parts, is_within
from metona_tk.security.protected import KERNEL_FOLDERS, Parts, Protected

MAX_LINKS = 40  # as the Linux kernel counts them
_KERNEL = tuple(folded_parts(path) for path in KERNEL_FOLDERS)


class GateError(Exception):
    """A refusal: a code of SPEC 1.0 and one English sentence for the model that says what would work."""

    def __init__(self, code: Code, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class Place(StrEnum):
    """Where a path lies."""

    INSIDE = "inside"
    TYPED_OUTSIDE = "typed_outside"
    ESCAPED = "escaped"  # looks inside, leaves by a link
    PROTECTED = "protected"
    PRIVATE = "private"


@dataclass(frozen=True, slots=True)
class Root:
    """An allowed folder: as the user gave it and as it really lies, both absolute."""

    given: str
    real: str


@dataclass(frozen=True, slots=True)
class Target:
    """A typed path, understood. `resolved` has no link in it; `kind` is its type now (None = not there)."""

    typed: str
    lexical: str
    resolved: str
    place: Place
    root: Root | None
    loop: bool
    kind: str | None  # "file" | "directory" | "symlink" (only where the last link is not followed) | "other" | None


def make_root(path: str) -> Root:
    """A root from an absolute path; its links are followed once, here, because the user chose it."""
    given = os.path.normpath(os.path.abspath(path))
    return Root(given, os.path.realpath(given))


def resolve_links(path: str) -> tuple[str, bool]:
    """Follow every link in an absolute path, by name; (resolved, whether the links run in a circle).

    Parts that are not there stay as they are. Unlike os.path.realpath it tells a loop from a missing file.
    """
    drive, rest = os.path.splitdrive(path)
    todo = [part for part in reversed(rest.split(os.sep)) if part]
    done = drive + os.sep
    links = 0
    while todo:
        part = todo.pop()
        if part == os.pardir:
            done = os.path.dirname(done)
            continue
        here = os.path.join(done, part)
        try:
            target = os.readlink(here)
        except OSError as error:
            if error.errno == errno.ELOOP:
                return here, True
            done = here
            continue
        if os.sep == "\\":
            target = target.removeprefix("\\\\?\\")
        links += 1
        if links > MAX_LINKS:
            return here, True
        if os.path.isabs(target):
            drive, target = os.path.splitdrive(target)
            done = drive + os.sep
        todo += [piece for piece in reversed(target.split(os.sep)) if piece and piece != os.curdir]
    return done, False


def _is_below(path: str, folder: str, exact_case: bool) -> bool:
    mine, theirs = [part for part in path.split(os.sep) if part], [part for part in folder.split(os.sep) if part]
    if not exact_case:
        mine, theirs = [part.casefold() for part in mine], [part.casefold() for part in theirs]
    return mine[: len(theirs)] == theirs


def _without_last(path: str) -> tuple[str, bool]:
    folder, name = os.path.split(path)
    resolved, loop = resolve_links(folder)
    return os.path.join(resolved, name), loop


def _kind(path: str) -> str | None:
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return None
    if stat.S_ISLNK(mode):
        return "symlink"
    return "file" if stat.S_ISREG(mode) else "directory" if stat.S_ISDIR(mode) else "other"


@dataclass(frozen=True, slots=True)
class PathGate:
    """Understands typed paths for one chat: its workspace, its other roots, the closed places."""

    workspace: Root
    roots: tuple[Root, ...]
    home: str
    protected: Protected
    platform: str

    def target(self, typed: str, follow: bool = True) -> Target:
        """Understand `typed`; GateError(bad_path) when it cannot be a path at all. Follows links by name only.

        `follow` False: the thing of that name itself is meant, also where it is a link (moving, deleting).
        """
        reason = bad_path(typed, self.platform)
        if reason:
            raise GateError(
                Code.BAD_PATH, f"{_shown(typed)} cannot be a path: {reason}. Give the plain path of a file or folder."
            )
        lexical = os.path.normpath(os.path.join(self.workspace.given, self._expand(typed)))
        resolved, loop = resolve_links(lexical) if follow else _without_last(lexical)
        root = self._root_of(resolved)
        return Target(typed, lexical, resolved, self._place(lexical, resolved, root), root, loop, _kind(resolved))

    def _expand(self, typed: str) -> str:
        separators = "/\\" if self.platform == "win32" else "/"
        if typed == "~" or (typed[0] == "~" and typed[1] in separators):
            return os.path.join(self.home, typed[2:])
        return typed

    def _root_of(self, resolved: str) -> Root | None:
        exact = self.platform not in {"win32", "darwin"}
        found = [root for root in self.roots if _is_below(resolved, root.real, exact)]
        return max(found, key=lambda root: len(root.real), default=None)

    def _place(self, lexical: str, resolved: str, root: Root | None) -> Place:
        spellings: tuple[Parts, Parts] = (folded_parts(lexical), folded_parts(resolved))
        if any(is_within(spellings[0], kernel) for kernel in _KERNEL):
            return Place.PROTECTED
        if any(self.protected.is_private(parts) for parts in spellings):
            return Place.PRIVATE
        if any(self.protected.is_protected(parts) for parts in spellings):
            return Place.PROTECTED
        exact = self.platform not in {"win32", "darwin"}
        typed_inside = any(
            _is_below(lexical, spelling, exact) for entry in self.roots for spelling in (entry.given, entry.real)
        )
        if typed_inside:
            return Place.INSIDE if root else Place.ESCAPED
        return Place.TYPED_OUTSIDE

    def shown(self, path: str) -> str:
        """A path as results give it: relative to the workspace with `/`, absolute outside it."""
        if _is_below(path, self.workspace.real, True):
            return os.path.relpath(path, self.workspace.real).replace(os.sep, "/")
        return path


def _shown(typed: str) -> str:
    text = typed if len(typed) <= 60 else typed[:57] + "..."
    return repr(text.encode("utf-8", "backslashreplace").decode())
