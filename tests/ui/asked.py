"""A question about a change that is shown, with a clock that the test moves."""

from __future__ import annotations

import tkinter as tk

from metona_tk.protocol.commands import AnswerApproval
from metona_tk.protocol.values import Decision
from metona_tk.ui.dialogs.change import ChangeDialog
from tests.ui import previews as p
from tests.ui import scenes as s
from tests.ui.hands import Hands


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Asked:
    """A question that is shown; its clock stands still until a test moves it."""

    def __init__(self, hands: Hands) -> None:
        self.hands, self.clock = hands, Clock()
        self.turn = hands.ask()
        hands.feed(*s.started(self.turn))

    def show(self, preview, call: str = "c1") -> ChangeDialog:
        self.hands.feed(*p.asked(self.turn, preview, call))
        self.hands.settle()
        return self.take()

    def take(self) -> ChangeDialog:
        """The dialog of now, with the clock of the test."""
        hands = self.hands
        hands.wait_for(lambda: hands.window.approvals.dialog)
        dialog = hands.window.approvals.dialog
        dialog._seen, dialog._clock = None, self.clock
        hands.wait_for(dialog.winfo_viewable)
        dialog.event_generate("<Expose>")
        hands.wait_for(lambda: dialog._seen is not None)
        if dialog.box is not None:
            hands.wait_for(dialog.box.text.winfo_viewable)
        hands.top.update()
        return dialog

    def later(self) -> None:
        self.clock.now += 0.51

    @property
    def answers(self) -> list[AnswerApproval]:
        return self.hands.of(AnswerApproval)

    def decisions(self) -> list[Decision]:
        return [answer.decision for answer in self.answers]

    def press(self, widget: tk.Misc, *keys: str) -> None:
        self.hands.focus(widget)
        self.hands.type("", *keys)
