"""The window: its beginning and end, its keys, and the building of what it shows, anew when language or size change."""

from __future__ import annotations

import logging
import os
import queue
import sys
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from metona_tk import i18n
from metona_tk.i18n import tr
from metona_tk.protocol.commands import Command, NewConversation, Shutdown
from metona_tk.protocol.events import Event, SettingsChanged
from metona_tk.protocol.wishes import AskQuickly, Wish
from metona_tk.ui import theme
from metona_tk.ui.asking import Asking
from metona_tk.ui.bridge import Bridge
from metona_tk.ui.changes import Changes
from metona_tk.ui.chat.composer import Composer, ComposerActions
from metona_tk.ui.chat.transcript import Transcript, TranscriptActions
from metona_tk.ui.choices import Choices
from metona_tk.ui.desk import Desk
from metona_tk.ui.dialogs.approvals import Approvals
from metona_tk.ui.dialogs.extra import ExtraWindows
from metona_tk.ui.dispatcher import Dispatcher, Router
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.header import Header, HeaderActions
from metona_tk.ui.keys import bind_keys
from metona_tk.ui.menus import Menus
from metona_tk.ui.outside import Outside, StartIcon
from metona_tk.ui.reports import Reports, server_words
from metona_tk.ui.server_watch import ServerWatch
from metona_tk.ui.shell import Shell, ShellActions
from metona_tk.ui.sidebar import SidebarActions
from metona_tk.ui.state import AppState
from metona_tk.ui.status import StatusLine
from metona_tk.ui.turn_view import TurnView
from metona_tk.ui.widgets.finalizers import finish_waiting
from metona_tk.ui.widgets.front import is_seen
from metona_tk.ui.widgets.notice import Notice
from metona_tk.ui.widgets.root import apply_mode, set_scaling

log = logging.getLogger("metona_tk")
CLOSING = 3000  # ms that the core gets to end
SIZE, LEAST = (1100, 760), (640, 480)


@dataclass(frozen=True, slots=True)
class StartOptions:
    """What the program was started with: a folder, a model, and a question to ask at once. `quick`: in the small one,
    while the large window begins minimised.
    """

    workspace: str | None = None
    model: str = ""
    question: str = ""
    quick: bool = False


