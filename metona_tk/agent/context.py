"""What of a chat a request holds: everything while it fits the window, else the least that has to go (SPEC 5.6).

Pure: the chat's own messages are never changed. Counterparts: `agent.tokens`, which measures, and `agent.asking`,
which sends what is left.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from metona_tk.agent.conversation import Message, ModelCall
from metona_tk.agent.tokens import Size, TokenMeter, is_doubtful, message_size, text_size, tools_size
from metona_tk.protocol.problems import ProblemCode, ProblemError
from metona_tk.protocol.values import ContextUse, JsonObject, Usage

_LONG = 200  # characters of an argument that stay when a call is shortened
_MOST_ANSWER = 4096
_LEAST_ANSWER = 256  # tokens: where even the least that is sent leaves no more, a short answer is better than none
_LEFT_OUT = "[what was looked up for this question was left out to save room; look again with the tools if needed]"


def answer_room(window: int) -> int:
    """Tokens of the window that are kept free for the answer."""
    return min(max(512, min(window // 8, _MOST_ANSWER)), window // 4)


@dataclass(frozen=True, slots=True)
class Fitted:
    """What is sent of the messages, how it fills the window (estimated), and what had to be left out."""

    messages: list[Message]
    use: ContextUse
    size: Size  # of the whole request
    shrunk: int = 0
    dropped: int = 0


@dataclass(slots=True)
class _Fitting:
    """The work of one `fit`: each step stops as soon as all fits. `base` = system prompt and tools."""

    rows: list[Message | None]
    base: Size
    room: int
    meter: TokenMeter
    calls: dict[str, ModelCall]
    shrunk: set[int] = field(default_factory=set[int])
    dropped: int = 0
    total: Size = field(init=False)

    def __post_init__(self) -> None:
        self.total = sum((_size(row) for row in self.rows if row), self.base)

    @property
    def needed(self) -> int:
        return self.meter.tokens(self.total) + self.meter.extra

    @property
    def fits(self) -> bool:
        return self.needed <= self.room

    def shrink(self, places: Iterable[int]) -> None:
        """Cut what can be cut to a line, in this order."""
        for place in places:
            if self.fits:
                return
            row = self.rows[place]
            smaller = _smaller(row, self.calls) if row else None
            if row and smaller and self._tokens(smaller) < self._tokens(row):
                self._put(place, smaller)
                if row.role != "assistant":
                    self.shrunk.add(place)

    def drop_turns(self, turns: list[list[int]]) -> None:
        """Leave out whole turns, oldest first."""
        for turn in turns:
            if self.fits:
                return
            self._drop(turn)
            self.shrunk -= set(turn)
            self.dropped += 1

    def drop_rounds(self, rounds: list[list[int]]) -> None:
        """Leave out whole rounds of the running turn, oldest first: a call goes with its results."""
        for places in rounds:
            if self.fits:
                return
            self.shrunk |= {place for place in places if (row := self.rows[place]) and row.role == "tool"}
            self._drop(places)

    def _drop(self, places: list[int]) -> None:
        for place in places:
            self._put(place, None)

    def _put(self, place: int, row: Message | None) -> None:
        before = self.rows[place]
        self.total = self.total - (_size(before) if before else Size()) + (_size(row) if row else Size())
        self.rows[place] = row

    def _tokens(self, row: Message) -> int:
        return self.meter.tokens(_size(row))


def _size(message: Message) -> Size:
    return message_size(message.as_sent())


def fit(messages: list[Message], system: str, tools: list[JsonObject], window: int, meter: TokenMeter) -> Fitted:
    """What can be sent of a chat whose last turn is the running one.

    Old results go first, then those of this turn that the model has read, then old turns, then rounds of this turn,
    and what the model reads next only at last. System prompt, tools, the question and the last round are never left
    out: ProblemError(context_too_small) with `needed` and `window` when these alone do not fit.
    """
    turns = [[place for place, _ in group] for _, group in groupby(enumerate(messages), lambda row: row[1].turn_id)]
    old, current = turns[:-1], turns[-1] if turns else []
    rounds = _rounds(messages, current)
    newest = rounds[-1] if rounds else current
    base_of = (_size(Message("system", system)) if system else Size(), tools_size(tools))
    calls = {call.call_id: call for message in messages for call in message.calls}
    work = _Fitting(list(messages), base_of[0] + base_of[1], window - answer_room(window), meter, calls)
    work.shrink(place for turn in old for place in turn)
    work.shrink(place for place in current if place not in newest)
    work.drop_turns(old)
    work.drop_rounds(rounds[:-1])
    work.shrink(newest)
    least = min(_LEAST_ANSWER, answer_room(window))
    if work.needed > window - least:
        needed = work.needed + least
        raise ProblemError(ProblemCode.CONTEXT_TOO_SMALL, needed=str(needed), window=str(window))
    kept = [row for row in work.rows if row]
    use = _use(kept, base_of, window, meter)
    return Fitted(kept, use, work.total, len(work.shrunk), work.dropped)


def _rounds(messages: list[Message], current: list[int]) -> list[list[int]]:
    """The running turn behind its question: an answer with the results, or the push, that followed it."""
    rounds: list[list[int]] = []
    for place in current[1:]:
        if messages[place].role == "assistant" or not rounds:
            rounds.append([])
        rounds[-1].append(place)
    return rounds


def _smaller(message: Message, calls: dict[str, ModelCall]) -> Message | None:
    """A message without what is longest in it; None where there is nothing to cut."""
    if message.role == "tool":
        return replace(message, content=_result_line(message, calls.get(message.tool_call_id)))
    if message.context:
        return replace(message, context=_LEFT_OUT)
    if message.calls:
        return replace(message, thinking="", calls=tuple(_short_call(call) for call in message.calls))
    return replace(message, thinking="") if message.thinking else None


def _result_line(message: Message, call: ModelCall | None) -> str:
    arguments = call.arguments if call else {}
    what = "".join(f" {arguments[key]}"[:100] for key in ("query", "path") if isinstance(arguments.get(key), str))
    lines = message.content.count("\n") + 1
    told = " ".join(f"{message.tool_name}{what}".split())
    return f"[result of {told}: {lines} lines, left out to save room; call it again if needed]"


def _short_call(call: ModelCall) -> ModelCall:
    return replace(call, arguments={key: _short_value(value) for key, value in call.arguments.items()})


def _short_value(value: Any) -> Any:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(text) <= _LONG:
        return value
    return f"{text[:_LONG]} [{len(text) - _LONG} more characters left out]"


def _use(kept: list[Message], base: tuple[Size, Size], window: int, meter: TokenMeter) -> ContextUse:
    """The parts of a request in tokens, estimated."""
    files, history = Size(), Size()
    for message in kept:
        size = _size(message)
        part = size if message.role == "tool" else text_size(message.context)
        files, history = files + part, history + (size - part)
    tokens = meter.tokens
    return ContextUse(window, tokens(base[0]) + meter.extra, tokens(base[1]), tokens(history), tokens(files))


def measured(use: ContextUse, usage: Usage) -> ContextUse:
    """The parts as the server counted them: in the estimate's proportions, together its own number.

    Where its count is doubtful, or there is none, the estimate stays.
    """
    told, estimated = usage.prompt_tokens, use.used
    if not told or not estimated or is_doubtful(told, estimated):
        return replace(use, answer=usage.answer_tokens)
    system, tools, files = (part * told // estimated for part in (use.system, use.tools, use.files))
    history = told - system - tools - files
    return ContextUse(use.window, system, tools, history, files, usage.answer_tokens)
