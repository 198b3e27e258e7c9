"""The bytes of a stream may be split anywhere; markup and ranges of lines too. Nothing changes what comes out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metona_tk.agent.recovery import calls_in_text, may_be_call
from metona_tk.agent.reply import Reply
from metona_tk.backends.base import Chunk
from metona_tk.backends.ollama.chunks import MAX_LINE, LineSplitter, parse_line
from metona_tk.backends.ollama.markup import MarkupFilter
from metona_tk.protocol.problems import ProblemError
from metona_tk.tools.lines import LineWindow


def split(data: Any, cuts: list[int]) -> list[Any]:
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[a:b] for a, b in zip(places, places[1:], strict=False)]


texts = st.text(st.characters(codec="utf-8") | st.sampled_from("\u0085\u2028\x1c<|>{}`"), max_size=30)
messages = st.fixed_dictionaries({"content": texts}, optional={"thinking": texts})
cuts = st.lists(st.integers(0, 10_000), max_size=12)


@given(st.lists(messages, max_size=6), cuts)
def test_lines_come_whole_however_the_bytes_are_split(found: list[dict[str, str]], places: list[int]) -> None:
    lines = [json.dumps({"message": message, "done": False}, ensure_ascii=False).encode() for message in found]
    splitter = LineSplitter()
    got: list[bytes] = []
    for piece in split(b"\n".join([*lines, b""]), places):
        got += splitter.feed(piece)
    assert got == lines
    assert splitter.rest() == b""
    chunks = [parse_line(line) for line in got]
    assert [(chunk.content, chunk.thinking) for chunk in chunks] == [
        (message["content"], message.get("thinking", "")) for message in found
    ]


@given(st.binary(max_size=200))
def test_any_bytes_give_a_chunk_or_a_problem(data: bytes) -> None:
    try:
        assert isinstance(parse_line(data), Chunk)
    except ProblemError as error:
        assert error.problem.code


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(
    st.dictionaries(st.sampled_from(["message", "done", "done_reason", "error", "eval_count"]), json_values),
    st.dictionaries(st.sampled_from(["content", "thinking", "tool_calls", "role"]), json_values),
)
def test_any_json_gives_a_chunk_or_a_problem(outer: dict[str, Any], message: dict[str, Any]) -> None:
    try:
        reply = Reply()
        reply.add(parse_line(json.dumps(outer | {"message": message}).encode()))
        reply.calls()
    except ProblemError as error:
        assert error.problem.code


def test_a_line_beyond_the_limit_is_a_problem_before_memory_is_full() -> None:
    splitter = LineSplitter()
    with pytest.raises(ProblemError):
        for _ in range(MAX_LINE // 65536 + 2):
            splitter.feed(b"x" * 65536)


marked = st.lists(
    st.sampled_from(
        ["<think>", "</think>", "<|channel|>", "final", "<|message|>", "<|im_end|>", "<", "|", "a b", "\n", "中"]
    ),
    max_size=12,
).map("".join)


@given(marked, cuts)
def test_markup_is_taken_out_alike_however_the_text_is_split(content: str, places: list[int]) -> None:
    def run(pieces: list[str]) -> tuple[str, str]:
        markup = MarkupFilter()
        told = [markup.feed(piece) for piece in pieces]
        told.append(markup.finish())
        return "".join(each[0] for each in told), "".join(each[1] for each in told)

    assert run(split(content, places)) == run([content])


@given(texts.filter(lambda text: "<" not in text and "|" not in text))
def test_plain_text_passes_the_markup_filter_untouched(content: str) -> None:
    markup = MarkupFilter()
    assert (markup.feed(content)[0] + markup.finish()[0], "") == (content, "")


@given(
    st.lists(st.binary(max_size=12).map(lambda raw: raw.replace(b"\n", b"")), max_size=12),
    st.booleans(),
    st.integers(1, 14),
    st.none() | st.integers(1, 14),
    st.integers(1, 14),
    cuts,
)
def test_a_range_of_lines_is_that_range(
    lines: list[bytes], ends: bool, first: int, last: int | None, most: int, places: list[int]
) -> None:
    data = b"\n".join(lines) + (b"\n" if ends and lines else b"")
    whole = data.split(b"\n")
    whole = whole[:-1] if whole[-1] == b"" else whole
    window = LineWindow(first, last, most, 10_000)
    assert window.feed_all(split(data, places), True, lambda: True)
    wanted = whole[first - 1 : last][:most] if last is None or last >= first else []
    assert [line.removesuffix(b"\n") for line in window.raw] == wanted
    assert window.total == len(whole)
    assert not window.cut


@given(st.lists(st.binary(min_size=1, max_size=40), max_size=6), st.integers(1, 30), cuts)
def test_a_range_never_holds_more_than_its_room(lines: list[bytes], room: int, places: list[int]) -> None:
    data = b"\n".join(lines)
    window = LineWindow(1, None, 500, room)
    window.feed_all(split(data, places), True, lambda: True)
    assert sum(map(len, window.raw)) <= room
    assert data.startswith(b"".join(window.raw))


calls = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from(["read_file", "search_files"]), "arguments": st.dictionaries(texts, texts)}
    ),
    min_size=1,
    max_size=3,
)


@given(calls, st.sampled_from(["fence", "bare", "tag", "list"]))
def test_a_reply_that_is_calls_is_recovered_and_was_held_back(found: list[dict[str, Any]], shape: str) -> None:
    dumped = [json.dumps(call, ensure_ascii=False) for call in found]
    reply = {
        "fence": "\n".join(f"```json\n{call}\n```" for call in dumped),
        "tag": "\n".join(f"<tool_call>\n{call}\n</tool_call>" for call in dumped),
        "list": json.dumps(found),
        "bare": dumped[0],
    }[shape]
    fences = any("```" in call or "tool_call>" in call for call in dumped)
    got = calls_in_text(reply, ["read_file", "search_files"])
    wanted = found[:1] if shape == "bare" else found
    if not fences:
        assert [(call.name, call.arguments) for call in got] == [(call["name"], call["arguments"]) for call in wanted]
    assert all(may_be_call(reply[:end]) for end in range(len(reply)))
    assert calls_in_text("Look: " + reply, ["read_file", "search_files"]) == []
    assert calls_in_text(reply, ["other"]) == []
