"""A frame with round corners and a border of 1 px."""
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import tkinter as tk
from typing import Any

from metona_tk.ui.theme import pair
from metona_tk.ui.widgets.ctk import ctk
from metona_tk.ui.widgets.root import drop_hook


class Rounded(ctk.CTkFrame):
    """`inside` and `line` are tokens, `ground` the token of what lies around the corners."""

    def __init__(self, master: tk.Misc, ground: str, inside: str, line: str, border: int = 1, corner: int = 8) -> None:
        super().__init__(
            master,
            bg_color=pair(ground),
            fg_color=pair(inside),
            border_color=pair(line),
            border_width=border,
            corner_radius=corner,
        )
        drop_hook(master)
        # else Tab stops at its canvas as soon as a tooltip listens to keys there
        self._canvas.configure(takefocus=0)
        # Otherwise a frame of an odd width or height lacks its last pixel, and what is in it covers the border.
        self._draw_engine.set_round_to_even_numbers(False, False)

    def _apply_argument_scaling(self, kwargs: dict[str, Any]) -> dict[str, Any]:
        """Margins and places are given in real pixels, as for the plain widgets: not scaled once more."""
        return dict(kwargs)

    def set_line(self, token: str) -> None:
        """Give the border another colour."""
        self.configure(border_color=pair(token))
