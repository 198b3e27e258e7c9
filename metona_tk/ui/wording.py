"""Paths in words, and cutting to a width. Pure."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import PurePath


def home_path(path: str, home: str | None = None) -> str:
    """`path` with ~ for the user's own folder."""
    own = home or os.path.expanduser("~")
    if path == own:
        return "~"
    return "~" + path[len(own) :] if own != os.sep and path.startswith(own.rstrip("/\\") + os.sep) else path


def cut_middle(text: str, width: int, measure: Callable[[str], int]) -> str:
    """`text`, or its beginning and end around an ellipsis, so that it is at most `width` wide.

    In a path whole folders give way, unless not even its last part fits then.
    """
    if measure(text) <= width:
        return text
    whole = _without_folders(text, width, measure)
    if whole:
        return whole
    low, high = 0, len(text) - 1
    while low < high:
        keep = (low + high + 1) // 2
        if measure(_around(text, keep)) <= width:
            low = keep
        else:
            high = keep - 1
    return _around(text, low)


def _without_folders(text: str, width: int, measure: Callable[[str], int]) -> str:
    """`text` with an ellipsis for as few of its middle folders as fits, "" when that does not fit or is no path."""
    mark = "/" if "/" in text else "\\"
    first, *rest = text.split(mark)
    if not rest or not rest[-1]:
        return ""
    shorter = [[first, "…", *rest[gone:]] for gone in range(1, len(rest))]
    cuts = (mark.join(parts) for parts in [*shorter, ["…", rest[-1]]])
    return next((cut for cut in cuts if measure(cut) <= width), "")


def _around(text: str, keep: int) -> str:
    tail = min(keep, max((keep * 2) // 3, min(len(PurePath(text).name) + 1, keep)))
    return text[: keep - tail] + "…" + text[len(text) - tail :]


def cut_end(text: str, width: int, measure: Callable[[str], int]) -> str:
    """`text`, or as much of its beginning as fits with an ellipsis into `width`."""
    if measure(text) <= width:
        return text
    low, high = 0, len(text) - 1
    while low < high:
        keep = (low + high + 1) // 2
        if measure(text[:keep].rstrip() + "…") <= width:
            low = keep
        else:
            high = keep - 1
    return text[:low].rstrip() + "…"
