"""Files that the system or a tool runs by itself, told by their place and name: a change to one is always asked for.

Pure. Compared folded and by component, as `names` does; matching too much costs a question, too little a machine.
`later_names` has the lists. Counterpart: `change_policy`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from metona_tk.security.later_names import FILES, FOLDERS, PATTERNS, PLACES
from metona_tk.security.names import folded_parts

_HASHED = re.compile(r"(?s)([^~.]{2})[0-9a-f]{4}~\d\Z")
_NUMBERED = re.compile(r"(?s)([^~.]{1,6})~\d{1,3}\Z")


def _short_key(name: str) -> tuple[str, str]:
    """The letters that an 8.3 name keeps: up to six of the stem and three of the ending."""
    stem, dot, ending = name.lstrip(".").rpartition(".")
    stem, ending = (stem, ending) if dot else (ending, "")
    return re.sub(r"[. ]", "", stem)[:6], ending[:3]


def _shortened(names: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    return {_short_key(name): kind for name, kind in names if len(name.lstrip(".")) > 8 or name[0] == "."}


_SHORT = _shortened([*FOLDERS.items(), *FILES.items()])
_SHORT_HASHED = {(stem[:2], ending): kind for (stem, ending), kind in _SHORT.items()}
_PATTERNS = tuple((re.compile(pattern + r"\Z", re.DOTALL), kind) for pattern, kind in PATTERNS)


def _by_short_name(name: str) -> str | None:
    """What a Windows short name such as `git~1` may stand for."""
    stem, _, ending = name.partition(".")
    found = _NUMBERED.match(stem)
    if found and (kind := _SHORT.get((found[1], ending))):
        return kind
    if found := _HASHED.match(stem):
        return _SHORT_HASHED.get((found[1], ending))
    return None


def _is_place(parts: Sequence[str], place: tuple[str, ...]) -> bool:
    """Whether `parts` begin with the place; `*` in it stands for any one name."""
    if len(parts) < len(place):
        return False
    return all(want in {"*", have} for have, want in zip(parts, place, strict=False))


def _by_place(parts: Sequence[str]) -> str | None:
    for start, part in enumerate(parts):
        kind = FOLDERS.get(part) or _by_short_name(part)
        if kind:
            return kind
        for place, kind in PLACES.get(part, ()):
            if _is_place(parts[start:], place):
                return kind
        if part.endswith(".git") and parts[start + 1 : start + 2] in (["config"], ["hooks"]):
            return "git"  # a repository without a working folder
    return None


@lru_cache(maxsize=8192)
def _by_name(name: str) -> str | None:
    return FILES.get(name) or next((kind for pattern, kind in _PATTERNS if pattern.match(name)), None)


def runs_later(path: str | Sequence[str]) -> str | None:
    """By what a file or folder of this path (or these components, relative or absolute) would be run; None: by nothing.

    The answer is one of "shell", "git", "editor", "autostart", "schedule", "python", "build", "system", "config".
    """
    parts = list(folded_parts(path if isinstance(path, str) else "/".join(path)))
    return (_by_place(parts) or _by_name(parts[-1])) if parts else None


def tree_runs_later(folder: str, names: Iterable[str]) -> str | None:
    """The same for a folder with all that is in it: `names` are the paths in it, relative to it."""
    return runs_later(folder) or next((kind for name in names if (kind := runs_later(f"{folder}/{name}"))), None)
