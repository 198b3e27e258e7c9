"""The window's own keys. They are bound on each Text too, whose class would otherwise act on them first."""

from __future__ import annotations

import sys
import tkinter as tk
from collections.abc import Callable, Iterable, Mapping

MODIFIER = "Command" if sys.platform == "darwin" else "Control"


def bind_keys(
    top: tk.Misc,
    texts: Iterable[tk.Text],
    letters: Mapping[str, Callable[[], object]],
    others: Mapping[str, Callable[[], object]],
) -> None:
    """`letters` go with Ctrl (Cmd on macOS), also while Caps Lock is on; `others` are whole key names."""
    actions = {f"<{key}>": action for key, action in others.items()}
    for letter, action in letters.items():
        actions[f"<{MODIFIER}-{letter}>"] = action
        actions[f"<{MODIFIER}-{letter.upper()}>"] = action
    for widget in (top, *texts):
        for sequence, action in actions.items():
            widget.bind(sequence, lambda _event, action=action: _do(action), add=True)


def _do(action: Callable[[], object]) -> str:
    action()
    return "break"
