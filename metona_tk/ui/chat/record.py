"""What was said and done in one chat, turn by turn, as the window keeps it; from it the page is drawn anew. Pure.

Counterpart: `transcript`, which draws the same events while they come.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from metona_tk.protocol.changes import ChangePreview, NotUndoable, OperationInfo
from metona_tk.protocol.events import (
    ApprovalAnswered,
    ApprovalRequested,
    ContextTrimmed,
    QuestionAnswered,
    QuestionAsked,
    TextAdded,
    ThinkingAdded,
    ToolFinished,
    ToolStarted,
    TurnEvent,
    TurnFinished,
    TurnStarted,
)
from metona_tk.protocol.values import Decision, TurnEnd

Tone = Literal["warn", "danger", "idle"]
_TONES: dict[TurnEnd, Tone] = {TurnEnd.FAILED: "danger", TurnEnd.STOPPED: "idle"}


@dataclass(slots=True)
class Thought:
    """A stretch of thinking; `seconds` None while it goes on."""

    text: str
    begun: float
    seconds: float | None = None


@dataclass(slots=True)
class Said:
    """A stretch of the answer, as Markdown; `open` while it grows."""

    text: str
    open: bool = True


@dataclass(slots=True)
class Call:
    """A tool call: `end` None while it runs, `asked` while it waits for the user.

    Of a change: `preview` is what the user saw, `edited` that they changed the text before allowing it, `operation`
    what became of it, `refused` why undo or redo was not done. `reason`: the user's, for saying no. `letting`: whether
    its sensitive file is being allowed, or was.
    """

    start: ToolStarted
    begun: float
    end: ToolFinished | None = None
    asked: ApprovalRequested | None = None
    asked_at: float = 0.0
    allowed_after: float | None = None  # s
    preview: ChangePreview | None = None
    edited: bool = False
    reason: str = ""
    operation: OperationInfo | None = None
    refused: NotUndoable | None = None
    letting: Literal["", "asked", "done"] = ""

    def take(self, event: ToolFinished | ApprovalRequested | ApprovalAnswered, now: float) -> None:
        """Keep what the event tells."""
        match event:
            case ToolFinished():
                self.end, self.asked, self.operation = event, None, event.operation
            case ApprovalRequested():
                self.asked, self.asked_at = event, now
                if isinstance(event.preview, ChangePreview):
                    self.preview, self.edited = event.preview, False
            case ApprovalAnswered():
                self.asked = None
                if event.decision is Decision.ALLOW and self.preview is not None:
                    self.allowed_after = now - self.asked_at


@dataclass(slots=True)
class Trimmed:
    """What the model does not see any more, from here on."""

    shrunk_results: int
    dropped_turns: int


@dataclass(slots=True)
class Asked:
    """A question of the program's to the user; `answer` "" while it waits."""

    event: QuestionAsked
    answer: str = ""


Item = Thought | Said | Call | Trimmed | Asked


