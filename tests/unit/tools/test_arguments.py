"""From what the model sent to checked arguments: exactly the repairs of SPEC 2.1, each said, nothing else guessed."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any

import pytest
from pydantic import Field

from metona_tk.protocol.problems import Code
from metona_tk.protocol.strict_json import loads
from metona_tk.protocol.values import Effects, Result
from metona_tk.tools.arguments import ALIASES, MAX_BYTES, parse_arguments
from metona_tk.tools.base import Tool, ToolArgs, ToolContext, ToolFailed


class Probe(Tool):
    """A tool that has a field of every kind."""

    name = "probe"
    title = "Probe {path}"
    description = "Probe."

    class Args(ToolArgs):
        path: str
        content: str = ""
        query: str | None = None
        count: Annotated[int | None, Field(ge=1)] = None
        flag: bool = False
        ratio: float = 0.5
        names: list[str] | None = None
        extra: dict[str, Any] | None = None

    def effects(self, args: Args) -> Effects:
        return Effects(reads=(args.path,))

    def run(self, args: Args, context: ToolContext) -> Result:
        return Result(True)


class Filing(Probe):
    """`file` is a field of its own here, so it is no alias."""

    name = "filing"

    class Args(ToolArgs):
        path: str
        file: str = ""


def parsed(raw: Any, tool: Tool | None = None) -> tuple[dict[str, Any], tuple[str, ...]]:
    args, values, repairs = parse_arguments(tool or Probe(), raw)
    assert values.items() <= args.model_dump().items()
    return args.model_dump(exclude_unset=True), repairs


def refused(raw: Any, *told: str) -> str:
    with pytest.raises(ToolFailed) as raised:
        parse_arguments(Probe(), raw)
    error = raised.value
    assert error.code is Code.BAD_ARGUMENTS
    for each in told:
        assert each in error.text, error.text
    assert 'probe({"path": <text>})' in error.text  # what would work
    assert len(error.text) < 2000
    return error.text


def test_right_arguments_are_left_alone() -> None:
    given = {"path": "a", "count": 3, "flag": True, "ratio": 0.25, "names": ["x"], "extra": {"a": [1]}}
    assert parsed(given) == (given, ())


@pytest.mark.parametrize(
    ("given", "value", "said"),
    [
        ({"flag": "true"}, {"flag": True}, "flag: text read as bool"),
        ({"flag": " False "}, {"flag": False}, "flag: text read as bool"),
        ({"flag": "TRUE"}, {"flag": True}, "flag: text read as bool"),
        ({"count": "12"}, {"count": 12}, "count: text read as int"),
        ({"ratio": "0.5"}, {"ratio": 0.5}, "ratio: text read as float"),
        ({"names": '[".ts", "js"]'}, {"names": [".ts", "js"]}, "names: text read as list"),
        ({"extra": '{"a": 1}'}, {"extra": {"a": 1}}, "extra: text read as dict"),
        ({"count": None}, {}, "count: null left out"),
        ({"names": None}, {}, "names: null left out"),
        ({"flag": None}, {}, "flag: null left out"),
        ({"content": None}, {}, "content: null left out"),
        ({"names": "null"}, {"names": "null"}, None),
    ],
)
def test_a_value_is_repaired_and_said(given: dict[str, Any], value: dict[str, Any], said: str | None) -> None:
    if said is None:
        refused({"path": "a"} | given, *(f"'{name}'" for name in given))
        return
    assert parsed({"path": "a"} | given) == ({"path": "a"} | value, (said,))


@pytest.mark.parametrize("name", sorted({alias for each in ALIASES.values() for alias in each}))
def test_an_alias_is_read_and_said(name: str) -> None:
    key = next(key for key, aliases in ALIASES.items() if name in aliases)
    given = {name: "x"} | ({} if key == "path" else {"path": "a"})
    values, repairs = parsed(given)
    assert values[key] == "x" and repairs == (f"{name} read as {key}",)


def test_the_aliases_are_those_of_the_contract() -> None:
    assert ALIASES == {
        "path": ("file_path", "filename", "file", "directory", "dir", "folder"),
        "content": ("text",),
        "query": ("pattern",),
    }


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"path": "a", "file": "b"}, "'file'"),
        ({"path": "a", "file": "a"}, "'file'"),
        ({"path": None, "file": "a"}, "'file'"),
        ({"file": "a", "dir": "b"}, "'path'"),
        ({"path": "a", "query": "q", "pattern": "q"}, "'pattern'"),
        ({"path": "a", "content": "", "text": "t"}, "'text'"),
        ({"path": "a", "File": "b"}, "'File'"),
        ({"Path": "a"}, "'path'"),
        ({"filepath": "a"}, "'filepath'"),
    ],
)
def test_what_could_mean_two_things_is_not_guessed(given: dict[str, Any], named: str) -> None:
    refused(given, named)


def test_a_field_of_that_name_is_no_alias() -> None:
    assert parsed({"path": "a", "file": "b"}, Filing()) == ({"path": "a", "file": "b"}, ())
    with pytest.raises(ToolFailed, match="'path' is missing"):
        parsed({"file": "b"}, Filing())


@pytest.mark.parametrize("text", ["0123", "12", "true", "null", "[1]", '{"a": 1}', " x ", "", "1e5", '"quoted"', "NaN"])
def test_declared_text_is_never_touched(text: str) -> None:
    for name in ("path", "content", "query"):
        values, repairs = parsed({"path": "a"} | {name: text})
        assert values[name] == text and repairs == ()


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "path"),
        ({"path": None}, "path"),
        ({"path": 1}, "path"),
        ({"path": ["a"]}, "path"),
        ({"path": {"description": "File path", "type": "string"}}, "path"),
        ({"path": True}, "path"),
        ({"path": "a", "more": 1}, "more"),
        ({"path": "a", "": 1}, ""),
        ({"path": "a", "count": 0}, "count"),
        ({"path": "a", "count": "0"}, "count"),
        ({"path": "a", "count": 1.0}, "count"),
        ({"path": "a", "count": 1.5}, "count"),
        ({"path": "a", "count": "1.0"}, "count"),
        ({"path": "a", "count": "0123"}, "count"),
        ({"path": "a", "count": "twelve"}, "count"),
        ({"path": "a", "count": "1" * 5000}, "count"),
        ({"path": "a", "count": True}, "count"),
        ({"path": "a", "count": "true"}, "count"),
        ({"path": "a", "flag": 1}, "flag"),
        ({"path": "a", "flag": "1"}, "flag"),
        ({"path": "a", "flag": "yes"}, "flag"),
        ({"path": "a", "flag": "null"}, "flag"),
        ({"path": "a", "names": ".ts"}, "names"),
        ({"path": "a", "names": "[1]"}, "names"),
        ({"path": "a", "names": [1]}, "names"),
        ({"path": "a", "names": {"a": 1}}, "names"),
        ({"path": "a", "names": '{"a": 1}'}, "names"),
        ({"path": "a", "extra": "[1]"}, "extra"),
    ],
)
def test_what_does_not_fit_is_named(given: dict[str, Any], field: str) -> None:
    refused(given, f"'{field}")


@pytest.mark.parametrize(
    "raw", ["{", "path", "[]", "[1]", "1", "true", '"x"', "{'path': 'a'}", '{"path":"a"} x', [], 1, 1.5, True]
)
def test_what_is_no_object(raw: Any) -> None:
    refused(raw, "The arguments")


@pytest.mark.parametrize("raw", [None, "", "null", {}, "{}"])
def test_nothing_at_all_lacks_its_field(raw: Any) -> None:
    refused(raw, "'path' is missing")


def test_an_object_as_text_is_read_and_said() -> None:
    assert parsed('{"path": "a", "count": "3"}') == (
        {"path": "a", "count": 3},
        ("arguments came as text", "count: text read as int"),
    )
    refused(json.dumps(json.dumps({"path": "a"})), "one JSON object")  # twice wrapped is not guessed


@pytest.mark.parametrize(
    "text",
    [
        '{"path":"a","path":"/etc/x"}',
        '{"path":"a","path":"a"}',
        '{"path":"a","extra":{"k":1,"k":2}}',
        '{"path":"a","extra":{"l":[{"m":{"k":1,"k":2}}]}}',
        '{"path":"a","\\u0070ath":"b"}',
    ],
)
def test_a_key_named_twice(text: str) -> None:
    refused(text, "is named twice")
    refused(loads(text), "is named twice")  # as the backend hands it over


def test_a_key_named_twice_inside_a_repaired_text() -> None:
    refused({"path": "a", "extra": '{"k":1,"k":2}'})
    refused({"path": "a", "extra": '{"m":[{"k":1,"k":2}]}'}, "is named twice")
    refused({"path": "a", "extra": '{"m":' + "[" * 70 + "]" * 70 + "}"}, "nested deeper")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_no_number_at_all(number: str) -> None:
    for text in (f'{{"path":"a","ratio":{number}}}', f'{{"path":"a","extra":{{"x":[{number}]}}}}'):
        refused(text)
    for value in (float("nan"), float("inf"), [float("-inf")]):
        refused({"path": "a", "extra": {"x": value}}, "NaN and infinity")
    refused({"path": "a", "ratio": number})


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"path":'])
def test_nesting_of_200_000(opening: str) -> None:
    closing = "]" if opening == "[" else "}"
    started = time.monotonic()
    refused(opening * 200_000 + "1" + closing * 200_000)
    refused({"path": "a", "extra": "[" * 200_000})
    assert time.monotonic() - started < 5


def test_nesting_of_200_000_as_an_object() -> None:
    deep: Any = 1
    for _ in range(200_000):
        deep = [deep]
    refused({"path": "a", "extra": {"x": deep}}, "nested deeper than 64")
    while isinstance(deep, list):  # taken apart without recursion
        deep = deep[0]


@pytest.mark.parametrize(("depth", "fits"), [(62, True), (63, False)])
def test_the_limit_of_nesting(depth: int, fits: bool) -> None:
    deep: Any = 1
    for _ in range(depth):
        deep = [deep]
    for raw in ({"path": "a", "extra": {"x": deep}}, json.dumps({"path": "a", "extra": {"x": deep}})):
        if fits:
            assert parsed(raw)[0]["extra"] == {"x": deep}
        else:
            refused(raw, "nested")


def test_the_limit_of_size() -> None:
    assert MAX_BYTES == 6 << 20
    fits = "x" * (MAX_BYTES - 100)
    assert parsed({"path": "a", "content": fits})[0]["content"] == fits
    for over in (
        {"path": "a", "content": "x" * (MAX_BYTES + 1)},
        {"path": "a", "names": ["x" * (1 << 20)] * 7},
        json.dumps({"path": "a", "content": "x" * MAX_BYTES}),
        {"path": "a", "content": "\u6587" * (3 << 20)},  # 9 MiB of bytes
        json.dumps({"path": "a", "content": "\u6587" * (3 << 20)}, ensure_ascii=False),
        {"path": "a", "extra": {"k" * (7 << 20): 1}},
    ):
        refused(over, "larger than 6 MiB")


def test_a_refusal_is_short_whatever_was_sent() -> None:
    refused({"path": "a", "k" * (5 << 20): 1})
    refused({"path": "a"} | {f"k{number}": 1 for number in range(50_000)})
    refused('{"path":"a","' + "k" * 1_000_000 + '":1,"' + "k" * 1_000_000 + '":2}', "twice")
    refused({"path": ["x" * 100_000]})
    refused("x" * 100_000)


@pytest.mark.parametrize("char", ["\ud800", "\udfff", "a\udc80b"])
def test_half_a_surrogate_pair_is_an_answer(char: str) -> None:
    for raw in ({"path": "a", char: 1}, {"path": "a", "names": [1, char]}, {"path": "a", "count": char}):
        refused(raw).encode()
