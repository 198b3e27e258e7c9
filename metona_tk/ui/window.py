"""The window: lays out the parts, turns what the user does into commands, and shows what is not part of a turn."""

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

from metona_tk import places
from metona_tk.i18n import N_, tr
from metona_tk.i18n.problems import problem_text
from metona_tk.protocol.commands import (
    AnswerApproval,
    CancelTurn,
    Command,
    ListModels,
    NewConversation,
    RetryTurn,
    SetWorkspace,
    Shutdown,
    StartTurn,
)
from metona_tk.protocol.events import (
    CommandRefused,
    ConversationOpened,
    Event,
    ModelsListed,
    ServerStateChanged,
    SettingsChanged,
    WorkspaceChanged,
)
from metona_tk.protocol.problems import Problem, ProblemCode
from metona_tk.protocol.values import EXAMPLE_MODEL, Decision, ServerState
from metona_tk.ui import theme
from metona_tk.ui.bridge import Bridge
from metona_tk.ui.chat.composer import Composer
from metona_tk.ui.chat.transcript import Transcript
from metona_tk.ui.dialogs.approvals import Approvals
from metona_tk.ui.dispatcher import Dispatcher
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.header import Header, HeaderActions
from metona_tk.ui.keys import bind_keys
from metona_tk.ui.server_watch import ServerWatch
from metona_tk.ui.state import ChatState, new_id
from metona_tk.ui.status import StatusLine
from metona_tk.ui.turn_view import TurnView
from metona_tk.ui.visible import visible
from metona_tk.ui.widgets.notice import Notice
from metona_tk.ui.widgets.root import apply_mode, make_root, set_scaling
from metona_tk.ui.wording import home_path

log = logging.getLogger("metona_tk")
CLOSING = 3000  # ms that the core gets to end
COLUMN = 784
_NO_FOLDER = N_(
    "The model looks only into the folder that you choose, at the top or with Ctrl+O. "
    "Without one you can chat, but not ask about files."
)
_FOLDER = N_("The model may look into {folder}, and only there. It can list, read and search; it changes nothing.")
SIZE, LEAST = (1100, 760), (640, 480)


@dataclass(frozen=True, slots=True)
class StartOptions:
    """What the program was started with: a folder, a model, and a question to ask at once."""

    workspace: str | None = None
    model: str = ""
    question: str = ""


