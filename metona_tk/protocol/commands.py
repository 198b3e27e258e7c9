"""What the window may ask of the core: a closed union. Counterpart: `events`, where the answers come from."""

from __future__ import annotations

from dataclasses import dataclass, field

from metona_tk.protocol.values import Decision, JsonObject, Mode, ThinkLevel


@dataclass(frozen=True, slots=True)
class NewConversation:
    """Begin a chat. `workspace` None: the last one used, which may be none at all. Answer: ConversationOpened."""

    chat_id: str
    workspace: str | None = None


@dataclass(frozen=True, slots=True)
class SetWorkspace:
    """Give a chat its folder (absolute). Answer: WorkspaceChanged, or CommandRefused."""

    chat_id: str
    path: str


@dataclass(frozen=True, slots=True)
class StartTurn:
    """Ask `text` in a chat. `model` "" = the last used, else the first installed with tools, else the first.

    `instead_of` = a turn that this one replaces: it and every later turn of the chat are dropped first (a question that
    is edited and sent again, an answer that is made anew). Answer: TurnStarted ... TurnFinished, or CommandRefused
    when a turn of this chat is running (and then nothing was dropped).
    """

    chat_id: str
    turn_id: str
    text: str
    model: str = ""
    think: ThinkLevel = ThinkLevel.DEFAULT
    instead_of: str = ""


@dataclass(frozen=True, slots=True)
class RetryTurn:
    """Go on from where the chat's last turn failed, keeping what came. Answer as for StartTurn."""

    chat_id: str
    turn_id: str
    model: str = ""
    think: ThinkLevel = ThinkLevel.DEFAULT


@dataclass(frozen=True, slots=True)
class RunTool:
    """Run one tool by hand, through the same gate; no model is asked, none sees the result, no server is needed.

    Answer: a turn of its own (TurnStarted with model "", ToolStarted, ToolFinished, TurnFinished), or CommandRefused.
    """

    chat_id: str
    turn_id: str
    name: str
    arguments: JsonObject = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class DeleteTurn:
    """Forget a question with its answer. Answer: TurnDeleted, or CommandRefused while a turn of the chat runs."""

    chat_id: str
    turn_id: str


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """Answer a QuestionAsked with one of its choices. The first answer counts; a later one is refused."""

    question_id: str
    answer: str


@dataclass(frozen=True, slots=True)
class OpenPath:
    """Open a file of a chat's folder with the user's own program for it, or show it in its folder when it would run.

    `path` as a tool told it: relative to the workspace, or absolute. Answer: nothing, or CommandRefused.
    """

    chat_id: str
    path: str


@dataclass(frozen=True, slots=True)
class CancelTurn:
    """Stop a turn, in whatever state it is. Answer: its TurnFinished; nothing for a turn that has ended."""

    turn_id: str


@dataclass(frozen=True, slots=True)
class AnswerApproval:
    """Answer an ApprovalRequested. The first answer counts; a later one is refused.

    `digest` is that of the ChangePreview which the user saw ("" for a question about reading). `text`: the new text as
    the user changed it before allowing; None = as it was shown. `typed`: what was typed where the preview wants it.
    `after_ms`: how long the question had been on the screen.
    """

    call_id: str
    decision: Decision
    reason: str = ""
    digest: str = ""
    text: str | None = None
    typed: str = ""
    after_ms: int = 0


@dataclass(frozen=True, slots=True)
class SetMode:
    """Another confirmation mode for a chat. Answer: ModeChanged. NONE (automatic) ends with the program."""

    chat_id: str
    mode: Mode


@dataclass(frozen=True, slots=True)
class AllowFile:
    """Let a chat read one sensitive file (absolute, or relative to the workspace). Answer: FileAllowed or refused."""

    chat_id: str
    path: str


@dataclass(frozen=True, slots=True)
class UndoOperation:
    """Undo one operation. Answer: OperationChanged, UndoRefused, or UndoConflicted (its digest as `accept` goes on)."""

    operation_id: str
    accept: str = ""


@dataclass(frozen=True, slots=True)
class RedoOperation:
    """Do an undone operation again. Answer as for UndoOperation."""

    operation_id: str
    accept: str = ""


@dataclass(frozen=True, slots=True)
class ListModels:
    """Ask the server what is installed. Answer: ServerStateChanged, and ModelsListed when it was reached."""


@dataclass(frozen=True, slots=True)
class ChangeSettings:
    """Change and save settings by key. Answer: SettingsChanged or CommandRefused; all or nothing."""

    changes: JsonObject = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Shutdown:
    """Stop every turn and end. Answer: the TurnFinished of each, then EngineStopped as the last event of all."""


Command = (
    NewConversation
    | SetWorkspace
    | StartTurn
    | RetryTurn
    | RunTool
    | DeleteTurn
    | OpenPath
    | CancelTurn
    | AnswerApproval
    | AnswerQuestion
    | SetMode
    | AllowFile
    | UndoOperation
    | RedoOperation
    | ListModels
    | ChangeSettings
    | Shutdown
)
