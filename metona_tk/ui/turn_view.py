"""Keeps what running turns report and shows it, for the chat that is on the screen. Counterpart: `dispatcher`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from metona_tk.i18n import N_, tr
from metona_tk.protocol.events import (
    ApprovalAnswered,
    ApprovalRequested,
    ContextMeasured,
    ContextTrimmed,
    QuestionAnswered,
    QuestionAsked,
    RoundFinished,
    ServerSilent,
    StateChanged,
    TextAdded,
    ThinkingAdded,
    ToolFinished,
    ToolStarted,
    TurnEvent,
    TurnFinished,
    TurnStarted,
)
from metona_tk.protocol.values import TurnState
from metona_tk.ui.desk import Desk
from metona_tk.ui.dialogs.approvals import Approvals
from metona_tk.ui.state import ChatState
from metona_tk.ui.visible import visible

_STATES: dict[TurnState, str] = {
    TurnState.IDLE: "",
    TurnState.SENDING: N_("asking the model…"),
    TurnState.ACCUMULATING: N_("the model answers…"),
    TurnState.EXECUTING: N_("looking at files…"),
    TurnState.CONFIRMING: N_("waiting for your answer"),
    TurnState.DONE: "",
}


@dataclass(slots=True)
class TurnView:
    """Events of turns that have ended, or whose chat is gone, are dropped."""

    desk: Desk
    approvals: Approvals

    def take(self, event: TurnEvent) -> None:
        """Keep and show one event."""
        chat = self.desk.state.of_turn(event.turn_id)
        turn = chat.record.find(event.turn_id) if chat else None
        if chat is None or turn is None:
            return
        turn.take(event)
        if chat is self.desk.chat:
            self.desk.shell.transcript.take(turn, event)
        if not isinstance(event, TextAdded | ThinkingAdded):
            self._beside(chat, event)

    def _beside(self, chat: ChatState, event: TurnEvent) -> None:
        """What an event means for everything but the page."""
        match event:
            case TurnStarted() | StateChanged() | ServerSilent():
                self._tell(chat, event)
            case RoundFinished():
                chat.speed = event.usage.tokens_per_second
                if chat is self.desk.chat:
                    self.desk.shell.status.speed(chat.speed)
            case ContextMeasured():
                chat.use = event.use
                if chat is self.desk.chat:
                    self.desk.shell.show_state()
            case ApprovalRequested() | ApprovalAnswered() | ToolFinished():
                self._question(chat, event)
            case QuestionAsked() | QuestionAnswered():
                self.desk.shell.show_state()
            case TurnFinished():
                self._finished(chat, event)
            case TextAdded() | ThinkingAdded() | ToolStarted() | ContextTrimmed():
                pass  # on the page only
            case _:
                assert_never(event)

    def _tell(self, chat: ChatState, event: TurnStarted | StateChanged | ServerSilent) -> None:
        if isinstance(event, TurnStarted):
            chat.replaced.clear()  # what the turn took the place of is gone for good now
            words = tr("{model} is asked…", model=visible(event.model)) if event.model else ""
            self.desk.tell(chat, words)
        elif isinstance(event, StateChanged):
            self.desk.tell(chat, tr(_STATES[event.state]), "warn" if event.state is TurnState.CONFIRMING else "text-2")
        else:
            words = tr(
                "waiting for the server, {count} s: it may be loading the model or reading a long question",
                count=event.seconds,
            )
            self.desk.tell(chat, words)

    def _question(self, chat: ChatState, event: ApprovalRequested | ApprovalAnswered | ToolFinished) -> None:
        if isinstance(event, ApprovalRequested):
            several = len(self.desk.state.chats) > 1
            self.approvals.ask(event, chat.title if several else "")
        else:
            self.approvals.close(event.call_id)
        self.desk.shell.show_state()

    def _finished(self, chat: ChatState, event: TurnFinished) -> None:
        self.approvals.drop(event.turn_id)
        self.ended(chat)

    def ended(self, chat: ChatState) -> None:
        """No turn of this chat runs any more."""
        chat.turn_id = None
        self.desk.tell(chat, "")
        if chat is self.desk.chat:
            self.desk.shell.composer.set_running(False)
        self.desk.shell.show_state()
