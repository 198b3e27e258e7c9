"""Streamed Markdown on a real tk.Text, amid other text: what is shown, where it stands, what a click does."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from metona_tk.ui import theme
from metona_tk.ui.chat import style
from metona_tk.ui.chat.folds import Clicks
from metona_tk.ui.chat.markdown.answers import Answers
from metona_tk.ui.chat.markdown.look import FILLERS
from metona_tk.ui.chat.markdown.tags import look_of
from metona_tk.ui.chat.spans import flat
from metona_tk.ui.fonts import Fonts
from tests.properties.markdown_texts import cuts, sources, split

WIDTH = 760


class Paper:
    """A disabled Text with the tags of the transcript, that counts what is done to it."""

    def __init__(self, top: tk.Misc) -> None:
        self.fonts = Fonts(top, 1.0)
        self.text = tk.Text(top, wrap="word", state="disabled", font=self.fonts["body"], padx=0, borderwidth=0)
        self.text.configure(highlightthickness=0)
        style.apply(self.text, self.fonts, WIDTH)
        self.changes: list[str] = []
        self.opened: list[str] = []
        self.copied: list[str] = []
        self.answers = Answers(
            self, look_of(self.fonts, WIDTH), self.opened.append, self.copied.append, Clicks(self.text).is_click
        )

    def add(self, spans: Any) -> None:
        self.insert("end", spans)

    def insert(self, index: str, spans: Any) -> None:
        arguments = flat(spans)
        if arguments:
            self.changes.append("insert")
            self.text.configure(state="normal")
            self.text.insert(index, *arguments)
            self.text.configure(state="disabled")

    def replace(self, tag: str, spans: Any) -> bool:
        ranges = self.text.tag_ranges(tag)
        if not ranges:
            return False
        place = str(ranges[0])
        self.changes.append("delete")
        self.text.configure(state="normal")
        self.text.delete(ranges[0], ranges[-1])
        self.text.configure(state="disabled")
        self.insert(place, spans)
        return True

    def empty(self) -> None:
        self.text.configure(state="normal")
        self.text.delete("1.0", "end")
        self.text.configure(state="disabled")
        self.answers.forget()

    def write(self, source: str, places: list[int] | None = None) -> Any:
        stream = self.answers.begin()
        for piece in split(source, places or []):
            stream.add(piece)
        stream.end()
        return stream

    def dump(self) -> list[tuple[str, frozenset[str]]]:
        """Runs of text with their tags; numbers of streams are left out."""
        active: set[str] = set()
        out: list[tuple[str, frozenset[str]]] = []
        for kind, value, _index in self.text.dump("1.0", "end-1c", tag=True, text=True):
            if kind == "tagon":
                active.add(value)
            elif kind == "tagoff":
                active.discard(value)
            else:
                tags = frozenset(_without_number(tag) for tag in active)
                if out and out[-1][1] == tags:
                    out[-1] = (out[-1][0] + value, tags)
                else:
                    out.append((value, tags))
        return out

    def words(self) -> str:
        return "".join(text for text, tags in self.dump() if FILLERS.isdisjoint(tags))

    def click(self, words: str) -> None:
        """A press and a release on words, by way of Tk's own events."""
        at = self.text.search(words, "1.0")
        assert at, f"{words!r} is not there"
        self.text.see(at)
        self.text.update()
        x, y, _width, height = self.text.bbox(at)
        where = {"x": x + 2, "y": y + height // 2}
        for event in ("<Enter>", "<Motion>", "<Button-1>", "<ButtonRelease-1>"):
            self.text.event_generate(event, **where)
        self.text.update()


def _without_number(tag: str) -> str:
    kind, colon, rest = tag.partition(":")
    return kind + colon + rest.partition(".")[2]


@pytest.fixture
def paper(root: tk.Tk) -> Iterator[Paper]:
    top = tk.Toplevel(root)
    top.geometry(f"{WIDTH}x700+0+0")
    made = Paper(top)
    made.text.pack(fill="both", expand=True)
    top.update()
    yield made
    top.destroy()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sources, cuts)
def test_what_was_streamed_is_what_is_written_at_once(paper: Paper, source: str, places: list[int]) -> None:
    paper.empty()
    paper.write(source)
    wanted = paper.dump()
    paper.empty()
    paper.write(source, places)
    assert paper.dump() == wanted


def test_a_piece_is_at_most_one_deletion_and_one_insertion(paper: Paper) -> None:
    stream = paper.answers.begin()
    for char in "# a\n\n- b\n- c 😀\n\n```py\nx = 1\n```\n| a |\n|---|\n| b |\n\nend":
        paper.changes.clear()
        stream.add(char)
        assert paper.changes in ([], ["insert"], ["delete", "insert"])


