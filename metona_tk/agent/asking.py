"""Asks the model: makes the request, streams its answer, goes around what a server refuses. Counterpart: `agent.turn`,
which decides when to ask and what an answer means.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from metona_tk.agent import context, loop_rules, prompt
from metona_tk.agent.context import Fitted
from metona_tk.agent.conversation import Conversation, Message, ModelCall, TurnSetup
from metona_tk.agent.models import ModelMemory, think_value
from metona_tk.agent.recovery import calls_in_text, may_be_call
from metona_tk.agent.reply import Reply
from metona_tk.agent.showing import Showing
from metona_tk.agent.telling import Telling
from metona_tk.agent.tokens import TokenMeter, text_size, tools_size
from metona_tk.agent.tool_call import ToolRunner
from metona_tk.backends.base import Backend, Cancelled, CancelToken, Capabilities, ChatRequest, Silence
from metona_tk.protocol.events import (
    ContextMeasured,
    ContextTrimmed,
    RoundFinished,
    ServerSilent,
    ThinkingAdded,
)
from metona_tk.protocol.problems import Problem, ProblemCode, ProblemError
from metona_tk.protocol.values import JsonObject, TurnState, Usage
from metona_tk.security.paths import PathGate
from metona_tk.tools.base import Tool
from metona_tk.tools.registry import Registry
from metona_tk.tools.schema import tool_schema

_SHORT = 200  # characters of an answer from what was looked up that are held back: it may yet ask for the tools
_EXACT = 0.3  # top_p: an answer that is copied out of a text needs no variety
_CORRECTIONS = 2  # retries after a call that the server could not read
_GO_ON = "Your answer broke off. Go on exactly where it stopped; repeat nothing."


@dataclass(slots=True)
class Asking:
    """The model of one turn. `runner` None: it has no tools, or was found to have none."""

    setup: TurnSetup
    backend: Backend
    registry: Registry
    memory: ModelMemory
    cancel: CancelToken
    telling: Telling
    model: str
    can: Capabilities
    gate: PathGate | None
    runner: ToolRunner | None = None
    usage: Usage = field(default_factory=Usage)  # of the last answer
    tools_sent: bool = True
    from_lookup: bool = False  # the model is asked for an answer from what was looked up alone
    reading_only: bool = False  # a plain question: only reading tools are offered, until the model wants another
    _showing: Showing = field(init=False)

    def __post_init__(self) -> None:
        self._showing = Showing(self.setup.turn_id, self.telling.send)

    @property
    def _chat(self) -> Conversation:
        return self.setup.chat

    @property
    def meter(self) -> TokenMeter:
        """How this model counts this chat's text."""
        return self._chat.meter(self.model)

    @property
    def num_ctx(self) -> int:
        """The window in tokens."""
        return min(self.setup.num_ctx, self.can.context_length or self.setup.num_ctx)

    @property
    def offered(self) -> list[str]:
        """The tools that the model is offered."""
        return [tool.name for tool in self._offered()] if self.runner else []

    def _offered(self) -> list[Tool]:
        return [tool for tool in self.registry.offered() if tool.reading_only or not self.reading_only]

    @property
    def known(self) -> list[str]:
        """Tools whose calls are taken out of text: a call of one that is switched off is answered, too."""
        return [tool.name for tool in self.registry.all()] if self.offered else []

    def free_tokens(self, question: str) -> int:
        """What system prompt, tools, question and answer leave of the window."""
        taken = text_size(self._system() + question) + tools_size(self._tools())
        return self.num_ctx - context.answer_room(self.num_ctx) - self.meter.extra - self.meter.tokens(taken)

    def ask(self) -> Reply:
        """One whole answer, with the retries that a refused option, a broken call or a full window deserve."""
        corrections = 0
        while True:
            reply = Reply()
            fitted: Fitted | None = None
            try:
                fitted = self._fitted()
                return self._stream(reply, fitted)
            except Cancelled:
                self._showing.end()
                self._keep_partial(reply, stopped=True)
                raise
            except ProblemError as error:
                self._showing.end()
                if self._adapt(error.problem.code) or self._tightened(error.problem, fitted):
                    continue
                self._keep_partial(reply, stopped=False)
                if error.problem.code is not ProblemCode.MODEL_OUTPUT or corrections == _CORRECTIONS:
                    raise
                corrections += 1
                self.push(loop_rules.correction(corrections, error.problem.details.get("server", "")))

    def push(self, text: str) -> None:
        """A message of the program's own to the model."""
        self._chat.add(Message("user", text, self.setup.question_turn))

    def keep(self, reply: Reply, calls: tuple[ModelCall, ...] = ()) -> None:
        """Add the answer to the chat."""
        message = Message("assistant", reply.content, self.setup.question_turn, reply.thinking, calls)
        message.model, message.usage = self.model, reply.usage
        self._chat.add(message)

    def _keep_partial(self, reply: Reply, stopped: bool) -> None:
        """What came is kept; calls of an answer that broke off are never run."""
        if reply.content.strip() or reply.thinking.strip():
            self.keep(reply)
            last = self._chat.messages[-1]
            last.stopped, last.incomplete = stopped, not stopped

    def _adapt(self, code: ProblemCode) -> bool:
        """Do without what the server refused, once, and remember it; whether it is worth another try."""
        think = self._think()
        if code is ProblemCode.NO_THINKING and think is not None:
            self.memory.refused_thinking(self.backend, self.model, think)
        elif code is ProblemCode.NO_TOOLS and self.runner is not None:
            self.memory.refused_tools(self.backend, self.model)
            self.runner = None
        else:
            return False
        self.can = self.memory.capabilities(self.backend, self.model, self.cancel)
        return True

    def _tightened(self, problem: Problem, fitted: Fitted | None) -> bool:
        """Whether a request that the server found too long can be made shorter."""
        if problem.code is not ProblemCode.CONTEXT_TOO_SMALL or fitted is None:
            return False
        problem.details.update({"needed": str(fitted.use.used), "window": str(self.num_ctx)})
        self.meter.refused()
        again = self._fitted()
        return (again.shrunk, again.dropped) != (fitted.shrunk, fitted.dropped)

    def _fitted(self) -> Fitted:
        messages = list(self._chat.messages)
        last = messages[-1]
        if last.role == "assistant" and (last.incomplete or last.stopped):
            messages.append(Message("user", _GO_ON, last.turn_id))
        return context.fit(messages, self._system(), self._tools(), self.num_ctx, self.meter)

    def _stream(self, reply: Reply, fitted: Fitted) -> Reply:
        turn_id = self.setup.turn_id
        self.telling.enter(TurnState.SENDING)
        self._tell_context(fitted)
        self._showing.begin()
        for item in self.backend.chat(self._request(fitted), self.cancel):
            if isinstance(item, Silence):
                self.telling.send(ServerSilent(turn_id, item.seconds))
                continue
            self.telling.enter(TurnState.ACCUMULATING)
            reply.add(item)
            if item.thinking:
                self.telling.send(ThinkingAdded(turn_id, item.thinking))
            if item.content:
                self._showing.add(item.content, self._held_back(reply.content))
        self.cancel.check()
        self._showing.end(drop=reply.complete and self._is_no_text(reply.content))
        if not reply.complete:
            raise ProblemError(
                ProblemCode.INCOMPLETE if reply.content or reply.thinking else ProblemCode.CONNECTION_LOST
            )
        self._take_usage(reply.usage, fitted)
        return reply

    def _take_usage(self, usage: Usage, fitted: Fitted) -> None:
        self.usage = usage
        self.telling.send(RoundFinished(self.setup.turn_id, usage))
        self.telling.send(ContextMeasured(self.setup.turn_id, context.measured(fitted.use, usage)))
        self.meter.learn(fitted.size, usage.prompt_tokens, self.num_ctx)
        if self.runner:
            self.runner.characters_a_token = self.meter.characters_a_token

    def _tell_context(self, fitted: Fitted) -> None:
        self.telling.send(ContextMeasured(self.setup.turn_id, fitted.use))
        trimmed = fitted.shrunk, fitted.dropped
        if trimmed != self._chat.trimmed:
            self._chat.trimmed = trimmed
            self.telling.send(ContextTrimmed(self.setup.turn_id, *trimmed))

    def _held_back(self, text: str) -> bool:
        """Whether a reply that begins so may still turn out to be no text for the user."""
        if self.from_lookup and len(text) < _SHORT:
            return True
        return self.runner is not None and may_be_call(text)

    def _is_no_text(self, text: str) -> bool:
        if self.from_lookup and prompt.asks_to_look(text):
            return True
        return bool(calls_in_text(text, self.known))

    def _system(self) -> str:
        if not (self.offered and self.runner and self.gate):
            return ""
        if self.from_lookup:
            return prompt.answer_prompt()
        return prompt.system_prompt(self.gate.workspace.real, self.runner.names(), window=self.num_ctx)

    def _tools(self) -> list[JsonObject]:
        sent = self.runner and self.tools_sent and not self.from_lookup
        return [tool_schema(tool) for tool in self._offered()] if sent else []

    def _think(self) -> bool | str | None:
        return think_value(self.setup.think, self.can)

    def _request(self, fitted: Fitted) -> ChatRequest:
        messages = [message.as_sent() for message in fitted.messages]
        if system := self._system():
            messages.insert(0, {"role": "system", "content": system})
        options: JsonObject = {"num_ctx": self.num_ctx, "temperature": self.setup.temperature}
        if self.from_lookup:
            options["top_p"] = _EXACT
        return ChatRequest(self.model, messages, self._tools(), self._think(), options)
