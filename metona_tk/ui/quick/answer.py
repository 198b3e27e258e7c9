"""The page of the small window: only what answers the question in the line; the chat behind it keeps all."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from metona_tk.protocol.events import TurnEvent
from metona_tk.ui.chat.record import Record, Turn
from metona_tk.ui.chat.spans import Span
from metona_tk.ui.chat.transcript import Transcript, TranscriptActions, View
from metona_tk.ui.fonts import Fonts


class QuickAnswer(Transcript):
    """Its record holds one question's turns: the first, and those that went on after a failure. `changed` is called
    when something was written, also while the page is not on the screen yet.
    """

    def __init__(
        self, master: tk.Misc, fonts: Fonts, actions: TranscriptActions, changed: Callable[[], object]
    ) -> None:
        super().__init__(master, fonts, actions)
        self.on_drawn = self._changed = changed

    def begin(self, turn: Turn) -> None:
        """A new question takes the place of what is there; what goes on with it stands below it."""
        turns = [turn] if turn.question else [*self.record.turns, turn]
        if turn.question:
            self.show_nothing()
        self.record = Record(turns)
        super().begin(turn)
        self._changed()

    def take(self, turn: Turn, event: TurnEvent) -> None:
        """Draw what an event has added."""
        super().take(turn, event)
        self._changed()

    def show(self, record: Record, view: View | None = None) -> None:
        """Draw the last question's answer of a chat."""
        first = max((at for at, turn in enumerate(record.turns) if turn.question), default=0)
        super().show(Record(record.turns[first:]), view)

    def _question(self, turn: Turn) -> list[Span]:
        return []  # it stands in the line above
