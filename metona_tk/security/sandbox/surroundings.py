"""The environment that the user's own programs get: the user's, without what an executable put into ours.

An executable finds its libraries by variables (LD_LIBRARY_PATH, TCL_LIBRARY ...) which would lead other programs to
them as well. Counterpart: `launch`, which starts those programs.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from metona_tk import places

_OURS = "_PYI_"  # what the executable's own loader hands down
_SAVED = "_ORIG"  # LD_LIBRARY_PATH_ORIG holds what LD_LIBRARY_PATH was before the loader changed it


def users_environment() -> dict[str, str]:
    """Ours for a program from sources; for an executable without all that leads into it."""
    inside = places.bundle()
    return dict(os.environ) if inside is None else without_bundle(os.environ, inside)


def without_bundle(environment: Mapping[str, str], inside: Path) -> dict[str, str]:
    """`environment` with the paths that lead to or below `inside` taken out; a variable that held no other is gone."""
    kept: dict[str, str] = {}
    for name, value in environment.items():
        before = environment.get(name + _SAVED)
        rest = value if before is None else before
        if name.startswith(_OURS) or _is_saved(name, environment):
            continue
        parts = rest.split(os.pathsep)
        others = [part for part in parts if not _leads_into(part, inside)]
        if others or len(others) == len(parts):
            kept[name] = os.pathsep.join(others)
    return kept


def _is_saved(name: str, environment: Mapping[str, str]) -> bool:
    return name.endswith(_SAVED) and name.removesuffix(_SAVED) in environment


def _leads_into(part: str, inside: Path) -> bool:
    if not os.path.isabs(part):
        return False
    path = Path(os.path.realpath(part))
    return path == inside or inside in path.parents
