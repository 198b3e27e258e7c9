"""What the user chooses besides questions: the chat, its model, its thinking, its folder, the size of the text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from metona_tk.i18n import tr
from metona_tk.protocol.commands import ChangeSettings, ListModels, NewConversation, SetWorkspace
from metona_tk.protocol.values import ThinkLevel
from metona_tk.ui.desk import Desk
from metona_tk.ui.visible import visible

SIZES = (80, 90, 100, 110, 125, 150, 175, 200)  # per cent


@dataclass(slots=True)
class Choices:
    """Works on the chat that is shown; the focus goes back to the composer."""

    desk: Desk

    def change(self, values: dict[str, Any]) -> None:
        """Change settings; the answer is SettingsChanged."""
        self.desk.send(ChangeSettings(values))

    def refresh(self) -> None:
        """Ask the server what it has."""
        self.desk.send(ListModels())

    def new_chat(self) -> None:
        """Begin an empty chat with the same folder; the one that was shown stays open, and its turn goes on."""
        before, state = self.desk.chat, self.desk.state
        if before.record.turns or before.running:
            before.draft = self.desk.shell.composer.content()
            chat = state.open()
            self.desk.send(NewConversation(chat.chat_id, chat.workspace))
            self.desk.show_chat(chat)
        self._back()  # a chat without a question is new already

    def show_chat(self, chat_id: str) -> None:
        """Bring an open chat onto the screen."""
        chat = self.desk.state.find(chat_id)
        if chat is not None and chat is not self.desk.chat:
            self.desk.show_chat(chat)
        self._back()

    def step_chat(self, by: int) -> None:
        """The next open chat (1) or the one before (-1), round and round."""
        chats = self.desk.state.chats
        self.show_chat(chats[(chats.index(self.desk.chat) + by) % len(chats)].chat_id)

    def model(self, name: str) -> None:
        """Use this model from the next question on."""
        chat = self.desk.chat
        chat.model = name
        if chat.running:
            self.desk.tell(chat, tr("From the next question on: {what}", what=visible(name)))
        self.desk.shell.show_state()
        self._back()

    def think(self, level: ThinkLevel) -> None:
        """Think so much from the next question on; new chats do, too."""
        self.desk.chat.think = level
        self.change({"think": str(level)})
        self.desk.shell.show_state()
        self._back()

    def workspace(self, path: str) -> None:
        """Ask for another folder; it is shown when the core has taken it."""
        self.desk.send(SetWorkspace(self.desk.chat.chat_id, path))
        self._back()

    def text_size(self, steps: int) -> None:
        """Larger (1), smaller (-1), or as it comes (0)."""
        now = int(self.desk.settings.get("textSize", 100))
        at = min(range(len(SIZES)), key=lambda place: abs(SIZES[place] - now))
        size = SIZES[min(max(at + steps, 0), len(SIZES) - 1)] if steps else 100
        if size != now:
            self.change({"textSize": size})

    def keys(self) -> dict[str, Callable[[], object]]:
        """The keys that go with Ctrl."""
        return {
            "n": self.new_chat,
            "plus": lambda: self.text_size(1),
            "equal": lambda: self.text_size(1),
            "KP_Add": lambda: self.text_size(1),
            "minus": lambda: self.text_size(-1),
            "KP_Subtract": lambda: self.text_size(-1),
            "0": lambda: self.text_size(0),
            "Tab": lambda: self.step_chat(1),
            "Shift-Tab": lambda: self.step_chat(-1),
            "Next": lambda: self.step_chat(1),
            "Prior": lambda: self.step_chat(-1),
        }

    def _back(self) -> None:
        self.desk.shell.composer.text.focus_set()
