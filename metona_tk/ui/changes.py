"""When a chat asks before a change, and what becomes of changes that were made. Counterpart: `dispatcher`."""

from __future__ import annotations

from dataclasses import dataclass

from metona_tk.protocol.events import FileAllowed, ModeChanged, OperationChanged, UndoConflicted, UndoRefused
from metona_tk.ui.desk import Desk
from metona_tk.ui.dispatcher import ChangeEvent


@dataclass(slots=True)
class Changes:
    """Events, and what the user asks for, about modes, single files and changes of all chats."""

    desk: Desk

    def take(self, event: ChangeEvent) -> None:
        """Keep and show one event."""
        match event:
            case ModeChanged():
                self._mode_changed(event)
            case FileAllowed() | OperationChanged() | UndoConflicted() | UndoRefused():
                pass  # nothing on the screen offers these yet

    def _mode_changed(self, event: ModeChanged) -> None:
        chat = self.desk.state.find(event.chat_id)
        if chat is not None:
            chat.mode = event.mode
            self.desk.shell.show_state()
