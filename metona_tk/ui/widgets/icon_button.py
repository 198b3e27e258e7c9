"""A small button that is only an icon: its words are in the tooltip."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.pressable import Pressable
from metona_tk.ui.widgets.shapes import Box, Stamp, shape
from metona_tk.ui.widgets.tooltip import Tooltip

SIDE, CORNER = 28, 6  # px
_FILLS = {"ghost": ("", "surface-3", "surface-4"), "solid": ("surface-3", "surface-4", "surface-4")}
_FILLS["primary"] = ("accent", "accent-hover", "accent-hover")  # at rest, under the mouse, pressed


class IconButton(Pressable):
    """`text` says what it does, as a tooltip. `token` is the icon's colour, `kind` "ghost" or "solid" or "primary"."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        name: str,
        text: str,
        command: Callable[[], object],
        *,
        ground: str = "surface-1",
        token: str = "text-3",
        kind: str = "ghost",
        side: int = SIDE,
        size: int = 16,
        keys: tuple[str, ...] = ("<space>", "<Return>", "<KP_Enter>"),
    ) -> None:
        super().__init__(master, ground, keys)
        self._fonts, self._ground, self._side, self._size = fonts, ground, side, size
        self.name, self.token, self.kind, self.command = name, token, kind, command
        self.tooltip = Tooltip(self, fonts, text)
        self.draw()

    def show(self, name: str, text: str, *, token: str = "", kind: str = "") -> None:
        """Become another button: other icon and words, and other colours where given."""
        self.name, self.tooltip.text = name, text
        self.token, self.kind = token or self.token, kind or self.kind
        self.draw()

    def press(self) -> None:
        """Do what a click does."""
        self.tooltip.hide()
        self.command()

    def draw(self) -> None:
        """Show the picture of the state."""
        px = self._fonts.px
        side, thick = px(self._side), px(2)
        boxes: list[Box] = []
        if self.focused and self.enabled:
            hole = side - 2 * thick
            boxes.append(Box(0, 0, side, side, px(CORNER), "focus"))
            boxes.append(Box(thick, thick, hole, hole, px(CORNER) - thick, self._ground))
        fill = self._fill()
        if fill:
            # With the ring there is 1 px between it and the ground of the button.
            gap = thick + px(1) if boxes else 0
            boxes.append(Box(gap, gap, side - 2 * gap, side - 2 * gap, px(CORNER) - gap + (1 if gap else 0), fill))
        token = self.token if self.enabled else "text-off"
        stamp = Stamp(self.name, self._size, self._fonts.scale, token)
        self.configure(image=shape(self, side, side, *boxes, stamp=stamp))

    def _fill(self) -> str:
        rest, hover, pressed = _FILLS[self.kind]
        if not self.enabled:
            return "surface-3" if rest else ""
        return pressed if self.down and self.hover else hover if self.hover else rest
