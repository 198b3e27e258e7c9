"""Shows what the core reports that is not part of a turn. Counterpart: `dispatcher`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from metona_tk import places
from metona_tk.i18n import tr
from metona_tk.i18n.problems import problem_text
from metona_tk.protocol.commands import (
    AllowFile,
    AnswerApproval,
    AnswerQuestion,
    CancelTurn,
    RetryTurn,
    RunTool,
    StartTurn,
)
from metona_tk.protocol.events import (
    CommandRefused,
    ConversationOpened,
    ModelsListed,
    ServerStateChanged,
    SettingsChanged,
    TurnDeleted,
    WorkspaceChanged,
)
from metona_tk.protocol.problems import Problem, ProblemCode
from metona_tk.protocol.values import EXAMPLE_MODEL, ServerState
from metona_tk.ui.asking import Asking
from metona_tk.ui.changes import Changes
from metona_tk.ui.desk import Desk
from metona_tk.ui.server_watch import ServerWatch
from metona_tk.ui.visible import visible
from metona_tk.ui.wording import home_path


@dataclass(slots=True)
class Reports:
    """`use_settings` takes new settings into use, `closing` says whether the window is about to end, `finish` ends."""

    desk: Desk
    asking: Asking
    changes: Changes
    watch: ServerWatch
    use_settings: Callable[[SettingsChanged], object]
    closing: Callable[[], bool]
    finish: Callable[[], object]

    def conversation_opened(self, event: ConversationOpened) -> None:
        """The chat is there."""
        chat = self.desk.state.find(event.chat_id)
        if chat is not None:
            chat.workspace, chat.mode = event.workspace, event.mode
            self._show_folder(chat is self.desk.chat)

    def workspace_changed(self, event: WorkspaceChanged) -> None:
        """The chat has another folder."""
        chat = self.desk.state.find(event.chat_id)
        if chat is None:
            return
        chat.workspace = event.path
        words = tr("From the next question on: {what}") if chat.running else tr("The workspace is now {what}")
        self.desk.tell(chat, words.format(what=visible(home_path(event.path))))
        self._show_folder(chat is self.desk.chat)

    def _show_folder(self, shown: bool) -> None:
        self.desk.shell.show_state()
        if shown:
            self.desk.shell.hint()

    def turn_deleted(self, event: TurnDeleted) -> None:
        """A turn is forgotten."""
        chat = self.desk.state.find(event.chat_id)
        if chat is not None:
            self.asking.forget(chat, event.turn_id)

    def models_listed(self, event: ModelsListed) -> None:
        """The server's models."""
        self.desk.state.choose(event.models, event.chosen)
        notice = self.desk.shell.server_notice
        if not event.models and not notice.text:
            notice.say(problem_text(Problem(ProblemCode.NO_MODELS, {"example": EXAMPLE_MODEL})))
        self.desk.shell.show_state()

    def server_state_changed(self, event: ServerStateChanged) -> None:
        """The server answers, or not; then it is asked again by itself."""
        self.desk.state.server = event.server
        shell = self.desk.shell
        shell.status.server(event.server)
        self.watch.told(event.server.reachable or self.closing())
        shell.server_notice.say(server_words(event.server))
        if event.server.reachable and not self.desk.chat.running:
            self.desk.tell(self.desk.chat, "")

    def settings_changed(self, event: SettingsChanged) -> None:
        """Settings are used at once."""
        self.use_settings(event)
        if event.problem is not None:
            self.desk.shell.notice.say(problem_text(event.problem))

    def command_refused(self, event: CommandRefused) -> None:
        """Nothing was done; what the user wrote is given back."""
        command = event.command
        if isinstance(command, StartTurn | RetryTurn | RunTool):
            self.asking.refused(command, event.problem)
            self.desk.shell.show_state()
        elif isinstance(command, AnswerApproval | AnswerQuestion | CancelTurn):
            self.desk.tell(self.desk.chat, problem_text(event.problem))  # it is over already
        elif isinstance(command, AllowFile):
            self.changes.not_allowed(command, event.problem)
        else:
            self.desk.shell.notice.say(problem_text(event.problem))

    def engine_stopped(self) -> None:
        """The core has ended: so does the window, unless it was not asked to."""
        if self.closing():
            self.finish()
        else:
            log_file = str(places.log_dir() / "metona-tk.log")
            self.desk.shell.notice.say(problem_text(Problem(ProblemCode.INTERNAL, {"path": log_file})))


def server_words(server: ServerState | None) -> str:
    """What is amiss with the server, "" when nothing is known to be."""
    if server is None or (server.reachable and server.problem is None):
        return ""
    return problem_text(server.problem or Problem(ProblemCode.NO_SERVER, {"address": server.address}))
