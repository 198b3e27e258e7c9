"""The questions that wait for the user: one is shown, the others queue behind it."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from metona_tk.protocol.events import ApprovalRequested
from metona_tk.protocol.values import Decision, OutsidePreview
from metona_tk.ui.dialogs.read_outside import ReadOutside
from metona_tk.ui.fonts import Fonts


class Approvals:
    """`answer` sends the user's decision for a call."""

    def __init__(self, master: tk.Misc, fonts: Fonts, answer: Callable[[str, Decision], object]) -> None:
        self._master, self._fonts, self._answer = master, fonts, answer
        self._waiting: list[ApprovalRequested] = []
        self._chats: dict[str, str] = {}  # title of the chat by call, where it has to be said
        self._done = 0  # answered since the queue was last empty
        self.dialog: ReadOutside | None = None

    def ask(self, request: ApprovalRequested, chat: str = "") -> None:
        """Show the question, or let it wait for its turn; `chat` = the chat's title, where there are several."""
        self._waiting.append(request)
        self._chats[request.call_id] = chat
        self._next()

    def close(self, call_id: str) -> None:
        """The question is answered, by whomever."""
        if not any(request.call_id == call_id for request in self._waiting):
            return
        shown = self._waiting[0].call_id == call_id
        self._waiting = [request for request in self._waiting if request.call_id != call_id]
        self._chats.pop(call_id, None)
        self._done += 1
        if shown:
            self._close_dialog()
        self._next()

    def drop(self, turn_id: str) -> None:
        """A turn has ended: none of its questions waits any more."""
        for request in [request for request in self._waiting if request.turn_id == turn_id]:
            self.close(request.call_id)

    def review(self, call_id: str) -> None:
        """Bring the question to the front."""
        if self.dialog is not None and self._waiting and self._waiting[0].call_id != call_id:
            wanted = [request for request in self._waiting if request.call_id == call_id]
            if wanted:
                self._waiting = wanted + [request for request in self._waiting if request is not wanted[0]]
                self._close_dialog()
                self._next()
        if self.dialog is not None:
            self.dialog.to_front()

    def use_fonts(self, fonts: Fonts) -> None:
        """For all dialogs from now on; the one that is shown is built anew, in the language of now."""
        self._fonts = fonts
        if self.dialog is not None:
            self._close_dialog()
            self._next()

    def clear(self) -> None:
        """No question waits any more."""
        self._waiting.clear()
        self._chats.clear()
        self._close_dialog()
        self._next()

    def _close_dialog(self) -> None:
        if self.dialog is not None:
            self.dialog.destroy()
            self.dialog = None

    def _next(self) -> None:
        if not self._waiting:
            self._done = 0
            return
        if self.dialog is None:
            request = self._waiting[0]
            if not isinstance(request.preview, OutsidePreview):
                return
            self.dialog = ReadOutside(
                self._master,
                self._fonts,
                request.rule,
                request.preview,
                lambda decision: self._decided(request.call_id, decision),
                chat=self._chats.get(request.call_id, ""),
            )
        self.dialog.number(self._done + 1, self._done + len(self._waiting))

    def _decided(self, call_id: str, decision: Decision) -> None:
        self.dialog = None
        self._answer(call_id, decision)
        self.close(call_id)
