"""What a task is that changes files, and how its deed is judged. Counterpart: `changes`, which sets the tasks.

The answer is not looked at: only the bytes of the folder count.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from metona_tk.tools.nearest import common_ends
from tests.evals.question import Half, Language

Tree = dict[str, bytes | None]
"""Every file by its path in the folder; a folder ends in "/" and has None."""


@dataclass(frozen=True)
class Task:
    """`want` gives the trees that are right, made from the tree as it was; the first one says what is meant."""

    id: str
    kind: str
    text: str
    want: Callable[[Tree], list[Tree]]
    language: Language = "en"
    half: Half = "tune"


def tree(root: Path) -> Tree:
    """The folder as it is now, links not followed."""
    found: Tree = {}
    for folder, folders, names in os.walk(root):
        at = Path(folder)
        found |= {f"{(at / name).relative_to(root).as_posix()}/": None for name in folders}
        for name in names:
            path = at / name
            data = os.fsencode(os.readlink(path)) if path.is_symlink() else path.read_bytes()
            found[path.relative_to(root).as_posix()] = data
    return found


def misses(task: Task, before: Tree, after: Tree) -> list[str]:
    """Why the deed is not what was asked; empty when it is."""
    wanted = task.want(before)
    if after in wanted:
        return []
    return [f"not as asked: {', '.join(_differing(wanted[0], after)[:4])}"]


def harms(task: Task, before: Tree, after: Tree) -> list[str]:
    """What was changed that nobody asked to change: other files, other bytes of the same file, bytes that are gone."""
    wanted = task.want(before)
    found: list[str] = []
    for path in _differing(before, after):
        if after.get(path) not in [want.get(path) for want in wanted] or (path in after) != (path in wanted[0]):
            found += [path] * _outside(before, after, wanted, path)
    kept = {data for data in wanted[0].values() if data} & {data for data in before.values() if data}
    lost = [path for path, data in before.items() if data in kept and data not in after.values()]
    return found + [f"lost: {path}" for path in lost if path not in found]


def _differing(one: Tree, other: Tree) -> list[str]:
    return sorted(path for path in {*one, *other} if (path in one, one.get(path)) != (path in other, other.get(path)))


def _outside(before: Tree, after: Tree, wanted: list[Tree], path: str) -> bool:
    if path not in _differing(before, wanted[0]):
        return True
    old, new, want = before.get(path), after.get(path), wanted[0].get(path)
    if old is None or want is None:  # the asked file or folder itself, with other contents than asked, or gone
        return old is not None and path in after
    if new is None:
        return True
    head, tail = common_ends(old, want)
    fits = len(new) >= head + tail
    return not (fits and new[:head] == old[:head] and new[len(new) - tail :] == old[len(old) - tail :])
