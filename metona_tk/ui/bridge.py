"""The only way from the core's threads to Tk: drains the event queue on Tk's thread, a little at a time.

Adjacent text of a turn is joined into one event; a drain ends at its time budget and goes on at the next tick. What
comes while it runs waits for the next tick, too: a few characters take nearly as long to draw as all of a tick's.
"""

from __future__ import annotations

import queue
import time
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass, field

from metona_tk.protocol.events import Event, TextAdded, ThinkingAdded
from metona_tk.protocol.wishes import Wish

TICK = 25  # ms
BUDGET = 0.008  # s a drain
MOST_JOINED = 16_384  # characters in one insert, so that a single one cannot exceed the budget by much


@dataclass(slots=True)
class Bridge:
    """`dispatch` handles one event; what it raises goes to `on_error`, and the draining goes on."""

    widget: tk.Misc
    events: queue.SimpleQueue[Event | Wish]
    dispatch: Callable[[Event | Wish], None]
    on_error: Callable[[Exception], None]
    clock: Callable[[], float] = time.perf_counter
    _held: Event | Wish | None = None
    _left: int = field(default=0, init=False)  # events that were there when the drain began
    _timer: str | None = field(default=None, init=False)

    def start(self) -> None:
        """Drain at every tick from now on."""
        self._timer = self.widget.after(TICK, self._tick)

    def stop(self) -> None:
        """Drain no more."""
        if self._timer is not None:
            self.widget.after_cancel(self._timer)
            self._timer = None

    def _tick(self) -> None:
        self._timer = self.widget.after(TICK, self._tick)
        self.drain()

    def drain(self) -> None:
        """Dispatch what is there, until the budget is used."""
        end = self.clock() + BUDGET
        self._left = self.events.qsize()
        while (event := self._next()) is not None:
            if isinstance(event, TextAdded | ThinkingAdded):
                event = self._joined(event, end)
            try:
                self.dispatch(event)
            except Exception as error:  # one bad event must not stop the window; it is logged and shown
                self.on_error(error)
            if self.clock() >= end:
                break

    def _next(self) -> Event | Wish | None:
        if self._held is not None:
            event, self._held = self._held, None
            return event
        if self._left <= 0:
            return None
        self._left -= 1
        try:
            return self.events.get_nowait()
        except queue.Empty:
            return None

    def _joined(self, first: TextAdded | ThinkingAdded, end: float) -> TextAdded | ThinkingAdded:
        parts, length = [first.text], len(first.text)
        while length < MOST_JOINED and self.clock() < end:
            event = self._next()
            if event is None:
                break
            if (
                not isinstance(event, TextAdded | ThinkingAdded)
                or type(event) is not type(first)
                or event.turn_id != first.turn_id
            ):
                self._held = event
                break
            parts.append(event.text)
            length += len(event.text)
        return first if len(parts) == 1 else type(first)(first.turn_id, "".join(parts))
