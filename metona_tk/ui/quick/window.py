"""The small window: built hidden, shown at once, hidden by Esc; a chat of its own until it is made one of the others.

Decorated by the window manager on purpose: without its frame a window gets neither the focus nor an input method
everywhere, and its questions would open behind it.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from metona_tk.i18n import tr
from metona_tk.protocol.commands import Command, NewConversation, OpenPath
from metona_tk.ui import theme
from metona_tk.ui.asking import Asking
from metona_tk.ui.changes import Changes
from metona_tk.ui.chat.transcript import TranscriptActions
from metona_tk.ui.desk import Desk
from metona_tk.ui.dialogs.approvals import Approvals
from metona_tk.ui.dispatcher import Dispatcher
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.keys import MODIFIER
from metona_tk.ui.menus import Menus
from metona_tk.ui.quick.pane import LEAST, QuickActions, QuickPane
from metona_tk.ui.reports import Reports, server_words
from metona_tk.ui.server_watch import ServerWatch
from metona_tk.ui.state import AppState, ChatState
from metona_tk.ui.turn_view import TurnView
from metona_tk.ui.widgets.front import bring_to_front, in_the_middle, is_seen
from metona_tk.ui.widgets.root import Dialog

WIDTH = 640


@dataclass(frozen=True, slots=True)
class QuickParts:
    """What it has from the large window: `adopt` shows a chat there, `keep` only lists it."""

    send: Callable[[Command], None]
    known: AppState  # of the large window
    settings: dict[str, Any]
    watch: ServerWatch
    refresh: Callable[[], object]
    adopt: Callable[[ChatState], object]
    keep: Callable[[ChatState], object]
    open_link: Callable[[str], object]
    approvals: Callable[[], Approvals]  # of the large window
    changed: Callable[[], object]  # it was shown, or hidden


class QuickAsk:
    """`state` holds its one chat."""

    def __init__(self, owner: tk.Misc, fonts: Fonts, parts: QuickParts) -> None:
        self._parts = parts
        self.top = Dialog(owner)
        self.top.withdraw()
        self.top.title(tr("Metona: quick question"))
        self.state = AppState(history=parts.known.history)
        self.desk = Desk(self.top, parts.send, self.state, parts.settings)
        self.asking = Asking(self.desk)
        self.menus = Menus(self.desk, self.asking)
        self.changes = Changes(self.desk, self.asking, lambda: self.approvals)
        self._known_to_core = self._answered_before = False
        self._height = 0
        self._build(fonts)
        self.approvals = Approvals(self.top, fonts, self.changes.answer, lambda: is_seen(self.top))
        reports = Reports(
            self.desk, self.asking, self.changes, parts.watch, lambda _event: None, lambda: False, lambda: None
        )
        self.dispatcher = Dispatcher(reports, TurnView(self.desk, self.approvals), self.changes)
        self.top.protocol("WM_DELETE_WINDOW", self.hide)
        self.top.bind("<Escape>", lambda _event: self.escape())
        for key in ("Return", "KP_Enter"):
            self.top.bind(f"<{MODIFIER}-{key}>", lambda _event: self._make_chat())
        self._take_known()

    def _build(self, fonts: Fonts) -> None:
        parts = self._parts
        page = TranscriptActions(
            self.menus.act,
            self.menus.popup,
            self.asking.retry,
            self.asking.stop,
            self.changes.review,
            self.asking.answer,
            self.changes.act,
            parts.open_link,
            lambda path: parts.send(OpenPath(self.chat.chat_id, path)),
            lambda words: self._pane.status.message(words or self.desk.chat.message, self.desk.chat.tone),
        )
        actions = QuickActions(
            self.ask, self.asking.stop, self._make_chat, self.escape, parts.refresh, self._grow, page
        )
        self._pane = self.desk.shell = QuickPane(self.top, fonts, self.state, actions)
        self._pane.pack(fill="both", expand=True)
        for key in ("Return", "KP_Enter"):  # the Entry's own Return would ask
            self._pane.composer.entry.bind(f"<{MODIFIER}-{key}>", lambda _event: self._make_chat())

    @property
    def pane(self) -> QuickPane:
        """What is on the screen."""
        return self._pane

    @property
    def chat(self) -> ChatState:
        """Its chat."""
        return self.state.shown

    def rebuild(self, fonts: Fonts) -> None:
        """The same window in another language or size."""
        chat = self.chat
        chat.draft = self._pane.composer.content()
        self._pane.transcript.stop_drawing()
        self._pane.transcript.show_nothing()
        self.menus.close()
        self._pane.destroy()
        self.top.title(tr("Metona: quick question"))
        self._build(fonts)
        self.approvals.use_fonts(fonts)
        self._height = 0
        self._pane.show_chat()
        self._pane.server_notice.say(server_words(self.state.server))

    def _take_known(self) -> None:
        """Begin with what the large window knows; later events come here as well."""
        known = self._parts.known
        self.state.server, self.state.models = known.server, known.models
        self._use_choices(self.chat, None, "")
        self._pane.show_chat()
        self._pane.server_notice.say(server_words(known.server))

    def _use_choices(self, chat: ChatState, folder: str | None, model: str) -> None:
        shown = self._parts.known.shown
        chat.workspace = folder or shown.workspace
        chat.model, chat.think = model or shown.model, shown.think

    # Showing and hiding

    def show(self, question: str = "", folder: str | None = None, model: str = "") -> None:
        """Bring it to the front; ask `question` at once, unless an answer is being made."""
        chat = self.chat
        elsewhere = folder is not None and folder != chat.workspace
        if not chat.running and (elsewhere or not chat.record.turns):
            self._begin(folder, model)
        elif model and not chat.running:
            chat.model = model
        if question:
            self._pane.composer.set_content(question)
        if not chat.running:
            self._pane.composer.select()
        if not self.shown:
            in_the_middle(self.top, self._pane.fonts.px(WIDTH), self._height or self._pane.fonts.px(LEAST))
        bring_to_front(self.top, self._pane.composer.entry)
        self.approvals.wake()
        self._parts.changed()
        if question:
            self._pane.composer.submit()

    @property
    def shown(self) -> bool:
        """Whether it is on the screen."""
        return is_seen(self.top)

    def escape(self) -> None:
        """Stop the answer; when none is made, hide."""
        if self.chat.running:
            self.asking.stop()
        else:
            self.hide()

    def hide(self) -> None:
        """Away; what was asked and answered stays, and the next question begins a chat of its own."""
        self._answered_before = not self.chat.running and bool(self.chat.record.turns)
        self.approvals.rest()
        self.menus.close()
        self.top.withdraw()
        self._parts.changed()

    def _grow(self, height: int) -> None:
        """The answer grows, and nothing jumps back while it is looked at."""
        asked = not self._pane.transcript.page.empty
        if height > self._height or not (asked and self.shown):
            self._height = height
            if self.shown:
                width = max(self.top.winfo_width(), self._pane.fonts.px(WIDTH) // 2)
                self.top.wm_geometry(f"{width}x{max(height, self.top.winfo_height()) if asked else height}")

    # Chats

    def ask(self, text: str) -> None:
        """Ask; what was answered before the window was hidden becomes one of the open chats first."""
        if self._answered_before and not self.chat.running:
            done = self.chat
            self._begin(None, "")
            self._parts.keep(done)
            self._pane.composer.set_content(text)
        self._answered_before = False
        self.asking.ask(text)

    def _begin(self, folder: str | None, model: str) -> None:
        """An empty chat, with the folder and model of the large window's."""
        wanted = folder or self._parts.known.shown.workspace
        if self._known_to_core and not self.chat.record.turns and wanted == self.chat.workspace:
            self._use_choices(self.chat, wanted, model)
            self._pane.show_state()
            return
        draft = self._pane.composer.content()
        if self.chat.record.turns or self._known_to_core:
            self._replace(ChatState())
        self._use_choices(self.chat, folder, model)
        self._known_to_core = True
        self._parts.send(NewConversation(self.chat.chat_id, self.chat.workspace))
        self.chat.draft = draft
        self._pane.show_chat()

    def _replace(self, chat: ChatState) -> None:
        self.state.chats[:] = [chat]
        self.state.shown = chat
        self._known_to_core = False

    def _make_chat(self) -> str:
        """Go on in the large window: with the answer, or with what is written."""
        chat, words = self.chat, self._pane.composer.content()
        if not self._known_to_core:
            self._begin(None, "")
        asked = chat.record.turns[-1].question if chat.record.turns else ""
        chat.draft = "" if words.strip() == asked.strip() else words
        turn_id = chat.turn_id
        self.approvals.rest()
        self.top.withdraw()
        self._replace(ChatState())
        self._answered_before = False
        self._pane.show_chat()
        self._height = 0
        self._parts.adopt(chat)
        if turn_id is not None:
            self.approvals.hand_over(self._parts.approvals(), turn_id)
        return "break"

    def close(self) -> None:
        """Gone for good."""
        self._pane.transcript.stop_drawing()
        self.approvals.clear()
        if theme.alive(self.top):
            self.top.destroy()
