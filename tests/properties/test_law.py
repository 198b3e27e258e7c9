"""Whatever commands come and whatever the server answers, the stream of events keeps its law and the engine ends."""

from __future__ import annotations

import contextlib
import random
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metona_tk.protocol.commands import (
    AnswerApproval,
    AnswerQuestion,
    CancelTurn,
    ChangeSettings,
    Command,
    DeleteTurn,
    ListModels,
    NewConversation,
    RetryTurn,
    RunTool,
    SetWorkspace,
    Shutdown,
    StartTurn,
)
from metona_tk.protocol.events import ApprovalRequested, EngineStopped, Event, QuestionAsked, TurnFinished
from metona_tk.protocol.values import Decision, ThinkLevel
from tests.fakes.ollama import ScriptedServer, answer, broken, calls, error, line, text, think
from tests.properties.law import check_law
from tests.turns.driver import Driver

WORDS = ("chat", "other", "nobody")


def replies(rng: random.Random, outside: Path) -> Any:
    """A model that errs in every way it knows."""
    choices = (
        lambda: text("It is ", "there."),
        lambda: text(""),
        lambda: answer(think("hm"), "well", done=False),
        lambda: answer("I will use read_file"),
        lambda: calls(("read_file", {"path": "a.txt"}), ("list_directory", {"path": "."})),
        lambda: calls(("read_file", {"path": str(outside)}), shape="final"),
        lambda: calls(("search_files", {"path": ".", "query": "alpha"}), shape="text"),
        lambda: calls(("read_file", {"path": "a.txt", "end_line": rng.randint(1, 99)})),
        lambda: calls(("nope", {}), ("read_file", "not json"), ("read_file", None)),
        lambda: error(500, "error parsing tool call: raw='x'"),
        lambda: error(400, "x does not support tools"),
        lambda: error(400, "the prompt is longer than the context length"),
        lambda: broken(line("half"), message="boom"),
        lambda: answer("cut").ending("rst"),
    )
    return rng.choice(choices)()


turns = st.sampled_from([f"t{number}" for number in range(6)])
chats = st.sampled_from(["chat"] * 6 + list(WORDS))
tool_arguments = st.sampled_from([{"path": "a.txt"}, {"path": "."}, {"path": "../outside.txt"}, {"x": 1}])
questions = st.builds(
    StartTurn,
    chats,
    turns,
    st.sampled_from(["hello", "what is in a.txt?", "", "word " * 3000]),
    st.just(""),
    st.sampled_from(ThinkLevel),
    st.one_of(st.just(""), st.just(""), turns),
)
commands = st.one_of(
    questions,
    questions.map(lambda command: [command, "wait"]),
    questions.map(lambda command: [command, "wait"]),
    st.builds(RetryTurn, chats, turns),
    st.builds(RunTool, chats, turns, st.sampled_from(["read_file", "list_directory", "nope"]), tool_arguments),
    st.builds(DeleteTurn, chats, turns),
    st.builds(AnswerQuestion, st.just("nobody"), st.sampled_from(["go_on", "stop"])),
    st.builds(CancelTurn, turns),
    st.builds(NewConversation, st.sampled_from(["other"])),
    st.builds(SetWorkspace, chats, st.sampled_from(["/nope", "/tmp"])),
    st.builds(AnswerApproval, st.just("nobody"), st.sampled_from(Decision)),
    st.builds(ListModels),
    st.builds(ChangeSettings, st.sampled_from([{"numCtx": 4096}, {"maxRounds": 1}, {"numCtx": "x"}, {"nope": 1}])),
    st.sampled_from(["wait", "answer"]),
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("law")
    (root / "work").mkdir()
    (root / "home").mkdir()
    (root / "work" / "a.txt").write_text("alpha\n")
    (root / "outside.txt").write_text("beta\n")
    return root


def drain(driver: Driver, decision: Decision, until: type[Event], seconds: float) -> None:
    """Take events until one of that kind came, answering questions on the way."""

    def answering(event: Event) -> bool:
        if isinstance(event, ApprovalRequested):
            driver.send(AnswerApproval(event.call_id, decision))
        if isinstance(event, QuestionAsked):
            driver.send(AnswerQuestion(event.question_id, event.choices[decision is Decision.DENY]))
        return isinstance(event, until)

    driver.wait(object, answering, seconds)


def _flat(wanted: list[Any]) -> list[Command | str]:
    return [each for part in wanted for each in (part if isinstance(part, list) else [part])]


@given(
    st.lists(commands, min_size=1, max_size=10),
    st.integers(0, 1 << 30),
    st.sampled_from([Decision.ALLOW, Decision.DENY]),
    st.sampled_from([1, 2, 10]),
)
def test_the_law_holds_whatever_comes(
    workspace: Path, wanted: list[Any], seed: int, decision: Decision, rounds: int
) -> None:
    rng, lock = random.Random(seed), threading.Lock()

    def script(_: Any) -> Any:
        with lock:
            return replies(rng, workspace / "outside.txt")

    with ScriptedServer(script=script) as server:
        driver = Driver(server.address, workspace / "work", workspace / "home", maxRounds=rounds)
        for command in _flat(wanted):
            if isinstance(command, str):
                # whether a turn runs now depends on the moment: what comes within a blink is taken, else nothing
                with contextlib.suppress(AssertionError):
                    drain(driver, decision, TurnFinished, 0.15)
            else:
                driver.send(command)
        driver.send(Shutdown())
        drain(driver, decision, EngineStopped, 20)
        assert driver.engine.join(10)
        check_law(driver.events)
