"""The selected text as the user sees it: without folded bodies and without the thin lines that make gaps."""

from __future__ import annotations

import tkinter as tk
from typing import Any, cast

_FILLERS = {"gap", "turn-gap", "top-gap", "user-pad", "card-pad", "hit-pad"}


def selected_text(text: tk.Text) -> str:
    """What is selected, "" when nothing is."""
    ranges = text.tag_ranges("sel")
    if not ranges:
        return ""
    first, last = str(ranges[0]), str(ranges[-1])
    hidden = {tag for tag in text.tag_names(None) if _elided(text, tag)}
    active = set(text.tag_names(first))
    out: list[str] = []
    for kind, value, _index in text.dump(first, last, tag=True, text=True):
        if kind == "tagon":
            active.add(value)
        elif kind == "tagoff":
            active.discard(value)
        elif not active & hidden:
            out.append("\n" if "turn-gap" in active else "" if active & _FILLERS else value)
    return "".join(out)


def _elided(text: tk.Text, tag: str) -> bool:
    return str(cast("Any", text).tag_cget(tag, "elide")) in ("1", "True", "true")
