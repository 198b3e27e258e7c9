"""One tool run by hand, through the same gate as the model's calls: for the command line, and as a turn of a chat."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass

from metona_tk.agent.approvals import Approvals
from metona_tk.agent.calls import CallRound
from metona_tk.agent.changing import NO_WAIVER, Waiver, mode_for
from metona_tk.agent.conversation import Conversation, ModelCall
from metona_tk.agent.gatekeeper import AskUser, build_gate
from metona_tk.agent.recording import Record
from metona_tk.agent.telling import Telling
from metona_tk.agent.tool_call import ToolRunner
from metona_tk.backends.base import CancelToken
from metona_tk.logs import log, place
from metona_tk.protocol.commands import RunTool
from metona_tk.protocol.events import Event, TurnFinished, TurnStarted
from metona_tk.protocol.problems import Problem, ProblemCode, ProblemError
from metona_tk.protocol.strict_json import loads
from metona_tk.protocol.values import Mode, Result, TurnEnd, TurnState, Usage
from metona_tk.security.paths import PathGate
from metona_tk.settings import Settings
from metona_tk.tools.registry import Registry


def run_by_hand(
    settings: Settings,
    registry: Registry,
    name: str,
    arguments: str,
    folder: str,
    allow_files: tuple[str, ...],
    ask: AskUser | None,
    record: Record,
    mode: Mode | None = None,
    waiver: Waiver = NO_WAIVER,
    tell: Callable[[str], None] = lambda _: None,
) -> Result:
    """The result of one call in the workspace `folder` (absolute); a failure is a result too. `tell` gets the id of the
    change that it made.
    """
    mode = mode or mode_for(settings["confirmationMode"])
    chat = Conversation("by-hand", folder, allowed_files=frozenset(allow_files), mode=mode)
    gate = build_gate(folder, settings["allowedDirs"], settings["blockedDirs"])
    runner = ToolRunner(chat, registry, gate, settings["numCtx"], lambda: False, record, waiver, by_person=True)
    try:
        raw = loads(arguments)  # text is how a call is written by hand; it is no repair
    except ValueError:
        raw = arguments  # told as a call with bad arguments
    outcome = runner.run(runner.parse(name, raw), ask)
    if outcome.operation:
        tell(outcome.operation.operation_id)
    return outcome.result


@dataclass(slots=True)
class HandTurn:
    """A turn of one call that the user makes. What comes of it is shown, and no part of the chat's messages."""

    command: RunTool
    chat: Conversation
    registry: Registry
    num_ctx: int
    approvals: Approvals
    send: Callable[[Event], None]
    cancel: CancelToken
    record: Record

    def run(self, find_gate: Callable[[], PathGate | None]) -> None:
        """The whole turn. ProblemError, and no event at all, where the chat has no folder to work in."""
        gate = find_gate()
        if gate is None:
            raise ProblemError(ProblemCode.NO_WORKSPACE)
        ids = self.command.chat_id, self.command.turn_id
        telling = Telling(*ids, self.send)
        self.send(TurnStarted(*ids, "", True))
        problem = None
        try:
            self._call(gate, telling)
            end = TurnEnd.STOPPED if self.cancel.cancelled else TurnEnd.ANSWERED
        except Exception:
            log.exception("a call by hand failed")
            end, problem = TurnEnd.FAILED, Problem(ProblemCode.INTERNAL, {"path": place()})
        telling.enter(TurnState.DONE)
        self.send(TurnFinished(*ids, end, Usage(), problem))

    def _call(self, gate: PathGate, telling: Telling) -> None:
        runner = ToolRunner(
            self.chat, self.registry, gate, self.num_ctx, lambda: self.cancel.cancelled, self.record, by_person=True
        )
        calls = CallRound(self.command.turn_id, runner, self.approvals, self.cancel, telling.emit)
        parsed = runner.parse(self.command.name, self.command.arguments)
        telling.enter(TurnState.EXECUTING)
        try:
            calls.run([(ModelCall(f"call_{uuid.uuid4().hex[:12]}", self.command.name, parsed.shown), parsed)])
        finally:
            calls.close()
