"""Turns each event of the core into one call of the window; pyright names here every event without a case."""

from __future__ import annotations

from typing import Protocol, assert_never

from metona_tk.protocol.events import (
    ApprovalAnswered,
    ApprovalRequested,
    CommandRefused,
    ContextMeasured,
    ContextTrimmed,
    ConversationOpened,
    EngineStopped,
    Event,
    ModelsListed,
    QuestionAnswered,
    QuestionAsked,
    RoundFinished,
    ServerSilent,
    ServerStateChanged,
    SettingsChanged,
    StateChanged,
    TextAdded,
    ThinkingAdded,
    ToolFinished,
    ToolStarted,
    TurnDeleted,
    TurnEvent,
    TurnFinished,
    TurnStarted,
    WorkspaceChanged,
)

_Flow = TurnStarted | StateChanged | ServerSilent | RoundFinished | TurnFinished
_Content = ThinkingAdded | TextAdded | ToolStarted | ToolFinished | ApprovalRequested | ApprovalAnswered


class TurnEvents(Protocol):
    """What shows a running turn."""

    @property
    def turn_id(self) -> str | None: ...

    def turn_started(self, event: TurnStarted) -> None: ...
    def state_changed(self, event: StateChanged) -> None: ...
    def server_silent(self, event: ServerSilent) -> None: ...
    def round_finished(self, event: RoundFinished) -> None: ...
    def turn_finished(self, event: TurnFinished) -> None: ...
    def thinking_added(self, event: ThinkingAdded) -> None: ...
    def text_added(self, event: TextAdded) -> None: ...
    def tool_started(self, event: ToolStarted) -> None: ...
    def tool_finished(self, event: ToolFinished) -> None: ...
    def approval_requested(self, event: ApprovalRequested) -> None: ...
    def approval_answered(self, event: ApprovalAnswered) -> None: ...


class AppEvents(Protocol):
    """What shows everything that is not part of a turn."""

    def conversation_opened(self, event: ConversationOpened) -> None: ...
    def workspace_changed(self, event: WorkspaceChanged) -> None: ...
    def models_listed(self, event: ModelsListed) -> None: ...
    def server_state_changed(self, event: ServerStateChanged) -> None: ...
    def settings_changed(self, event: SettingsChanged) -> None: ...
    def command_refused(self, event: CommandRefused) -> None: ...
    def engine_stopped(self) -> None: ...


class Dispatcher:
    """`turn` sees only the events of the turn that it shows; late ones of a left chat are dropped."""

    def __init__(self, app: AppEvents, turn: TurnEvents) -> None:
        self._app, self._turn = app, turn

    def dispatch(self, event: Event) -> None:
        """Show one event."""
        match event:
            case ConversationOpened():
                self._app.conversation_opened(event)
            case WorkspaceChanged():
                self._app.workspace_changed(event)
            case ModelsListed():
                self._app.models_listed(event)
            case ServerStateChanged():
                self._app.server_state_changed(event)
            case SettingsChanged():
                self._app.settings_changed(event)
            case CommandRefused():
                self._app.command_refused(event)
            case EngineStopped():
                self._app.engine_stopped()
            case TurnDeleted():
                pass  # the window deletes no turns yet
            case _:
                self._of_turn(event)

    def _of_turn(self, event: TurnEvent) -> None:
        if event.turn_id != self._turn.turn_id:
            return
        match event:
            case TurnStarted() | StateChanged() | ServerSilent() | RoundFinished() | TurnFinished():
                self._flow(event)
            case ContextMeasured() | ContextTrimmed() | QuestionAsked() | QuestionAnswered():
                pass  # not shown yet
            case _:
                self._content(event)

    def _flow(self, event: _Flow) -> None:
        match event:
            case TurnStarted():
                self._turn.turn_started(event)
            case StateChanged():
                self._turn.state_changed(event)
            case ServerSilent():
                self._turn.server_silent(event)
            case RoundFinished():
                self._turn.round_finished(event)
            case TurnFinished():
                self._turn.turn_finished(event)
            case _:
                assert_never(event)

    def _content(self, event: _Content) -> None:
        match event:
            case ThinkingAdded():
                self._turn.thinking_added(event)
            case TextAdded():
                self._turn.text_added(event)
            case ToolStarted():
                self._turn.tool_started(event)
            case ToolFinished():
                self._turn.tool_finished(event)
            case ApprovalRequested():
                self._turn.approval_requested(event)
            case ApprovalAnswered():
                self._turn.approval_answered(event)
            case _:
                assert_never(event)
