"""A switch of 32 by 18, with a ring when it has the focus."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.pressable import Pressable
from metona_tk.ui.widgets.shapes import Box, shape

WIDTH, HEIGHT, KNOB, RING = 32, 18, 14, 3  # px; the ring is 2 wide with 1 between


class Switch(Pressable):
    """`command` gets the new value after the user has switched it; `set` changes it silently."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        command: Callable[[bool], object],
        *,
        on: bool = False,
        ground: str = "surface-2",
    ) -> None:
        super().__init__(master, ground, focus_on_click=True)
        self._fonts, self._ground, self.command, self.on = fonts, ground, command, on
        self.draw()

    def set(self, on: bool) -> None:
        """Show `on` without telling anyone."""
        self.on = on
        self.draw()

    def press(self) -> None:
        """Switch it over."""
        self.set(not self.on)
        self.command(self.on)

    def label(self, *widgets: tk.Misc) -> None:
        """A click on these switches it too."""
        for widget in widgets:
            widget.bind("<ButtonRelease-1>", lambda _event: self.press() if self.enabled else None, add=True)

    def draw(self) -> None:
        """Show the picture of the state."""
        px = self._fonts.px
        wide, high, knob, ring = px(WIDTH), px(HEIGHT), px(KNOB), px(RING)
        whole, tall = wide + 2 * ring, high + 2 * ring
        track = ("switch-on" if self.on else "switch-off") if self.enabled else "surface-4"
        gap = (high - knob) // 2
        boxes = [
            Box(ring, ring, wide, high, high / 2, track),
            Box(
                ring + (wide - knob - gap if self.on else gap),
                ring + gap,
                knob,
                knob,
                knob / 2,
                "switch-knob" if self.enabled else "text-off",
            ),
        ]
        if self.focused and self.enabled:
            thick = px(2)
            inner = Box(thick, thick, whole - 2 * thick, tall - 2 * thick, tall / 2 - thick, self._ground)
            boxes = [Box(0, 0, whole, tall, tall / 2, "focus"), inner, *boxes]
        self.configure(image=shape(self, whole, tall, *boxes))
