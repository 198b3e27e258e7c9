"""Shows one running turn: transcript, status line, composer and questions. Counterpart: `dispatcher`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from metona_tk.i18n import N_, tr
from metona_tk.i18n.problems import problem_text
from metona_tk.protocol.events import (
    ApprovalAnswered,
    ApprovalRequested,
    RoundFinished,
    ServerSilent,
    StateChanged,
    TextAdded,
    ThinkingAdded,
    ToolFinished,
    ToolStarted,
    TurnFinished,
    TurnStarted,
)
from metona_tk.protocol.values import TurnEnd, TurnState
from metona_tk.ui.chat.composer import Composer
from metona_tk.ui.chat.transcript import Transcript
from metona_tk.ui.dialogs.approvals import Approvals
from metona_tk.ui.state import ChatState
from metona_tk.ui.status import StatusLine
from metona_tk.ui.visible import visible

_STATES: dict[TurnState, str] = {
    TurnState.IDLE: "",
    TurnState.SENDING: N_("asking the model…"),
    TurnState.ACCUMULATING: N_("the model answers…"),
    TurnState.EXECUTING: N_("looking at files…"),
    TurnState.CONFIRMING: N_("waiting for your answer"),
    TurnState.DONE: "",
}
_TONES = {TurnEnd.FAILED: "danger", TurnEnd.STOPPED: "idle"}


@dataclass(slots=True)
class TurnView:
    """`on_end` is called when the turn has ended and the composer is free again."""

    state: ChatState
    transcript: Transcript
    status: StatusLine
    composer: Composer
    approvals: Approvals
    on_end: Callable[[], object]

    @property
    def turn_id(self) -> str | None:
        """The turn that is shown."""
        return self.state.turn_id

    def turn_started(self, event: TurnStarted) -> None:
        """It runs: its question need not be given back any more."""
        self.state.draft_of.pop(event.turn_id, None)
        self.status.message(tr("{model} is asked…", model=visible(event.model)))

    def state_changed(self, event: StateChanged) -> None:
        """Where it stands, in words."""
        tone = "warn" if event.state is TurnState.CONFIRMING else "text-2"
        self.status.message(tr(_STATES[event.state]), tone)

    def server_silent(self, event: ServerSilent) -> None:
        """Nothing comes, and why that may be."""
        words = tr(
            "waiting for the server, {count} s: it may be loading the model or reading a long question",
            count=event.seconds,
        )
        self.status.message(words)

    def round_finished(self, event: RoundFinished) -> None:
        """Its speed."""
        self.status.speed(event.usage.tokens_per_second)

    def thinking_added(self, event: ThinkingAdded) -> None:
        """More thinking."""
        self.transcript.add_thinking(event.text)

    def text_added(self, event: TextAdded) -> None:
        """More of the answer."""
        self.transcript.add_text(event.text)

    def tool_started(self, event: ToolStarted) -> None:
        """A call runs."""
        self.transcript.tool_started(event)

    def tool_finished(self, event: ToolFinished) -> None:
        """A call has ended."""
        self.approvals.close(event.call_id)
        self.transcript.tool_finished(event)

    def approval_requested(self, event: ApprovalRequested) -> None:
        """The user is asked."""
        self.transcript.tool_waiting(event.call_id, True)
        self.approvals.ask(event)

    def approval_answered(self, event: ApprovalAnswered) -> None:
        """The question is closed."""
        self.transcript.tool_waiting(event.call_id, False)
        self.approvals.close(event.call_id)

    def turn_finished(self, event: TurnFinished) -> None:
        """Say why it ended, and let the user go on."""
        self.approvals.clear()
        self.transcript.end_turn()
        if event.problem is not None:
            self.transcript.say(problem_text(event.problem), _TONES.get(event.end, "warn"), event.can_retry)
        elif event.end is TurnEnd.STOPPED:
            self.transcript.say(tr("⊘ Stopped."), "idle", event.can_retry)
        elif event.can_retry or event.end is TurnEnd.FAILED:
            self.transcript.say(tr("The answer could not be finished."), "warn", event.can_retry)
        self.state.retry_turn = event.turn_id if event.can_retry else None
        self.stop_showing()

    def stop_showing(self) -> None:
        """No turn runs any more, or it is no longer shown."""
        self.state.turn_id = None
        self.composer.set_running(False)
        self.status.message("")
        self.on_end()
