"""One turn: question -> model -> calls -> model, until it answers, is stopped, or comes to a limit (SPEC 5)."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from metona_tk.agent import loop_rules, prompt
from metona_tk.agent.approvals import Approvals
from metona_tk.agent.asking import Asking
from metona_tk.agent.briefing import Briefing
from metona_tk.agent.calls import CallRound
from metona_tk.agent.changing import NO_WAIVER, Waiver
from metona_tk.agent.conversation import Conversation, Message, ModelCall, TurnSetup
from metona_tk.agent.fitting import Fitting
from metona_tk.agent.intent import Aim, aim_of, is_question, wants_change
from metona_tk.agent.models import ModelMemory, choose_model
from metona_tk.agent.questions import Questions
from metona_tk.agent.recording import Record
from metona_tk.agent.recovery import calls_in_text
from metona_tk.agent.reply import Reply
from metona_tk.agent.telling import Telling
from metona_tk.agent.tokens import text_size
from metona_tk.agent.tool_call import ToolRunner
from metona_tk.backends.base import Backend, Cancelled, CancelToken, RawCall
from metona_tk.logs import log, place
from metona_tk.protocol.events import Event, QuestionAnswered, QuestionAsked, TurnFinished, TurnStarted
from metona_tk.protocol.problems import Problem, ProblemCode, ProblemError
from metona_tk.protocol.values import JsonObject, QuestionKind, Result, TurnEnd, TurnState, Usage
from metona_tk.security.paths import PathGate
from metona_tk.tools.registry import Registry

_LOOKED_UP = 6000  # characters of files that are put before a question
_SMALL = 4.0  # billions of parameters: up to here a model is asked without tools at first
_GO_ON, _STOP = "go_on", "stop"

Ending = tuple[TurnEnd, Problem | None]


@dataclass(slots=True)
class Turn:
    """A running turn; `run` is its thread. It emits TurnStarted and TurnFinished exactly once, whatever fails."""

    setup: TurnSetup
    backend: Backend
    registry: Registry
    memory: ModelMemory
    approvals: Approvals
    questions: Questions
    record: Record
    send: Callable[[Event], None]
    waiver: Waiver = NO_WAIVER
    cancel: CancelToken = field(default_factory=CancelToken)
    problem: Problem | None = None  # what it ended with
    model: str = ""  # the one that was chosen, "" before that
    _telling: Telling = field(init=False)
    _asking: Asking | None = None
    _round: CallRound | None = None
    _fitting: Fitting | None = None
    _nudged: bool = False
    _changed: bool = False  # a changing tool was called, whatever came of it
    _repeated: bool = False  # the last call was made before
    _results: list[Result] | None = None
    _repeats: loop_rules.RepeatWatch = field(default_factory=loop_rules.RepeatWatch)
    _denials: loop_rules.DenialWatch = field(default_factory=loop_rules.DenialWatch)
    _errors: loop_rules.ErrorWatch = field(default_factory=loop_rules.ErrorWatch)

    def __post_init__(self) -> None:
        self._telling = Telling(self._chat.chat_id, self.setup.turn_id, self.send)

    @property
    def _chat(self) -> Conversation:
        return self.setup.chat

    @property
    def _model(self) -> Asking:
        assert self._asking is not None  # made before the first round
        return self._asking

    def run(self, find_gate: Callable[[], PathGate | None]) -> TurnEnd:
        """The whole turn; `find_gate` may wait for the chat's folder and raise ProblemError."""
        end, problem, started = TurnEnd.FAILED, None, False
        try:
            if self.setup.question is not None:
                self._chat.add(Message("user", self.setup.question, self.setup.question_turn))
            gate = find_gate()
            self.cancel.check()
            self._asking = asking = self._prepare(gate)
            started = True
            remote = self.backend.is_remote(self.model)
            self.send(TurnStarted(*self._ids, self.model, bool(asking.offered), remote))
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
            self.send(TurnStarted(*self._ids, self.model or self.setup.model, False))
        self._telling.enter(TurnState.DONE)
        retry = end in {TurnEnd.FAILED, TurnEnd.STOPPED} and self._chat.can_retry()
        usage = self._asking.usage if self._asking else Usage()
        self.send(TurnFinished(*self._ids, end, usage, problem, retry))
        return end

    def _prepare(self, gate: PathGate | None) -> Asking:
        setup = self.setup
        self.model = choose_model(self.backend, self.memory, setup.model, setup.last_model, self.cancel)
        can = self.memory.capabilities(self.backend, self.model, self.cancel)
        asking = Asking(
            setup, self.backend, self.registry, self.memory, self.cancel, self._telling, self.model, can, gate
        )
        asking.reading_only = is_question(self._question())
        if can.tools and gate is not None:
            runner = ToolRunner(
                self._chat, self.registry, gate, asking.num_ctx, lambda: self.cancel.cancelled, self.record, self.waiver
            )
            runner.characters_a_token = asking.meter.characters_a_token
            asking.runner = runner
            self._fitting = Fitting(self._question(), runner)
            self._round = CallRound(setup.turn_id, runner, self.approvals, self.cancel, self._telling.emit)
        return asking

    def _question(self) -> str:
        """The words of the question, also where a retry goes on with it."""
        if self.setup.question is not None:
            return self.setup.question
        own = (each for each in self._chat.messages if each.turn_id == self.setup.question_turn and each.role == "user")
        return next((message.content for message in own), "")

    @property
    def _ids(self) -> tuple[str, str]:
        return self._chat.chat_id, self.setup.turn_id

    def _look_up(self) -> None:
        """Look up what the question is about, through the gate, without asking; its text goes before the question."""
        asking = self._model
        if self.setup.question is None or asking.runner is None:
            return
        names = asking.runner.names() if asking.offered else []
        room = min(asking.num_ctx // 3, asking.free_tokens(self.setup.question))  # tokens
        if not names or room <= 0:
            return
        budget = min(_LOOKED_UP, int(room * asking.meter.characters_a_token))

        def size(text: str) -> int:
            return max(len(text), asking.meter.tokens(text_size(text)) * budget // room)

        briefing = Briefing(self.setup.question, names, set(asking.offered), self._run_by_program, budget, size)
        self._chat.messages[-1].context = briefing.text()

    def _run_by_program(self, wanted: list[tuple[str, JsonObject]]) -> list[Result]:
        runner = self._model.runner
        if runner is None or self._round is None:
            return []
        self._telling.enter(TurnState.EXECUTING)
        calls = [(ModelCall(_new_id(), name, arguments), runner.parse(name, arguments)) for name, arguments in wanted]
        outcomes = self._round.run(calls, by_program=True)
        self.cancel.check()
        return [outcome.result for outcome in outcomes]

    def _rounds(self) -> Ending:
        left, total = self.setup.max_rounds, 0
        if self._answers_first():
            if (ended := self._answer_first()) is not None:
                return ended
            left -= 1
        while True:
            for _ in range(left):
                if (ended := self._one_round()) is not None:
                    return ended
            left = self.setup.max_rounds
            total += left
            if not self._goes_on(QuestionKind.GO_ON, {"rounds": str(total)}):
                return TurnEnd.LIMIT, Problem(ProblemCode.ROUND_LIMIT, {"rounds": str(total)})

    def _goes_on(self, kind: QuestionKind, details: dict[str, str]) -> bool:
        """Whether the user wants the model to go on; where nobody can answer, nobody is asked."""
        if not self.questions.seconds:
            return False
        question_id, choices = f"question_{uuid.uuid4().hex[:12]}", (_GO_ON, _STOP)
        self.questions.register(question_id, choices)
        self._telling.enter(TurnState.CONFIRMING)
        self.send(QuestionAsked(self.setup.turn_id, question_id, kind, choices, details))
        answer = self.questions.wait(question_id, self.cancel)
        self.send(QuestionAnswered(self.setup.turn_id, question_id, answer))
        self.cancel.check()
        return answer == _GO_ON

    def _one_round(self) -> Ending | None:
        """One answer of the model and its calls; None = it goes on."""
        # a model that goes in circles is left nothing but to answer, unless it has yet to do what it was told
        self._model.tools_sent = not self._repeated or self._undone() is not None
        reply = self._model.ask()
        calls = self._calls_of(reply)
        return self._run_calls(reply, calls) if calls else self._after_text(reply)

    def _answers_first(self) -> bool:
        """A small model reads well what lies before it and calls badly: it is asked without tools at first."""
        billions = self._model.can.billions
        small = billions is not None and billions <= _SMALL
        looked_up = self._model.runner is not None and bool(self._chat.messages[-1].context)
        return self._model.reading_only and small and looked_up

    def _answer_first(self) -> Ending | None:
        """The answer from what was looked up; None = the model wants to look for itself."""
        self._model.from_lookup = True
        try:
            reply = self._model.ask()
        finally:
            self._model.from_lookup = False
        if calls := self._calls_of(reply):
            return self._run_calls(reply, calls)
        if prompt.asks_to_look(reply.content):
            return None
        self._model.keep(reply)
        return _answered(reply)

    def _calls_of(self, reply: Reply) -> list[RawCall]:
        if self._model.runner is None:
            return []
        calls = reply.calls()
        if not calls:
            recovered = calls_in_text(reply.content, self._model.known)
            if recovered:
                reply.content = ""
                calls = [RawCall(call.name, call.arguments, _new_id()) for call in recovered]
        return calls

    def _after_text(self, reply: Reply) -> Ending | None:
        """What a reply without calls means; None = the model got a push and goes on."""
        if not reply.content.strip():
            return self._after_nothing(reply)
        self._model.keep(reply)
        if self._model.runner and not self._nudged:
            looked_up = bool(self._chat.messages[-2].context)
            if self._unmet():
                self._push(loop_rules.nothing_changed(self._question(), self._undone()))
                return None
            if push := loop_rules.nudge_for(reply, self._results, self._model.offered, looked_up):
                self._push(push)
                return None
        return _answered(reply)

    def _unmet(self) -> bool:
        """Whether the user wants something changed and no changing tool was called for it yet."""
        offered = any(not tool.reading_only for tool in self.registry.offered())
        return not self._changed and offered and wants_change(self._question())

    def _undone(self) -> Aim | None:
        """What an order that is not met yet is about."""
        return aim_of(self._question()) if self._unmet() else None

    def _after_nothing(self, reply: Reply) -> Ending | None:
        if reply.done_reason == "length":
            self._model.keep(reply)
            return TurnEnd.FAILED, Problem(ProblemCode.CUT_BY_LENGTH)
        if self._nudged:
            return TurnEnd.FAILED, Problem(ProblemCode.EMPTY_ANSWER)
        if reply.thinking.strip():
            self._model.keep(reply)
        self._push(loop_rules.empty_nudge(reply, self._model.offered))
        return None

    def _push(self, text: str) -> None:
        self._nudged = True
        self._model.push(text)

    def _run_calls(self, reply: Reply, raw: list[RawCall]) -> Ending | None:
        """Run the calls and add one tool message each; an ending when the model goes in circles."""
        fitting = self._fitting
        if self._model.runner is None or self._round is None or fitting is None:
            return None
        self._telling.enter(TurnState.EXECUTING)
        if any(call.name not in self._model.offered for call in raw):
            self._model.reading_only = False  # it wants another tool: from now on it is offered all
        parsed = [(call, fitting.parse(call.name, call.arguments)) for call in raw]
        calls = [(ModelCall(call.call_id, call.name, as_object(seen.shown)), seen) for call, seen in parsed]
        counts = self._repeats.count([(call.name, call.arguments) for call, _ in calls])
        self._model.keep(reply, tuple(call for call, _ in calls))
        outcomes = self._round.run(calls)
        for (call, seen), outcome, count in zip(calls, outcomes, counts, strict=True):
            text = outcome.result.text
            text = loop_rules.repeated_text(text, self._undone()) if count > 1 else text
            if outcome.operation is not None:
                text += fitting.rest(seen, self._run_by_program) or loop_rules.ALL_DONE
            answer = Message("tool", text, self.setup.question_turn, tool_name=call.name, tool_call_id=call.call_id)
            self._chat.add(answer)
        self._results = [outcome.result for outcome in outcomes]
        self._changed = self._changed or any(seen.tool is not None and not seen.tool.reading_only for _, seen in parsed)
        self.cancel.check()
        self._repeated = max(counts, default=0) > 1
        names = [call.name for call, _ in calls]
        return self._in_circles(names, counts) or self._after_denials(names)

    def _after_denials(self, names: list[str]) -> Ending | None:
        """Like calls that the user refuses again and again pause the turn (SAFETY, confirmation dialog)."""
        tool = self._denials.count(list(zip(names, self._results or [], strict=True)))
        details = {"tool": tool, "count": str(loop_rules.DENIALS)}
        if not tool or self._goes_on(QuestionKind.AFTER_DENIALS, details):
            return None
        return TurnEnd.REPEATED, Problem(ProblemCode.DENIED_OFTEN, details)

    def _in_circles(self, names: list[str], counts: list[int]) -> Ending | None:
        """The ending of a turn whose model made the same call, or the same error, too often in a row."""
        error = self._errors.count(list(zip(names, self._results or [], strict=True)))
        again = [name for name, count in zip(names, counts, strict=True) if count >= loop_rules.SAME_CALLS]
        if again:
            return TurnEnd.REPEATED, Problem(ProblemCode.SAME_CALL, {"tool": again[0]})
        if error:
            return TurnEnd.REPEATED, Problem(ProblemCode.SAME_ERROR, {"tool": error[0], "code": error[1].value})
        return None


def _answered(reply: Reply) -> Ending:
    cut = reply.done_reason == "length"
    return TurnEnd.ANSWERED, Problem(ProblemCode.CUT_BY_LENGTH) if cut else None


def _new_id() -> str:
    return "call_" + uuid.uuid4().hex[:12]


def as_object(shown: JsonObject) -> JsonObject:
    """Arguments that a server takes back in history: string arguments are a 400, so text is wrapped."""
    return shown if all(re.fullmatch(r"[\w.-]{1,64}", str(key)) for key in shown) else {"raw": str(shown)[:2000]}
