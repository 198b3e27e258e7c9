"""`metona-tk ask`: one question, the answer on standard output, progress and tool calls on standard error."""

from __future__ import annotations

import dataclasses
import queue
import threading
import uuid
from argparse import Namespace
from typing import Any

from metona_tk.cli import terminal
from metona_tk.cli.changes import acts_on
from metona_tk.cli.confirm import confirm
from metona_tk.cli.core import Allowed, Core, RunningEngine
from metona_tk.i18n import tr, trn
from metona_tk.i18n.problems import as_json, problem_text, tool_text
from metona_tk.protocol.changes import ChangePreview
from metona_tk.protocol.commands import AnswerApproval, AnswerQuestion, CancelTurn, NewConversation, Shutdown, StartTurn
from metona_tk.protocol.events import (
    ApprovalRequested,
    CommandRefused,
    ContextTrimmed,
    EngineStopped,
    Event,
    QuestionAsked,
    ServerSilent,
    SettingsChanged,
    TextAdded,
    ToolFinished,
    ToolStarted,
    TurnFinished,
    TurnStarted,
)
from metona_tk.protocol.problems import Code, Problem, ProblemCode
from metona_tk.protocol.values import Answer, Decision, JsonObject, Preview, Result, TurnEnd

ANSWERED, FAILED, WRONG_USE, DENIED, NO_SERVER, STOPPED = range(6)
ANSWER_SECONDS = 300.0
_REFUSED = frozenset([Code.DENIED, Code.NO_ANSWER, Code.OUTSIDE_ROOT, Code.SENSITIVE_FILE])
_NO_SERVER = frozenset([ProblemCode.NO_SERVER, ProblemCode.NOT_OLLAMA])


def is_refusal(result: Result) -> bool:
    """Whether a result is one that exit code 3 stands for."""
    return result.code in _REFUSED


