"""The root window, its scaling and its mode, and dialogs: what CustomTkinter keeps for the whole program."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import sys
import tkinter as tk
from typing import Any

from metona_tk import places
from metona_tk.ui import theme
from metona_tk.ui.fonts import linux_scale
from metona_tk.ui.widgets.ctk import ctk
from metona_tk.ui.widgets.finalizers import keep_finalizers_on_tk_thread


def make_root() -> tk.Tk:
    """The program's one root, with the class name that the desktop groups its windows by."""
    keep_finalizers_on_tk_thread()
    if sys.platform.startswith("linux"):
        # CustomTkinter asks each 100 ms for a density that is always 1 here, by a timer of a window that may close.
        ctk.ScalingTracker.update_loop_running = True
    return ctk.CTk(fg_color=theme.pair("surface-1"), className="Metona")


def wear_mark(root: tk.Tk) -> None:
    """Give the root, and each window that comes after it, the program's mark for panel and task list."""
    marks = [
        tk.PhotoImage(master=root, file=str(places.bundled("ui", "icon_sheets", f"mark-{size}.png")))
        for size in (128, 32)
    ]
    root.wm_iconphoto(True, *marks)


def set_scaling(root: tk.Misc, percent: int = 100) -> float:
    """Use the desktop's scaling times `percent`, for widgets that come from now on; returns it for plain tk widgets."""
    scale = linux_scale(root)
    # Not set_widget_scaling: that one holds an open window at its size of the moment for a second.
    if scale is None:  # CustomTkinter finds the desktop's itself
        ctk.ScalingTracker.widget_scaling = percent / 100
        return float(ctk.ScalingTracker.get_widget_scaling(root))
    scale *= percent / 100
    ctk.ScalingTracker.widget_scaling = scale
    return scale


def drop_hook(master: tk.Misc) -> None:
    """Call it after a CustomTkinter widget was made in a plain tk `master`, with a ground of its own.

    CustomTkinter puts a `configure` of its own onto the master, which keeps the widget for ever, and fails when the
    master gets another colour after the widget has gone.
    """
    for name in ("config", "configure"):
        vars(master).pop(name, None)


def apply_mode(wanted: str) -> None:
    """Use "dark", "light" or "system"; the system is asked once, since CustomTkinter would ask it for ever."""
    if wanted == "system":
        wanted = "dark" if ctk.AppearanceModeTracker.detect_appearance_mode() == 1 else "light"
    ctk.set_appearance_mode(wanted)
    theme.set_mode("light" if wanted == "light" else "dark")


class Dialog(tk.Toplevel):
    """A plain Toplevel that holds CustomTkinter widgets.

    Not CTkToplevel: that one calls update() while it is built on Windows, and adds a bind_all for each window.
    """

    def __init__(self, master: tk.Misc, **options: Any) -> None:
        super().__init__(master, **options)
        theme.paint(self, background="surface-1")

    def block_update_dimensions_event(self) -> None:
        """CustomTkinter calls this when the window comes to a screen of another density."""

    def unblock_update_dimensions_event(self) -> None:
        """See above."""

    def destroy(self) -> None:
        super().destroy()
        ctk.ScalingTracker.remove_window(None, self)
        ctk.ScalingTracker.window_dpi_scaling_dict.pop(self, None)
