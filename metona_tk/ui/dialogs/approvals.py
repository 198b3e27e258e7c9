"""The questions that wait for the user: one is shown, the others queue behind it."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass

from metona_tk.protocol.changes import Conflict
from metona_tk.protocol.commands import AnswerApproval
from metona_tk.protocol.events import ApprovalRequested
from metona_tk.protocol.values import OutsidePreview
from metona_tk.ui.dialogs.question import Question
from metona_tk.ui.fonts import Fonts


@dataclass(frozen=True, slots=True)
class Waiting:
    """A question in the line; `turn_id` "" for one that no turn waits for. `make` builds its dialog."""

    key: str
    turn_id: str
    make: Callable[[Fonts], Question]
    request: ApprovalRequested | None = None


class Approvals:
    """`answer` sends the user's decision for a call. While the window is not `seen`, questions wait for its return."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        answer: Callable[[AnswerApproval], object],
        seen: Callable[[], bool] = lambda: True,
    ) -> None:
        self._master, self._fonts, self._answer, self._seen = master, fonts, answer, seen
        self._waiting: list[Waiting] = []
        self._done = 0  # answered since the queue was last empty
        self.dialog: Question | None = None

    def ask(self, request: ApprovalRequested, chat: str = "") -> None:
        """Show the question, or let it wait for its turn; `chat` = the chat's title, where there are several."""
        self._put(Waiting(request.call_id, request.turn_id, lambda fonts: self._dialog(fonts, request, chat), request))

    def ask_conflict(self, conflict: Conflict, decide: Callable[[bool], object]) -> None:
        """Show the question about an undo or redo; `decide` gets whether it is done anyway."""
        key = f"undo:{conflict.operation_id}"

        def decided(anyway: bool) -> None:
            self.dialog = None
            decide(anyway)
            self.close(key)

        def make(fonts: Fonts) -> Question:
            from metona_tk.ui.dialogs.conflict import ConflictDialog

            return ConflictDialog(self._master, fonts, conflict, decided)

        self.close(key)
        self._put(Waiting(key, "", make))

    def ask_automatic(self, decide: Callable[[bool], object]) -> None:
        """Show the question before a chat stops asking."""
        key = "automatic"

        def decided(yes: bool) -> None:
            self.dialog = None
            decide(yes)
            self.close(key)

        def make(fonts: Fonts) -> Question:
            from metona_tk.ui.dialogs.automatic import AutomaticDialog

            return AutomaticDialog(self._master, fonts, decided)

        self.close(key)
        self._put(Waiting(key, "", make))

    def _put(self, waiting: Waiting) -> None:
        self._waiting.append(waiting)
        self._next()

    def _dialog(self, fonts: Fonts, request: ApprovalRequested, chat: str) -> Question:
        # here, so that the first window need not load them
        from metona_tk.ui.dialogs.change import ChangeDialog
        from metona_tk.ui.dialogs.read_outside import ReadOutside

        call_id, preview = request.call_id, request.preview
        if isinstance(preview, OutsidePreview):
            return ReadOutside(self._master, fonts, call_id, request.rule, preview, self._decided, chat=chat)
        return ChangeDialog(self._master, fonts, call_id, preview, self._decided, chat=chat)

    def close(self, key: str) -> None:
        """The question is answered, by whomever."""
        if not any(each.key == key for each in self._waiting):
            return
        shown = self._waiting[0].key == key
        self._waiting = [each for each in self._waiting if each.key != key]
        self._done += 1
        if shown:
            self._close_dialog()
        self._next()

    def drop(self, turn_id: str) -> None:
        """A turn has ended: none of its questions waits any more."""
        for each in [each for each in self._waiting if each.turn_id == turn_id]:
            self.close(each.key)

    def review(self, call_id: str) -> None:
        """Bring the question to the front."""
        if self.dialog is not None and self._waiting and self._waiting[0].key != call_id:
            wanted = [each for each in self._waiting if each.key == call_id]
            if wanted:
                self._waiting = wanted + [each for each in self._waiting if each is not wanted[0]]
                self._close_dialog()
                self._next()
        if self.dialog is not None:
            self.dialog.to_front()

    def rest(self) -> None:
        """The window is hidden: what is asked goes with it, as far as it was written."""
        if self.dialog is not None:
            self.dialog.rest()

    def wake(self) -> None:
        """The window is back: so is what is asked, and the half second begins again."""
        if self.dialog is not None:
            self.dialog.to_front()
        self._next()

    def hand_over(self, other: Approvals, turn_id: str) -> None:
        """Let another window ask what a turn waits for."""
        requests = [each.request for each in self._waiting if each.turn_id == turn_id and each.request is not None]
        self.drop(turn_id)
        for request in requests:
            other.ask(request)

    def use_fonts(self, fonts: Fonts) -> None:
        """For all dialogs from now on; the one that is shown is built anew, in the language of now."""
        self._fonts = fonts
        if self.dialog is not None:
            self._close_dialog()
            self._next()

    def clear(self) -> None:
        """No question waits any more."""
        self._waiting.clear()
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
            if not self._seen():
                return
            self.dialog = self._waiting[0].make(self._fonts)
        self.dialog.number(self._done + 1, self._done + len(self._waiting))

    def _decided(self, answer: AnswerApproval) -> None:
        self.dialog = None
        self._answer(answer)
        self.close(answer.call_id)
