"""Watching over the loop: repeated calls, plans instead of calls, empty answers (MODELS 9 and 10). Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from metona_tk.agent.intent import Aim
from metona_tk.agent.reply import Reply
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import JsonObject, Result

SAME_CALLS = 3  # the third time in a row ends the turn
SAME_ERRORS = 3
DENIALS = 3
_REFUSED = frozenset([Code.DENIED, Code.NO_ANSWER])

_PLAN = re.compile(
    r"\b(i will|i'll|i am going to|i need to|i would need|let me (look|check|search|read|use|find|see|list|open|start)"
    r"|i'm sorry|i am sorry|as an ai|i do not have|i don't have|i cannot|i can't|unable to|please provide|you can use"
    r"|you could use|we need to|we can use|first,? we|here is how|here's how)\b"
    r"|我将|我会|让我(看|查|找|读|搜)|我需要|我无法|我不能|抱歉|作为.{0,6}(AI|人工智能|模型)|请提供|您可以|你可以",
    re.IGNORECASE,
)
_HELPLESS = re.compile(
    r"\b(as an ai|(do not|don't) have (direct )?access|(cannot|can't|unable to) (directly )?(access|open|read|see)"
    r"|please provide)\b|我无法|我不能(访问|读取|查看|打开)|请提供",
    re.IGNORECASE,
)
# Behind what a change came to, for a model that goes on when all is done.
ALL_DONE = "\nIf nothing else was asked for, say in one sentence what was done, and call no more tools."
# Failures that another call can mend; a refusal is none of them.
_MENDABLE = frozenset(
    [
        Code.UNKNOWN_TOOL,
        Code.BAD_ARGUMENTS,
        Code.BAD_PATH,
        Code.NOT_FOUND,
        Code.IS_DIRECTORY,
        Code.NOT_A_DIRECTORY,
        Code.FILE_TOO_LARGE,
        Code.UNKNOWN_ENCODING,
        Code.OUT_OF_RANGE,
        Code.BAD_REGEX,
        Code.OUTSIDE_ROOT,
    ]
)


@dataclass(slots=True)
class RepeatWatch:
    """Counts in how many rounds in a row the same call was made; twice in one round counts once."""

    _counts: dict[str, int] = field(default_factory=dict[str, int])

    def count(self, calls: Sequence[tuple[str, JsonObject]]) -> list[int]:
        """For each call of a round: the how-manieth round in a row it is made in, from 1."""
        keys = [
            name + json.dumps(arguments, sort_keys=True, ensure_ascii=False, default=str) for name, arguments in calls
        ]
        self._counts = {key: self._counts.get(key, 0) + 1 for key in dict.fromkeys(keys)}
        return [self._counts[key] for key in keys]


@dataclass(slots=True)
class ErrorWatch:
    """Counts how many calls in a row of one tool failed with the same code, whatever their arguments.

    Calls of one round count once: the model had not read the first failure when it made the others.
    """

    _last: tuple[str, Code | None] | None = None
    _count: int = 0

    def count(self, outcomes: Sequence[tuple[str, Result]]) -> tuple[str, Code] | None:
        """Take a round's (tool, result) pairs; the failure that has come SAME_ERRORS times in a row, if any."""
        counted: tuple[str, Code | None] | None = None  # in this round
        for name, result in outcomes:
            # a "no" is no failure: DenialWatch counts it
            failed = None if result.success or result.code in _REFUSED else (name, result.code)
            if failed is None or failed != self._last:
                self._last, self._count = failed, 0
            if failed is not None and failed != counted:
                self._count += 1
            counted = failed
            if failed and failed[1] and self._count >= SAME_ERRORS:
                return failed[0], failed[1]
        return None


@dataclass(slots=True)
class DenialWatch:
    """Counts how many calls of one tool in a row the user said no to, or did not answer."""

    _tool: str = ""
    _count: int = 0

    def count(self, outcomes: Sequence[tuple[str, Result]]) -> str:
        """Take a round's (tool, result) pairs; the tool that was refused DENIALS times in a row, if any."""
        found = ""
        for name, result in outcomes:
            if result.code not in _REFUSED:
                self._count = self._count if name != self._tool else 0
                continue
            self._count = self._count + 1 if name == self._tool else 1
            self._tool = name
            found = name if self._count >= DENIALS else found
        if found:
            self._count = 0
        return found


def repeated_text(text: str, undone: Aim | None = None) -> str:
    """What the model reads the second time: the call was made, what came of it, and what is yet `undone`."""
    now = f"call {undone.value} now" if undone else "answer now"
    return f"You made this very call before; this is what came of it. Do not repeat it: {now}.\n{text}"


def nudge_for(
    reply: Reply, results: list[Result] | None, offered: Collection[str], looked_up: bool = False
) -> str | None:
    """One push when the model lectures or plans instead of calling; None when its text is an answer.

    `results` are those of the round before (None: no tool was used yet in this turn). `looked_up`: it was given what
    the program found, so a text that only sounds like a plan may well be the answer.
    """
    text = reply.content
    if results is not None:
        mendable = all(not result.success and result.code in _MENDABLE for result in results)
        if mendable and _plans(text, offered):
            return "The last call failed. Call the right tool now, or answer the question."
        return None
    if any(re.search(rf'"name"\s*:\s*"{re.escape(name)}"', text) for name in offered):
        return "Call the tool now: reply with the call alone, without any other text."
    if _writes_call(text, offered) or (_HELPLESS if looked_up else _PLAN).search(text[:400]):
        return "You can look at the files yourself. Call the right tool now, or answer the question."
    return None


def nothing_changed(question: str, aim: Aim | None) -> str:
    """The push for a model that says what it has changed, or how one would, without having called a tool."""
    tool = f"{aim.value} now" if aim else "the right tool now"
    return f"Nothing has been changed yet, because no tool was called. Call {tool}. The task is: {question[:500]}"


def _writes_call(text: str, offered: Collection[str]) -> bool:
    """Whether a reply has a call in words: a tool's name with a bracket, or a tool in a sentence about what to do."""
    named = any(name in text for name in offered)
    return any(f"{name}(" in text for name in offered) or (named and _PLAN.search(text) is not None)


def _plans(text: str, offered: Collection[str]) -> bool:
    """Whether a reply speaks about what could be done, instead of answering."""
    return _writes_call(text, offered) or _PLAN.search(text[:400]) is not None


def empty_nudge(reply: Reply, offered: Collection[str]) -> str:
    """The push after an answer with nothing in it."""
    if reply.thinking.strip():
        return "Go on: give your answer now."
    tools = f" The tools are: {', '.join(offered)}." if offered else ""
    return (
        f"Your answer was empty.{tools} Call one of them, or answer the question."
        if tools
        else ("Your answer was empty. Answer the question.")
    )


def correction(attempt: int, said: str) -> str:
    """The corrective message after a call that the server could not read; never twice the same."""
    detail = " ".join(said.split())[:200]
    if attempt == 1:
        return f"Your last tool call could not be read ({detail}). Send it again as one well-formed JSON object."
    return f"The tool call was broken again ({detail}). Make a simpler call, with fewer arguments, or answer in words."
