"""One turn: question -> model -> calls -> model, until it answers, is stopped, or comes to a limit (SPEC 5)."""

from __future__ import annotations

import re
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from metona_tk.agent import loop_rules, prompt
from metona_tk.agent.approvals import Approvals
from metona_tk.agent.briefing import Briefing
from metona_tk.agent.calls import CallRound
from metona_tk.agent.conversation import Conversation, Message, ModelCall, TurnSetup
from metona_tk.agent.models import ModelMemory, choose_model
from metona_tk.agent.recovery import calls_in_text, may_be_call
from metona_tk.agent.reply import Reply
from metona_tk.agent.showing import Showing
from metona_tk.agent.tool_call import ToolRunner
from metona_tk.backends.base import Backend, Cancelled, CancelToken, Capabilities, ChatRequest, RawCall, Silence
from metona_tk.logs import log, place
from metona_tk.protocol.events import (
    Event,
    RoundFinished,
    ServerSilent,
    StateChanged,
    ThinkingAdded,
    TurnFinished,
    TurnStarted,
)
from metona_tk.protocol.problems import Problem, ProblemCode, ProblemError
from metona_tk.protocol.values import JsonObject, Result, TurnEnd, TurnState, Usage
from metona_tk.security.paths import PathGate
from metona_tk.tools.registry import Registry

_LOOKED_UP = 6000  # characters of files that are put before a question
_SMALL = 4.0  # billions of parameters: up to here a model is asked without tools at first
_SHORT = 200  # characters of an answer from what was looked up that are held back: it may yet ask for the tools
_EXACT = 0.3  # top_p: an answer that is copied out of a text needs no variety
_CORRECTIONS = 2  # retries after a call that the server could not read


