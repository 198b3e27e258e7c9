"""Whether a window can be opened here at all; for `doctor`, which must not need one."""

from __future__ import annotations

import os
import sys

from metona_tk.i18n import tr


def toolkit_state() -> tuple[bool, str]:
    """(usable, in words): Tk loads, CustomTkinter is there, and on Linux there is a display."""
    from importlib import metadata

    try:
        import tkinter

        version = metadata.version("customtkinter")
    except (ImportError, metadata.PackageNotFoundError) as error:
        return False, str(error)
    words = f"Tk {tkinter.TkVersion}, CustomTkinter {version}"
    display = sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return (True, words) if display else (False, tr("{toolkit}, no display", toolkit=words))
