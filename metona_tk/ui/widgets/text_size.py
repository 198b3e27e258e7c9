"""How many lines a tk.Text needs for what it holds, wrapped as it is now."""

from __future__ import annotations

import tkinter as tk
from typing import Any, cast


def display_lines(text: tk.Text) -> int:
    """At least 1. Python before 3.13 gives None or a tuple, later ones a number."""
    breaks: Any = cast("Any", text).count("1.0", "end-1c", "displaylines")
    return 1 + int(breaks[0] if isinstance(breaks, tuple) else breaks or 0)  # pyright: ignore[reportUnknownArgumentType]
