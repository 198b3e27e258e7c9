"""Turns each event of the core into one call of a window; pyright names here every event without a case."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from metona_tk.protocol.events import (
    CommandRefused,
    ConversationOpened,
    EngineStopped,
    Event,
    FileAllowed,
    ModeChanged,
    ModelsListed,
    OperationChanged,
    ServerStateChanged,
    SettingsChanged,
    TextAdded,
    ThinkingAdded,
    TurnDeleted,
    TurnEvent,
    UndoConflicted,
    UndoRefused,
    WorkspaceChanged,
)
from metona_tk.protocol.wishes import Wish

ChangeEvent = ModeChanged | FileAllowed | OperationChanged | UndoConflicted | UndoRefused


class TurnEvents(Protocol):
    """What keeps and shows running turns."""

    def take(self, event: TurnEvent) -> None: ...


class AppEvents(Protocol):
    """What shows everything that is not part of a turn."""

    def conversation_opened(self, event: ConversationOpened) -> None: ...
    def workspace_changed(self, event: WorkspaceChanged) -> None: ...
    def turn_deleted(self, event: TurnDeleted) -> None: ...
    def models_listed(self, event: ModelsListed) -> None: ...
    def server_state_changed(self, event: ServerStateChanged) -> None: ...
    def settings_changed(self, event: SettingsChanged) -> None: ...
    def command_refused(self, event: CommandRefused) -> None: ...
    def engine_stopped(self) -> None: ...


class ChangeEvents(Protocol):
    """What shows when a chat asks, and what becomes of changes after they were made."""

    def take(self, event: ChangeEvent) -> None: ...


class Dispatcher:
    """`turns` gets the events of all turns, `changes` those of changes and modes, `app` the others."""

    def __init__(self, app: AppEvents, turns: TurnEvents, changes: ChangeEvents) -> None:
        self._app, self._turns, self._changes = app, turns, changes

    def dispatch(self, event: Event) -> None:
        """Show one event."""
        match event:
            case ConversationOpened():
                self._app.conversation_opened(event)
            case WorkspaceChanged():
                self._app.workspace_changed(event)
            case TurnDeleted():
                self._app.turn_deleted(event)
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
            case ModeChanged() | FileAllowed() | OperationChanged() | UndoConflicted() | UndoRefused():
                self._changes.take(event)
            case _:
                self._turns.take(event)


class Router:
    """Gives each event to the window that it belongs to: `beside()` is the small one, None before it is built.

    `wish` gets what comes from outside; `after` is called when an event has been shown that more than a page shows.
    """

    def __init__(
        self,
        main: Dispatcher,
        beside: Callable[[Event], Dispatcher | None],
        wish: Callable[[Wish], object],
        after: Callable[[Event], object],
    ) -> None:
        self._main, self._beside, self._wish, self._after = main, beside, wish, after

    def dispatch(self, event: Event | Wish) -> None:
        """Show one event, or do what is wished."""
        if isinstance(event, Wish):
            self._wish(event)
            return
        other = self._beside(event)
        if other is not None:
            other.dispatch(event)
        if other is None or isinstance(event, ModelsListed | ServerStateChanged):
            self._main.dispatch(event)
        if not isinstance(event, TextAdded | ThinkingAdded):
            self._after(event)
