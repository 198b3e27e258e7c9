"""Turns that keep the law of the stream, made from short plans, for tests that want very many of them.

A plan is a list of steps: ("think", pieces), ("say", pieces), ("calls", kinds, order in which they end, decisions),
("asked", answer), ("trim", results, turns), ("redraw",), ("measure", tokens). Counterpart: tests/properties/law.py.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from metona_tk.protocol.events import (
    ApprovalAnswered,
    ApprovalRequested,
    ContextMeasured,
    ContextTrimmed,
    Event,
    QuestionAnswered,
    QuestionAsked,
    RoundFinished,
    ServerSilent,
    StateChanged,
    TextAdded,
    ThinkingAdded,
    ToolFinished,
)
from metona_tk.protocol.problems import Code, ProblemCode
from metona_tk.protocol.values import CallStatus, ContextUse, Decision, QuestionKind, Result, TurnEnd, TurnState
from tests.ui import scenes as s

Plan = list[tuple[Any, ...]]
PIECES = (
    *("# Head\n\n", "## Two\n", "Plain words ", "and **bold** or *slanted* and `code` ", "\n", "\n\n", "\n\n\n", " "),
    "\t",
    *("- item\n", "- [x] done\n", "1. first\n", "  2. nested\n", "   going on\n", "> quoted\n", "---\n", "***"),
    *("```python\n", "x = 'y'  # z\n", "```\n", "```", "~~~\n", "    indented\n", "`half", "**half", "$a_b$ "),
    *("| a | b |\n|---|--:|\n| 1 | 2 |\n", "| long ", "|", "[here](https://example.org/a%20b)", "[bad](javascript:x)"),
    *("https://example.org/x?y=1. ", "![picture](http://example.org/p.png)", "<b>html</b>", "\\*", "&amp;"),
    *("三月份的发票里，", "有**三张**还没有", "😀", "👨‍👩‍👧", "\ud83d", "\ude00", "\r\n", "\r", "\0", "\u202e"),
    *("word " * 90, "line of prose\n" * 8, "中" * 300, "x" * 700),
)
KINDS = ("read", "list", "search", "failed", "question", "empty")
ENDS = tuple(TurnEnd)


def pieces_of() -> st.SearchStrategy[list[str]]:
    """What a model may send, cut anywhere."""
    return st.lists(st.sampled_from(PIECES) | st.text(max_size=6), min_size=1, max_size=8)


def _calls() -> st.SearchStrategy[tuple[Any, ...]]:
    def order(kinds: list[str]) -> st.SearchStrategy[tuple[Any, ...]]:
        ends = st.permutations(range(len(kinds)))
        return st.tuples(st.just("calls"), st.just(kinds), ends, st.sampled_from(Decision))

    return st.lists(st.sampled_from(KINDS), min_size=1, max_size=3).flatmap(order)


def plans() -> st.SearchStrategy[Plan]:
    """Plans of whole turns."""
    steps = st.one_of(
        st.tuples(st.just("say"), pieces_of()),
        st.tuples(st.just("think"), pieces_of()),
        _calls(),
        st.tuples(st.just("asked"), st.sampled_from(["go_on", "stop"])),
        st.tuples(st.just("trim"), st.integers(0, 2), st.integers(0, 2)),
        st.just(("redraw",)),
    )
    return st.lists(steps, max_size=7)


def random_plan(rng: random.Random) -> Plan:
    """The same by a generator of one's own, for the long run."""
    plan: Plan = []
    for _ in range(rng.randint(0, 5)):
        kind = rng.choice(("say", "say", "think", "calls", "calls", "asked", "trim", "measure"))
        if kind in ("say", "think"):
            plan.append((kind, [rng.choice(PIECES) for _ in range(rng.randint(1, 8))]))
        elif kind == "calls":
            kinds = [rng.choice(KINDS) for _ in range(rng.randint(1, 3))]
            plan.append((kind, kinds, rng.sample(range(len(kinds)), len(kinds)), rng.choice(list(Decision))))
        elif kind == "asked":
            plan.append((kind, rng.choice(("go_on", "stop"))))
        elif kind == "trim":
            plan.append((kind, rng.randint(0, 2), rng.randint(0, 2)))
        else:
            plan.append((kind, rng.randint(0, 24576)))
    return plan


def acts(
    turn: str, chat: str, plan: Plan, end: TurnEnd = TurnEnd.ANSWERED, retry: bool = False
) -> Iterator[Event | None]:
    """The events of a turn; None where the plan wants the page drawn anew."""
    yield from s.started(turn, chat)
    for number, step in enumerate(plan):
        yield from _step(turn, f"{turn}.{number}", step)
    code = {TurnEnd.FAILED: ProblemCode.CONNECTION_LOST, TurnEnd.LIMIT: ProblemCode.ROUND_LIMIT}.get(end)
    yield s.finished(turn, end, code, retry)


def _step(turn: str, name: str, step: tuple[Any, ...]) -> Iterator[Event | None]:
    kind, *values = step
    if kind in ("say", "think"):
        made = TextAdded if kind == "say" else ThinkingAdded
        yield from (made(turn, piece) for piece in values[0])
        yield RoundFinished(turn, s.USAGE)
    elif kind == "calls":
        yield from _play_calls(turn, name, *values)
    elif kind == "asked":
        yield QuestionAsked(turn, name, QuestionKind.GO_ON, ("go_on", "stop"), {"rounds": "10"})
        yield QuestionAnswered(turn, name, values[0])
    elif kind == "trim":
        yield ContextTrimmed(turn, *values)
    elif kind == "measure":
        yield ServerSilent(turn, 12)
        yield ContextMeasured(turn, ContextUse(24576, 900, 600, 0, values[0]))
    else:
        yield None


def _play_calls(turn: str, name: str, kinds: list[str], order: list[int], decision: Decision) -> Iterator[Event]:
    calls = [_call(turn, f"{name}.{at}", kind, decision) for at, kind in enumerate(kinds)]
    yield StateChanged(turn, TurnState.EXECUTING)
    for begin, _ in calls:
        yield begin
    for at in order:
        yield from calls[at][1]
    yield StateChanged(turn, TurnState.SENDING)


def _call(turn: str, call: str, kind: str, decision: Decision) -> tuple[Event, list[Event]]:
    if kind == "question":
        start, _, request = s.question(turn, call)
        code = None if decision is Decision.ALLOW else Code.DENIED
        result = Result(code is None, text="It is there.", code=code, error=None if code is None else "Denied.")
        status = CallStatus.SUCCESS if code is None else CallStatus.ERROR
        assert isinstance(request, ApprovalRequested)
        ends = [request, ApprovalAnswered(turn, call, decision), ToolFinished(turn, call, status, result, 1.0)]
        return start, ends
    if kind == "empty":
        start = s.read_call(turn, call)[0]
        return start, [ToolFinished(turn, call, CallStatus.SUCCESS, Result(True), 0.1)]
    made = {"read": s.read_call, "list": s.list_call, "search": s.search_call, "failed": s.failed_call}[kind]
    start, end = made(turn, call)
    return start, [end]
