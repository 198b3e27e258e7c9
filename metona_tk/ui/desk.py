"""What the parts behind a window share: what is known, what is shown, and the way to the core."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from metona_tk.protocol.commands import Command
from metona_tk.ui.state import AppState, ChatState

if TYPE_CHECKING:
    from metona_tk.ui.face import Face


@dataclass(slots=True)
class Desk:
    """`shell` is built anew when language or text size change; hold the desk, not the shell."""

    top: tk.Tk | tk.Toplevel
    send: Callable[[Command], None]
    state: AppState = field(default_factory=AppState)
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    mode: str = ""  # the "theme" setting that is in use
    _shell: Face | None = None

    @property
    def shell(self) -> Face:
        """What is on the screen."""
        assert self._shell is not None, "used before the window was built"
        return self._shell

    @shell.setter
    def shell(self, shell: Face) -> None:
        self._shell = shell

    @property
    def chat(self) -> ChatState:
        """The chat that is shown."""
        return self.state.shown

    def tell(self, chat: ChatState, words: str, tone: str = "text-2") -> None:
        """Say what happens in a chat now; on the screen if it is shown, and when it is shown again."""
        chat.message, chat.tone = words, tone
        if chat is self.chat:
            self.shell.status.message(words, tone)

    def show_chat(self, chat: ChatState) -> None:
        """Bring another chat onto the screen; what stands in the composer waits for the return."""
        before = self.chat
        if before is not chat:
            before.draft = self.shell.composer.content()
        self.state.shown = chat
        self.shell.show_chat()
