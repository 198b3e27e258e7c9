"""One tool call from what the model sent to its result: parse -> tool on? -> gate -> run. Never raises for a call.

Counterpart: `agent.turn`, which gives the results to the model, and `cli.tools`, which runs one tool by hand.
"""

from __future__ import annotations

import datetime
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from metona_tk import i18n
from metona_tk.agent.changing import NO_WAIVER, Changer, Request, Said, Waiver, steady
from metona_tk.agent.conversation import Conversation
from metona_tk.agent.gatekeeper import AskUser, Gatekeeper
from metona_tk.agent.plan_context import ChangeContext, PlanTargets
from metona_tk.agent.recording import Record
from metona_tk.agent.tool_context import CHARACTERS_A_TOKEN, CallContext, make_guard
from metona_tk.logs import log
from metona_tk.protocol.changes import OperationInfo, Origin
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import CallStatus, JsonObject, Result, ToolCallRecord
from metona_tk.security.handles import Guard
from metona_tk.security.paths import GateError, PathGate, Target
from metona_tk.security.policy import Grant
from metona_tk.tools.arguments import parse_arguments
from metona_tk.tools.base import Tool, ToolArgs, ToolFailed
from metona_tk.tools.changing import ChangingTool
from metona_tk.tools.registry import Registry


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a call, for the log and the journal."""

    turn_id: str = ""
    call_id: str = ""
    by_program: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a call. `returns_contents` = text of files came back (taint)."""

    result: Result
    status: CallStatus
    repairs: tuple[str, ...]
    returns_contents: bool
    seconds: float
    operation: OperationInfo | None = None


@dataclass(frozen=True, slots=True)
class ParsedCall:
    """A call whose tool and arguments were looked at; `failed` when they were not good."""

    name: str
    shown: JsonObject  # arguments for the card
    tool: Tool | None = None
    args: ToolArgs | None = None
    repairs: tuple[str, ...] = ()
    failed: ToolFailed | None = None


_NOBODY = Caller()
Given = tuple[PathGate, Guard, Mapping[str, Target], int, float, Callable[[], bool], str, tuple[Grant, ...], float]


def failure(code: Code, text: str, note: str | None = None) -> Result:
    """A refusal or failure as a result; the model reads its sentence."""
    return Result(False, note=note, text=f"Error: {text}", code=code, error=text)


def preferred_encoding() -> str:
    """What settles a tie between encodings, by the user's language."""
    return "gb18030" if i18n.language() == "zh_CN" or i18n.system_language() == "zh_CN" else ""


