"""What the icon in the tray shows and offers, and what is worth a notification. Pure; counterpart: `outside`."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from metona_tk.i18n import N_, tr
from metona_tk.protocol.events import ApprovalRequested, Event, QuestionAsked, TurnFinished
from metona_tk.protocol.values import Mode, ServerState, TurnEnd
from metona_tk.ui.state import ChatState
from metona_tk.ui.tray.messages import Entry, State
from metona_tk.ui.visible import visible

LONG = 10.0  # s; a shorter answer is waited for
MOST_WORDS = 160  # characters of a notification
TOGGLE, QUICK, QUIT = "toggle", "quick", "quit"
_WORDS: dict[State, str] = {
    State.IDLE: N_("Metona"),
    State.WORKING: N_("Metona: working"),
    State.WAITING: N_("Metona: waiting for your answer"),
    State.OFFLINE: N_("Metona: the server is not reachable"),
}
_MODES: dict[Mode, str] = {
    Mode.ALL: N_("Ask: every change"),
    Mode.WRITE_ONLY: N_("Ask: deletions and overwrites"),
    Mode.NONE: N_("Do not ask (automatic)"),
}


@dataclass(frozen=True, slots=True)
class Look:
    """All that the icon shows."""

    state: State
    tooltip: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Notification:
    """`key` is the id of its chat."""

    key: str
    title: str
    body: str


def state_of(chats: Iterable[ChatState], server: ServerState | None) -> State:
    """What is most worth knowing: a question that waits, then work, then a server that is away."""
    known = list(chats)
    if any(chat.waiting for chat in known):
        return State.WAITING
    if any(chat.running for chat in known):
        return State.WORKING
    return State.OFFLINE if server is not None and not server.reachable else State.IDLE


def look(chats: Iterable[ChatState], server: ServerState | None, shown: bool, mode: Mode) -> Look:
    """The icon, given whether the window is shown and how the shown chat asks."""
    state = state_of(chats, server)
    modes = tuple(
        Entry(f"mode:{each.value}", tr(words), "radio", checked=each is mode) for each, words in _MODES.items()
    )
    entries = (
        Entry(TOGGLE, tr("Hide Metona") if shown else tr("Show Metona"), default=True),
        Entry(QUICK, tr("Quick question…")),
        Entry("", "", "separator"),
        *modes,
        Entry("", "", "separator"),
        Entry(QUIT, tr("Quit Metona")),
    )
    return Look(state, tr(_WORDS[state]), entries)


def notification(event: Event, chat: ChatState) -> Notification | None:
    """What an event of a chat that nobody looks at is worth; nothing of it can be answered there."""
    if isinstance(event, ApprovalRequested | QuestionAsked):
        words = tr("Open Metona to see it. Nothing is done before you answer.")
        return Notification(chat.chat_id, tr("Waiting for your answer"), f"{_short(chat.title)}\n{words}")
    if not isinstance(event, TurnFinished):
        return None
    turn = chat.record.find(event.turn_id)
    if turn is None or event.end is TurnEnd.STOPPED or time.time() - turn.asked_at < LONG:
        return None
    title = tr("The answer could not be finished") if event.end is TurnEnd.FAILED else tr("The answer is there")
    return Notification(chat.chat_id, title, _short(turn.question or chat.title))


def _short(words: str) -> str:
    line = visible(" ".join(words.split()))
    return line if len(line) <= MOST_WORDS else line[: MOST_WORDS - 1] + "…"
