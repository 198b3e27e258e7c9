"""Events as the core would send them, for the tests of the window and for its pictures."""

from __future__ import annotations

from metona_tk.protocol.changes import (
    Conflict,
    ConflictItem,
    FileState,
    NotUndoable,
    OperationInfo,
    OperationState,
)
from metona_tk.protocol.commands import StartTurn
from metona_tk.protocol.events import (
    ApprovalAnswered,
    ApprovalRequested,
    CommandRefused,
    ContextMeasured,
    ContextTrimmed,
    ConversationOpened,
    EngineStopped,
    Event,
    FileAllowed,
    ModeChanged,
    ModelsListed,
    OperationChanged,
    QuestionAnswered,
    QuestionAsked,
    RoundFinished,
    ServerSilent,
    ServerStateChanged,
    SettingsChanged,
    StateChanged,
    TextAdded,
    ThinkingAdded,
    ToolFinished,
    ToolStarted,
    TurnDeleted,
    TurnFinished,
    TurnStarted,
    UndoConflicted,
    UndoRefused,
    WorkspaceChanged,
)
from metona_tk.protocol.problems import Code, Problem, ProblemCode
from metona_tk.protocol.values import (
    CallStatus,
    ContextUse,
    Decision,
    Mode,
    ModelInfo,
    OutsidePreview,
    QuestionKind,
    Result,
    ServerState,
    TurnEnd,
    TurnState,
    Usage,
)

ADDRESS = "http://127.0.0.1:11434"
MODELS = (
    ModelInfo("qwen3:8b", capabilities=("completion", "tools", "thinking")),
    ModelInfo("gemma3:4b", capabilities=("completion", "vision")),
    ModelInfo("gpt-oss:120b-cloud", capabilities=("completion", "tools"), remote=True),
)
UP = ServerStateChanged(ServerState(ADDRESS, True, "0.33"))
DOWN = ServerStateChanged(ServerState(ADDRESS, False, problem=Problem(ProblemCode.NO_SERVER, {"address": ADDRESS})))
LISTED = ModelsListed(MODELS, "qwen3:8b")
USAGE = Usage(900, 110, answer_ns=10_000_000_000)


def started(turn: str, chat: str = "") -> list[Event]:
    return [TurnStarted(chat, turn, "qwen3:8b", True), StateChanged(turn, TurnState.SENDING)]


def finished(turn: str, end: TurnEnd = TurnEnd.ANSWERED, code: ProblemCode | None = None, retry: bool = False) -> Event:
    problem = Problem(code, {"address": ADDRESS}) if code else None
    return TurnFinished("", turn, end, USAGE, problem, retry)


def read_call(turn: str, call: str = "r1", **more: object) -> list[Event]:
    lines = ["date;payer;amount", "2026-03-02;Nordlicht GmbH;1240.00", "2026-03-07;青山设计;2100.00"]
    lines.append("2026-03-11;Hafen & Söhne;386.50")
    data = {
        "path": "/home/a/Documents/Invoices/bank-export-2026.csv",
        "content": "\n".join(lines) + "\n",
        "encoding": "GB18030",
        "size": 1229,
        "lines": 4,
        "truncated": False,
        "line_range": [1, 4],
    }
    return [
        ToolStarted(turn, call, "read_file", {"path": "bank-export-2026.csv"}),
        ToolFinished(turn, call, CallStatus.SUCCESS, Result(True, data | more, note=None), 0.004),
    ]


def list_call(turn: str, call: str = "l1") -> list[Event]:
    entries = [
        {"name": "2026-03", "type": "directory", "size": None, "modified": "2026-03-31T08:00:00Z"},
        {"name": "bank-export-2026.csv", "type": "file", "size": 1229, "modified": "2026-03-31T08:00:00Z"},
        {"name": "invoice\u202etxt.exe", "type": "file", "size": 40960, "modified": "2026-03-31T08:00:00Z"},
    ]
    data = {"path": "/home/a/Documents/Invoices", "entries": entries, "total": 3, "truncated": False}
    result = Result(True, data, note="Hidden files were left out.")
    return [
        ToolStarted(turn, call, "list_directory", {"path": "."}),
        ToolFinished(turn, call, CallStatus.SUCCESS, result, 0.005, ("“folder” was taken as “path”",)),
    ]