class Window:
    """Owns everything inside `top`, which is the root or a Toplevel; `on_closed` is called once, at the very end."""

    def __init__(
        self,
        top: tk.Tk | tk.Toplevel,
        send: Callable[[Command], None],
        events: queue.SimpleQueue[Event],
        settings_values: dict[str, Any],
        on_closed: Callable[[], object] | None = None,
    ) -> None:
        self.top, self._send = top, send
        self._on_closed = on_closed or top.destroy
        self._closing: str | None = None
        self._closed = False
        self.state = ChatState()
        self.fonts = Fonts(top, set_scaling(top))
        apply_mode(str(settings_values.get("theme", "dark")))
        self._watch_errors()
        self._build()
        self._lay_out()
        self._use_settings(settings_values)
        self.watch = ServerWatch(top, self.refresh)
        self.turn = TurnView(self.state, self.transcript, self.status, self.composer, self.approvals, self._show_state)
        self.bridge = Bridge(top, events, Dispatcher(self, self.turn).dispatch, self._failed)

    def _build(self) -> None:
        actions = HeaderActions(self.choose_model, self.set_workspace, self.new_chat, self.refresh)
        self.header = Header(self.top, self.fonts, self.state, actions)
        self._rule = tk.Frame(self.top, height=1, borderwidth=0)
        theme.paint(self._rule, background="line-1")
        self.transcript = Transcript(self.top, self.fonts, self.retry)
        self._below = tk.Frame(self.top, borderwidth=0)
        theme.paint(self._below, background="surface-1")
        self.server_notice = Notice(self._below, self.fonts, tr("Try again"), self.refresh)
        self.notice = Notice(self._below, self.fonts, tr("OK"), lambda: self.notice.say(""))
        self.composer = Composer(self._below, self.fonts, self.ask, self.stop)
        self.status = StatusLine(self.top, self.fonts)
        self.approvals = Approvals(self.top, self.fonts, self._answer)

    def _lay_out(self) -> None:
        px, top = self.fonts.px, self.top
        top.title("Metona")
        # The wm_ ones: CustomTkinter's root scales in geometry() and minsize(), though not on every system.
        top.wm_geometry(f"{px(SIZE[0])}x{px(SIZE[1])}")
        top.wm_minsize(px(LEAST[0]), px(LEAST[1]))
        if isinstance(top, tk.Toplevel):
            theme.paint(top, background="surface-1")
        self.header.pack(side="top", fill="x")
        self._rule.pack(side="top", fill="x")
        self.status.pack(side="bottom", fill="x")
        self._below.pack(side="bottom", fill="x")
        self.transcript.page.pack(side="top", fill="both", expand=True)
        for part in (self.server_notice, self.notice, self.composer):
            part.pack(fill="x", pady=(px(4), 0))
        self.composer.pack_configure(pady=(px(4), px(12)))
        self._below.bind("<Configure>", lambda event: self._centre(event.width))
        letters = {"l": self.header.model.open, "o": self.header.open_folders, "n": self.new_chat, "r": self.retry}
        texts = (self.composer.text, self.transcript.page.text)
        bind_keys(top, texts, letters, {"F5": self.refresh, "Escape": self.stop})
        top.protocol("WM_DELETE_WINDOW", self.close)
        page = self.transcript.page.text
        page.bind(
            "<FocusIn>", lambda _event: self._tell_keys(tr("Ctrl+↑ and Ctrl+↓ pick a card, Enter opens it")), add=True
        )
        page.bind("<FocusOut>", lambda _event: self._tell_keys(""), add=True)
        self.composer.text.focus_set()

    def _tell_keys(self, words: str) -> None:
        if self.transcript.page.folds.keys() and not self.state.running:
            self.status.message(words)

    def _centre(self, width: int) -> None:
        """The composer stands under the transcript's column; its scroll bar takes 12 px on the right."""
        bar = self.fonts.px(12)
        side = max(self.fonts.px(16), (width - bar - self.fonts.px(COLUMN)) // 2)
        for part in (self.server_notice, self.notice, self.composer):
            part.pack_configure(padx=(side, side + bar))

    # What the user does

    def start(self, options: StartOptions | None = None) -> None:
        """Begin to work: open a chat, look for the server, ask what was given on the command line."""
        options = options or StartOptions()
        self.bridge.start()
        self.state.model = options.model
        self._send(NewConversation(self.state.chat_id, options.workspace))
        self.refresh()
        if os.environ.get("METONA_TK_ANNOUNCE_READY"):
            self.transcript.page.text.bind("<Visibility>", self._announce, add=True)
        if options.question.strip():
            self.ask(options.question.strip())

    def ask(self, text: str) -> bool:
        """Send a question; False when that is not possible now, and the status line says why."""
        if not self._may_send():
            return False
        turn_id = new_id()
        self._run(turn_id)
        self.state.draft_of[turn_id] = text
        self.transcript.ask(turn_id, text)
        self._send(StartTurn(self.state.chat_id, turn_id, text, self.state.model))
        return True

    def retry(self) -> None:
        """Go on from where the last turn failed."""
        if self.state.retry_turn is None:
            self.status.message(problem_text(Problem(ProblemCode.NOTHING_TO_RETRY)))
        elif self._may_send():
            turn_id = new_id()
            self._run(turn_id)
            self._send(RetryTurn(self.state.chat_id, turn_id, self.state.model))

    def _may_send(self) -> bool:
        reason = self.state.why_not()
        if reason:
            self.status.message(reason, "warn")
        return not reason

    def _run(self, turn_id: str) -> None:
        self.state.turn_id, self.state.retry_turn = turn_id, None
        self.transcript.drop_retry()
        self.notice.say("")
        self.composer.set_running(True)
        self.status.message(tr("asking the model…"))

    def stop(self) -> None:
        """Stop the running turn, if there is one."""
        if self.state.turn_id is not None:
            self._send(CancelTurn(self.state.turn_id))
            self.status.message(tr("stopping…"))

    def new_chat(self) -> None:
        """Leave this chat for an empty one with the same folder."""
        if self.state.turn_id is not None:
            self._send(CancelTurn(self.state.turn_id))
        self.approvals.clear()
        self.transcript.clear()
        self.notice.say("")
        self.state.chat_id, self.state.retry_turn = new_id(), None
        self.turn.stop_showing()
        self.status.speed(0.0)
        self._send(NewConversation(self.state.chat_id, self.state.workspace))
        self._hint()
        self.composer.text.focus_set()

    def refresh(self) -> None:
        """Ask the server what it has."""
        self._send(ListModels())

    def choose_model(self, name: str) -> None:
        """Use this model from the next question on."""
        self.state.model = name
        if self.state.running:
            self.status.message(tr("From the next question on: {what}", what=visible(name)))
        self._show_state()
        self.composer.text.focus_set()

    def set_workspace(self, path: str) -> None:
        """Ask for another folder; it is shown when the core has taken it."""
        self._send(SetWorkspace(self.state.chat_id, path))
        self.composer.text.focus_set()

    def _answer(self, call_id: str, decision: Decision) -> None:
        self._send(AnswerApproval(call_id, decision))

    # What the core reports

    def conversation_opened(self, event: ConversationOpened) -> None:
        """The chat is there."""
        if event.chat_id == self.state.chat_id:
            self.state.workspace = event.workspace
            self._show_state()
            self._hint()

    def workspace_changed(self, event: WorkspaceChanged) -> None:
        """The chat has another folder."""
        if event.chat_id == self.state.chat_id:
            self.state.workspace = event.path
            words = tr("From the next question on: {what}") if self.state.running else tr("The workspace is now {what}")
            self.status.message(words.format(what=visible(home_path(event.path))))
            self._show_state()
            self._hint()

    def models_listed(self, event: ModelsListed) -> None:
        """The server's models."""
        self.state.choose(event.models, event.chosen)
        if not event.models and not self.server_notice.text:
            self.server_notice.say(problem_text(Problem(ProblemCode.NO_MODELS, {"example": EXAMPLE_MODEL})))
        self._show_state()

    def server_state_changed(self, event: ServerStateChanged) -> None:
        """The server answers, or not; then it is asked again by itself."""
        self.state.server = event.server
        self.status.server(event.server)
        self.watch.told(event.server.reachable or self._closing is not None)
        self.server_notice.say(_server_words(event.server))
        if event.server.reachable and not self.state.running:
            self.status.message("")

    def settings_changed(self, event: SettingsChanged) -> None:
        """Settings are used at once."""
        self._use_settings(event.values)
        if event.problem is not None:
            self.notice.say(problem_text(event.problem))

    def command_refused(self, event: CommandRefused) -> None:
        """Nothing was done; what the user wrote is given back."""
        command = event.command
        if isinstance(command, StartTurn | RetryTurn):
            self._turn_refused(command, event.problem)
        elif isinstance(command, AnswerApproval | CancelTurn):
            self.status.message(problem_text(event.problem))  # it is over already
        else:
            self.notice.say(problem_text(event.problem))

    def _turn_refused(self, command: StartTurn | RetryTurn, problem: Problem) -> None:
        if command.turn_id != self.state.turn_id:
            return
        text = self.state.draft_of.pop(command.turn_id, "")
        self.turn.stop_showing()
        self.notice.say(problem_text(problem))
        if isinstance(command, StartTurn):
            self.transcript.unask(command.turn_id)
            self.composer.set_content("\n".join(part for part in (text, self.composer.content()) if part))

    def engine_stopped(self) -> None:
        """The core has ended: so does the window, unless it was not asked to."""
        if self._closing is not None:
            self._finish()
        else:
            log_file = str(places.log_dir() / "metona-tk.log")
            self.notice.say(problem_text(Problem(ProblemCode.INTERNAL, {"path": log_file})))

    def _use_settings(self, values: dict[str, Any]) -> None:
        self.header.recent = [str(path) for path in values.get("recentWorkspaces", [])]
        if "theme" in values:
            apply_mode(str(values["theme"]))

    def _show_state(self) -> None:
        self.header.show()

    def _hint(self) -> None:
        folder = self.state.workspace
        if folder is None:
            self.transcript.hint(tr("Choose a folder first"), tr(_NO_FOLDER))
        else:
            self.transcript.hint(tr("Ask about your files"), tr(_FOLDER, folder=visible(home_path(folder))))

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

    def _announce(self, _event: tk.Event[Any]) -> None:
        self.transcript.page.text.unbind("<Visibility>")
        self.top.after_idle(self._say_ready)

    def _say_ready(self) -> None:
        sys.stdout.write("READY\n")
        sys.stdout.flush()

    def close(self) -> None:
        """Stop everything; the window is gone at once, the program when the core has ended."""
        if self._closing is None:
            self._closing = self.top.after(CLOSING, self._finish)
            self.watch.stop()
            self._send(Shutdown())
            self.approvals.clear()
            self.top.withdraw()

    def _finish(self) -> None:
        if not self._closed:
            self._closed = True
            if self._closing is not None:
                self.top.after_cancel(self._closing)
            self.bridge.stop()
            self._on_closed()


def _server_words(server: ServerState) -> str:
    if server.reachable and server.problem is None:
        return ""
    return problem_text(server.problem or Problem(ProblemCode.NO_SERVER, {"address": server.address}))


def run(
    send: Callable[[Command], None],
    events: queue.SimpleQueue[Event],
    settings_values: dict[str, Any],
    start: StartOptions | None = None,
) -> int:
    """Show the window until it is closed; returns the exit code."""
    try:
        root = make_root()
    except tk.TclError as error:
        sys.stderr.write(
            tr("No window can be opened here ({reason}). “metona-tk ask” works without one.", reason=error) + "\n"
        )
        return 1
    window = Window(root, send, events, settings_values)
    window.start(start)
    root.mainloop()
    return 0
