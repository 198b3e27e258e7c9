"""To which of two windows an event belongs: the one that knows its chat, turn, call or change."""

from __future__ import annotations

from metona_tk.protocol.commands import Command
from metona_tk.protocol.events import CommandRefused, Event
from metona_tk.ui.state import AppState


def belongs(event: Event, state: AppState) -> bool:
    """Whether an event is about one of the chats of `state`."""
    if isinstance(event, CommandRefused):
        return _is_about(event.command, state)
    return _is_about(event, state)


def _is_about(what: Event | Command, state: AppState) -> bool:
    chat_id, turn_id = getattr(what, "chat_id", ""), getattr(what, "turn_id", "")
    if chat_id or turn_id:
        return (bool(chat_id) and state.find(chat_id) is not None) or state.of_turn(turn_id) is not None
    if call_id := getattr(what, "call_id", ""):
        return any(call.start.call_id == call_id for chat in state.chats for _, call in chat.record.calls())
    if question_id := getattr(what, "question_id", ""):
        return any(turn.asked(question_id) for chat in state.chats for turn in chat.record.turns)
    operation = _operation(what)
    return bool(operation) and any(chat.record.of_operation(operation) for chat in state.chats)


def _operation(what: Event | Command) -> str:
    """The id of the change that an event or command is about, "" for none."""
    for holder in (what, getattr(what, "operation", None), getattr(what, "conflict", None)):
        if found := getattr(holder, "operation_id", ""):
            return str(found)
    return ""
