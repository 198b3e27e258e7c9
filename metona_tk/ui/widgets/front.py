"""Windows to the front, and whether they are seen at all."""

from __future__ import annotations

import tkinter as tk

from metona_tk.ui import theme

TOPMOST = 300  # ms: long enough for the window manager to have shown it


def is_seen(top: tk.Tk | tk.Toplevel) -> bool:
    """Whether a window is on the screen: neither hidden nor minimised."""
    return str(top.wm_state()) in ("normal", "zoomed")


def bring_to_front(top: tk.Tk | tk.Toplevel, focus: tk.Misc) -> None:
    """Show a window above the others, with the focus in it.

    A window manager may keep a window back that asks for the front by itself; one that is topmost for a moment is not.
    """
    top.wm_attributes("-topmost", True)
    top.wm_deiconify()
    top.lift()
    focus.focus_force()
    # the root's timer: that of a window which is closed meanwhile would end in an error of Tk's
    top.nametowidget(".").after(TOPMOST, lambda: _lower_again(top))


def _lower_again(top: tk.Tk | tk.Toplevel) -> None:
    if theme.alive(top):
        top.wm_attributes("-topmost", False)


def in_the_middle(top: tk.Toplevel, width: int, height: int) -> None:
    """Give a window that is not shown its size, and a place in the middle, a little above it.

    Tk knows the width of all screens together: where that is far wider than high, the half with the pointer counts.
    """
    wide, high = top.winfo_screenwidth(), top.winfo_screenheight()
    left = 0
    if wide > 2.4 * high:
        wide //= 2
        left = wide if top.winfo_pointerx() >= wide else 0
    top.wm_geometry(f"{width}x{height}+{left + (wide - width) // 2}+{(high - height) // 3}")
