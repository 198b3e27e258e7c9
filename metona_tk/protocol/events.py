"""What the core reports: a closed union, matched with `match` and `assert_never`.

The law of the stream (a property test holds it): every TurnStarted has exactly one TurnFinished and every ToolStarted
exactly one ToolFinished, whatever fails; ApprovalRequested and its one ApprovalAnswered come only between ToolStarted
and ToolFinished of their call; every QuestionAsked has exactly one QuestionAnswered, inside its turn; nothing of a turn
comes after its TurnFinished but TurnDeleted and what becomes of its operations; EngineStopped is the last event of all.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from metona_tk.protocol.changes import Conflict, NotUndoable, OperationInfo
from metona_tk.protocol.commands import Command
from metona_tk.protocol.problems import Problem
from metona_tk.protocol.values import (
    CallStatus,
    ContextUse,
    Decision,
    JsonObject,
    Mode,
    ModelInfo,
    Preview,
    QuestionKind,
    Result,
    ServerState,
    TurnEnd,
    TurnState,
    Usage,
)


@dataclass(frozen=True, slots=True)
class ConversationOpened:
    """A chat is there; `workspace` None = the user has to pick a folder before tools can be used."""

    chat_id: str
    workspace: str | None
    mode: Mode = Mode.WRITE_ONLY


@dataclass(frozen=True, slots=True)
class ModeChanged:
    """When the chat asks before a change, from now on."""

    chat_id: str
    mode: Mode


@dataclass(frozen=True, slots=True)
class FileAllowed:
    """A sensitive file may be read in this chat; `path` is absolute and resolved."""

    chat_id: str
    path: str


@dataclass(frozen=True, slots=True)
class OperationChanged:
    """An operation was undone or done again (by this program or, where it was asked about, another)."""

    operation: OperationInfo


@dataclass(frozen=True, slots=True)
class UndoConflicted:
    """Undo or redo would touch what the user has changed since. Nothing was done; the user is asked."""

    conflict: Conflict


@dataclass(frozen=True, slots=True)
class UndoRefused:
    """Undo or redo cannot be. Nothing was done."""

    operation: OperationInfo
    redo: bool
    reason: NotUndoable
    path: str = ""  # what it stumbled over


@dataclass(frozen=True, slots=True)
class WorkspaceChanged:
    """The chat's folder, absolute and resolved."""

    chat_id: str
    path: str


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """First event of a turn. `tools` False: this model gets none, so no tool UI is shown.

    `remote`: server or model are not on this computer, so what is read leaves it.
    """

    chat_id: str
    turn_id: str
    model: str
    tools: bool
    remote: bool = False


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The turn's state; never twice the same in a row."""

    turn_id: str
    state: TurnState


@dataclass(frozen=True, slots=True)
class ServerSilent:
    """No byte for `seconds` (sent each second from 10 on): the model loads, reads the prompt or writes a call."""

    turn_id: str
    seconds: int


@dataclass(frozen=True, slots=True)
class ThinkingAdded:
    """A piece of the model's thinking."""

    turn_id: str
    text: str


@dataclass(frozen=True, slots=True)
class TextAdded:
    """A piece of the answer."""

    turn_id: str
    text: str


@dataclass(frozen=True, slots=True)
class RoundFinished:
    """One answer of the server is complete, with its own counts (`usage.tokens_per_second` for the status line)."""

    turn_id: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class ContextMeasured:
    """How full the context window is: an estimate before each request, the server's own count after each answer."""

    turn_id: str
    use: ContextUse


@dataclass(frozen=True, slots=True)
class ContextTrimmed:
    """What the request does not hold any more, counted over the whole chat; sent when the numbers have changed.

    `shrunk_results` tool results were cut to a line, `dropped_turns` old questions with their answers were left out.
    """

    turn_id: str
    shrunk_results: int
    dropped_turns: int


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """The turn waits for AnswerQuestion(question_id) with one of `choices`; the last one is what silence means.

    `details` are the facts for its sentence (GO_ON: "rounds"; AFTER_DENIALS: "tool", "count").
    """

    turn_id: str
    question_id: str
    kind: QuestionKind
    choices: tuple[str, ...]
    details: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class QuestionAnswered:
    """The question is closed, by the user or by silence."""

    turn_id: str
    question_id: str
    answer: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A call begins; `arguments` as parsed, or {"raw": text} when they could not be."""

    turn_id: str
    call_id: str
    name: str
    arguments: JsonObject
    by_program: bool = False  # the program read a named file for the model, the model did not ask


@dataclass(frozen=True, slots=True)
class ApprovalRequested:
    """The call waits for AnswerApproval(call_id). `rule` is the name of the rule that asks."""

    turn_id: str
    call_id: str
    rule: str
    preview: Preview


@dataclass(frozen=True, slots=True)
class ApprovalAnswered:
    """The question is answered, by the user or (no_answer) by nobody in time; its dialog closes."""

    turn_id: str
    call_id: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A call ended. `result.data` is the contract's; `seconds` is the time it took, questions included."""

    turn_id: str
    call_id: str
    status: CallStatus
    result: Result
    seconds: float
    repairs: tuple[str, ...] = ()
    operation: OperationInfo | None = None  # of a change that was made


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """Last event of a turn. `problem` says why it ended without an answer, or what is amiss with the answer."""

    chat_id: str
    turn_id: str
    end: TurnEnd
    usage: Usage
    problem: Problem | None = None
    can_retry: bool = False


@dataclass(frozen=True, slots=True)
class TurnDeleted:
    """A turn is forgotten; one event for each turn that is gone (a question's retries go with it)."""

    chat_id: str
    turn_id: str


@dataclass(frozen=True, slots=True)
class ModelsListed:
    """The installed models, in the server's order; `chosen` is the one a turn would use now ("" = none)."""

    models: tuple[ModelInfo, ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class ServerStateChanged:
    """What is known of the server now."""

    server: ServerState


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """All settings after a change, by key; `problem` when a damaged file was set aside or saving failed."""

    values: JsonObject = field(default_factory=dict[str, object])
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """A command could not be carried out; nothing changed."""

    command: Command
    problem: Problem


@dataclass(frozen=True, slots=True)
class EngineStopped:
    """The core has ended."""


TurnEvent = (
    TurnStarted
    | StateChanged
    | ServerSilent
    | ThinkingAdded
    | TextAdded
    | RoundFinished
    | ContextMeasured
    | ContextTrimmed
    | QuestionAsked
    | QuestionAnswered
    | ToolStarted
    | ApprovalRequested
    | ApprovalAnswered
    | ToolFinished
    | TurnFinished
)
Event = (
    TurnEvent
    | ConversationOpened
    | WorkspaceChanged
    | ModeChanged
    | FileAllowed
    | OperationChanged
    | UndoConflicted
    | UndoRefused
    | TurnDeleted
    | ModelsListed
    | ServerStateChanged
    | SettingsChanged
    | CommandRefused
    | EngineStopped
)
