"""A chat as the core keeps it: its folder, its messages, what the user allowed in it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from metona_tk.protocol.values import JsonObject, Usage
from metona_tk.security.policy import Grant


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A tool call of the model, ready to be sent back in history: own id, arguments as an object."""

    call_id: str
    name: str
    arguments: JsonObject


@dataclass(slots=True)
class Message:
    """One message. `context` is what the program looked up for a question, put before it."""

    role: str
    content: str
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
    """The state of one chat. Only its running turn changes `messages`; `lock` guards the rest."""

    chat_id: str
    workspace: str | None = None
    messages: list[Message] = field(default_factory=list[Message])
    grants: tuple[Grant, ...] = ()
    allowed_files: frozenset[str] = frozenset()
    lock: threading.RLock = field(default_factory=threading.RLock)

    def allow(self, grant: Grant) -> None:
        """Remember a folder that the user opened for reading."""
        with self.lock:
            if grant not in self.grants:
                self.grants = (*self.grants, grant)

    def can_retry(self) -> bool:
        """Whether the last question has no finished answer."""
        if not self.messages:
            return False
        last = self.messages[-1]
        return last.role in {"user", "tool"} or last.incomplete or last.stopped


@dataclass(frozen=True, slots=True)
class TurnSetup:
    """What a turn works with."""

    chat: Conversation
    turn_id: str
    question: str | None  # None: go on where the last turn failed
    model: str
    last_model: str
    num_ctx: int
    temperature: float
    max_rounds: int
