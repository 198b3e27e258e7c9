"""What a request holds of a chat: in which order things go, and what never does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metona_tk.agent.context import Fitted, answer_room, fit, measured
from metona_tk.agent.conversation import Message, ModelCall
from metona_tk.agent.tokens import TokenMeter
from metona_tk.protocol.problems import ProblemCode, ProblemError
from metona_tk.protocol.values import ContextUse, JsonObject, Usage

SYSTEM = "rules " * 50
TOOLS: list[JsonObject] = [{"type": "function", "function": {"name": "read_file", "description": "x" * 300}}]


def call_round(turn: str, number: int, text: str = "row\n" * 300) -> list[Message]:
    """A call and its result, about 400 tokens."""
    call = ModelCall(f"{turn}_{number}", "read_file", {"path": f"{turn}_{number}.txt"})
    result = Message("tool", text, turn, tool_name="read_file", tool_call_id=call.call_id)
    return [Message("assistant", "", turn, calls=(call,)), result]


def turn_of(name: str, rounds: int, answer: str = "done", context: str = "") -> list[Message]:
    rows = [Message("user", f"question {name}?", name, context=context)]
    for number in range(rounds):
        rows += call_round(name, number)
    return rows + ([Message("assistant", answer, name)] if answer else [])


def fitted(messages: list[Message], window: int) -> Fitted:
    return fit(messages, SYSTEM, TOOLS, window, TokenMeter())


def is_line(message: Message) -> bool:
    return message.content.startswith("[result of read_file ")


def test_what_fits_is_sent_whole() -> None:
    chat = turn_of("a", 2) + turn_of("b", 1, answer="")
    whole = fitted(chat, 8192)
    assert whole.messages == chat
    assert (whole.shrunk, whole.dropped) == (0, 0)


def test_old_results_go_first_and_the_oldest_before_the_others() -> None:
    chat = turn_of("a", 3) + turn_of("b", 1, answer="")
    got = fitted(chat, 2150)
    results = [message for message in got.messages if message.role == "tool"]
    assert [is_line(message) for message in results] == [True, True, False, False]
    assert (got.shrunk, got.dropped) == (2, 0)
    assert results[0].content == (
        "[result of read_file a_0.txt: 301 lines, left out to save room; call it again if needed]"
    )


def test_then_results_of_this_turn_but_for_the_newest() -> None:
    chat = turn_of("a", 2) + turn_of("b", 4, answer="")
    got = fitted(chat, 1900)
    assert [is_line(message) for message in got.messages if message.role == "tool"] == [True] * 5 + [False]


def test_then_whole_old_turns_before_the_newest_result() -> None:
    chat = turn_of("a", 2) + turn_of("b", 2, answer="word " * 1000) + turn_of("c", 1, answer="")
    got = fitted(chat, 2048)
    assert got.messages[0].content == "question c?"
    assert not is_line(got.messages[-1])
    assert (got.shrunk, got.dropped) == (0, 2)


def test_the_newest_results_are_the_last_to_shrink() -> None:
    chat = turn_of("a", 1) + turn_of("b", 0, answer="") + call_round("b", 0, "row\n" * 3000)
    got = fitted(chat, 2048)
    assert [message.role for message in got.messages] == ["user", "assistant", "tool"]
    assert is_line(got.messages[-1])


def test_rounds_of_a_long_turn_go_whole_and_the_last_one_stays() -> None:
    chat = turn_of("a", 60, answer="")
    got = fitted(chat, 2048)
    assert got.messages[0] == chat[0]
    assert got.messages[-1].tool_call_id == "a_59"
    assert len(got.messages) < len(chat)
    assert got.shrunk >= 59


def test_what_was_looked_up_shrinks_before_the_question_is_said_not_to_fit() -> None:
    chat = turn_of("a", 0, context="<looked_up>" + "row " * 5000) + turn_of("b", 0, answer="", context="fact " * 3000)
    got = fitted(chat, 2048)
    assert got.messages[-1].content == "question b?"
    assert "left out to save room" in got.messages[-1].context
    assert chat[-1].context.startswith("fact")


def test_a_question_that_does_not_fit_is_told_with_the_numbers() -> None:
    with pytest.raises(ProblemError) as caught:
        fitted(turn_of("a", 1) + [Message("user", "long " * 4000, "b")], 2048)
    problem = caught.value.problem
    assert problem.code is ProblemCode.CONTEXT_TOO_SMALL
    assert problem.details["window"] == "2048"
    assert int(problem.details["needed"]) > 2048


def test_long_arguments_and_thinking_of_old_calls_are_cut_but_the_call_stays() -> None:
    call = ModelCall("c", "write_file", {"path": "a.txt", "content": "x" * 9000, "parts": ["y" * 300], "n": 1})
    old = [Message("assistant", "", "a", "hm " * 900, (call,)), Message("tool", "ok", "a", tool_call_id="c")]
    chat = [Message("user", "write", "a"), *old, *call_round("a", 1)]
    got = fitted(chat, 2048)
    short = got.messages[1]
    assert short.thinking == ""
    assert short.calls[0].arguments["path"] == "a.txt"
    assert short.calls[0].arguments["n"] == 1
    assert len(short.calls[0].arguments["content"]) < 300
    assert short.calls[0].arguments["content"].endswith("[8800 more characters left out]")
    assert isinstance(short.calls[0].arguments["parts"], str)
    assert call.arguments["content"] == "x" * 9000


def test_the_parts_are_told() -> None:
    use = fitted(turn_of("a", 2, context="fact " * 100), 8192).use
    assert use.window == 8192
    assert use.files > 700
    assert 0 < use.history < 200
    assert use.system > 90
    assert use.tools > 200
    assert use.answer == 0


def test_the_servers_count_is_shared_out_over_the_parts() -> None:
    use = measured(ContextUse(4096, 100, 200, 300, 400), Usage(prompt_tokens=1501, answer_tokens=33))
    assert (use.system, use.tools, use.files, use.answer) == (150, 300, 600, 33)
    assert use.used == 1501 + 33


@pytest.mark.parametrize("told", [0, 120])
def test_a_count_that_cannot_be_leaves_the_estimate(told: int) -> None:
    use = measured(ContextUse(4096, 100, 200, 300, 400), Usage(prompt_tokens=told, answer_tokens=33))
    assert (use.used, use.system) == (1033, 100)


@pytest.mark.parametrize(("window", "room"), [(1024, 256), (2048, 512), (4096, 512), (24576, 3072), (1 << 20, 4096)])
def test_the_room_for_the_answer(window: int, room: int) -> None:
    assert answer_room(window) == room


words = st.text(st.sampled_from("ab \n中é"), max_size=40)
long_words = st.builds(lambda text, times: text * times, words, st.sampled_from([1, 1, 5, 60, 400]))


@st.composite
def chats(draw: st.DrawFn) -> list[Message]:
    """Any chat: turns with questions, rounds of one or more calls, pushes, answers that broke off."""
    rows: list[Message] = []
    for number in range(draw(st.integers(1, 4))):
        turn = f"t{number}"
        rows.append(Message("user", draw(long_words), turn, context=draw(st.one_of(st.just(""), long_words))))
        for round_number in range(draw(st.integers(0, 5))):
            kind = draw(st.sampled_from(["calls", "calls", "text", "push"]))
            if kind == "push":
                rows.append(Message("user", "Call the right tool now.", turn))
            if kind == "text":
                said = f"{round_number} {draw(long_words)}"
                rows.append(Message("assistant", said, turn, draw(words), incomplete=draw(st.booleans())))
            if kind == "calls":
                ids = [f"{turn}_{round_number}_{each}" for each in range(draw(st.integers(1, 3)))]
                calls = tuple(ModelCall(each, "read_file", {"path": draw(long_words)}) for each in ids)
                rows.append(Message("assistant", draw(words), turn, draw(long_words), calls))
                rows += [Message("tool", draw(long_words), turn, tool_name="x", tool_call_id=each) for each in ids]
    return rows


@given(chats(), st.sampled_from([1024, 2048, 4096, 24576]), st.floats(0.18, 1.0), st.integers(0, 300))
def test_any_chat_fits_whole_in_its_pairs_or_is_said_not_to(
    chat: list[Message], window: int, plain: float, extra: int
) -> None:
    before = [message.as_sent() for message in chat]
    meter = TokenMeter(plain=plain, extra=extra)
    last = chat[-1].turn_id
    question = next(message for message in chat if message.turn_id == last)
    try:
        got = fit(chat, SYSTEM, TOOLS, window, meter)
    except ProblemError as error:
        assert error.problem.code is ProblemCode.CONTEXT_TOO_SMALL
        assert int(error.problem.details["needed"]) > window
        got = None
    assert [message.as_sent() for message in chat] == before
    if got is None:
        return
    assert meter.tokens(got.size) + extra <= window - min(256, answer_room(window))
    assert abs(got.use.used - meter.tokens(got.size) - extra) <= 5
    kept = got.messages
    assert any(message.content == question.content and message.turn_id == last for message in kept)
    assert kept[0].role == "user"
    asked = [call.call_id for message in kept for call in message.calls]
    answered = [message.tool_call_id for message in kept if message.role == "tool"]
    assert asked == answered
    places = [_place(chat, message) for message in kept]
    assert places == sorted(places)
    assert len(set(places)) == len(places)
    assert _place(chat, kept[-1]) == len(chat) - 1
    turns = {message.turn_id for message in chat}
    assert got.dropped == len(turns - {message.turn_id for message in kept})
    if meter.tokens(got.size) + extra > window - answer_room(window):  # nothing is left that could go
        assert len({message.turn_id for message in kept}) == 1
        assert sum(message.role == "assistant" for message in kept) <= 1
    if got.dropped or got.shrunk:
        whole = fit(chat, SYSTEM, TOOLS, 1 << 20, meter)
        assert meter.tokens(whole.size) + extra > window - answer_room(window)


def _place(chat: list[Message], kept: Message) -> int:
    """Where a kept message stood: the same one, or the one that it was cut from."""
    same = [place for place, message in enumerate(chat) if message is kept]
    if same:
        return same[0]
    ids = [call.call_id for call in kept.calls] or kept.tool_call_id
    return next(
        place
        for place, message in enumerate(chat)
        if message.role == kept.role
        and message.turn_id == kept.turn_id
        and ([call.call_id for call in message.calls] or message.tool_call_id) == ids
        and (ids or message.content == kept.content and (message.context or message.thinking))
    )