@dataclass(slots=True)
class Turn:
    """A running turn; `run` is its thread. It emits TurnStarted and TurnFinished exactly once, whatever fails."""

    setup: TurnSetup
    backend: Backend
    registry: Registry
    memory: ModelMemory
    approvals: Approvals
    send: Callable[[Event], None]
    cancel: CancelToken = field(default_factory=CancelToken)
    problem: Problem | None = None  # what it ended with
    _gate: PathGate | None = None  # None: no workspace, so no tools
    _state: TurnState = TurnState.IDLE
    _state_lock: threading.Lock = field(default_factory=threading.Lock)
    _usage: Usage = field(default_factory=Usage)
    _model: str = ""
    _can: Capabilities = field(default_factory=lambda: Capabilities(False))
    _runner: ToolRunner | None = None
    _round: CallRound | None = None
    _nudged: bool = False
    _repeated: bool = False  # the last call was made before
    _tools_sent: bool = True
    _showing: Showing = field(init=False)
    _from_lookup: bool = False  # the model is asked for an answer from what was looked up alone
    _results: list[Result] | None = None
    _repeats: loop_rules.RepeatWatch = field(default_factory=loop_rules.RepeatWatch)

    def __post_init__(self) -> None:
        self._showing = Showing(self.setup.turn_id, self._tell)

    @property
    def _chat(self) -> Conversation:
        return self.setup.chat

    @property
    def model(self) -> str:
        """The model that was chosen, "" before that."""
        return self._model

    def run(self, find_gate: Callable[[], PathGate | None]) -> TurnEnd:
        """The whole turn; `find_gate` may wait for the chat's folder and raise ProblemError."""
        end, problem, started = TurnEnd.FAILED, None, False
        try:
            if self.setup.question is not None:
                self._chat.messages.append(Message("user", self.setup.question))
            self._gate = find_gate()
            self.cancel.check()
            self._prepare()
            started = True
            remote = self.backend.is_remote(self._model)
            self.send(TurnStarted(*self._ids, self._model, bool(self._offered), remote))
            self._look_up()
            end, problem = self._rounds()
        except Cancelled:
            end = TurnEnd.STOPPED
        except ProblemError as error:
            problem = error.problem
        except Exception:
            log.exception("a turn failed")
            problem = Problem(ProblemCode.INTERNAL, {"path": place()})
        self.problem = problem
        if self._round:
            self._round.close()
        if not started:
            self.send(TurnStarted(*self._ids, self._model or self.setup.model, False))
        self._enter(TurnState.DONE)
        retry = end in {TurnEnd.FAILED, TurnEnd.STOPPED} and self._chat.can_retry()
        self.send(TurnFinished(*self._ids, end, self._usage, problem, retry))
        return end

    def _tell(self, event: Event) -> None:
        self.send(event)  # which may have been replaced since

    def _emit(self, event: Event) -> None:
        """State changes come from here and from questions; the same state is never said twice in a row."""
        if isinstance(event, StateChanged):
            self._enter(event.state)
        else:
            self.send(event)

    def _enter(self, state: TurnState) -> None:
        with self._state_lock:  # questions come from the pool's threads; after `done` nothing is said any more
            if state is not self._state and self._state is not TurnState.DONE:
                self._state = state
                self.send(StateChanged(self.setup.turn_id, state))

    def _prepare(self) -> None:
        setup = self.setup
        self._model = choose_model(self.backend, self.memory, setup.model, setup.last_model, self.cancel)
        self._can = self.memory.capabilities(self.backend, self._model, self.cancel)
        if self._can.tools and self._gate is not None:
            self._runner = ToolRunner(
                self._chat, self.registry, self._gate, self._num_ctx, lambda: self.cancel.cancelled
            )
            self._round = CallRound(setup.turn_id, self._runner, self.approvals, self.cancel, self._emit)

    @property
    def _ids(self) -> tuple[str, str]:
        return self._chat.chat_id, self.setup.turn_id

    @property
    def _num_ctx(self) -> int:
        return min(self.setup.num_ctx, self._can.context_length or self.setup.num_ctx)

    @property
    def _offered(self) -> list[str]:
        return [tool.name for tool in self.registry.offered()] if self._runner else []

    @property
    def _known(self) -> list[str]:
        """Tools whose calls are taken out of text: a call of one that is switched off is answered, too."""
        return [tool.name for tool in self.registry.all()] if self._offered else []

    def _look_up(self) -> None:
        """Look up what the question is about, through the gate, without asking; its text goes before the question."""
        if self.setup.question is None or self._runner is None:
            return
        names = self._runner.names() if self._offered else []
        if names:
            budget = min(_LOOKED_UP, self._num_ctx)  # characters: never more than about a third of the window
            briefing = Briefing(self.setup.question, names, set(self._offered), self._run_by_program, budget)
            self._chat.messages[-1].context = briefing.text()

    def _run_by_program(self, wanted: list[tuple[str, JsonObject]]) -> list[Result]:
        if self._runner is None or self._round is None:
            return []
        self._enter(TurnState.EXECUTING)
        calls = [
            (ModelCall(_new_id(), name, arguments), self._runner.parse(name, arguments)) for name, arguments in wanted
        ]
        outcomes = self._round.run(calls, by_program=True)
        self.cancel.check()
        return [outcome.result for outcome in outcomes]

    def _rounds(self) -> tuple[TurnEnd, Problem | None]:
        first = 1
        if self._answers_first():
            if (ended := self._answer_first()) is not None:
                return ended
            first = 2
        for _ in range(first, self.setup.max_rounds + 1):
            self._tools_sent = not self._repeated  # a model that goes in circles is left nothing but to answer
            reply = self._ask()
            calls = self._calls_of(reply)
            if not calls:
                ended = self._after_text(reply)
                if ended is not None:
                    return ended
                continue
            repeated = self._run_calls(reply, calls)
            if repeated:
                return TurnEnd.REPEATED, Problem(ProblemCode.SAME_CALL, {"tool": repeated})
        return TurnEnd.LIMIT, Problem(ProblemCode.ROUND_LIMIT, {"rounds": str(self.setup.max_rounds)})

    def _answers_first(self) -> bool:
        """A small model reads well what lies before it and calls badly: it is asked without tools at first."""
        small = self._can.billions is not None and self._can.billions <= _SMALL
        return small and self._runner is not None and bool(self._chat.messages[-1].context)

    def _answer_first(self) -> tuple[TurnEnd, Problem | None] | None:
        """The answer from what was looked up; None = the model wants to look for itself."""
        self._from_lookup = True
        try:
            reply = self._ask()
        finally:
            self._from_lookup = False
        if calls := self._calls_of(reply):
            self._run_calls(reply, calls)
            return None
        if prompt.asks_to_look(reply.content):
            return None
        self._keep(reply)
        cut = reply.done_reason == "length"
        return TurnEnd.ANSWERED, Problem(ProblemCode.CUT_BY_LENGTH) if cut else None

    def _calls_of(self, reply: Reply) -> list[RawCall]:
        if self._runner is None:
            return []
        calls = reply.calls()
        if not calls:
            recovered = calls_in_text(reply.content, self._known)
            if recovered:
                reply.content = ""
                calls = [RawCall(call.name, call.arguments, _new_id()) for call in recovered]
        return calls

    def _after_text(self, reply: Reply) -> tuple[TurnEnd, Problem | None] | None:
        """What a reply without calls means; None = the model got a push and goes on."""
        if not reply.content.strip():
            return self._after_nothing(reply)
        self._keep(reply)
        if self._runner and not self._nudged:
            looked_up = bool(self._chat.messages[-2].context)
            if push := loop_rules.nudge_for(reply, self._results, self._offered, looked_up):
                self._push(push)
                return None
        cut = reply.done_reason == "length"
        return TurnEnd.ANSWERED, Problem(ProblemCode.CUT_BY_LENGTH) if cut else None

    def _after_nothing(self, reply: Reply) -> tuple[TurnEnd, Problem | None] | None:
        if reply.done_reason == "length":
            self._keep(reply)
            return TurnEnd.FAILED, Problem(ProblemCode.CUT_BY_LENGTH)
        if self._nudged:
            return TurnEnd.FAILED, Problem(ProblemCode.EMPTY_ANSWER)
        if reply.thinking.strip():
            self._keep(reply)
        self._push(loop_rules.empty_nudge(reply, self._offered))
        return None

    def _push(self, text: str) -> None:
        self._nudged = True
        self._chat.messages.append(Message("user", text))

    def _keep(self, reply: Reply, calls: tuple[ModelCall, ...] = ()) -> None:
        """Add the answer to the chat; behind a broken-off one it is one message with it."""
        last = self._chat.messages[-1]
        if last.role == "assistant" and (last.incomplete or last.stopped):
            last.content += reply.content
            last.thinking += reply.thinking
            last.calls, last.usage = calls, reply.usage
            last.incomplete = last.stopped = False
            return
        self._chat.messages.append(
            Message("assistant", reply.content, reply.thinking, calls, model=self._model, usage=reply.usage)
        )

    def _run_calls(self, reply: Reply, raw: list[RawCall]) -> str | None:
        """Run the calls and add one tool message each; the name of a call that was made a third time in a row."""
        if self._runner is None or self._round is None:
            return None
        self._enter(TurnState.EXECUTING)
        parsed = [(call, self._runner.parse(call.name, call.arguments)) for call in raw]
        calls = [(ModelCall(call.call_id, call.name, as_object(seen.shown)), seen) for call, seen in parsed]
        counts = self._repeats.count([(call.name, call.arguments) for call, _ in calls])
        self._keep(reply, tuple(call for call, _ in calls))
        outcomes = self._round.run(calls)
        for (call, _), outcome, count in zip(calls, outcomes, counts, strict=True):
            text = outcome.result.text
            text = loop_rules.repeated_text(text) if count > 1 else text
            self._chat.messages.append(Message("tool", text, tool_name=call.name, tool_call_id=call.call_id))
        self._results = [outcome.result for outcome in outcomes]
        self.cancel.check()
        self._repeated = max(counts, default=0) > 1
        again = [call.name for (call, _), count in zip(calls, counts, strict=True) if count >= loop_rules.SAME_CALLS]
        return again[0] if again else None

    def _ask(self) -> Reply:
        """One answer of the server, with the retries that a refused option or a broken call deserve."""
        corrections = 0
        while True:
            reply = Reply()
            try:
                return self._stream(reply)
            except Cancelled:
                self._showing.end()
                self._keep_partial(reply, stopped=True)
                raise
            except ProblemError as error:
                self._showing.end()
                if self._adapt(error.problem.code):
                    continue
                if error.problem.code is ProblemCode.MODEL_OUTPUT and corrections < _CORRECTIONS:
                    corrections += 1
                    said = error.problem.details.get("server", "")
                    self._keep_partial(reply, stopped=False)
                    self._chat.messages.append(Message("user", loop_rules.correction(corrections, said)))
                    continue
                self._keep_partial(reply, stopped=False)
                raise

    def _adapt(self, code: ProblemCode) -> bool:
        """Do without what the server refused, once, and remember it; whether it is worth another try."""
        if code is ProblemCode.NO_THINKING and self._can.thinking:
            self.memory.refused_thinking(self.backend, self._model)
        elif code is ProblemCode.NO_TOOLS and self._runner is not None:
            self.memory.refused_tools(self.backend, self._model)
            self._runner = None
        else:
            return False
        self._can = self.memory.capabilities(self.backend, self._model, self.cancel)
        return True

    def _keep_partial(self, reply: Reply, stopped: bool) -> None:
        """What came is kept; calls of an answer that broke off are never run."""
        if reply.content.strip() or reply.thinking.strip():
            self._keep(reply)
            last = self._chat.messages[-1]
            last.stopped, last.incomplete = stopped, not stopped

    def _stream(self, reply: Reply) -> Reply:
        self._enter(TurnState.SENDING)
        self._showing.begin()
        for item in self.backend.chat(self._request(), self.cancel):
            if isinstance(item, Silence):
                self.send(ServerSilent(self.setup.turn_id, item.seconds))
                continue
            self._enter(TurnState.ACCUMULATING)
            reply.add(item)
            if item.thinking:
                self.send(ThinkingAdded(self.setup.turn_id, item.thinking))
            if item.content:
                self._showing.add(item.content, self._held_back(reply.content))
        self.cancel.check()
        self._showing.end(drop=reply.complete and self._is_no_text(reply.content))
        if not reply.complete:
            raise ProblemError(
                ProblemCode.INCOMPLETE if reply.content or reply.thinking else ProblemCode.CONNECTION_LOST
            )
        self._usage = reply.usage
        self.send(RoundFinished(self.setup.turn_id, reply.usage))
        return reply

    def _held_back(self, text: str) -> bool:
        """Whether a reply that begins so may still turn out to be no text for the user."""
        if self._from_lookup and len(text) < _SHORT:
            return True
        return self._runner is not None and may_be_call(text)

    def _is_no_text(self, text: str) -> bool:
        if self._from_lookup and prompt.asks_to_look(text):
            return True
        return bool(calls_in_text(text, self._known))

    def _request(self) -> ChatRequest:
        messages = [message.as_sent() for message in self._chat.messages]
        last = self._chat.messages[-1]
        if last.role == "assistant" and (last.incomplete or last.stopped):
            messages.append(
                {"role": "user", "content": "Your answer broke off. Go on exactly where it stopped; repeat nothing."}
            )
        if self._offered and self._runner and self._gate:
            workspace = self._gate.workspace.real
            whole = "" if self._from_lookup else prompt.system_prompt(workspace, self._runner.names())
            messages.insert(0, {"role": "system", "content": whole or prompt.answer_prompt()})
        options: JsonObject = {"num_ctx": self._num_ctx, "temperature": self.setup.temperature}
        if self._from_lookup:
            options["top_p"] = _EXACT
        tools = self.registry.schemas() if self._runner and self._tools_sent and not self._from_lookup else []
        return ChatRequest(self._model, messages, tools, False if self._can.thinking else None, options)


def _new_id() -> str:
    return "call_" + uuid.uuid4().hex[:12]


def as_object(shown: JsonObject) -> JsonObject:
    """Arguments that a server takes back in history: string arguments are a 400, so text is wrapped."""
    return shown if all(re.fullmatch(r"[\w.-]{1,64}", str(key)) for key in shown) else {"raw": str(shown)[:2000]}
