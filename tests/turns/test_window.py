"""The window of a model holds what is sent, whatever the chat: nothing that matters is lost, and it is said."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metona_tk.agent.tokens import PLAIN
from metona_tk.protocol.commands import RetryTurn
from metona_tk.protocol.events import ContextMeasured, ContextTrimmed, RoundFinished, ToolFinished, TurnFinished
from metona_tk.protocol.problems import ProblemCode
from metona_tk.protocol.values import TurnEnd
from tests.fakes.ollama import ScriptedServer, answer, calls, error, text, think
from tests.turns.driver import Driver

Drive = Callable[..., Driver]
WINDOW = 4096


def tokens_of(body: Any, characters: float = 2.6) -> int:
    """A tokenizer that needs more than the first estimate thinks, and a template around it."""
    told = json.dumps([body["messages"], body.get("tools", [])], ensure_ascii=False)
    wide = sum(char > "\x7f" for char in told)
    return 40 + math.ceil((len(told) - wide) / characters + wide)


def whole(body: Any, question: str) -> None:
    """Raise where a request lost what must never be lost."""
    messages = body["messages"]
    assert messages[0]["role"] == "system"
    assert "\n7. " in messages[0]["content"]
    assert len(body["tools"]) == 3
    assert sum(message["role"] == "user" and message["content"].endswith(question) for message in messages) == 1
    asked = [call["id"] for message in messages for call in message.get("tool_calls", [])]
    assert asked == [message["tool_call_id"] for message in messages if message["role"] == "tool"]


@pytest.fixture
def long_file(folder: Path) -> Path:
    path = folder / "long.txt"
    path.write_text("".join(f"row {n} of the long file, with 中文 in it\n" for n in range(4000)))
    return path


def look(number: int) -> Any:
    return calls(("read_file", {"path": "long.txt", "start_line": 100 * number + 1, "end_line": 100 * number + 90}))


@pytest.mark.parametrize("characters", [2.2, 2.6, 4.5])
def test_a_chat_of_20_tool_calls_fits_a_4096_token_window(drive: Drive, long_file: Path, characters: float) -> None:
    question = "which row is it?"
    seen: list[int] = []

    def model(body: Any) -> Any:
        whole(body, question)
        seen.append(tokens_of(body, characters))
        assert seen[-1] <= WINDOW
        return look(len(seen) - 1) if len(seen) <= 20 else text("Row 7.")

    with ScriptedServer(script=model, count=lambda body: tokens_of(body, characters)) as server:
        driver = drive(server, numCtx=WINDOW, maxRounds=30)
        assert driver.ask(question).end is TurnEnd.ANSWERED
        assert len(server.chats) == 21
        newest = server.chats[-1]["messages"][-1]["content"]
        assert f"row {100 * 19 + 5} of" in newest
        assert all(event.result.success for event in driver.of(ToolFinished))
    assert driver.of(ContextTrimmed)[-1].shrunk_results >= 10
    assert max(seen) > WINDOW / 2  # the window is used


def test_a_chat_of_20_questions_with_a_call_each_fits_too(drive: Drive, long_file: Path) -> None:
    asked: list[str] = []

    def model(body: Any) -> Any:
        whole(body, asked[-1])
        assert tokens_of(body) <= WINDOW
        return text(f"Row {len(asked)}. " * 20) if body["messages"][-1]["role"] == "tool" else look(len(asked))

    with ScriptedServer(script=model, count=tokens_of) as server:
        driver = drive(server, numCtx=WINDOW)
        for number in range(20):
            asked.append(f"what of number {number}?")
            assert driver.ask(asked[-1]).end is TurnEnd.ANSWERED
        assert len(server.chats) == 40
        trimmed = driver.of(ContextTrimmed)[-1]
        assert trimmed.dropped_turns > 0
        stored = driver.engine._chats["chat"].messages
        assert sum(message.role == "user" for message in stored) == 20
        assert all("left out" not in message.content for message in stored)


def test_it_is_measured_before_each_request_and_by_the_server_after(drive: Drive) -> None:
    with ScriptedServer(calls(("read_file", {"path": "notes.txt"})), text("ok"), count=tokens_of) as server:
        driver = drive(server)
        driver.ask("?")
        sent = [tokens_of(chat) for chat in server.chats]
    kinds = [type(event) for event in driver.events if isinstance(event, ContextMeasured | RoundFinished)]
    assert kinds == [ContextMeasured, RoundFinished, ContextMeasured] * 2
    uses = [event.use for event in driver.of(ContextMeasured)]
    assert [uses[1].used, uses[3].used] == [sent[0] + 12, sent[1] + 12]
    assert (uses[0].files, uses[0].answer, uses[1].answer) == (0, 0, 12)
    assert uses[2].files > 0
    assert {use.window for use in uses} == {24576}
    assert abs(uses[2].used - sent[1]) < sent[1] * 0.1  # the second estimate has learned from the first count
    assert not driver.of(ContextTrimmed)


def test_a_question_that_does_not_fit_is_told_before_anything_is_sent(drive: Drive) -> None:
    with ScriptedServer(text("ok")) as server:
        driver = drive(server, numCtx=WINDOW)
        finished = driver.ask("word " * 3000)
        assert finished.end is TurnEnd.FAILED
        assert finished.problem is not None
        assert finished.problem.code is ProblemCode.CONTEXT_TOO_SMALL
        assert finished.problem.details["window"] == str(WINDOW)
        assert int(finished.problem.details["needed"]) > 5000
        assert server.chats == []
        assert driver.ask("short?").end is TurnEnd.ANSWERED  # the long one is an old turn now, and goes


def test_the_smallest_window_of_the_settings_holds_a_question_with_its_tools(drive: Drive, folder: Path) -> None:
    for number in range(60):
        (folder / f"a file with a long name, number {number}.txt").write_text("x")
    with ScriptedServer(calls(("read_file", {"path": "notes.txt"})), text("ok"), count=tokens_of) as server:
        driver = drive(server, numCtx=2048)
        assert driver.ask("what eats fish?").end is TurnEnd.ANSWERED
        for chat in server.chats:
            whole(chat, "what eats fish?")
            assert tokens_of(chat) <= 2048


def test_what_is_looked_up_respects_the_window(drive: Drive, folder: Path) -> None:
    (folder / "report.txt").write_text("报告的内容很长。" * 2000)
    with ScriptedServer(text("ok"), count=tokens_of) as server:
        driver = drive(server, numCtx=WINDOW)
        assert driver.ask("what is in report.txt?").end is TurnEnd.ANSWERED
        assert "报告" in server.chats[0]["messages"][-1]["content"]
        assert tokens_of(server.chats[0]) <= WINDOW
        assert driver.of(ContextMeasured)[0].use.files <= WINDOW // 3 + 100
        assert not driver.of(ContextTrimmed)


def test_a_result_keeps_to_a_quarter_of_the_window_as_the_server_counts(drive: Drive, folder: Path) -> None:
    (folder / "numbers.txt").write_text("".join(f"{n * 7919:012d}\n" for n in range(4000)))

    def dense(body: Any) -> int:
        return tokens_of(body, 1.6)

    wanted = [calls(("read_file", {"path": "numbers.txt", "start_line": n})) for n in (1, 500, 1000)]
    with ScriptedServer(*wanted, text("ok"), count=dense) as server:
        driver = drive(server, numCtx=WINDOW)
        driver.ask("?")
        told = [chat["messages"][-1]["content"] for chat in server.chats[1:]]
        assert all(len(each) / 1.6 <= WINDOW / 4 for each in told)
        assert all(dense(chat) <= WINDOW for chat in server.chats)


def test_a_request_that_the_server_finds_too_long_is_made_shorter(drive: Drive, long_file: Path) -> None:
    refused = error(400, "the prompt is longer than the context length currently available to the model")
    with ScriptedServer(look(1), look(2), look(3), refused, text("ok")) as server:
        driver = drive(server, numCtx=WINDOW)
        assert driver.ask("?").end is TurnEnd.ANSWERED
        before, after = (tokens_of(chat) for chat in server.chats[3:])
        assert after < before
        whole(server.chats[4], "?")


def test_a_cached_count_of_an_old_server_does_not_make_it_bold(drive: Drive, long_file: Path) -> None:
    with ScriptedServer(look(1), look(2), text("ok"), count=lambda body: 300) as server:
        driver = drive(server, numCtx=WINDOW)
        driver.ask("?")
        assert driver.engine._chats["chat"].meter("test:1b").plain == PLAIN
        assert driver.of(ContextMeasured)[-1].use.used > 2000


def test_a_retry_keeps_the_question_and_what_came(drive: Drive, long_file: Path) -> None:
    broken = answer(think("hm"), "It is ", done=False)
    with ScriptedServer(look(1), look(2), look(3), broken, text("row 5."), count=tokens_of) as server:
        driver = drive(server, numCtx=WINDOW)
        driver.ask("which?")
        driver.send(RetryTurn("chat", "again"))
        assert driver.wait(TurnFinished).end is TurnEnd.ANSWERED
        sent = server.chats[-1]["messages"]
        assert [message["role"] for message in sent[:2]] == ["system", "user"]
        assert sent[1]["content"].endswith("which?")
        assert [message["role"] for message in sent[-2:]] == ["assistant", "user"]
        assert tokens_of(server.chats[-1]) <= WINDOW