class _Asking:
    """One question on its way."""

    def __init__(self, core: Core, options: Namespace, allowed: Allowed) -> None:
        self.options = options
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.can_ask = terminal.can_ask()
        seconds = ANSWER_SECONDS if self.can_ask else 0.0
        self.engine: RunningEngine = core.engine(self.events.put, options.host, seconds, allowed)
        self.turn_id = uuid.uuid4().hex
        self.end: TurnFinished | None = None
        self.refused = False
        self.problem: Problem | None = None
        self.calls: dict[str, ToolStarted] = {}
        self.ends_in_newline = True
        self.interrupts = 0
        self.unread = False
        self.operations: list[str] = []
        self.unasked = False

    def run(self, question: str, folder: str) -> int:
        chat_id = uuid.uuid4().hex
        self.engine.start()
        self.engine.send(NewConversation(chat_id, folder))
        self.engine.send(StartTurn(chat_id, self.turn_id, question, self.options.model))
        self._take_events()
        if not self.options.json and not self.ends_in_newline:
            terminal.out("\n")
        return self._exit_code()

    def _take_events(self) -> None:
        while True:
            try:
                event = self.events.get(timeout=0.5)
                if isinstance(event, EngineStopped):
                    return
                self._note(event)
                if not self.unread:
                    self._show(event)
            except queue.Empty:
                continue
            except KeyboardInterrupt:
                self.interrupts += 1
                if self.interrupts > 1:
                    return
                terminal.err(tr("Stopping …"))
                self.engine.send(CancelTurn(self.turn_id))
            except BrokenPipeError:
                self.unread = True  # the reader has gone: stop, and say nothing more
                self.engine.send(CancelTurn(self.turn_id))

    def _note(self, event: Event) -> None:
        """What an event means for the exit code, whoever reads the output."""
        if isinstance(event, TurnFinished):
            self.end = event
        elif isinstance(event, ToolStarted):
            self.calls[event.call_id] = event
        elif isinstance(event, ToolFinished):
            # what the program read by itself was no wish of anybody
            self.refused = self.refused or (is_refusal(event.result) and not self.calls[event.call_id].by_program)
            self.unasked = self.unasked or (event.result.code is Code.NO_ANSWER and not self.can_ask)
            self.operations += [event.operation.operation_id] if event.operation else []
        elif isinstance(event, CommandRefused) and isinstance(event.command, (StartTurn, NewConversation)):
            self.problem = event.problem
        if self.end or self.problem:
            self.engine.send(Shutdown())

    def _show(self, event: Event) -> None:
        if isinstance(event, (ApprovalRequested, QuestionAsked)):
            threading.Thread(target=self._answer, args=(event,), daemon=True).start()
        if self.options.json:
            terminal.json_out(event_json(event))
        else:
            self._show_text(event)

    def _show_text(self, event: Event) -> None:
        if isinstance(event, TextAdded):
            terminal.out(terminal.safe(event.text))
            self.ends_in_newline = event.text.endswith("\n")
        elif isinstance(event, TurnStarted):
            _show_model(event)
        elif isinstance(event, ToolFinished):
            terminal.err(call_line(self.calls[event.call_id], event))
        elif isinstance(event, ServerSilent) and is_told(event.seconds):
            terminal.err(waiting_line(event.seconds))
        elif isinstance(event, ContextTrimmed) and (said := trimmed_line(event)):
            terminal.err(said)
        elif isinstance(event, SettingsChanged) and event.problem:
            terminal.err(problem_text(event.problem))
        elif isinstance(event, TurnFinished):
            self._show_end(event)
        elif isinstance(event, CommandRefused):
            terminal.err(problem_text(event.problem))

    def _show_end(self, event: TurnFinished) -> None:
        said = [problem_text(event.problem)] if event.problem else []
        said += [unasked_line()] if self.unasked else []
        said += [taking_back(self.operations, event.turn_id)] if self.operations else []
        if said and not self.ends_in_newline:
            terminal.out("\n")
            self.ends_in_newline = True
        for line in said:
            terminal.err(line)

    def _answer(self, event: ApprovalRequested | QuestionAsked) -> None:
        if isinstance(event, ApprovalRequested):
            said = answer_in_terminal(event.rule, event.preview) if self.can_ask else Answer(Decision.DENY)
            digest = event.preview.digest if isinstance(event.preview, ChangePreview) else ""
            more = (said.text, said.typed, said.after_ms)
            self.engine.send(AnswerApproval(event.call_id, said.decision, said.reason, digest, *more))
            return
        go_on = self.can_ask and terminal.ask_go_on(event)
        self.engine.send(AnswerQuestion(event.question_id, event.choices[0 if go_on else -1]))

    def _exit_code(self) -> int:
        if self.interrupts:
            return STOPPED
        if self.end is None:
            known = self.problem and self.problem.code
            return WRONG_USE if known in {ProblemCode.WORKSPACE_UNUSABLE, ProblemCode.BAD_ADDRESS} else FAILED
        if self.end.end is TurnEnd.ANSWERED:
            return DENIED if self.refused else ANSWERED
        if self.end.end is TurnEnd.STOPPED:
            return STOPPED
        return NO_SERVER if self.end.problem and self.end.problem.code in _NO_SERVER else FAILED


def answer_in_terminal(rule: str, preview: Preview, by_hand: bool = False) -> Answer:
    """The user's answer to any confirmation, asked for in the terminal; `by_hand`: the call is the user's own."""
    if isinstance(preview, ChangePreview):
        return confirm(preview, by_hand=by_hand)
    return Answer(terminal.ask_read_outside(preview, by_hand=by_hand))


def answer_by_hand(rule: str, preview: Preview) -> Answer:
    """The same for a call that the user makes."""
    return answer_in_terminal(rule, preview, by_hand=True)


def _show_model(event: TurnStarted) -> None:
    terminal.err(tr("Model: {model}", model=terminal.safe(event.model)))
    if event.remote:
        terminal.err(tr("It does not run on this computer: what is read here is sent there."))
    if not event.tools:
        terminal.err(tr("This model has no tools here, so it answers without looking at files."))