def test_text_before_and_behind_may_change_while_it_streams(paper: Paper) -> None:
    paper.add([("card 😀\n", ("card-head", "card")), ("\n", ("gap",))])
    stream = paper.answers.begin()
    stream.add("one 😀😀 *two")
    paper.add([("behind\n", ("said",))])
    stream.add("* three\n\n")
    paper.replace("card", [("finished\nin two lines 😀\n", ("card-head",))])
    stream.add("```py\nx = 1\n")
    stream.add("y = '😀'\n```\n")
    paper.insert("1.0", [("first\n", ("said",))])
    stream.add("- end")
    stream.end()
    assert paper.words() == (
        "first\nfinished\nin two lines 😀\n\none 😀😀 two three\nx = 1\ny = '😀'\n•\tend\nbehind\n"
    )


def test_what_is_finished_is_not_touched(paper: Paper) -> None:
    stream = paper.answers.begin()
    stream.add("first paragraph\n\n- item\n- next\n")
    paper.text.tag_add("seen", "1.0", "1.end")
    paper.text.tag_add("seen", "3.0", "3.end")
    stream.add(" one\n\nand *more")
    stream.add("* of it\n\n# end")
    stream.end()
    assert [str(index) for index in paper.text.tag_ranges("seen")] == ["1.0", "1.15", "3.0", "3.6"]


def test_lines_of_code_are_not_drawn_again(paper: Paper) -> None:
    stream = paper.answers.begin()
    stream.add("```python\na = 1\nb = 2\n")
    paper.text.tag_add("seen", "2.0", "2.end")
    stream.add("c = '")
    stream.add("3'\nd")
    assert paper.text.tag_ranges("seen")
    assert paper.words() == "a = 1\nb = 2\nc = '3'\nd\n"


def test_two_answers_stream_side_by_side(paper: Paper) -> None:
    one, two = paper.answers.begin(), paper.answers.begin()
    for left, right in zip("a **b** c", "1 `2` 3  ", strict=True):
        one.add(left)
        two.add(right)
    one.end()
    two.end()
    assert paper.words() == "a b c\n1 2 3\n"


def test_a_stream_whose_text_was_deleted_writes_no_more(paper: Paper) -> None:
    stream = paper.answers.begin()
    stream.add("some text")
    paper.empty()
    stream.add(" and more")
    stream.end()
    assert paper.words() == ""


def test_links_are_told_and_code_is_copied_by_a_click(paper: Paper) -> None:
    code = "def f():\n\treturn '😀'\n"
    paper.write(f"[here](https://a.example/x?y=1) and [there](sub/file.txt)\n\n```py\n{code}```\n\n```\nother\n```\n")
    paper.click("here")
    paper.click("there")
    assert paper.opened == ["https://a.example/x?y=1"]
    paper.click("copy")
    assert paper.copied == [code]


def test_code_can_be_copied_while_it_grows(paper: Paper) -> None:
    stream = paper.answers.begin()
    stream.add("```py\na = 1\nb")
    stream.add(" = 2\n")
    paper.click("copy")
    assert paper.copied == ["a = 1\nb = 2\n"]


