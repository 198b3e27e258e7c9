"""Runs the window from the program's start to its end."""

from __future__ import annotations

import queue
import sys
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from metona_tk.i18n import tr
from metona_tk.protocol.commands import Command
from metona_tk.protocol.events import Event
from metona_tk.protocol.wishes import Wish
from metona_tk.ui.outside import StartIcon
from metona_tk.ui.widgets.root import make_root, wear_mark
from metona_tk.ui.window import StartOptions, Window

BREATH = 50  # ms for the first keys, before the core loads what it needs
UNSEEN = 1500  # ms after which the core begins to work though no window was seen


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the window has from the program. `on_drawn` is called when it was drawn, and again soon in any case: it may
    begin as an icon. `on_closing` is called when it begins to end, and again at the end. `start_icon` starts the icon
    in the tray, None where there is none.
    """

    send: Callable[[Command], None]
    events: queue.SimpleQueue[Event | Wish]
    on_drawn: Callable[[], object] = lambda: None
    on_closing: Callable[[], object] = lambda: None
    start_icon: StartIcon | None = None


def run(surroundings: Surroundings, settings_values: dict[str, Any], start: StartOptions | None = None) -> int:
    """Show the window until the program is ended; returns the exit code."""
    try:
        root = make_root()
    except tk.TclError as error:
        surroundings.on_closing()
        sys.stderr.write(tr("No window can be opened here ({reason}). “ask” works without one.", reason=error) + "\n")
        return 1
    wear_mark(root)
    window = Window(root, surroundings.send, surroundings.events, settings_values, start_icon=surroundings.start_icon)
    window.outside.on_closing = surroundings.on_closing
    window.start(start)
    window.when_drawn(lambda: root.after(BREATH, surroundings.on_drawn))
    root.after(UNSEEN, surroundings.on_drawn)
    root.mainloop()
    surroundings.on_closing()
    return 0
