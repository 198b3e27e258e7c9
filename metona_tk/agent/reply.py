"""Gathers the chunks of one answer: text, thinking, calls; and says whether it came to its end."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from metona_tk.backends.base import Chunk, RawCall
from metona_tk.protocol.strict_json import loads
from metona_tk.protocol.values import Usage


@dataclass(slots=True)
class _Call:
    """A call that may still grow: clones send string arguments in pieces with the same id."""

    name: str
    arguments: Any
    given_id: str

    @property
    def open(self) -> bool:
        """Whether its arguments are text that is no whole JSON yet."""
        if self.arguments is None:
            return True
        if not isinstance(self.arguments, str):
            return False
        try:
            loads(self.arguments)
        except ValueError:
            return True
        return False


@dataclass(slots=True)
class Reply:
    """One answer. `complete` only after the server's own last line: without it the calls are not run."""

    content: str = ""
    thinking: str = ""
    complete: bool = False
    done_reason: str = ""
    usage: Usage = field(default_factory=Usage)
    _calls: list[_Call] = field(default_factory=list[_Call])

    def add(self, chunk: Chunk) -> None:
        """Take a chunk."""
        self.content += chunk.content
        self.thinking += chunk.thinking
        for call in chunk.calls:
            self._add_call(call)
        if chunk.done:
            self.complete, self.done_reason, self.usage = True, chunk.done_reason, chunk.usage

    def _add_call(self, call: RawCall) -> None:
        """A new call, or another piece of the newest one with that id (without an id: of the last one)."""
        known = [each for each in self._calls if each.given_id == call.call_id] if call.call_id else self._calls[-1:]
        grown = known[-1] if known else None
        piece = call.arguments is None or isinstance(call.arguments, str)
        if grown is not None and piece and grown.open and call.name in {"", grown.name}:
            grown.arguments = (grown.arguments or "") + (call.arguments or "")
            return
        self._calls.append(_Call(call.name, call.arguments, call.call_id))

    def calls(self) -> list[RawCall]:
        """The calls, each with an id of our own: the server's are missing on old ones, and repeat within a chat."""
        return [RawCall(call.name, call.arguments, "call_" + uuid.uuid4().hex[:12]) for call in self._calls]
