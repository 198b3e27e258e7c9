"""How many lines, or pixels, a tk.Text needs for what it holds, wrapped as it is now."""

from __future__ import annotations

import tkinter as tk
from typing import Any, cast


def display_lines(text: tk.Text) -> int:
    """At least 1. Python before 3.13 gives None or a tuple, later ones a number."""
    return 1 + _count(text, "displaylines")


def pixels(text: tk.Text) -> int:
    """The height of all lines."""
    return _count(text, "update", "ypixels")


def _count(text: tk.Text, *what: str) -> int:
    found: Any = cast("Any", text).count("1.0", "end-1c", *what)
    return int(found[0] if isinstance(found, tuple) else found or 0)  # pyright: ignore[reportUnknownArgumentType]
