"""Says the events of one turn as their law wants it: no state twice in a row, and none after `done`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from metona_tk.protocol.events import Event, StateChanged
from metona_tk.protocol.values import TurnState


@dataclass(slots=True)
class Telling:
    """The voice of one turn; thread-safe, since questions come from the pool's threads."""

    chat_id: str
    turn_id: str
    send: Callable[[Event], None]
    _state: TurnState = TurnState.IDLE
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def emit(self, event: Event) -> None:
        """Any event of the turn; a state is said only where it is another one."""
        if isinstance(event, StateChanged):
            self.enter(event.state)
        else:
            self.send(event)

    def enter(self, state: TurnState) -> None:
        """The turn is in that state now."""
        with self._lock:
            if state is not self._state and self._state is not TurnState.DONE:
                self._state = state
                self.send(StateChanged(self.turn_id, state))