def test_the_end_of_a_selection_is_no_click(paper: Paper) -> None:
    paper.write("[here](https://a.example) or there")
    x, y, _width, height = paper.text.bbox("1.1")
    paper.text.event_generate("<Button-1>", x=x + 200, y=y + height // 2)
    for event in ("<Motion>", "<ButtonRelease-1>"):
        paper.text.event_generate(event, x=x, y=y + height // 2)
    assert paper.opened == []


TABLE = "| Name | Amount |\n|---|--:|\n| x | 1 |\n| 青山设计 | 22,222 |\n"


def test_cells_end_at_their_columns_right_edge(paper: Paper) -> None:
    paper.write(TABLE)
    paper.text.update()
    ends = set()
    for words in ("Amount", "1", "22,222"):
        box = paper.text.bbox(f"{paper.text.search(words, '1.0')} + {len(words) - 1} chars")
        ends.add(box[0] + box[2])
    assert len(ends) == 1


def test_heights_are_those_of_the_design(paper: Paper) -> None:
    paper.write("text\n\n" + TABLE + "\n```py\nx\n```\n")
    paper.text.update()

    def height(words: str) -> int:
        return paper.text.dlineinfo(paper.text.search(words, "1.0"))[3]

    assert [height(words) for words in ("text", "Name", "22,222", "copy")] == [22, 26, 26, 28]
    rule = paper.text.tag_ranges("md-rule")[0]
    assert paper.text.dlineinfo(rule)[3] <= 3


WIDE = "| Kind | Reason | Cost |\n|---|---|--:|\n| one | " + "many words " * 6 + "| 1 |\n| two | few | 2 |\n"


@pytest.mark.parametrize("rest", ["", "\nbehind", None], ids=["held", "followed", "unfinished"])
def test_a_table_takes_the_form_that_fits_when_the_width_changes(paper: Paper, rest: str | None) -> None:
    stream = paper.answers.begin()
    stream.add("before\n\n" + WIDE + (rest or ""))
    if rest is not None:
        stream.end()
    wide = paper.words()
    paper.answers.relayout(look_of(paper.fonts, 300))
    assert "one\nReason: many words" in paper.words()
    assert paper.words().startswith("before\n")
    paper.answers.relayout(look_of(paper.fonts, WIDTH))
    assert paper.words() == wide
    if rest is None:
        stream.add("| three | last | 3 |\n\nend")
        stream.end()
        assert paper.words().endswith("three\tlast\t3\nend\n")


def test_a_table_keeps_the_place_for_what_follows_when_its_form_changes(paper: Paper) -> None:
    stream = paper.answers.begin()
    stream.add(WIDE + "\n>")  # an empty quote shows nothing, so the table is the last that is shown
    paper.answers.relayout(look_of(paper.fonts, 300))
    stream.add(" said")
    stream.end()
    assert paper.words().endswith("Cost: 2\nsaid\n")


def test_no_tag_is_left_when_answers_are_forgotten(paper: Paper) -> None:
    source = "[a](http://b.c) http://d.e\n\n" + TABLE + "\n```py\nx\n```\n1. a\n\n   ```\n   b\n   ```\n"
    before = set(paper.text.tag_names())
    first = paper.write(source, list(range(len(source))))
    unfinished = paper.answers.begin()
    unfinished.add("```py\nx = 1\n")
    assert set(paper.text.tag_names()) > before
    paper.answers.forget(first)
    assert not [tag for tag in paper.text.tag_names() if tag.startswith("table:")]
    paper.click("copy")
    assert paper.copied == []  # of the first, which is forgotten
    paper.empty()
    assert set(paper.text.tag_names()) == before


def test_the_other_mode_needs_nothing_but_the_tags(paper: Paper) -> None:
    paper.write("> a\n\n```py\npass\n```\n")
    before = paper.dump()
    theme.set_mode("light")
    try:
        style.apply(paper.text, paper.fonts, WIDTH)
        assert paper.text.tag_cget("md-code", "background") == theme.colour("code-bg")
        assert paper.text.tag_cget("syn-keyword", "foreground") == theme.colour("syn-keyword")
    finally:
        theme.set_mode("dark")
    assert paper.dump() == before


def test_the_cursor_is_a_hand_over_a_link(paper: Paper) -> None:
    paper.write("text [here](https://a.example)")
    paper.click("here")
    assert str(paper.text.cget("cursor")) == "hand2"
    paper.click("text")
    assert str(paper.text.cget("cursor")) == ""


@pytest.mark.parametrize("source", ["a\ud83d b\0c\rd\r\n", "\udc00", "```\n\ud800\0\n```", "| \ud83d |\n|-|\n| \0 |"])
def test_what_tk_cannot_take_is_replaced(paper: Paper, source: str) -> None:
    paper.write(source)
    assert "\0" not in paper.words() and paper.words()


def test_links_and_code_cost_no_tags_and_are_told_apart(paper: Paper) -> None:
    """A tk.Text becomes slower with every tag."""
    paper.write("[other](http://other.example)\n\n```\nother\n```")
    before = set(paper.text.tag_names())
    rows = "".join(f"| [c{n}](http://c.d/{n})[d{n}](http://d.e/{n}) | [two\nlines](http://t.l) |\n" for n in range(20))
    words = "".join(f"[a{n}](http://b.c/{n})[b{n}](http://c.d/{n})\n\n```\n{n}\n```\n\n" for n in range(100))
    paper.write(words + "[two\nlines](http://t.l) **[bold *it*](http://b.i)**\n\n| a | b |\n|---|---|\n" + rows)
    assert len(set(paper.text.tag_names()) - before) == 2  # the answer's and the table's
    for label in ("a0", "b0", "b57", "lines", "it", "c13", "d13", "d19"):
        paper.click(label)
    numbers = ["b.c/0", "c.d/0", "c.d/57", "t.l", "b.i", "c.d/13", "d.e/13", "d.e/19"]
    assert paper.opened == [f"http://{place}" for place in numbers]
    paper.click("other")
    assert paper.opened[-1] == "http://other.example"


def test_links_in_a_table_are_found_after_it_has_changed_its_form(paper: Paper) -> None:
    head = "| [k](http://k.l) | [head](http://h.d) with many words in it | " + "more words " * 6 + "|\n|---|---|--:|\n"
    paper.write(head + "| x | [cell1](http://c.d/1) | 1 |\n| y | [cell2](http://c.d/2) | 2 |\n\n[end](http://e.f)")
    for width in (WIDTH, 300):
        paper.answers.relayout(look_of(paper.fonts, width))
        paper.opened.clear()
        for label in ("head", "cell2", "end"):
            paper.click(label)
        assert paper.opened == ["http://h.d", "http://c.d/2", "http://e.f"]