def event_json(event: Event) -> dict[str, Any]:
    """An event as `--json` gives it: its name, then its fields; results as the tools' contract has them."""
    data: dict[str, Any] = {"event": type(event).__name__}
    for field in dataclasses.fields(event):
        value = getattr(event, field.name)
        if isinstance(value, Result):
            value = value.as_json()
        elif isinstance(value, Problem):
            value = as_json(value)
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            value = dataclasses.asdict(value)
        data[field.name] = value
    return data


def call_line(started: ToolStarted, finished: ToolFinished) -> str:
    """A tool call in one line: mark, name, what it acts on, what came of it, time."""
    what = acts_on(started.arguments)
    result = finished.result
    mark = "✓" if result.success else "✗"
    said = summary(result) if result.success else (tool_text(result.code) if result.code else "")
    note = f" ({result.note})" if result.note and result.success else ""
    operation = f" [{finished.operation.operation_id}]" if finished.operation else ""
    line = f"{mark} {started.name} {what[:120]}: {said}{note[:300]} {finished.seconds:.1f} s{operation}"
    return terminal.safe(line.replace("\n", " "))


def summary(result: Result) -> str:
    """What a reading tool found, in a few words."""
    data = result.data
    if "total_matches" in data:
        matches = trn("{count} match", "{count} matches", data["total_matches"])
        files = trn("{count} file", "{count} files", data["total_files"])
        return tr("{matches} in {files}", matches=matches, files=files)
    if "entries" in data:
        return trn("{count} entry", "{count} entries", data["total"])
    if said := _changed(data):
        return said
    if "line_range" in data:
        first, last = data["line_range"]
        return tr("lines {first} to {last}, {encoding}", first=first, last=last, encoding=data["encoding"])
    return ""


def _changed(data: JsonObject) -> str:
    """What a changing tool did, in a few words; "" for a reading one."""
    if "replacements" in data:
        return trn("{count} place changed", "{count} places changed", data["replacements"])
    if "bytesWritten" in data:
        count = trn("{count} byte", "{count} bytes", data["bytesWritten"])
        return (tr("new file, {count}") if data.get("created") else tr("written, {count}")).format(count=count)
    if "deleted" in data:
        return tr("deleted, can be undone") if data.get("recoverable") else tr("deleted for good")
    if {"moved", "copied"} & set(data):
        done = tr("moved") if "moved" in data else tr("copied")
        return done + (f": {len(data['paths'])}" if "paths" in data else "")
    return (tr("made") if data["created"] else tr("was there already")) if "created" in data else ""


def trimmed_line(event: ContextTrimmed) -> str:
    """What the model is not sent any more; "" when it is sent everything again."""
    results = trn("{count} tool result", "{count} tool results", event.shrunk_results) if event.shrunk_results else ""
    turns = trn("{count} earlier question", "{count} earlier questions", event.dropped_turns)
    told = ", ".join(filter(None, [results, turns if event.dropped_turns else ""]))
    return tr("Left out to fit the model's context: {what}.", what=told) if told else ""


def taking_back(operations: list[str], turn_id: str) -> str:
    """How the changes of a turn are undone."""
    if len(operations) == 1:
        return tr("To take it back: undo {id}", id=operations[0])
    return tr("To take these {count} changes back: undo --turn {id}", count=len(operations), id=turn_id)


def unasked_line() -> str:
    """What to do about a change that nobody could be asked about."""
    return tr(
        "Nobody could be asked. Run it in a terminal, or allow changes beforehand with --yes, and deletions with"
        " --yes-delete; what may be dangerous is asked in any case."
    )


def is_told(seconds: int) -> bool:
    """Whether a wait of so many seconds is told: seldom, since every line stays on the screen."""
    return seconds in {10, 30} or seconds % 60 == 0


def waiting_line(seconds: int) -> str:
    """What the program waits for while the server is silent."""
    return tr(
        "Waiting for the server, {seconds} s: it may be loading the model or reading a long question.", seconds=seconds
    )


def ask(core: Core, options: Namespace, question: str, folder: str, allowed: Allowed) -> int:
    """Run the question; the exit code of SPEC 6.11."""
    return _Asking(core, options, allowed).run(question, folder)