class ToolRunner:
    """Runs calls for one turn of a chat; thread-safe, since reading calls run side by side."""

    def __init__(
        self,
        chat: Conversation,
        registry: Registry,
        gate: PathGate,
        num_ctx: int,
        is_stopped: Callable[[], bool],
        record: Record,
        waiver: Waiver = NO_WAIVER,
        by_person: bool = False,
    ) -> None:
        self._chat, self._registry, self._gate = chat, registry, gate
        self._num_ctx, self._is_stopped = num_ctx, is_stopped
        self._record, self._by_person = record, by_person
        self.characters_a_token = CHARACTERS_A_TOKEN  # may be set by what the server counts
        self._keeper = Gatekeeper(chat, gate, self.names)
        self._changer = Changer(chat, self._keeper, record.operations, self._change_context, is_stopped, waiver)
        self._guarded: tuple[tuple[frozenset[str], frozenset[str]], Guard] | None = None
        self._names: list[str] | None = None
        self._names_lock = threading.Lock()

    def parse(self, name: str, raw: Any) -> ParsedCall:
        """Look at a call without doing anything."""
        shown: JsonObject = raw if isinstance(raw, dict) else {"raw": raw}  # pyright: ignore
        try:
            tool = self._registry.find(name)
            args, values, repairs = parse_arguments(tool, raw)
            tool.check(args)
            self._registry.check_on(name)
            return ParsedCall(name, values, tool, args, repairs)
        except ToolFailed as error:
            return ParsedCall(name, shown, failed=error)

    @property
    def _guard(self) -> Guard:
        """Made anew only when the chat's files have changed: it looks at every closed place once."""
        chat = self._chat
        if self._guarded is None or self._guarded[0] != (chat.allowed_files, chat.hidden_files):
            files = chat.allowed_files, chat.hidden_files
            self._guarded = files, make_guard(self._gate, *files)
        return self._guarded[1]

    def run(self, call: ParsedCall, ask_user: AskUser | None, caller: Caller = _NOBODY) -> Outcome:
        """Run a parsed call through the gate; every failure is a result. What came of it is in the log afterwards."""
        started = time.monotonic()
        repairs = list(call.repairs)
        said = Said()
        contents, operation = False, None
        try:
            if call.failed or call.tool is None or call.args is None:
                raise call.failed or ToolFailed(Code.BAD_ARGUMENTS, "The call could not be read.")
            if isinstance(call.tool, ChangingTool):
                origin = Origin(self._chat.chat_id, caller.turn_id, caller.call_id, call.name)
                request = Request(call.tool, call.args, call.shown, origin)
                changed = self._changer.run(request, ask_user, said)
                result, operation = changed.result, changed.operation
            else:
                result = self._read(call.tool, call.args, repairs, ask_user)
                contents = call.tool.effects(call.args).returns_contents
        except (ToolFailed, GateError) as error:
            result = failure(error.code, error.text, getattr(error, "note", None))
        except Exception:
            # a bug of ours must not end the chat; it goes to the crash log and the model is told
            log.exception("the tool %s failed", call.name)
            result = failure(Code.IO_ERROR, "The tool failed inside the program. Try another way.")
        result = _with_repairs(result, repairs)
        status = CallStatus.SUCCESS if result.success else CallStatus.ERROR
        if result.code in {Code.STOPPED, Code.DENIED, Code.NO_ANSWER}:
            status = CallStatus.CANCELLED
        outcome = Outcome(result, status, tuple(repairs), contents, time.monotonic() - started, operation)
        self._record.call(self._chat, call, caller, said, outcome)
        return outcome

    def _read(self, tool: Tool, args: ToolArgs, repairs: list[str], ask_user: AskUser | None) -> Result:
        with steady(", ".join(map(repr, tool.effects(args).reads))):
            targets = self._keeper.approve(tool.effects(args), repairs, ask_user)
        files = self._chat.files
        given = self._given(targets, tool.seconds)
        context = CallContext(*given, masks=self._chat.masks, keep_read=files.note_read)
        return tool.run(args, context)

    def _change_context(self, targets: PlanTargets, seconds: float) -> ChangeContext:
        return ChangeContext(
            *self._given(targets.known, seconds),
            approvals=targets,
            files=self._chat.files,
            masks=self._chat.masks,
            by_person=self._by_person,
        )

    def _given(self, targets: Mapping[str, Target], seconds: float) -> Given:
        """What every context begins with."""
        return (
            self._gate,
            self._guard,
            targets,
            self._num_ctx,
            seconds,
            self._is_stopped,
            preferred_encoding(),
            self._chat.grants,
            self.characters_a_token,
        )

    def names(self) -> list[str]:
        """The workspace's files by relative path, listed once a turn; [] where they cannot be."""
        with self._names_lock:
            if self._names is None:
                self._names = self._list_names()
            return self._names

    def _list_names(self) -> list[str]:
        context = CallContext(self._gate, self._guard, {}, self._num_ctx, 3.0, self._is_stopped)
        try:
            with context.open_workspace() as folder:
                reading = context.ripgrep(["--files", "-0", "--no-require-git", "--no-messages"], folder)
                names: list[str] = []
                for record in reading.records(b"\0"):
                    name = os.fsdecode(record).replace(os.sep, "/").removeprefix("./")
                    if not any("\ud800" <= char <= "\udfff" for char in name):  # no UTF-8: cannot be opened
                        names.append(name)
                    if context.remaining() <= 0 or len(names) >= 100_000:
                        reading.kill()
                        break
                reading.finish()
                folders = {os.path.dirname(name) for name in names}
                shut = {each for each in folders if self._guard.closed_folder(os.path.join(folder.path, each))}
        except ToolFailed:
            return []
        return sorted(
            name
            for name in names
            if os.path.dirname(name) not in shut and not context.sensitive(name.rsplit("/", 1)[-1])
        )


def _with_repairs(result: Result, repairs: list[str]) -> Result:
    """Repairs are said in `note`, and to the model too, so that it learns the real path."""
    if not repairs:
        return result
    said = "; ".join(repairs)
    note = f"{said}; {result.note}" if result.note else said
    return Result(result.success, result.data, note, f"({said})\n{result.text}", result.code, result.error)


def record_of(call_id: str, call: ParsedCall, outcome: Outcome, confirmed: bool) -> ToolCallRecord:
    """The stored record of a call [O 11]."""
    return ToolCallRecord(
        call_id,
        call.name,
        call.shown,
        outcome.status,
        outcome.result.as_json(),
        confirmed,
        datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        outcome.repairs,
    )
