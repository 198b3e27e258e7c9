"""What "refused" and "asked" mean for a call of a model: in every mode, with every answer, on the whole tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Answer, Decision, Mode
from tests.fakes.changes import tree
from tests.fakes.tool_chat import ALLOW, ToolChat
from tests.security.conftest import World
from tests.security.table import expectation

SHOWN: dict[str, Callable[..., None]] = {}
every_mode = pytest.mark.parametrize("mode", list(Mode))
Test = Callable[..., None]
ASK = frozenset([Mode.ALL, Mode.WRITE_ONLY])
ALWAYS = frozenset(Mode)
STRICT = frozenset([Mode.ALL])
_NOES = {None: Code.NO_ANSWER, Decision.NO_ANSWER: Code.NO_ANSWER, Decision.DENY: Code.DENIED}


def asked_in(row_expects: str) -> frozenset[Mode]:
    """The modes in which the table's word means a question."""
    return {"ask": ASK, "always_ask": ALWAYS, "allow": STRICT}[row_expects]


def refused(world: World, code: str, tool: str, allow_files: tuple[str, ...] = (), **arguments: Any) -> None:
    """In every mode, though everybody would say yes: refused with that code, nobody asked, nothing anywhere changed."""
    before = tree(world.base)
    for mode in Mode:
        chat = ToolChat(world.R, mode, ALLOW, allow_files=allow_files)
        result = chat(tool, **arguments)
        assert str(result.code) == code, (tool, arguments, mode, result.code, result.error)
        assert result.error and "Traceback" not in result.error
        assert chat.asked == [], (tool, arguments, mode)
    assert tree(world.base) == before, (tool, arguments)


def confirmed(
    world: World,
    mode: Mode,
    asks: Iterable[Mode],
    rule: str,
    tool: str,
    reads: tuple[str, ...] = (),
    allow_files: tuple[str, ...] = (),
    **arguments: Any,
) -> ToolChat:
    """Asked for in the modes `asks` (for that reason among others), and without a yes nothing anywhere is changed; then
    done. `reads`: what the chat has read before. The chat that did it.
    """

    def begun(answer: Answer | None) -> ToolChat:
        chat = ToolChat(world.R, mode, answer, allow_files=allow_files)
        for path in reads:
            assert chat("read_file", path=path).success, path
        return chat

    before = tree(world.base)
    question = mode in asks
    if question:
        for said, code in _NOES.items():
            chat = begun(said and Answer(said))
            result = chat(tool, **arguments)
            assert result.code is code, (tool, arguments, mode, said, result.code, result.error)
            assert len(chat.asked) == (said is not None)
            assert tree(world.base) == before, (tool, arguments, mode, said)
    chat = begun(ALLOW if question else None)
    result = chat(tool, **arguments)
    assert result.success, (tool, arguments, mode, result.code, result.error)
    assert len(chat.asked) == question, (tool, arguments, mode)
    if question:
        reason = "every_change" if mode is Mode.ALL and rule == "overwrites" else rule
        assert reason in chat.shown.rules, (tool, arguments, mode, chat.shown.rules)
    return chat


def row(name: str) -> Callable[[Test], Test]:
    """The test of a row; it fails where the table has no such row."""
    expectation(name)

    def keep(test: Test) -> Test:
        SHOWN[name] = test
        return test

    return keep


def case(name: str, mode: Mode, world: World, rule: str, tool: str, **arguments: Any) -> ToolChat:
    """`confirmed` as the row demands; what stood there before is not written by a chat that has not read it."""
    if tool == "write_file" and arguments.get("reads"):
        bare = {key: value for key, value in arguments.items() if key not in {"reads", "allow_files"}}
        refused(world, "not_read", tool, **bare)
    return confirmed(world, mode, asked_in(expectation(name)), rule, tool, **arguments)
