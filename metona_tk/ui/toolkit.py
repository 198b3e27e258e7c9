"""Whether a window can be opened here at all; for `doctor`, which must not need one."""

from __future__ import annotations

import os
import sys

from metona_tk.i18n import tr


def toolkit_state() -> tuple[bool, str, str]:
    """(usable, in words, what to do): Tk loads, CustomTkinter is there, and on Linux there is a display."""
    from importlib import metadata

    try:
        import tkinter

        version = metadata.version("customtkinter")
    except (ImportError, metadata.PackageNotFoundError) as error:
        return False, str(error), tr("Install Tk for this Python; “ask” works without it.")
    words = f"Tk {tkinter.TkVersion}, CustomTkinter {version}"
    display = sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if display:
        return True, words, ""
    step = tr("Start it on a desktop, or name a display in DISPLAY; “ask” works without one.")
    return False, tr("{toolkit}, no display", toolkit=words), step
