"""When a chat asks before a change, and what becomes of changes that were made. Counterpart: `dispatcher`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from metona_tk.i18n import N_, tr
from metona_tk.i18n.problems import not_undoable_text, problem_text
from metona_tk.protocol.changes import Conflict, NotUndoable, OperationInfo
from metona_tk.protocol.commands import AllowFile, AnswerApproval, RedoOperation, SetMode, UndoOperation
from metona_tk.protocol.events import FileAllowed, ModeChanged, OperationChanged, UndoConflicted, UndoRefused
from metona_tk.protocol.problems import Problem
from metona_tk.protocol.values import Decision, Mode
from metona_tk.ui.asking import Asking
from metona_tk.ui.chat.record import Call, Turn
from metona_tk.ui.desk import Desk
from metona_tk.ui.dialogs.approvals import Approvals
from metona_tk.ui.dispatcher import ChangeEvent
from metona_tk.ui.state import ChatState
from metona_tk.ui.visible import visible
from metona_tk.ui.wording import home_path

_MODES = {
    Mode.ALL: N_("Every change is asked for now."),
    Mode.WRITE_ONLY: N_("Deletions and overwrites are asked for now."),
    Mode.NONE: N_("Changes are made without asking now."),
}


@dataclass(slots=True)
class Changes:
    """Events, and what the user asks for, about modes, single files and changes of all chats."""

    desk: Desk
    asking: Asking
    approvals: Callable[[], Approvals]

    def take(self, event: ChangeEvent) -> None:
        """Keep and show one event."""
        match event:
            case ModeChanged():
                self._mode_changed(event)
            case FileAllowed():
                self._file_allowed(event)
            case OperationChanged():
                self._became(event.operation, None)
            case UndoConflicted():
                self._conflicted(event.conflict)
            case UndoRefused():
                self._refused(event)

    # Modes

    def choose_mode(self, mode: Mode) -> None:
        """Ask for another mode of the shown chat; before it stops asking, the user is asked once."""
        chat = self.desk.chat
        if mode is Mode.NONE and chat.mode is not Mode.NONE:
            self.approvals().ask_automatic(lambda yes: self._set_mode(chat, mode) if yes else None)
        elif mode is not chat.mode:
            self._set_mode(chat, mode)

    def _set_mode(self, chat: ChatState, mode: Mode) -> None:
        self.desk.send(SetMode(chat.chat_id, mode))

    def ask_again(self) -> None:
        """Leave the automatic mode."""
        self.choose_mode(Mode.WRITE_ONLY)

    def _mode_changed(self, event: ModeChanged) -> None:
        chat = self.desk.state.find(event.chat_id)
        if chat is not None:
            chat.mode = event.mode
            self.desk.tell(chat, tr(_MODES[event.mode]))
            self.desk.shell.show_state()

    # Answers

    def review(self, call_id: str) -> None:
        """Bring the question of a call before the user."""
        self.approvals().review(call_id)

    def answer(self, answer: AnswerApproval) -> None:
        """The user has decided about a call; its card will say how."""
        for chat in self.desk.state.chats:
            for _, call in chat.record.calls():
                if call.start.call_id == answer.call_id:
                    call.edited = answer.decision is Decision.ALLOW and answer.text is not None
                    call.reason = answer.reason
        self.desk.send(answer)

    # Cards

    def act(self, verb: str, call_id: str) -> None:
        """Do what a command of a card of the shown chat stands for."""
        chat = self.desk.chat
        found = next((each for each in chat.record.calls() if each[1].start.call_id == call_id), None)
        if found is None:
            return
        turn, call = found
        if verb == "let":
            self._let(chat, call)
        elif verb == "again":
            self._ask_once_more(turn)
        elif call.operation is not None:
            made = UndoOperation if verb == "undo" else RedoOperation
            self.desk.send(made(call.operation.operation_id))

    def _let(self, chat: ChatState, call: Call) -> None:
        call.letting = "asked"
        self.desk.send(AllowFile(chat.chat_id, str(call.start.arguments.get("path", ""))))

    def _ask_once_more(self, turn: Turn) -> None:
        if turn.by_hand:
            self.asking.ask(turn.question)
        else:
            self.asking.again(turn.turn_id)

    def _file_allowed(self, event: FileAllowed) -> None:
        chat = self.desk.state.find(event.chat_id)
        if chat is None:
            return
        for turn, call in chat.record.calls():
            if call.letting == "asked":
                call.letting = "done"
                self._redraw(chat, turn, call)
        name = visible(home_path(event.path))
        self.desk.tell(chat, tr("{name} may be read in this chat now. Ask again to use it.", name=name))

    def not_allowed(self, command: AllowFile, problem: Problem) -> None:
        """The core did not allow a file."""
        chat = self.desk.state.find(command.chat_id)
        for _, call in chat.record.calls() if chat else ():
            call.letting = "" if call.letting == "asked" else call.letting
        self.desk.shell.notice.say(problem_text(problem))

    # What becomes of changes

    def _became(self, operation: OperationInfo, refused: NotUndoable | None) -> Call | None:
        for chat in self.desk.state.chats:
            if found := chat.record.of_operation(operation.operation_id):
                turn, call = found
                call.operation, call.refused = operation, refused
                self._redraw(chat, turn, call)
                return call
        return None

    def _redraw(self, chat: ChatState, turn: Turn, call: Call) -> None:
        if chat is self.desk.chat:
            self.desk.shell.transcript.redraw_card(turn, call)

    def _refused(self, event: UndoRefused) -> None:
        self._became(event.operation, None if event.reason is NotUndoable.ALREADY else event.reason)
        head = tr("Not redone:") if event.redo else tr("Not undone:")
        place = f" {visible(home_path(event.path))}." if event.path else ""
        self.desk.shell.notice.say(f"{head}{place} {not_undoable_text(event.reason)}")

    def _conflicted(self, conflict: Conflict) -> None:
        def decide(anyway: bool) -> None:
            if anyway:
                made = RedoOperation if conflict.redo else UndoOperation
                self.desk.send(made(conflict.operation_id, conflict.digest))
            else:
                self.desk.tell(self.desk.chat, tr("Nothing was changed: yours is kept."))

        self.approvals().ask_conflict(conflict, decide)
