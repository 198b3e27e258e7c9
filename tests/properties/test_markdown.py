"""Markdown comes in pieces that may be cut anywhere, and in any state of repair. What is shown is always the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metona_tk.ui.chat.markdown import code_block, growing, highlight, parser
from metona_tk.ui.chat.markdown.blocks import Blocks, Kind, cut
from metona_tk.ui.chat.markdown.look import FILLERS, Look
from metona_tk.ui.chat.markdown.render import render, render_block
from metona_tk.ui.chat.markdown.stream import MarkdownStream
from metona_tk.ui.chat.markdown.targets import runs, without_keys
from metona_tk.ui.visible import drawable
from tests.properties.markdown_texts import LINES, Sheet, cuts, sources, split

LOOK = Look(760, lambda _font, text: 7 * len(text))


def streamed(source: str, places: list[int]) -> tuple[Sheet, MarkdownStream]:
    sheet = Sheet()
    stream = MarkdownStream(sheet, LOOK, "0")
    for piece in split(source, places):
        before = sheet.deletions, sheet.insertions
        stream.add(piece)
        assert sheet.deletions - before[0] <= 1
        assert sheet.insertions - before[1] <= 1
    stream.end()
    return sheet, stream


def at_once(source: str) -> list[tuple[str, frozenset[str]]]:
    parts = [without_keys(render_block(block, LOOK, f"0.{number}").spans) for number, block in enumerate(cut(source))]
    return [(char, frozenset(tags)) for spans in parts for text, tags in spans for char in text]


@given(sources, cuts)
def test_blocks_are_the_same_however_the_text_is_cut(source: str, places: list[int]) -> None:
    whole, pieces = Blocks(), Blocks()
    found = whole.feed(source)
    got = [block for piece in split(source, places) for block in pieces.feed(piece)]
    assert (got, pieces.tail) == (found, whole.tail)
    assert pieces.end() == whole.end()


@given(sources)
def test_a_finished_block_never_changes_and_no_text_is_lost(source: str) -> None:
    all_of_it, blocks = cut(source), Blocks()
    got = [block for char in source for block in blocks.feed(char)]
    assert got == all_of_it[: len(got)]
    lines = [line for line in drawable(source).split("\n") if line.strip(" \t")]
    assert [line for b in all_of_it for line in b.source.split("\n") if line.strip(" \t")] == lines


def structure(source: str) -> list[tuple[Any, ...]]:
    """What is in `source`, without the outermost lists, which are cut into items."""
    return [
        (token.type, token.tag, token.info.strip(), token.content, token.attrs.get("style"))
        for token in parser.block_tokens(source)
        if token.level or not token.type.endswith(("list_open", "list_close"))
    ]


@given(sources)
def test_blocks_by_themselves_are_what_they_are_in_the_whole(source: str) -> None:
    source = drawable(source) + "\n"
    assert [each for block in cut(source) for each in structure(block.source)] == structure(source)


class Words(HTMLParser):
    """The text of a page made by markdown-it's own renderer, with the numbers of its lists."""

    def __init__(self) -> None:
        super().__init__()
        self.out: list[str] = []
        self.lists: list[int | None] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        values = dict(attrs)
        if tag in ("ol", "ul"):
            self.lists.append(int(values.get("start") or (0 if "start" in values else 1)) if tag == "ol" else None)
        elif tag == "li" and self.lists[-1] is not None:
            self.out.append(str(self.lists[-1]))
            self.lists[-1] += 1
        elif tag == "img":
            self.out.append(values.get("alt") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("ol", "ul"):
            self.lists.pop()

    def handle_data(self, data: str) -> None:
        self.out.append(data)


def words_of_html(source: str) -> str:
    reader = Words()
    reader.feed(parser._text().render(source))
    reader.close()
    return "".join("".join(reader.out).split()).lower()


def words_of_spans(source: str) -> str:
    marks = {"☐": "[]", "☑": "[x]"}
    out: list[str] = []
    for text, tags in render(source, Look(10**9, lambda _font, _text: 1)).spans:
        if "md-mark" in tags:
            mark = text.strip("\t")
            out.append(marks.get(mark) or re.sub(r"[^0-9]", "", mark))
        elif FILLERS.isdisjoint(tags) and "md-target" not in tags:
            out.append(text)
    return "".join("".join(out).split()).lower()


@given(sources)
def test_the_text_is_the_one_that_markdown_it_itself_would_show(source: str) -> None:
    source = drawable(source)
    # A numbered task shows a box in place of its number.
    source = re.sub(r"\d[.)] +\[", "- [", source)
    assert words_of_spans(source) == words_of_html(source)


@settings(max_examples=300)
@given(sources, cuts)
def test_what_was_streamed_is_what_is_rendered_at_once(source: str, places: list[int]) -> None:
    sheet, stream = streamed(source, places)
    assert sheet.shown() == at_once(source)
    made = render(source, LOOK)
    known = made.links | made.codes
    for prefix in ("href:", "copy:"):
        assert stream.targets(prefix) == [known[key] for key in runs(made.spans) if key.startswith(prefix)]
    stream.forget()
    assert sheet.configured == set()


@pytest.mark.soak
@pytest.mark.timeout(3600)
@settings(max_examples=10_000)
@given(sources, cuts)
def test_ten_thousand_streams_are_what_is_rendered_at_once(source: str, places: list[int]) -> None:
    assert streamed(source, places)[0].shown() == at_once(source)


@contextmanager
def small_bounds() -> Iterator[None]:
    """So low that what is meant for long answers happens in short ones."""
    with (
        patch.object(growing, "LARGE", 30),
        patch.object(growing, "LIMIT", 25),
        patch.object(highlight, "LIMIT", 25),
        patch.object(growing, "_LONG_LINE", 6),
        patch.object(growing, "_SMALL_CODE", 12),
        patch.object(growing, "_PART", 3),
        patch.object(growing, "HUGE", 60),
        patch.object(growing, "_HUGE_PART", 2),
        patch.object(growing, "_LONG_RUN", 9),
        patch.object(code_block, "LONGEST", 4),
        patch.object(parser, "LONGEST", 7),
    ):
        yield


code_sources = st.lists(
    st.sampled_from([*LINES, *["x = '1'"] * 9, "def long_name_of(it):", "```", "```py"]), max_size=14
)


@given(sources | code_sources.map("\n".join), cuts)
def test_long_blocks_that_are_not_drawn_anew_each_time_end_up_the_same(source: str, places: list[int]) -> None:
    with small_bounds():
        assert streamed(source, places)[0].shown() == at_once(source)
        assert streamed(source, list(range(len(source))))[0].shown() == at_once(source)


@given(st.lists(st.sampled_from(["x = '1'", "", '"""', "    y", "def long_name_of(it):"]), max_size=12), cuts)
def test_code_that_grows_can_be_copied_at_any_time(lines: list[str], places: list[int]) -> None:
    source, sheet, done = "```py\n" + "\n".join(lines), Sheet(), ""
    with small_bounds():
        stream = MarkdownStream(sheet, LOOK, "0")
        for piece in split(source, places):
            stream.add(piece)
            done += piece
            shown = "".join(char for char, tags in sheet.chars if "md-code" in tags and "md-wrap" not in tags)
            wanted = done.partition("\n")[2]
            assert shown.removesuffix("\n") == wanted.removesuffix("\n")
            assert "".join(stream.targets("copy:")).removesuffix("\n") == wanted.removesuffix("\n")


@given(sources, cuts)
def test_while_it_grows_the_text_is_that_of_the_part_that_has_come(source: str, places: list[int]) -> None:
    sheet, done = Sheet(), ""
    stream = MarkdownStream(sheet, LOOK, "0")
    for piece in split(source, places):
        stream.add(piece)
        done += piece
        got = "".join(char for char, tags in sheet.chars if FILLERS.isdisjoint(tags))
        assert "".join(got.split()) == "".join(plain_with_marks(done).split())


def plain_with_marks(source: str) -> str:
    return "".join(text for text, tags in render(source, LOOK).spans if FILLERS.isdisjoint(tags))


@given(sources)
def test_code_is_copied_exactly(source: str) -> None:
    source = drawable(source) + "\n"
    fences = [token.content for token in parser.block_tokens(source) if token.type in ("fence", "code_block")]
    found = render(source, LOOK).codes
    assert list(found.values()) == fences
    assert all("\n" in code or not code for code in found.values())


@given(sources)
def test_only_safe_targets_can_be_clicked_and_all_are_shown(source: str) -> None:
    made = render(source, LOOK)
    assert all(re.match(r"(https?://|mailto:)", target, re.IGNORECASE) for target in made.links.values())
    for text, tags in made.spans:
        if "md-target" in tags:
            assert not set(text) & set("\u202e\u200b\n")


def test_kinds_of_blocks() -> None:
    found = cut("a\n\n- b\n- c\n\n```py\nd\n```\ne")
    assert [block.kind for block in found] == [Kind.TEXT, Kind.LIST, Kind.LIST, Kind.FENCE, Kind.TEXT]