@dataclass(slots=True)
class Turn:
    """A question and all that came of it. `by_hand` = a tool that the user ran; `typed` is then the command."""

    turn_id: str
    question: str
    model: str = ""
    by_hand: bool = False
    asked_at: float = field(default_factory=time.time)  # seconds since 1970
    items: list[Item] = field(default_factory=list[Item])
    end: TurnFinished | None = None

    @property
    def answer(self) -> str:
        """All that the model said, as Markdown."""
        return "\n\n".join(item.text.strip() for item in self.items if isinstance(item, Said) and item.text.strip())

    @property
    def waiting(self) -> bool:
        """Whether it waits for the user."""
        return any(
            (isinstance(item, Call) and item.asked is not None) or (isinstance(item, Asked) and not item.answer)
            for item in self.items
        )

    @property
    def tone(self) -> Tone:
        """How the reason of its end is shown."""
        return _TONES.get(self.end.end, "warn") if self.end else "warn"

    def call(self, call_id: str) -> Call | None:
        """One of its calls."""
        return next((item for item in self.items if isinstance(item, Call) and item.start.call_id == call_id), None)

    def asked(self, question_id: str) -> Asked | None:
        """One of its questions."""
        for item in self.items:
            if isinstance(item, Asked) and item.event.question_id == question_id:
                return item
        return None

    def take(self, event: TurnEvent, now: float | None = None) -> None:
        """Keep what the event tells; `now` in seconds of time.monotonic."""
        moment = time.monotonic() if now is None else now
        match event:
            case TurnStarted():
                self.model = event.model
            case ThinkingAdded():
                self._think(event.text, moment)
            case TextAdded():
                self._say(event.text, moment)
            case ToolStarted() | ToolFinished() | ApprovalRequested() | ApprovalAnswered():
                self._work(event, moment)
            case ContextTrimmed():
                self._close(moment)
                self.items.append(Trimmed(event.shrunk_results, event.dropped_turns))
            case QuestionAsked():
                self._close(moment)
                self.items.append(Asked(event))
            case QuestionAnswered():
                if asked := self.asked(event.question_id):
                    asked.answer = event.answer
            case TurnFinished():
                self._close(moment)
                self._finish(event)
            case _:
                pass  # states, counts and silence leave nothing behind

    def _think(self, text: str, now: float) -> None:
        last = self.items[-1] if self.items else None
        if isinstance(last, Thought) and last.seconds is None:
            last.text += text
        elif text.strip():
            self._close(now)
            self.items.append(Thought(text.lstrip("\n"), now))

    def _say(self, text: str, now: float) -> None:
        last = self.items[-1] if self.items else None
        if isinstance(last, Said) and last.open:
            last.text += text
        elif text.strip("\n"):
            self._close(now)
            self.items.append(Said(text.lstrip("\n")))

    def _work(self, event: ToolStarted | ToolFinished | ApprovalRequested | ApprovalAnswered, now: float) -> None:
        if isinstance(event, ToolStarted):
            self._close(now)
            self.items.append(Call(event, now))
        elif call := self.call(event.call_id):
            call.take(event, now)

    def _close(self, now: float) -> None:
        last = self.items[-1] if self.items else None
        if isinstance(last, Thought) and last.seconds is None:
            last.seconds = now - last.begun
        elif isinstance(last, Said):
            last.open = False

    def _finish(self, event: TurnFinished) -> None:
        self.end = event
        self.items = [item for item in self.items if not (isinstance(item, Call) and item.end is None)]


@dataclass(slots=True)
class Record:
    """All turns of a chat, in order."""

    turns: list[Turn] = field(default_factory=list[Turn])

    def find(self, turn_id: str) -> Turn | None:
        """One turn; from the end, where the running one is."""
        return next((turn for turn in reversed(self.turns) if turn.turn_id == turn_id), None)

    @property
    def retryable(self) -> Turn | None:
        """The turn that a Retry would go on from: the last one of the model's, if it left something open."""
        last = next((turn for turn in reversed(self.turns) if not turn.by_hand), None)
        return last if last is not None and last.end is not None and last.end.can_retry else None

    def calls(self) -> Iterator[tuple[Turn, Call]]:
        """All calls with their turns, the newest first."""
        for turn in reversed(self.turns):
            for item in reversed(turn.items):
                if isinstance(item, Call):
                    yield turn, item

    def of_operation(self, operation_id: str) -> tuple[Turn, Call] | None:
        """The call that made a change, and its turn."""
        return next((each for each in self.calls() if _made(each[1], operation_id)), None)

    def cut(self, turn_id: str) -> list[Turn]:
        """Drop a turn and all later ones; returns what was dropped, so that it can be put back."""
        at = next((place for place, turn in enumerate(self.turns) if turn.turn_id == turn_id), len(self.turns))
        dropped = self.turns[at:]
        del self.turns[at:]
        return dropped

    def remove(self, turn_id: str) -> None:
        """Drop one turn."""
        self.turns = [turn for turn in self.turns if turn.turn_id != turn_id]

    @property
    def title(self) -> str:
        """What the chat is called: its first question, "" before that."""
        return next((turn.question for turn in self.turns if not turn.by_hand), "")


def _made(call: Call, operation_id: str) -> bool:
    return call.operation is not None and call.operation.operation_id == operation_id
