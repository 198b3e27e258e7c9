"""The window's own keys. They are bound on each Text too, whose class would otherwise act on them first."""

from __future__ import annotations

import contextlib
import sys
import tkinter as tk
from collections.abc import Callable, Iterable, Mapping

MODIFIER = "Command" if sys.platform == "darwin" else "Control"
CTRL = "Cmd" if sys.platform == "darwin" else "Ctrl"  # what stands on it


def bind_keys(
    widgets: Iterable[tk.Misc],
    letters: Mapping[str, Callable[[], object]],
    others: Mapping[str, Callable[[], object]],
) -> None:
    """`letters` go with Ctrl (Cmd on macOS), single ones also while Caps Lock is on; `others` are whole key names.

    The keysym of Shift-Tab is not the same everywhere, so what a system does not know is left out.
    """
    actions = {f"<{key}>": action for key, action in others.items()}
    for letter, action in letters.items():
        actions[f"<{MODIFIER}-{letter}>"] = action
        if len(letter) == 1 and letter.isalpha():
            actions[f"<{MODIFIER}-{letter.upper()}>"] = action
        if letter == "Shift-Tab":
            actions[f"<{MODIFIER}-ISO_Left_Tab>"] = action
    for widget in widgets:
        for sequence, action in actions.items():
            with contextlib.suppress(tk.TclError):
                widget.bind(sequence, lambda _event, action=action: _do(action), add=True)


def _do(action: Callable[[], object]) -> str:
    action()
    return "break"
