"""What the user does with questions and answers, as commands to the core. Counterpart: `turn_view`."""

from __future__ import annotations

from dataclasses import dataclass

from metona_tk.i18n import tr
from metona_tk.i18n.problems import problem_text
from metona_tk.protocol.commands import (
    AnswerQuestion,
    CancelTurn,
    DeleteTurn,
    RetryTurn,
    RunTool,
    StartTurn,
)
from metona_tk.protocol.problems import Problem, ProblemCode
from metona_tk.ui import slash
from metona_tk.ui.chat.record import Turn
from metona_tk.ui.desk import Desk
from metona_tk.ui.state import ChatState, new_id


@dataclass(slots=True)
class Asking:
    """Works on the chat that is shown."""

    desk: Desk

    def ask(self, text: str) -> bool:
        """Send a question or run a `/` command; False when that is not possible now, and the status line says why."""
        if slash.is_command(text):
            return self._run_command(text)
        if not self._may_send():
            return False
        chat = self.desk.chat
        self.desk.state.remember(text)
        replaces, chat.editing = chat.editing, ""
        if replaces:
            self._replace(chat, replaces)
        self._start(chat, text, replaces)
        return True

    def _start(self, chat: ChatState, text: str, replaces: str = "") -> None:
        turn = Turn(new_id(), text)
        self._show(chat, turn)
        self.desk.send(
            StartTurn(chat.chat_id, turn.turn_id, text, chat.model, chat.think, self._in_core(chat, replaces))
        )

    def _in_core(self, chat: ChatState, replaces: str) -> str:
        """The first turn of those that go which the core knows; it knows none that only ran a tool by hand."""
        return next((turn.turn_id for turn in chat.replaced if not turn.by_hand), "") if replaces else ""

    def _show(self, chat: ChatState, turn: Turn) -> None:
        chat.turn_id = turn.turn_id
        chat.record.turns.append(turn)
        shell = self.desk.shell
        shell.transcript.begin(turn)
        shell.notice.say("")
        shell.composer.set_running(True)
        shell.show_editing()
        shell.show_state()
        self.desk.tell(chat, "" if turn.by_hand else tr("asking the model…"))

    def _replace(self, chat: ChatState, turn_id: str) -> None:
        """Take a turn and all later ones off the page; they come back if the core refuses the new one."""
        chat.replaced = chat.record.cut(turn_id)
        for turn in chat.replaced:
            self.desk.shell.transcript.unask(turn.turn_id)

    def _may_send(self) -> bool:
        reason = self.desk.state.why_not()
        if reason:
            self.desk.tell(self.desk.chat, reason, "warn")
        return not reason

    def _run_command(self, text: str) -> bool:
        chat, shell = self.desk.chat, self.desk.shell
        if chat.running:
            self.desk.tell(chat, problem_text(Problem(ProblemCode.TURN_RUNNING)), "warn")
            return False
        try:
            wish = slash.parse(text)
        except slash.WrongUse as error:
            self.desk.tell(chat, str(error), "warn")
            return False
        self.desk.state.remember(text)
        chat.editing = ""
        shell.show_editing()
        if wish is None:
            shell.notice.say(slash.help_text())
            return True
        turn = Turn(new_id(), text, by_hand=True)
        self._show(chat, turn)
        self.desk.send(RunTool(chat.chat_id, turn.turn_id, wish.name, wish.arguments))
        return True

    def retry(self) -> None:
        """Go on from where the last turn failed."""
        chat = self.desk.chat
        if chat.retry_turn is None:
            self.desk.tell(chat, problem_text(Problem(ProblemCode.NOTHING_TO_RETRY)))
        elif self._may_send():
            turn = Turn(new_id(), "")
            self._show(chat, turn)
            self.desk.send(RetryTurn(chat.chat_id, turn.turn_id, chat.model, chat.think))

    def retry_or_again(self) -> None:
        """What Ctrl+R does: go on after a failure, else make the last answer anew."""
        asked = [turn for turn in self.desk.chat.record.turns if turn.question and not turn.by_hand]
        if self.desk.chat.retry_turn is not None or not asked:
            self.retry()
        else:
            self.again(asked[-1].turn_id)

    def again(self, turn_id: str) -> None:
        """Make an answer anew. Where later questions would go with it, the user is asked to send it once more."""
        chat = self.desk.chat
        turn = self.question_of(chat, turn_id)
        if turn is None:
            return
        later = chat.record.turns[chat.record.turns.index(turn) + 1 :]
        if any(each.question for each in later):
            self.edit(turn.turn_id)
        elif self._may_send():
            chat.editing = ""
            self._replace(chat, turn.turn_id)
            self._start(chat, turn.question, turn.turn_id)

    def question_of(self, chat: ChatState, turn_id: str) -> Turn | None:
        """The turn that holds the question which `turn_id` goes on with; None when it is gone."""
        found = None
        for turn in chat.record.turns:
            if turn.question and not turn.by_hand:
                found = turn
            if turn.turn_id == turn_id:
                return found if not turn.by_hand else None
        return None

    def edit(self, turn_id: str) -> None:
        """Put a question into the composer, to be sent in place of the old one."""
        chat, shell = self.desk.chat, self.desk.shell
        turn = self.question_of(chat, turn_id)
        if turn is None:
            return
        if chat.running:
            self.desk.tell(chat, problem_text(Problem(ProblemCode.TURN_RUNNING)), "warn")
            return
        if not chat.editing:
            chat.aside = shell.composer.content()
        chat.editing = turn.turn_id
        shell.composer.set_content(turn.question)
        shell.show_editing()
        shell.composer.text.focus_set()

    def edit_last(self) -> None:
        """What Up does in an empty composer."""
        asked = [turn for turn in self.desk.chat.record.turns if turn.question and not turn.by_hand]
        if asked:
            self.edit(asked[-1].turn_id)

    def leave_edit(self) -> bool:
        """Leave the old question as it is; False when none is being changed."""
        chat = self.desk.chat
        if not chat.editing:
            return False
        chat.editing = ""
        self.desk.shell.composer.set_content(self.take_aside())
        self.desk.shell.show_editing()
        return True

    def take_aside(self) -> str:
        """What was being written before an old question took its place, once."""
        words, self.desk.chat.aside = self.desk.chat.aside, ""
        return words

    def delete(self, turn_id: str) -> None:
        """Forget a question with all that came of it, the retries too."""
        chat = self.desk.chat
        if chat.running:
            self.desk.tell(chat, problem_text(Problem(ProblemCode.TURN_RUNNING)), "warn")
            return
        first = self.question_of(chat, turn_id) or chat.record.find(turn_id)
        if first is None:
            return
        if first.by_hand:
            self.forget(chat, first.turn_id)
        else:
            self.desk.send(DeleteTurn(chat.chat_id, first.turn_id))

    def _with_retries(self, chat: ChatState, turn_id: str) -> list[str]:
        """A turn and those that only went on with it."""
        at = next((at for at, turn in enumerate(chat.record.turns) if turn.turn_id == turn_id), None)
        if at is None:
            return []
        group = [turn_id]
        for turn in chat.record.turns[at + 1 :]:
            if turn.question and not turn.by_hand:
                break
            if not turn.question and not chat.record.turns[at].by_hand:
                group.append(turn.turn_id)
        return group

    def forget(self, chat: ChatState, turn_id: str) -> None:
        """A turn is gone, and the retries with it."""
        shell = self.desk.shell
        for gone in self._with_retries(chat, turn_id):
            chat.record.remove(gone)
            if chat.editing == gone:
                chat.editing = ""
            if chat is self.desk.chat:
                shell.transcript.unask(gone)
        if chat is self.desk.chat:
            shell.show_editing()
            shell.hint()
        shell.show_state()

    def stop(self) -> None:
        """Stop the running turn of the shown chat, if there is one."""
        chat = self.desk.chat
        if chat.turn_id is not None:
            self.desk.send(CancelTurn(chat.turn_id))
            self.desk.tell(chat, tr("stopping…"))

    def answer(self, question_id: str, choice: str) -> None:
        """Answer a question of the program's."""
        self.desk.send(AnswerQuestion(question_id, choice))

    def refused(self, command: StartTurn | RetryTurn | RunTool, problem: Problem) -> None:
        """The core did not take it: what was replaced comes back, and the text is given back."""
        chat = self.desk.state.find(command.chat_id)
        turn = chat.record.find(command.turn_id) if chat else None
        if chat is None or turn is None or command.turn_id != chat.turn_id:
            return
        chat.turn_id = None
        chat.record.remove(turn.turn_id)
        shell = self.desk.shell
        shell.notice.say(problem_text(problem))
        draft = shell.composer.content() if chat is self.desk.chat else chat.draft
        if chat.replaced:
            chat.record.turns += chat.replaced
            chat.editing, chat.replaced = chat.replaced[0].turn_id, []
            chat.draft, chat.aside = turn.question, draft
        else:
            chat.draft = "\n".join(part for part in (turn.question, draft) if part)
        if chat is self.desk.chat:
            shell.show_chat()
        self.desk.tell(chat, "")
