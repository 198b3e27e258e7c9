"""Runs the calls of one round: reading ones side by side, others one after another, each finished exactly once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from metona_tk.agent.approvals import Approvals
from metona_tk.agent.conversation import ModelCall
from metona_tk.agent.tool_call import Caller, Outcome, ParsedCall, ToolRunner, failure
from metona_tk.backends.base import CancelToken
from metona_tk.protocol.changes import ChangePreview
from metona_tk.protocol.events import (
    ApprovalAnswered,
    ApprovalRequested,
    Event,
    StateChanged,
    ToolFinished,
    ToolStarted,
)
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Answer, CallStatus, Decision, Preview, Result, TurnState

_GRACE = 0.1  # seconds that running calls get to end by themselves after a stop
_SIDE_BY_SIDE = 8


@dataclass(slots=True)
class _Slot:
    """One call on its way: says its events in order and finishes once, whoever comes first."""

    turn_id: str
    call: ModelCall
    emit: Callable[[Event], None]
    started: float = field(default_factory=time.monotonic)
    lock: threading.Lock = field(default_factory=threading.Lock)
    asking: bool = False
    outcome: Outcome | None = None

    def open_question(self, rule: str, preview: Preview) -> bool:
        with self.lock:
            if self.outcome:
                return False
            self.asking = True
            self.emit(ApprovalRequested(self.turn_id, self.call.call_id, rule, preview))
            return True

    def close_question(self, decision: Decision) -> None:
        with self.lock:
            self._close(decision)

    def _close(self, decision: Decision) -> None:
        if self.asking:
            self.asking = False
            self.emit(ApprovalAnswered(self.turn_id, self.call.call_id, decision))

    def finish(self, outcome: Outcome) -> None:
        with self.lock:
            if self.outcome is not None:
                return
            self._close(Decision.NO_ANSWER)
            self.outcome = outcome
            seconds = time.monotonic() - self.started
            self.emit(
                ToolFinished(
                    self.turn_id,
                    self.call.call_id,
                    outcome.status,
                    outcome.result,
                    seconds,
                    outcome.repairs,
                    outcome.operation,
                )
            )


class CallRound:
    """Runs rounds of calls for one turn."""

    def __init__(
        self,
        turn_id: str,
        runner: ToolRunner,
        approvals: Approvals,
        cancel: CancelToken,
        emit: Callable[[Event], None],
    ) -> None:
        self._turn_id, self._runner, self._approvals = turn_id, runner, approvals
        self._cancel, self._emit = cancel, emit
        self._pool = ThreadPoolExecutor(_SIDE_BY_SIDE, thread_name_prefix="tool")
        self._asking = 0
        self._state_lock = threading.Lock()

    def close(self) -> None:
        """Let the pool's threads go; a call that still hangs does not hold up the turn."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def run(self, calls: list[tuple[ModelCall, ParsedCall]], by_program: bool = False) -> list[Outcome]:
        """Run them; the outcomes in the order of the calls, whatever happens to each."""
        slots: list[_Slot] = []
        group: list[Future[None]] = []
        for call, parsed in calls:
            slot = _Slot(self._turn_id, call, self._emit)
            slots.append(slot)
            self._emit(ToolStarted(self._turn_id, call.call_id, parsed.name, parsed.shown, by_program))
            alone = parsed.tool is not None and not parsed.tool.reading_only
            if alone:
                self._wait(group)
            group.append(self._pool.submit(self._run_one, slot, parsed, by_program))
            if alone:
                self._wait(group)
        self._wait(group)
        return [self._outcome(slot) for slot in slots]

    def _wait(self, group: list[Future[None]]) -> None:
        stopped = threading.Event()
        forget = self._cancel.on_cancel(stopped.set)
        try:
            while group:
                _, left = wait(group, timeout=0.02)
                group[:] = list(left)
                if stopped.is_set():
                    wait(group, timeout=_GRACE)
                    group.clear()
        finally:
            forget()

    def _run_one(self, slot: _Slot, parsed: ParsedCall, by_program: bool) -> None:
        if self._cancel.cancelled:
            return

        def ask(rule: str, preview: Preview) -> Answer:
            return self._ask(slot, rule, preview)

        # what the program looks up by itself is never worth a question
        answerable = self._approvals.answerable and not by_program
        who = Caller(self._turn_id, slot.call.call_id, by_program)
        slot.finish(self._runner.run(parsed, ask if answerable else None, who))

    def _ask(self, slot: _Slot, rule: str, preview: Preview) -> Answer:
        call_id = slot.call.call_id
        self._approvals.register(call_id, preview.digest if isinstance(preview, ChangePreview) else "")
        self._confirming(+1)
        opened = slot.open_question(rule, preview)
        answer = self._approvals.wait(call_id, self._cancel) if opened else Answer(Decision.NO_ANSWER)
        slot.close_question(answer.decision)
        if not self._cancel.cancelled:
            self._confirming(-1)
        return answer

    def _confirming(self, change: int) -> None:
        with self._state_lock:
            before, self._asking = self._asking, self._asking + change
            if not before and self._asking:
                self._emit(StateChanged(self._turn_id, TurnState.CONFIRMING))
            elif before and not self._asking:
                self._emit(StateChanged(self._turn_id, TurnState.EXECUTING))

    def _outcome(self, slot: _Slot) -> Outcome:
        slot.finish(stopped_outcome())  # does nothing for a call that has finished
        return slot.outcome or stopped_outcome()


def stopped_outcome() -> Outcome:
    """The outcome of a call that the user's stop caught."""
    result: Result = failure(Code.STOPPED, "The user stopped this.")
    return Outcome(result, CallStatus.CANCELLED, (), False, 0.0)
