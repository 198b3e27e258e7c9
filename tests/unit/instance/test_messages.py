"""The lines that pass between a second start and the program that runs."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metona_tk.instance import messages
from metona_tk.instance.messages import MOST, decode, encode
from metona_tk.protocol.handed import AskQuickly, ShowWindow

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=50)
# the bytes that are no text, as Python names them in a path
paths = st.text(
    st.one_of(st.characters(exclude_categories=("Cs",)), st.characters(min_codepoint=0xDC80, max_codepoint=0xDCFF))
)
GOOD = {"v": 1, "kind": "quick", "folder": None, "model": "", "question": "?"}


@given(st.sampled_from([ShowWindow, AskQuickly]), st.none() | paths.map(lambda path: "/" + path), texts, texts)
def test_a_wish_arrives_as_it_was_sent(kind, folder, model, question) -> None:
    wish = kind(folder, model, question)
    line = encode(wish, "t")
    assert line.count(b"\n") == 1 and line.endswith(b"\n")
    assert decode(line, "t") == (None if folder is not None and "\0" in folder else wish)


def test_the_two_kinds_are_two() -> None:
    assert ShowWindow("/a", "m", "q") != AskQuickly("/a", "m", "q")
    assert len({ShowWindow(), AskQuickly(), ShowWindow(), ShowWindow("/a")}) == 3
    assert decode(encode(ShowWindow())) == ShowWindow() != decode(encode(AskQuickly()))


@given(st.binary(max_size=200))
def test_garbage_is_no_wish(line) -> None:
    assert decode(line) is None


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["quick", "show", "/", ""]) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*GOOD, "x"]), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*GOOD, "token"]), anything, max_size=6) | anything)
def test_whatever_a_line_holds_it_wishes_for_no_more_than_a_window(message) -> None:
    changed = GOOD | message if isinstance(message, dict) else message
    wish = decode(json.dumps(changed).encode())
    assert wish is None or type(wish) in {ShowWindow, AskQuickly}
    if wish is not None:
        assert wish.folder is None or wish.folder.startswith("/")
        assert isinstance(wish.model, str) and isinstance(wish.question, str)


@pytest.mark.parametrize(
    "change",
    [
        {"v": 2}, {"v": "1"}, {"kind": "quit"}, {"kind": ["quick"]}, {"kind": None}, {"folder": "docs"},
        {"folder": "/a\0b"}, {"folder": 3}, {"folder": "/\ud800"}, {"model": None}, {"question": None},
        {"question": 7}, {"question": "\udc80"}, {"model": "\ud800"}, {"token": "x"}, {"token": None},
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_no_wish_of_ours_is_refused(change) -> None:
    assert decode(json.dumps(GOOD).encode()) == AskQuickly(None, "", "?")
    assert decode(json.dumps(GOOD | change).encode()) is None


def test_a_line_of_brackets_is_refused() -> None:
    assert decode(b"[" * 50_000) is None and decode(b'{"v":' * 10_000) is None


def test_the_token_has_to_be_the_right_one() -> None:
    assert decode(encode(ShowWindow(), "right"), "right") == ShowWindow()
    for token in ("", "wrong", "righ\u00fc", "right "):
        assert decode(encode(ShowWindow(), token), "right") is None


def test_a_question_that_is_too_long_is_not_sent() -> None:
    room = MOST - len(encode(AskQuickly()))
    assert decode(encode(AskQuickly(None, "", "x" * room))) == AskQuickly(None, "", "x" * room)
    with pytest.raises(messages.TooLong):
        encode(AskQuickly(None, "", "x" * (room + 1)))
    assert len(encode(AskQuickly(None, "", "问" * 20_000))) <= MOST


def test_only_a_whole_yes_is_a_yes() -> None:
    assert messages.is_taken(messages.answer(True))
    for line in (messages.answer(False), b"", b"taken\n", b'{"answer": "taken"}\n', b'{"v": 2, "answer": "taken"}\n'):
        assert not messages.is_taken(line)
