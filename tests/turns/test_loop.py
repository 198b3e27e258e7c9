"""The loop's manners: repeated calls, pushes, recovered calls, questions, named files, what the server is sent."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field

from metona_tk.i18n.problems import problem_text
from metona_tk.protocol.commands import AnswerApproval
from metona_tk.protocol.events import (
    ApprovalAnswered,
    ApprovalRequested,
    CommandRefused,
    RoundFinished,
    StateChanged,
    TextAdded,
    ThinkingAdded,
    ToolFinished,
    ToolStarted,
    TurnFinished,
)
from metona_tk.protocol.problems import Code, Problem, ProblemCode
from metona_tk.protocol.values import CallStatus, Decision, Effects, Result, TurnEnd, TurnState
from metona_tk.tools.base import Tool, ToolArgs
from tests.fakes.ollama import ScriptedServer, answer, calls, last, line, text, think, tool_calls
from tests.turns.driver import Driver

Drive = Callable[..., Driver]


def test_the_states_of_a_turn(drive: Drive) -> None:
    with ScriptedServer(calls(("read_file", {"path": "notes.txt"})), text("done")) as server:
        driver = drive(server)
        driver.ask("?")
        states = [event.state for event in driver.of(StateChanged)]
        sending, accumulating = TurnState.SENDING, TurnState.ACCUMULATING
        assert states == [sending, accumulating, TurnState.EXECUTING, sending, accumulating, TurnState.DONE]


def test_the_same_call_is_told_the_second_time_and_ends_the_third(drive: Drive) -> None:
    same = [calls(("read_file", {"path": "notes.txt"})) for _ in range(3)]
    with ScriptedServer(*same) as server:
        driver = drive(server)
        finished = driver.ask("?")
        assert finished.end is TurnEnd.REPEATED
        assert finished.problem is not None
        assert (finished.problem.code, finished.problem.details["tool"]) == (ProblemCode.SAME_CALL, "read_file")
        assert "before" in server.chats[2]["messages"][-1]["content"]
        assert "pelican" in server.chats[2]["messages"][-1]["content"]


def test_other_arguments_are_not_the_same_call(drive: Drive) -> None:
    ranges = [calls(("read_file", {"path": "notes.txt", "end_line": n})) for n in (1, 2, 1, 2)]
    with ScriptedServer(*ranges, text("ok")) as server:
        assert drive(server).ask("?").end is TurnEnd.ANSWERED


def test_the_same_error_three_times_in_a_row_ends_it(drive: Drive) -> None:
    wrong = [calls(("read_file", {"path": f"nope{n}.txt"})) for n in range(3)]
    with ScriptedServer(*wrong) as server:
        finished = drive(server).ask("?")
        assert finished.end is TurnEnd.REPEATED
        assert finished.problem == Problem(ProblemCode.SAME_ERROR, {"tool": "read_file", "code": "not_found"})
        shown = problem_text(finished.problem)
        assert "read_file" in shown and "not_found" in shown


def test_a_success_or_another_error_between_is_no_circle(drive: Drive) -> None:
    paths = ["no1.txt", "no2.txt", "notes.txt", "no3.txt", "no4.txt", "src", "no5.txt", "no6.txt"]
    rounds = [calls(("read_file", {"path": path})) for path in paths]
    with ScriptedServer(*rounds, text("ok")) as server:
        assert drive(server).ask("?").end is TurnEnd.ANSWERED


def test_failures_of_one_round_count_once(drive: Drive) -> None:
    many = [calls(*[("read_file", {"path": f"no{n}{each}.txt"}) for each in range(4)]) for n in range(2)]
    with ScriptedServer(*many, text("ok")) as server:
        assert drive(server).ask("?").end is TurnEnd.ANSWERED


def test_a_plan_instead_of_a_call_gets_one_push(drive: Drive) -> None:
    plan = "I will use search_files to look for it."
    with ScriptedServer(text(plan), text(plan)) as server:
        driver = drive(server)
        assert driver.ask("where is the pelican?").end is TurnEnd.ANSWERED
        assert len(server.chats) == 2
        assert server.chats[1]["messages"][-1]["role"] == "user"
        assert driver.text() == plan + "\n\n" + plan


def test_an_empty_answer_gets_one_push_then_ends(drive: Drive) -> None:
    with ScriptedServer(text(""), text("")) as server:
        driver = drive(server)
        finished = driver.ask("?")
        assert finished.problem is not None
        assert finished.problem.code is ProblemCode.EMPTY_ANSWER
        assert "read_file" in server.chats[1]["messages"][-1]["content"]


def test_thinking_alone_goes_on_once(drive: Drive) -> None:
    with ScriptedServer(text(thinking=("I wonder", " about it")), text("It is 8421.")) as server:
        driver = drive(server)
        assert driver.ask("?").end is TurnEnd.ANSWERED
        assert "".join(event.text for event in driver.of(ThinkingAdded)) == "I wonder about it"
        assert server.chats[1]["messages"][-2]["thinking"] == "I wonder about it"


def test_an_answer_cut_by_its_length_is_said(drive: Drive) -> None:
    with ScriptedServer(answer("To count", done_reason="length")) as server:
        finished = drive(server).ask("?")
        assert (finished.end, finished.problem and finished.problem.code) == (
            TurnEnd.ANSWERED,
            ProblemCode.CUT_BY_LENGTH,
        )


def test_json_inside_prose_is_never_run(drive: Drive) -> None:
    prose = 'For example:\n```json\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n```\nwould read it.'
    with ScriptedServer(text(prose), text("fine")) as server:
        driver = drive(server)
        driver.ask("?")
        assert not driver.of(ToolStarted)
        assert prose in driver.text()


def test_a_recovered_call_is_not_shown_as_text(drive: Drive) -> None:
    with ScriptedServer(calls(("read_file", {"path": "notes.txt"}), shape="text"), text("A pelican.")) as server:
        driver = drive(server)
        driver.ask("?")
        assert driver.text() == "A pelican."
        assert server.chats[1]["messages"][-2]["tool_calls"][0]["function"]["name"] == "read_file"


def test_json_that_is_the_answer_is_shown(drive: Drive) -> None:
    with ScriptedServer(text('{"port": ', "8421}")) as server:
        driver = drive(server)
        assert driver.ask("as json please").end is TurnEnd.ANSWERED
        assert driver.text() == '{"port": 8421}'


def test_string_arguments_in_pieces_are_joined(drive: Drive) -> None:
    pieces = ['{"path":', '"notes.txt"', "}"]
    lines = [
        line(tool_calls=[{"id": "c1", "function": {"index": 0, "name": "read_file" if not n else "", "arguments": p}}])
        for n, p in enumerate(pieces)
    ]
    with ScriptedServer(answer(*lines), text("ok")) as server:
        driver = drive(server)
        driver.ask("?")
        (finished,) = driver.of(ToolFinished)
        assert finished.result.success
        assert "arguments came as text" in finished.repairs


def test_repeated_ids_become_our_own(drive: Drive) -> None:
    one = {"id": "x", "function": {"index": 0, "name": "read_file", "arguments": {"path": "notes.txt"}}}
    two = {"id": "x", "function": {"index": 0, "name": "read_file", "arguments": {"path": "package.json"}}}
    with ScriptedServer(answer(line(tool_calls=[one, two])), text("ok")) as server:
        driver = drive(server)
        driver.ask("?")
        ids = [event.call_id for event in driver.of(ToolStarted)]
        assert len(set(ids)) == 2
        assert [message["tool_call_id"] for message in server.chats[1]["messages"][-2:]] == ids


def test_unknown_tools_and_wrong_arguments_are_answered(drive: Drive) -> None:
    wanted = tool_calls(
        ("delete_everything", {}), ("read_file", {}), ("read_file", None), ("read_file", {"path": {"type": "string"}})
    )
    with ScriptedServer(answer(line(tool_calls=wanted)), text("sorry")) as server:
        driver = drive(server)
        driver.ask("?")
        by_id = {event.call_id: event.result for event in driver.of(ToolFinished)}
        codes = [by_id[event.call_id].code for event in driver.of(ToolStarted)]
        assert codes == [Code.UNKNOWN_TOOL, *[Code.BAD_ARGUMENTS] * 3]
        told = [message["content"] for message in server.chats[1]["messages"] if message["role"] == "tool"]
        assert len(told) == 4
        assert '{"path": <text>}' in told[1]


class _Slow(Tool):
    """Two of these run side by side, or neither ends."""

    name = "slow"
    title = "Slow"
    description = "Slow."
    reading_only = True
    meeting = threading.Barrier(2)

    class Args(ToolArgs):
        path: Annotated[str, Field(description="Any.")]

    def effects(self, args: Any) -> Effects:
        return Effects(reads=(args.path,))

    def run(self, args: Any, context: Any) -> Result:
        self.meeting.wait(5)
        return Result(True, {"path": args.path}, None, args.path)


def test_reading_calls_run_at_the_same_time(drive: Drive) -> None:
    wanted = calls(("slow", {"path": "src"}), ("slow", {"path": "notes.txt"}))
    with ScriptedServer(wanted, text("ok")) as server:
        driver = drive(server, tools=[_Slow()])
        driver.ask("?")
        assert [event.result.success for event in driver.of(ToolFinished)] == [True, True]
        assert [message["content"] for message in server.chats[1]["messages"][-2:]] == ["src", "notes.txt"]


def test_a_tool_with_a_bug_is_answered_and_logged(drive: Drive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Slow, "run", lambda *_: 1 // 0)
    with ScriptedServer(calls(("slow", {"path": "src"})), text("ok")) as server:
        driver = drive(server, tools=[_Slow()])
        assert driver.ask("?").end is TurnEnd.ANSWERED
        assert driver.result().code is Code.IO_ERROR


def outside(folder: Path) -> Path:
    other = folder.parent / "other"
    other.mkdir(exist_ok=True)
    (other / "a.txt").write_text("alpha")
    (other / "b.txt").write_text("beta")
    return other


def test_a_typed_path_outside_is_asked_once_for_each_folder(drive: Drive, folder: Path) -> None:
    other = outside(folder)
    both = calls(("read_file", {"path": str(other / "a.txt")}), ("read_file", {"path": "../other/b.txt"}))
    with ScriptedServer(both, text("ok")) as server:
        driver = drive(server)
        driver.start("?")
        asked = driver.wait(ApprovalRequested)
        assert asked.rule == "typed_outside"
        assert (asked.preview.scope, asked.preview.deep) == (str(other), True)
        driver.send(AnswerApproval(asked.call_id, Decision.ALLOW))
        driver.wait(TurnFinished)
        assert len(driver.of(ApprovalRequested)) == 1
        assert sorted(event.result.data["content"] for event in driver.of(ToolFinished)) == ["alpha", "beta"]


def test_a_denial_tells_the_model_and_its_reason(drive: Drive, folder: Path) -> None:
    other = outside(folder)
    with ScriptedServer(calls(("read_file", {"path": str(other / "a.txt")})), text("ok")) as server:
        driver = drive(server)
        driver.start("?")
        asked = driver.wait(ApprovalRequested)
        driver.send(AnswerApproval(asked.call_id, Decision.DENY, "private"))
        driver.send(AnswerApproval(asked.call_id, Decision.ALLOW))  # the first answer counts
        assert driver.wait(CommandRefused).problem.code is ProblemCode.NO_SUCH_QUESTION
        driver.wait(TurnFinished)
        (finished,) = driver.of(ToolFinished)
        assert (finished.result.code, finished.status) == (Code.DENIED, CallStatus.CANCELLED)
        assert "private" in server.chats[1]["messages"][-1]["content"]
        assert [event.decision for event in driver.of(ApprovalAnswered)] == [Decision.DENY]


def test_nobody_answering_in_time_is_no_answer(drive: Drive, folder: Path) -> None:
    other = outside(folder)
    with ScriptedServer(calls(("read_file", {"path": str(other / "a.txt")})), text("ok")) as server:
        driver = drive(server, answer_seconds=0.2)
        driver.ask("?")
        assert driver.result().code is Code.NO_ANSWER


def test_a_made_up_path_outside_does_not_disturb_the_user(drive: Drive) -> None:
    with ScriptedServer(calls(("read_file", {"path": "/path/to/your/file"})), text("ok")) as server:
        driver = drive(server)
        driver.ask("?")
        assert not driver.of(ApprovalRequested)
        assert driver.result().code is Code.OUTSIDE_ROOT


def test_a_sensitive_file_is_refused_and_one_is_let_through(drive: Drive, folder: Path) -> None:
    (folder / ".env").write_text("KEY=1\n")
    (folder / "b.env").write_text("x")
    wanted = calls(("read_file", {"path": ".env"}), ("read_file", {"path": ".env.local"}))
    (folder / ".env.local").write_text("KEY=2\n")
    with ScriptedServer(wanted, text("ok")) as server:
        driver = drive(server, allow_files=(str(folder / ".env"),))
        driver.ask("?")
        results = {event.call_id: event.result for event in driver.of(ToolFinished)}
        first, second = (results[event.call_id] for event in driver.of(ToolStarted))
        assert first.data["content"] == "KEY=1\n"
        assert second.code is Code.SENSITIVE_FILE


def test_a_named_file_is_read_for_the_model(drive: Drive) -> None:
    with ScriptedServer(text("8421")) as server:
        driver = drive(server)
        driver.ask("what port is set in package.json?")
        started = driver.of(ToolStarted)
        assert all(event.by_program for event in started)
        assert ("read_file", {"path": "package.json"}) in [(event.name, event.arguments) for event in started]
        question = server.chats[0]["messages"][-1]["content"]
        assert question.endswith("what port is set in package.json?")
        assert '"port": 8421' in question


def test_a_named_sensitive_file_is_not_read(drive: Drive, folder: Path) -> None:
    (folder / "secrets.txt").write_text("TOKEN")
    with ScriptedServer(text("ok")) as server:
        driver = drive(server)
        driver.ask("what is in secrets.txt?")
        assert "TOKEN" not in str(server.chats)


def test_the_system_prompt_has_rules_workspace_and_date(drive: Drive, folder: Path) -> None:
    with ScriptedServer(text("ok")) as server:
        drive(server).ask("?")
        system = server.chats[0]["messages"][0]
        assert system["role"] == "system"
        assert str(folder) in system["content"]
        assert time.strftime("%Y-%m-%d") in system["content"]
        assert all(f"\n{number}. " in system["content"] for number in range(1, 8))


def test_tool_calls_inside_thinking_are_never_run(drive: Drive) -> None:
    inside = '<tool_call>{"name": "read_file", "arguments": {"path": "notes.txt"}}'
    with ScriptedServer(answer(think(inside)), text("ok")) as server:
        driver = drive(server)
        driver.ask("?")
        assert not driver.of(ToolStarted)


def test_a_long_result_fits_a_quarter_of_the_window(drive: Drive, folder: Path) -> None:
    (folder / "long.txt").write_text("".join(f"row {n} of the long file\n" for n in range(3000)))
    with ScriptedServer(calls(("read_file", {"path": "long.txt"})), text("ok")) as server:
        driver = drive(server, numCtx=4096)
        driver.ask("?")
        told = server.chats[1]["messages"][-1]["content"]
        assert len(told) <= 4096 * 3 // 4
        data = driver.result().data
        assert data["truncated"]
        assert f"start_line={data['next_start_line']}" in told
        assert f"row {data['line_range'][1] - 1} of" in told


def test_usage_is_told(drive: Drive) -> None:
    with ScriptedServer(answer("hi", eval_count=30, eval_duration=2_000_000_000)) as server:
        driver = drive(server)
        driver.ask("?")
        assert driver.of(RoundFinished)[0].usage.tokens_per_second == 15.0


def test_text_of_two_rounds_is_kept_apart(drive: Drive) -> None:
    first = calls(("read_file", {"path": "notes.txt"}), before="I look.")
    with ScriptedServer(first, text("A pelican.")) as server:
        driver = drive(server)
        driver.ask("?")
        assert driver.text() == "I look.\n\nA pelican."
        assert [event.text for event in driver.of(TextAdded)][0] == "I look."


def test_markup_that_leaks_is_not_shown(drive: Drive) -> None:
    reply = answer("<think>hmm", " so</thi", "nk>\nIt is <|im_end|>8421.", last()["message"]["content"])
    with ScriptedServer(reply) as server:
        driver = drive(server)
        driver.ask("?")
        assert driver.text() == "It is 8421."
        assert "".join(event.text for event in driver.of(ThinkingAdded)) == "hmm so"


def test_a_call_made_twice_is_followed_by_a_request_without_tools(drive: Drive) -> None:
    same = calls(("read_file", {"path": "notes.txt"}))
    with ScriptedServer(same, same, text("A pelican.")) as server:
        driver = drive(server)
        assert driver.ask("?").end is TurnEnd.ANSWERED
        assert ["tools" in chat for chat in server.chats] == [True, True, False]
