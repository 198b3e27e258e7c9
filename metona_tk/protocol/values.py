"""Values that appear in commands, events and tool declarations."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from metona_tk.protocol.changes import ChangePreview
from metona_tk.protocol.problems import Code, Problem

JsonObject = dict[str, Any]
EXAMPLE_MODEL = "qwen3:4b"  # one with tools that fits most machines, for advice
Role = Literal["system", "user", "assistant", "tool"]


class TurnState(StrEnum):
    """Where a turn stands. `executing` covers the original's "collecting"."""

    IDLE = "idle"
    SENDING = "sending"
    ACCUMULATING = "accumulating"
    EXECUTING = "executing"
    CONFIRMING = "confirming"
    DONE = "done"


class TurnEnd(StrEnum):
    """How a turn ended; `limit` and `repeated` carry a closing sentence in the event's problem."""

    ANSWERED = "answered"
    STOPPED = "stopped"
    FAILED = "failed"
    LIMIT = "limit"
    REPEATED = "repeated"


class CallStatus(StrEnum):
    """The status of a stored tool call [O 11]."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCESS = "success"
    ERROR = "error"
    CANCELLED = "cancelled"


class ThinkLevel(StrEnum):
    """How much a model thinks before it answers; `default` = as the settings say."""

    DEFAULT = ""
    OFF = "off"
    ON = "on"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    MAX = "max"


class QuestionKind(StrEnum):
    """What a QuestionAsked is about."""

    GO_ON = "go_on"  # the rounds are used up: go on, or end here
    AFTER_DENIALS = "after_denials"  # the user has said no to like calls again and again: go on, or end here


class Mode(StrEnum):
    """When a chat asks before a change (SPEC 3.1); the values are those of the setting."""

    ALL = "all"
    WRITE_ONLY = "write-only"
    NONE = "none"


class Decision(StrEnum):
    """What became of a question to the user."""

    ALLOW = "allow"
    DENY = "deny"
    NO_ANSWER = "no_answer"


@dataclass(frozen=True, slots=True)
class Answer:
    """The user's answer to a confirmation; the fields as in the command AnswerApproval."""

    decision: Decision
    reason: str = ""
    text: str | None = None
    typed: str = ""
    after_ms: int = 0


@dataclass(frozen=True, slots=True)
class Effects:
    """What a call would touch, as typed paths; policy, dialog and undo all read this one declaration.

    `writes` come to be or change, `moves` go from their place to another, `deletes` go to the bin. `patterns`: those of
    them that may be a pattern ("*.csv"), which the gate expands before anything else.
    """

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    deletes: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    network: tuple[str, ...] = ()
    returns_contents: bool = False  # the result holds text from files (taint), not only names and sizes


@dataclass(frozen=True, slots=True)
class OutsidePreview:
    """What the question about reading outside the roots shows."""

    typed: str
    resolved: str
    scope: str  # the folder that an Allow would open for this chat
    deep: bool  # whether the folders below `scope` are meant too


Preview = OutsidePreview | ChangePreview


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool gives back.

    `data` has the keys of the tool's contract, in its order. `text` is what the model reads; it is made from `data`
    and never the JSON itself. On failure `code` and `error` (one English sentence that says what would work) are set.
    """

    success: bool
    data: JsonObject = field(default_factory=dict[str, Any])
    note: str | None = None
    text: str = ""
    code: Code | None = None
    error: str | None = None

    def as_json(self) -> JsonObject:
        """The contract's JSON: `success`, `note`, then the tool's keys, or `error` and `code`."""
        head: JsonObject = {"success": self.success, "note": self.note}
        if self.success:
            return head | self.data
        return head | {"error": self.error, "code": self.code}


@dataclass(frozen=True, slots=True)
class ToolCallRecord:
    """A stored call [O 11]; `timestamp` is ISO 8601 UTC, `repairs` are the argument repairs that were made."""

    call_id: str
    name: str
    arguments: JsonObject
    status: CallStatus
    result: JsonObject | None = None
    confirmed: bool = False
    timestamp: str = ""
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """The server's own counts of one answer; durations in nanoseconds, as Ollama sends them. 0 = not told."""

    prompt_tokens: int = 0
    answer_tokens: int = 0
    total_ns: int = 0
    load_ns: int = 0
    prompt_ns: int = 0
    answer_ns: int = 0

    @property
    def tokens_per_second(self) -> float:
        """Speed of generation, 0.0 when the server did not tell."""
        return self.answer_tokens / (self.answer_ns / 1e9) if self.answer_ns else 0.0


@dataclass(frozen=True, slots=True)
class ContextUse:
    """What fills the context window of `window` tokens. Measured by the server's own counts where it has told any."""

    window: int = 0
    system: int = 0
    tools: int = 0
    history: int = 0  # questions and answers
    files: int = 0  # tool results, and what was looked up before a question
    answer: int = 0  # the answer that is being written

    @property
    def used(self) -> int:
        """All parts together, in tokens."""
        return self.system + self.tools + self.history + self.files + self.answer


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """An installed model. `capabilities` is None where the server is too old to tell in its list."""

    name: str
    size: int = 0
    family: str = ""
    parameters: str = ""
    quantization: str = ""
    context_length: int | None = None
    capabilities: tuple[str, ...] | None = None
    remote: bool = False  # runs elsewhere: file contents would leave the machine


@dataclass(frozen=True, slots=True)
class ServerState:
    """What is known of the server at `address` ("http://127.0.0.1:11434")."""

    address: str
    reachable: bool
    version: str = ""
    problem: Problem | None = None
