"""What the agent knows of a server that runs models. Counterpart: `agent.turn`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from metona_tk.protocol.values import JsonObject, ModelInfo, Usage


class Cancelled(Exception):
    """The user stopped it; never shown as an error."""


class CancelToken:
    """One "stop" for everything that a turn waits on; callbacks run once, in the thread that cancels."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._callbacks: dict[int, Callable[[], None]] = {}
        self._next = 0

    @property
    def cancelled(self) -> bool:
        """Whether it was stopped."""
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep that a stop ends; whether it was stopped."""
        return self._event.wait(seconds)

    def check(self) -> None:
        """Raise Cancelled after a stop."""
        if self.cancelled:
            raise Cancelled

    def on_cancel(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` at the stop (now, if it has come already); returns what takes it back."""
        with self._lock:
            if not self._event.is_set():
                key = self._next
                self._next += 1
                self._callbacks[key] = callback
                return lambda: self._forget(key)
        callback()
        return lambda: None

    def _forget(self, key: int) -> None:
        with self._lock:
            self._callbacks.pop(key, None)

    def cancel(self) -> None:
        """Stop; harmless twice."""
        with self._lock:
            self._event.set()
            callbacks = list(self._callbacks.values())
            self._callbacks.clear()
        for callback in callbacks:
            callback()


@dataclass(frozen=True, slots=True)
class RawCall:
    """A tool call as it came: `arguments` is an object, None, or (from clones) a string or a piece of one."""

    name: str
    arguments: Any = None
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of an answer. `done` = the server's own last line, with `done_reason` and `usage`."""

    content: str = ""
    thinking: str = ""
    calls: tuple[RawCall, ...] = ()
    done: bool = False
    done_reason: str = ""
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Silence:
    """No byte came for so many whole seconds."""

    seconds: int


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question to the server. `think` None = not sent."""

    model: str
    messages: list[JsonObject]
    tools: list[JsonObject] = field(default_factory=list[JsonObject])
    think: bool | str | None = None
    options: JsonObject = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a model can do. `context_length` is what it was trained for, `billions` its parameters; None = not told.

    `levels`: it takes low, medium, high, max for its thinking, as far as is known. `family` as the server names it.
    """

    tools: bool
    vision: bool = False
    thinking: bool = False
    context_length: int | None = None
    billions: float | None = None
    levels: bool = True
    family: str = ""


class Backend(Protocol):
    """A server. Every method may raise ProblemError, and Cancelled within 200 ms of a stop."""

    @property
    def address(self) -> str: ...

    def is_remote(self, model: str) -> bool:
        """Whether what is sent to this model leaves this computer."""
        ...

    def version(self, cancel: CancelToken) -> str:
        """The server's version, "" when it does not tell."""
        ...

    def models(self, cancel: CancelToken) -> list[ModelInfo]:
        """What is installed, in the server's order."""
        ...

    def capabilities(self, model: str, cancel: CancelToken) -> Capabilities:
        """What a model can do; ProblemError(model_missing) when it is not there."""
        ...

    def chat(self, request: ChatRequest, cancel: CancelToken) -> Iterator[Chunk | Silence]:
        """Stream an answer. A stream that ends without a `done` chunk is incomplete."""
        ...