def search_call(turn: str, call: str = "s1") -> list[Event]:
    results = [
        {
            "path": f"2026-03/INV-03{n}.txt",
            "matches": [{"line": 4, "text": f"Invoice 03{n} · 青山设计 · 2,100.00 EUR", "column": 1}],
        }
        for n in (11, 17, 24)
    ]
    results.append({"path": "old/invoice.txt", "matches": [{"line": 0, "text": "invoice.txt", "column": 1}]})
    data = {"query": "invoice", "search_type": "both", "results": results, "total_files": 4, "total_matches": 4}
    data |= {"truncated": False, "files_scanned": 214, "skipped": {}}
    return [
        ToolStarted(turn, call, "search_files", {"query": "invoice", "path": "~/Documents/Invoices"}),
        ToolFinished(turn, call, CallStatus.SUCCESS, Result(True, data), 0.21),
    ]


def failed_call(turn: str, call: str = "f1", code: Code = Code.SENSITIVE_FILE) -> list[Event]:
    result = Result(False, code=code, error="This file may hold secrets and is not read.")
    return [
        ToolStarted(turn, call, "read_file", {"path": ".env"}),
        ToolFinished(turn, call, CallStatus.ERROR, result, 0.002),
    ]


def question(turn: str, call: str = "q1", typed: str = "../Bank/2026.csv", deep: bool = True) -> list[Event]:
    preview = OutsidePreview(typed, "/home/a/Documents/Bank/2026.csv", "/home/a/Documents/Bank", deep)
    return [
        ToolStarted(turn, call, "read_file", {"path": typed}),
        StateChanged(turn, TurnState.CONFIRMING),
        ApprovalRequested(turn, call, "typed_outside", preview),
    ]


def after_changes(chat: str) -> list[Event]:
    made = OperationInfo("op1", OperationState.UNDONE)
    conflict = Conflict("op1", True, (ConflictItem("/tmp/a", FileState("file", 3), FileState()),), "d")
    return [
        ModeChanged(chat, Mode.NONE),
        FileAllowed(chat, "/tmp/.env"),
        OperationChanged(made),
        UndoRefused(made, True, NotUndoable.BUSY, "/tmp/a"),
        UndoConflicted(conflict),
    ]


def one_of_each(turn: str, chat: str) -> list[Event]:
    return [
        ConversationOpened(chat, "/tmp"),
        WorkspaceChanged(chat, "/tmp"),
        UP,
        LISTED,
        SettingsChanged({"theme": "dark", "recentWorkspaces": ["/tmp"]}),
        *started(turn, chat),
        ServerSilent(turn, 12),
        ThinkingAdded(turn, "Hm."),
        TextAdded(turn, "Well, "),
        *question(turn),
        ApprovalAnswered(turn, "q1", Decision.DENY),
        ToolFinished(turn, "q1", CallStatus.ERROR, Result(False, code=Code.DENIED), 1.0),
        RoundFinished(turn, USAGE),
        ContextMeasured(turn, ContextUse(24576, 900, 600, 400, 5000, 120)),
        ContextTrimmed(turn, 2, 1),
        QuestionAsked(turn, "go", QuestionKind.GO_ON, ("go_on", "stop"), {"rounds": "10"}),
        QuestionAnswered(turn, "go", "go_on"),
        finished(turn),
        *after_changes(chat),
        TurnDeleted(chat, "another"),
        CommandRefused(StartTurn(chat, "x", "y"), Problem(ProblemCode.TURN_RUNNING)),
        EngineStopped(),
    ]
