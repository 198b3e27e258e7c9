"""A number within bounds: written, or changed in steps; what is out of bounds is said below and not taken."""

from __future__ import annotations

import math
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.entry import Entry
from metona_tk.ui.widgets.icon_button import IconButton


@dataclass(frozen=True, slots=True)
class Bounds:
    """Which numbers are taken: from `low` to `high`, whole ones unless `broken`; `step` is what + and - change."""

    low: float
    high: float
    step: float = 1
    broken: bool = False

    def parse(self, text: str) -> float | None:
        """The number that is written, or None when it is none of these. A comma counts as a point."""
        try:
            number = float(text.strip().replace(",", ".")) if self.broken else int(text.strip())
        except ValueError:
            return None
        return number if math.isfinite(number) and self.low <= number <= self.high else None

    def words(self, number: float) -> str:
        """As it is written."""
        return f"{round(number, 4):g}" if self.broken else str(int(number))

    def moved(self, number: float, up: bool) -> float:
        """The next multiple of the step, within the bounds."""
        place = number / self.step
        place = math.floor(place + 1 + 1e-9) if up else math.ceil(place - 1 - 1e-9)
        moved = min(self.high, max(self.low, place * self.step))
        return round(moved, 4) if self.broken else int(moved)

    @property
    def expected(self) -> str:
        """What would be taken, as a sentence."""
        low, high = self.words(self.low), self.words(self.high)
        if self.broken:
            return tr("A number from {low} to {high}", low=low, high=high)
        return tr("A whole number from {low} to {high}", low=low, high=high)


class NumberEntry(tk.Frame):
    """`command` gets each new number once it is complete: by Return, by leaving the field, or by a step."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        bounds: Bounds,
        command: Callable[[float], object],
        *,
        value: float,
        ground: str = "surface-2",
        width: int = 96,
    ) -> None:
        super().__init__(master, borderwidth=0, highlightthickness=0)
        theme.paint(self, background=ground)
        self._fonts, self.bounds, self._command, self.value = fonts, bounds, command, value
        row = tk.Frame(self, borderwidth=0)
        theme.paint(row, background=ground)
        row.pack(anchor="e")
        self.field = Entry(row, fonts, ground=ground, width=width, changed=self._check, done=self.finish)
        self.field.entry.configure(justify="right")
        self.less = self._button(row, "minus", tr("Less"), up=False, ground=ground)
        self.more = self._button(row, "plus", tr("More"), up=True, ground=ground)
        self.field.pack(side="left")
        self.less.pack(side="left", padx=(fonts.px(4), 0))
        self.more.pack(side="left")
        for key, up in {"<Up>": True, "<Down>": False}.items():
            self.field.entry.bind(key, lambda _event, up=up: self._step_by_key(up))
        self._error = tk.Label(self, font=fonts["small"], borderwidth=0, justify="right", anchor="e")
        # No wider than the field, so that nothing beside it moves.
        self._error.configure(wraplength=fonts.px(width + 72))
        theme.paint(self._error, background=ground, foreground="danger")
        self.set(value)

    def _button(self, row: tk.Frame, name: str, words: str, *, up: bool, ground: str) -> IconButton:
        button = IconButton(row, self._fonts, name, words, lambda: self.step(up), ground=ground, token="text-2")
        button.configure(takefocus=0)  # the arrow keys do the same in the field
        return button

    @property
    def error(self) -> str:
        """What is said below, "" when nothing is wrong."""
        return str(self._error.cget("text"))

    def say(self, error: str) -> None:
        """Say below what is wrong, or nothing for ""."""
        self._error.configure(text=error)
        self.field.mark(bool(error))
        if error:
            self._error.pack(anchor="e", pady=(self._fonts.px(2), 0))
        else:
            self._error.pack_forget()

    def set(self, value: float) -> None:
        """Show `value` without telling anyone; what the user is writing at the moment stays."""
        writing = self.field.focused and self.unfinished
        self.value = value
        if not writing:
            self.field.set(self.bounds.words(value))
            self.say("")

    @property
    def unfinished(self) -> bool:
        """Whether something is written that is not the value."""
        return bool(self.field.get()) and self.bounds.parse(self.field.get()) != self.value

    def finish(self) -> None:
        """Take what is written, if it is within the bounds."""
        number = self.bounds.parse(self.field.get())
        self._check(self.field.get())
        if number is not None:
            self.field.set(self.bounds.words(number))
            self._take(number)

    def step(self, up: bool) -> None:
        """One step up or down, from what is written or else from the value."""
        number = self.bounds.parse(self.field.get())
        moved = self.bounds.moved(self.value if number is None else number, up)
        self.field.set(self.bounds.words(moved))
        self.say("")
        self._take(moved)

    def _take(self, number: float) -> None:
        if number != self.value:
            self.value = number
            self._command(number)

    def _check(self, text: str) -> None:
        wrong = self.bounds.parse(text) is None
        self.say(self.bounds.expected if wrong else "")

    def _step_by_key(self, up: bool) -> str:
        self.step(up)
        return "break"
