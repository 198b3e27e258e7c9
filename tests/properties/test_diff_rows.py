"""What a confirmation shows of a difference tells different texts apart, and hides nothing."""

from __future__ import annotations

import difflib
import random
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metona_tk.protocol.changes import DiffLine
from metona_tk.ui.previews.diff_rows import diff_rows, end_words
from metona_tk.ui.previews.exact import exact, exact_text, from_editor, to_editor

ODD = "\t\r\n \u00a0\u3000\u200b\u200d\u202e\u2066\ufe0f\u3164\u2800\u034f\u0301e\u00e9⇥→⟨⟩ab\x00\x1b\u2028\U000e0041"
texts = st.text(st.sampled_from(ODD) | st.characters(), max_size=30)


def split(text: str) -> list[tuple[str, str]]:
    """The lines of a file, each with its line end."""
    parts = re.split("(\r\n|\r|\n)", text)
    lines = list(zip(parts[::2], [*parts[1::2], ""], strict=True))
    return lines if lines[-1] != ("", "") else lines[:-1]


def difference(before: str, after: str) -> tuple[DiffLine, ...]:
    old, new = split(before), split(after)
    out = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            out += [DiffLine(" ", a + n + 1, c + n + 1, *old[a + n]) for n in range(b - a)]
        else:
            out += [DiffLine("-", n + 1, None, *old[n]) for n in range(a, b)]
            out += [DiffLine("+", None, n + 1, *new[n]) for n in range(c, d)]
    return tuple(out)


def seen(lines: tuple[DiffLine, ...]) -> str:
    """All that the box shows, as it looks: what Unicode calls the same letter is the same to the eye."""
    words = [end_words(lines), *(row.text for row in diff_rows(lines))]
    return unicodedata.normalize("NFC", "\n".join(words))


def random_text(chance: random.Random) -> str:
    return "".join(chance.choices(ODD, k=chance.randrange(12)))


def neighbour(chance: random.Random, text: str) -> str:
    """Nearly the same text, or one that common tools take for the same."""
    if chance.random() < 0.2:
        form = chance.choice(("NFC", "NFD", "NFKC"))
        alike = (unicodedata.normalize(form, text), text.expandtabs(4), text.replace("\r\n", "\n"), text.rstrip(" "))
        return chance.choice(alike)
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(["", *ODD]) + text[at + chance.randrange(2) :]


def tell_apart(pairs: int, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(pairs):
        before, after = random_text(chance), random_text(chance)
        other = (neighbour(chance, before), after) if chance.random() < 0.5 else (before, neighbour(chance, after))
        same = other == (before, after)
        assert (seen(difference(before, after)) == seen(difference(*other))) == same, (before, after, other)


@pytest.mark.timeout(120)
def test_different_changes_never_look_the_same():
    tell_apart(20_000, seed=4)


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_a_hundred_thousand_different_changes_never_look_the_same():
    tell_apart(100_000, seed=44)


@given(texts, texts)
def test_different_lines_never_look_the_same(one, other):
    looks = [unicodedata.normalize("NFC", exact_text(text)) for text in (one, other)]
    assert (looks[0] == looks[1]) == (one == other)


@given(texts)
def test_a_line_is_shown_from_its_beginning_to_its_end(text):
    pieces = exact(text)
    assert "".join(text[piece.start : piece.end] for piece in pieces) == text
    for char in exact_text(text):
        assert unicodedata.category(char)[0] != "C"


@given(texts, st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=3))
def test_changed_words_take_nothing_away(text, words):
    (row, *_) = diff_rows([DiffLine("+", None, 1, text, "\n", tuple(words))])
    plain = diff_rows([DiffLine("+", None, 1, text, "\n")])[0]
    assert row.text == plain.text


@given(texts)
def test_an_editor_gives_back_what_it_was_given(text):
    assert from_editor(to_editor(text), text) == text


def test_examples():
    assert exact_text("    if x:\treturn 1") == "    if x:⇥   return 1"
    assert exact_text("a" + " " * 400 + "b") == "a⟨U+0020 ×400⟩b"
    assert exact_text("end  ") == "end⟨U+0020 ×2⟩"
    assert exact_text("pay\u202eexe\u200b") == "pay⟨U+202E⟩exe⟨U+200B⟩"
    assert exact_text("e\u0301 \u00e9") == "e⟨U+0301⟩ é"
    assert exact_text("\u3000\u3000第一段，中文。") == "⟨U+3000 ×2⟩第一段，中文。"
    assert exact_text("plain text, 中文, é, 😀") == "plain text, 中文, é, 😀"


def test_line_ends_are_marked_where_they_differ_and_told_where_they_do_not():
    mixed = difference("a\r\nb\r\n", "a\r\nb\n")
    assert [row.text.split("\t")[-1] for row in diff_rows(mixed)] == ["  a⟨CR LF⟩", "- b⟨CR LF⟩", "+ b"]
    assert "differ" in end_words(mixed)
    windows = difference("a\r\nb\r\n", "a\r\nc\r\n")
    assert [row.text.split("\t")[-1] for row in diff_rows(windows)] == ["  a", "- b", "+ c"]
    assert "CR LF" in end_words(windows)
    assert end_words(difference("a\n", "b\n")) == ""


def test_a_missing_line_end_has_a_row_of_its_own():
    rows = [row.text.split("\t")[-1] for row in diff_rows(difference("a", "a\n"))]
    assert rows == ["- a", "\\ no line end at the end of the file", "+ a"]


def test_changed_words_are_marked_and_an_escape_is_never_cut():
    (row,) = diff_rows([DiffLine("+", None, 7, "port = \u200b9090", "\n", ((7, 9),))])
    words = [(text, tags) for text, tags in row.spans if tags and tags[0] == "add-word"]
    assert words == [("⟨U+200B⟩", ("add-word", "escape")), ("9", ("add-word",))]
    assert row.text.endswith("+ port = ⟨U+200B⟩9090")


def test_a_very_long_line_goes_on_in_further_rows():
    rows = diff_rows([DiffLine("+", None, 1, "x" * 2500, "\n")])
    assert [row.text.count("x") for row in rows] == [1000, 1000, 500]
    assert rows[1].text.startswith("\t\t\t… ")
