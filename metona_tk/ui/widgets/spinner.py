"""The arc that turns while something runs: one timer for all, which stands still when nothing does."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon

FRAMES, STEP = 8, 125  # pictures in a turn, ms for each


class Spinner:
    """`show` gets each picture in turn until `stop`, or until `widget` is gone.

    A label: `lambda image: label.configure(image=image)`; in a text: `lambda image: text.image_configure(mark, ...)`.
    """

    def __init__(
        self,
        widget: tk.Misc,
        fonts: Fonts,
        show: Callable[[tk.PhotoImage], object],
        size: int = 16,
        token: str = "accent-text",
    ) -> None:
        self.widget, self._show = widget, show
        self._frames = [icon(widget, fonts, f"spinner-{frame}", size, token) for frame in range(FRAMES)]
        self._show(self._frames[0])
        _clock(widget).add(self)

    def turn(self, frame: int) -> None:
        """Show the picture of this moment."""
        self._show(self._frames[frame])

    def stop(self) -> None:
        """It turns no more; harmless to call again."""
        _clock(self.widget).remove(self)


class _Clock:
    """Turns the spinners of one root together."""

    def __init__(self, root: tk.Misc) -> None:
        self._root = root
        self._spinners: list[Spinner] = []
        self._frame, self._timer = 0, ""

    @property
    def running(self) -> bool:
        """Whether the timer goes."""
        return bool(self._timer)

    def add(self, spinner: Spinner) -> None:
        self._spinners.append(spinner)
        if not self._timer:
            self._timer = self._root.after(STEP, self._tick)

    def remove(self, spinner: Spinner) -> None:
        self._spinners = [other for other in self._spinners if other is not spinner]
        if not self._spinners and self._timer:
            self._root.after_cancel(self._timer)
            self._timer = ""

    def _tick(self) -> None:
        self._timer = ""
        self._spinners = [spinner for spinner in self._spinners if theme.alive(spinner.widget)]
        if not self._spinners:
            return
        # Set before the spinners turn, so that one that stops now also stops the timer.
        self._timer = self._root.after(STEP, self._tick)
        self._frame = (self._frame + 1) % FRAMES
        for spinner in list(self._spinners):
            spinner.turn(self._frame)


_clocks: dict[tk.Misc, _Clock] = {}


def _clock(widget: tk.Misc) -> _Clock:
    root = widget.nametowidget(".")
    if root not in _clocks:
        for other in [other for other in _clocks if not theme.alive(other)]:
            del _clocks[other]
        _clocks[root] = _Clock(root)
    return _clocks[root]


def spinning(widget: tk.Misc) -> bool:
    """Whether anything turns in the program that `widget` belongs to."""
    return _clock(widget).running