class Window:
    """Owns everything inside `top`, which is the root or a Toplevel; `on_closed` is called once, at the very end."""

    def __init__(
        self,
        top: tk.Tk | tk.Toplevel,
        send: Callable[[Command], None],
        events: queue.SimpleQueue[Event | Wish],
        settings_values: dict[str, Any],
        on_closed: Callable[[], object] | None = None,
        start_icon: StartIcon | None = None,
    ) -> None:
        self.top, self._send = top, send
        self.take_wish: Callable[[Wish], object] = events.put  # from any thread
        self._on_closed = on_closed or top.destroy
        self._closing: str | None = None
        self._closed = False
        self._warming = ""
        self._worn: tuple[object, ...] = ()  # language and size that the shell was built with
        self.desk = Desk(top, send, settings=dict(settings_values))
        self.asking = Asking(self.desk)
        self.choices = Choices(self.desk)
        self.extra = ExtraWindows(self.desk, self.choices.change)
        self.menus = Menus(self.desk, self.asking, self._open_find)
        self.changes = Changes(self.desk, self.asking, lambda: self.approvals)
        self._watch_errors()
        self.desk.mode = str(settings_values.get("theme", "dark"))
        apply_mode(self.desk.mode)
        self._frame()
        self._build()
        bind_keys((self.top,), *self._keys())
        self.approvals = Approvals(top, self.fonts, self.changes.answer, lambda: is_seen(top))
        self.watch = ServerWatch(top, self.choices.refresh)
        self.turn = TurnView(self.desk, self.approvals)
        reports = Reports(
            self.desk,
            self.asking,
            self.changes,
            self.watch,
            self._settings_changed,
            lambda: self._closing is not None,
            self._finish,
        )
        self.outside = Outside(self, start_icon)
        top.protocol("WM_DELETE_WINDOW", self.outside.leave)
        router = Router(
            Dispatcher(reports, self.turn, self.changes), self.outside.beside, self.outside.take, self.outside.after
        )
        self.bridge = Bridge(top, events, router.dispatch, self._failed)

    # What others look at

    @property
    def shell(self) -> Shell:
        """What is on the screen."""
        return self._shell

    @property
    def state(self) -> AppState:
        """What is known."""
        return self.desk.state

    @property
    def transcript(self) -> Transcript:
        """The page."""
        return self.shell.transcript

    @property
    def composer(self) -> Composer:
        """Where questions are written."""
        return self.shell.composer

    @property
    def header(self) -> Header:
        """The pickers."""
        return self.shell.header

    @property
    def status(self) -> StatusLine:
        """The status line."""
        return self.shell.status

    @property
    def notice(self) -> Notice:
        """What went wrong."""
        return self.shell.notice

    @property
    def server_notice(self) -> Notice:
        """What is amiss with the server."""
        return self.shell.server_notice

    # Building

    def _frame(self) -> None:
        self.top.title("Metona")
        scale = set_scaling(self.top, 100)
        # The wm_ ones: CustomTkinter's root scales in geometry() and minsize(), though not on every system.
        self.top.wm_geometry(f"{round(SIZE[0] * scale)}x{round(SIZE[1] * scale)}")
        self.top.wm_minsize(round(LEAST[0] * scale), round(LEAST[1] * scale))
        if isinstance(self.top, tk.Toplevel):
            theme.paint(self.top, background="surface-1")

    def _build(self) -> None:
        size = int(self.desk.settings.get("textSize", 100))
        self._worn = (i18n.language(), size)
        self.fonts = Fonts(self.top, set_scaling(self.top, size))
        self._shell = self.desk.shell = Shell(self.top, self.fonts, self.state, self._actions())
        self.shell.pack(fill="both", expand=True)
        self._bind_keys()
        self._use_values()
        self.composer.text.focus_set()

    def _actions(self) -> ShellActions:
        asking, menus = self.asking, self.menus
        choices = self.choices
        header = HeaderActions(
            choices.model, choices.think, choices.workspace, self.changes.choose_mode, choices.refresh, self._side_menu
        )
        composer = ComposerActions(
            asking.ask, asking.stop, asking.edit_last, asking.take_aside, lambda: self.state.history
        )
        page = TranscriptActions(
            menus.act,
            menus.popup,
            asking.retry,
            asking.stop,
            self.changes.review,
            asking.answer,
            self.changes.act,
            self.extra.open_link,
            self.extra.open_path,
            self._tell_pointed,
        )
        sidebar = SidebarActions(choices.new_chat, choices.show_chat, self.extra.settings)
        return ShellActions(header, sidebar, page, composer, choices.refresh, self.changes.ask_again, self.close)

    def _rebuild(self) -> None:
        """The same window in another language or size; chats, drafts and running turns go on."""
        had_page = self._focus_is_in(self.transcript.page)
        view, finding = self.transcript.view(), self.shell.finding
        self.state.shown.draft = self.composer.content()
        notices = (self.notice.text, server_words(self.state.server))
        self.shell.transcript.stop_drawing()
        self.shell.transcript.show_nothing()
        self.menus.close()
        self.shell.destroy()
        self._build()
        finish_waiting()
        self.approvals.use_fonts(self.fonts)
        self.shell.show_chat(view)
        if self.state.server is not None:
            self.status.server(self.state.server)
        self.notice.say(notices[0])
        self.server_notice.say(notices[1])
        if finding is not None:
            self.shell.find(finding)
        elif had_page:
            self.transcript.page.text.focus_set()
        self.extra.rebuild()
        self.outside.rebuild()

    def _focus_is_in(self, widget: tk.Misc) -> bool:
        return str(self.top.tk.call("focus")).startswith(str(widget))

    def _keys(self) -> tuple[dict[str, Callable[[], object]], dict[str, Callable[[], object]]]:
        """Those with Ctrl, and others. They look up what is shown when they are pressed: the shell may be another."""
        letters: dict[str, Callable[[], object]] = {
            "l": self._open_models,
            "o": self._open_folders,
            "r": self.asking.retry_or_again,
            "f": self._open_find,
            "comma": self.extra.settings,
            "q": self.close,
            "Shift-C": self.menus.copy_last,
            **self.choices.keys(),
        }
        others: dict[str, Callable[[], object]] = {
            "F1": self.extra.keys,
            "F5": self.choices.refresh,
            "Escape": self._escape,
        }
        return letters, others

    def _open_models(self) -> None:
        self.header.model.open()

    def _open_folders(self) -> None:
        self.header.open_folders()

    def _open_find(self) -> None:
        self.shell.find()

    def _bind_keys(self) -> None:
        shell = self.shell
        bind_keys((shell.composer.text, shell.transcript.page.text), *self._keys())
        for key, pages in {"<Prior>": -1, "<Next>": 1}.items():
            shell.composer.text.bind(key, lambda _event, pages=pages: self._scroll(pages))
        page = shell.transcript.page.text
        page.bind("<FocusIn>", lambda _event: self._tell_keys(), add=True)
        page.bind("<FocusOut>", lambda _event: self._untell_keys(), add=True)

    def _scroll(self, pages: int) -> str:
        self.transcript.page.scroll(pages)
        return "break"

    def _tell_keys(self) -> None:
        if self.state.shown.record.turns and not self.state.shown.running:
            self.status.message(tr("Ctrl+↑ and Ctrl+↓ pick a message or card, Enter opens it"))

    def _untell_keys(self) -> None:
        self.status.message(self.state.shown.message, self.state.shown.tone)

    def _tell_pointed(self, words: str) -> None:
        if words:
            self.status.message(words)
        else:
            self._untell_keys()

    # What the user does

    def start(self, options: StartOptions | None = None) -> None:
        """Begin to work: open a chat, look for the server, ask what was given on the command line."""
        options = options or StartOptions()
        self.bridge.start()
        self.state.shown.model = options.model
        self._send(NewConversation(self.state.shown.chat_id, options.workspace))
        self.choices.refresh()
        if os.environ.get("METONA_TK_ANNOUNCE_READY"):
            self.when_drawn(self._say_ready)
        self._warming = self.top.after(400, self._warm_up)
        if options.quick:
            self.top.wm_iconify()
            self.outside.take(AskQuickly(options.workspace, options.model, options.question.strip()))
        elif options.question.strip():
            self.asking.ask(options.question.strip())

    def _warm_up(self) -> None:
        self._warming = ""
        self.transcript.answers.warm_up()
        self.outside.begin()

    def _side_menu(self, control: tk.Misc) -> None:
        self.menus.side(control, self.choices.new_chat, self.choices.show_chat, self.extra.settings)

    def _escape(self) -> None:
        """Close what is open, leave what is being changed, stop what runs: the first of these that there is."""
        if self.composer.hints.hide() or self.shell.close_find() or self.asking.leave_edit():
            return
        self.asking.stop()

    # Settings

    def _settings_changed(self, event: SettingsChanged) -> None:
        self.desk.settings = dict(event.values)
        worn = (i18n.language(), int(event.values.get("textSize", 100)))
        if worn != self._worn:
            self._rebuild()
        self._use_values()
        self.extra.show_values(event)

    def _use_values(self) -> None:
        values = self.desk.settings
        self.header.recent = [str(path) for path in values.get("recentWorkspaces", [])]
        self.header.set_default_think(str(values.get("think", "off")))
        wanted = str(values.get("theme", "dark"))
        if wanted != self.desk.mode:
            self.desk.mode = wanted
            apply_mode(wanted)

    # Errors, beginning and end

    def _watch_errors(self) -> None:
        root = self.top.nametowidget(".")
        root.report_callback_exception = self._callback_failed

    def _callback_failed(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):  # Ctrl+C in the terminal
            self.close()
            return
        log.error("in a callback of the window", exc_info=(kind, error, trace))
        if not self._closed:
            self.status.message(tr("Something went wrong inside Metona; it is in the log."), "danger")

    def _failed(self, error: Exception) -> None:
        self._callback_failed(type(error), error, error.__traceback__)

    def when_drawn(self, act: Callable[[], object]) -> None:
        """Do it once the window has been drawn."""
        waiting = [act]

        def drawn(_event: tk.Event[Any]) -> None:
            if waiting:
                self.top.after_idle(waiting.pop())

        self.transcript.page.text.bind("<Visibility>", drawn, add=True)

    def _say_ready(self) -> None:
        sys.stdout.write("READY\n")
        sys.stdout.flush()

    def close(self) -> None:
        """Stop everything; the window is gone at once, the program when the core has ended."""
        if self._closing is None:
            self._closing = self.top.after(CLOSING, self._finish)
            self.stop_timers()
            self.outside.close()
            self.extra.close()
            self._send(Shutdown())
            self.approvals.clear()
            self.top.withdraw()

    def stop_timers(self) -> None:
        """Nothing comes by itself any more but what the core says."""
        self.watch.stop()
        self.transcript.stop_drawing()
        if self._warming:
            self.top.after_cancel(self._warming)
            self._warming = ""

    def _finish(self) -> None:
        if not self._closed:
            self._closed = True
            if self._closing is not None:
                self.top.after_cancel(self._closing)
            self.bridge.stop()
            self._on_closed()
