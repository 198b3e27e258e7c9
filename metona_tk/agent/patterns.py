"""What a pattern of a path means: names in folders, found through checked handles. Counterpart: `plan_context`.

`*`, `?` and `[...]` within a name, `**` for any depth; hidden names only where the pattern's own part begins with a
dot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fnmatch import translate
from typing import Protocol

MOST_HITS = 2000
_MOST_SEEN = 200_000  # names that are looked at
_WILD = re.compile(r"[*?\[]")


class Folder(Protocol):
    """What is needed of a folder: names with whether each is a folder, and a way down."""

    def names(self) -> Iterator[tuple[str, bool]]: ...
    def below(self, name: str) -> Folder | None: ...
    def close(self) -> None: ...


class TooMany(Exception):
    """A pattern that means more than anybody can look over."""


def is_pattern(typed: str) -> bool:
    """Whether a path has a wild card in it."""
    return _WILD.search(typed) is not None


def split(typed: str) -> tuple[str, list[str]]:
    """The folder before the first wild card ("." where there is none), and the parts from there on."""
    parts = [part for part in typed.split("/") if part not in {"", "."}]
    at = next(place for place, part in enumerate(parts) if _WILD.search(part))
    head = ("/" if typed.startswith("/") else "") + "/".join(parts[:at])
    return head or ".", parts[at:]


def expand(folder: Folder, parts: list[str]) -> list[str]:
    """Relative paths (with `/`) of all that the parts mean below `folder`, sorted. TooMany beyond MOST_HITS.

    Where no name matches in the case as written, any case will do.
    """
    for fold in (False, True):
        budget = [_MOST_SEEN]
        if found := sorted(set(_walk(folder, parts, "", fold, budget))):
            if len(found) > MOST_HITS:
                raise TooMany
            return found
    return []


def _matcher(part: str, fold: bool) -> Callable[[str], bool]:
    pattern = re.compile(translate(part), re.IGNORECASE if fold else 0)
    return lambda name: (not name.startswith(".") or part.startswith(".")) and pattern.match(name) is not None


def _walk(folder: Folder, parts: list[str], above: str, fold: bool, budget: list[int]) -> Iterator[str]:
    part, rest = parts[0], parts[1:]
    if part == "**":
        if rest:
            yield from _walk(folder, rest, above, fold, budget)
        yield from _deeper(folder, lambda name: not name.startswith("."), parts, above, fold, budget)
        return
    matches = _matcher(part, fold)
    if rest:
        yield from _deeper(folder, matches, rest, above, fold, budget)
        return
    for name, _ in _names(folder, budget):
        if matches(name):
            yield above + name


def _deeper(
    folder: Folder, wanted: Callable[[str], bool], parts: list[str], above: str, fold: bool, budget: list[int]
) -> Iterator[str]:
    for name, is_folder in _names(folder, budget):
        if not is_folder or not wanted(name):
            continue
        inner = folder.below(name)
        if inner is None:
            continue
        try:
            yield from _walk(inner, parts, f"{above}{name}/", fold, budget)
        finally:
            inner.close()


def _names(folder: Folder, budget: list[int]) -> list[tuple[str, bool]]:
    found = list(folder.names())
    budget[0] -= len(found)
    if budget[0] < 0:
        raise TooMany
    return found
