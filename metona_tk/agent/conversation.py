"""A chat as the core keeps it: its folder, its messages, what the user allowed in it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from metona_tk.agent.known_files import KnownFiles
from metona_tk.agent.masks import Masks
from metona_tk.agent.tokens import TokenMeter
from metona_tk.protocol.values import JsonObject, Mode, ThinkLevel, Usage
from metona_tk.security.policy import Grant, ReadRules


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A tool call of the model, ready to be sent back in history: own id, arguments as an object."""

    call_id: str
    name: str
    arguments: JsonObject


@dataclass(slots=True)
class Message:
    """One message. `context` is what the program looked up for a question, put before it.

    `turn_id` is the turn of the question that it belongs to, also when a retry wrote it.
    """

    role: str
    content: str
    turn_id: str = ""
    thinking: str = ""
    calls: tuple[ModelCall, ...] = ()
    tool_name: str = ""
    tool_call_id: str = ""
    context: str = ""
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    stopped: bool = False
    incomplete: bool = False  # the answer broke off; a retry goes on behind it

    def as_sent(self) -> JsonObject:
        """The message as the server takes it (OLLAMA.md "Request")."""
        sent: JsonObject = {
            "role": self.role,
            "content": f"{self.context}\n\n{self.content}" if self.context else self.content,
        }
        if self.thinking:
            sent["thinking"] = self.thinking
        if self.calls:
            sent["tool_calls"] = [
                {"id": call.call_id, "function": {"index": place, "name": call.name, "arguments": call.arguments}}
                for place, call in enumerate(self.calls)
            ]
        if self.role == "tool":
            sent |= {"tool_name": self.tool_name, "tool_call_id": self.tool_call_id}
        return sent


@dataclass(slots=True)
class Conversation:
    """The state of one chat. Only its running turn changes `messages`, and between turns the engine.

    `turns` names every turn in order, with the turn of the question that it belongs to (a retry goes on with one; else
    it is itself). `lock` guards what is allowed.
    """

    chat_id: str
    workspace: str | None = None
    messages: list[Message] = field(default_factory=list[Message])
    turns: dict[str, str] = field(default_factory=dict[str, str])
    meters: dict[str, TokenMeter] = field(default_factory=dict[str, TokenMeter])  # by model
    trimmed: tuple[int, int] = (0, 0)  # results shrunk and turns dropped, as they were told last
    grants: tuple[Grant, ...] = ()
    allowed_files: frozenset[str] = frozenset()
    hidden_files: frozenset[str] = frozenset()  # what was copied or renamed out of a sensitive file
    mode: Mode = Mode.WRITE_ONLY
    files: KnownFiles = field(default_factory=KnownFiles)
    masks: Masks = field(default_factory=Masks)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def allow(self, grant: Grant) -> None:
        """Remember a folder that the user opened for reading."""
        with self.lock:
            if grant not in self.grants:
                self.grants = (*self.grants, grant)

    def allow_file(self, path: str) -> None:
        """Remember a sensitive file (absolute, resolved) that the user let this chat read."""
        with self.lock:
            self.allowed_files |= {path}

    def hide_file(self, path: str) -> None:
        """Remember a file that holds what was in a sensitive one."""
        with self.lock:
            self.hidden_files |= {path}

    def read_rules(self, home: str) -> ReadRules:
        """What decides a reading now."""
        with self.lock:
            return ReadRules(self.grants, self.allowed_files, home, self.hidden_files)

    def meter(self, model: str) -> TokenMeter:
        """What is known of how a model counts this chat's text."""
        return self.meters.setdefault(model, TokenMeter())

    def add(self, message: Message) -> None:
        """Add a message; an answer behind one that broke off is one message with it."""
        last = self.messages[-1] if self.messages else None
        if last is None or message.role != "assistant" or not (last.incomplete or last.stopped):
            self.messages.append(message)
            return
        last.content += message.content
        last.thinking += message.thinking
        last.calls, last.usage, last.model = message.calls, message.usage, message.model
        last.incomplete, last.stopped = message.incomplete, message.stopped

    def forget_turn(self, turn_id: str) -> list[str]:
        """Forget a question with its answer and every retry of it; the ids of the turns that are gone."""
        question = self.turns[turn_id]
        return self._forget({each for each, belongs in self.turns.items() if belongs == question})

    def forget_from(self, turn_id: str) -> list[str]:
        """Forget a question with its answer, and everything behind it."""
        ids = list(self.turns)
        first = ids.index(self.turns[turn_id])
        return self._forget({each for each in ids[first:] if ids.index(self.turns[each]) >= first})

    def _forget(self, gone: set[str]) -> list[str]:
        self.messages[:] = [message for message in self.messages if message.turn_id not in gone]
        ids = [each for each in self.turns if each in gone]
        for each in ids:
            del self.turns[each]
        return ids

    def can_retry(self) -> bool:
        """Whether the last question has no finished answer."""
        if not self.messages:
            return False
        last = self.messages[-1]
        return last.role in {"user", "tool"} or last.incomplete or last.stopped


@dataclass(frozen=True, slots=True)
class TurnSetup:
    """What a turn works with. `question_turn` is the turn of the question, another one only for a retry."""

    chat: Conversation
    turn_id: str
    question_turn: str
    question: str | None  # None: go on where the last turn failed
    model: str
    last_model: str
    num_ctx: int
    temperature: float
    max_rounds: int
    think: ThinkLevel = ThinkLevel.OFF
