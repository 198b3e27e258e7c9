"""What each construct of Markdown becomes: text, tags, targets. (All cuts and all broken forms: tests/properties.)"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from metona_tk.ui.chat.markdown.blocks import Blocks, Gap, cut
from metona_tk.ui.chat.markdown.highlight import LANGUAGES, LIMIT, highlighted
from metona_tk.ui.chat.markdown.lines import first
from metona_tk.ui.chat.markdown.look import Look
from metona_tk.ui.chat.markdown.parser import NESTING
from metona_tk.ui.chat.markdown.render import plain, render

LOOK = Look(400, lambda _font, text: sum(14 if ord(char) > 0x2E80 else 7 for char in text))


def tags_of(source: str, words: str) -> set[str]:
    """The tags of the span that is `words`."""
    found = [set(tags) for text, tags in render(source, LOOK).spans if text == words]
    assert found, f"no span is {words!r}"
    return found[0]


def sources(text: str) -> list[str]:
    return [block.source for block in cut(text)]


def test_paragraphs_are_finished_by_the_line_behind_a_blank_one() -> None:
    blocks = Blocks()
    assert blocks.feed("one\ntwo\n\n") == []
    assert [block.source for block in blocks.feed("three\n")] == ["one\ntwo\n\n"]
    assert blocks.tail and blocks.tail.source == "three\n"


def test_a_blank_line_inside_a_fence_finishes_nothing() -> None:
    assert sources("```\na\n\nb\n```\nc") == ["```\na\n\nb\n```\n", "c\n"]


def test_a_fence_inside_a_list_item_stays_with_it() -> None:
    item = "1. run:\n\n   ```sh\n   a\n\n   b\n   ```\n\n   then\n"
    assert sources(item + "2. next") == [item, "2. next\n"]


def test_items_are_blocks_that_go_on_counting() -> None:
    found = cut("3. a\n3. b\n\n9. c\n1) d")
    assert [(block.number, block.gap) for block in found] == [
        (3, Gap.NONE),
        (4, Gap.NONE),
        (5, Gap.ITEM),
        (1, Gap.BLOCK),
    ]


def test_a_lazy_line_keeps_the_items_together_until_it_is_clear_where_they_end() -> None:
    assert sources("1. a\nlazy\n1. b\n\nend\n\nmore") == ["1. a\nlazy\n1. b\n\n", "end\n\n", "more\n"]


def test_a_heading_made_by_an_underline_is_one_block() -> None:
    assert sources("Title\n===\n\ntext") == ["Title\n===\n\n", "text\n"]
    assert "md-h1" in tags_of("Title\n===", "Title")


@pytest.mark.parametrize(
    ("line", "indent", "offset"), [("- a", 0, 2), ("  10. a", 2, 6), ("-\ta", 0, 4), ("-      a", 0, 2), ("-", 0, 2)]
)
def test_where_the_content_of_an_item_begins(line: str, indent: int, offset: int) -> None:
    head = first(line)
    assert head.indent == indent
    assert head.marker and head.marker.offset == offset


@pytest.mark.parametrize(
    ("source", "words", "tags"),
    [
        ("# a", "a", {"md-h1"}),
        ("## a", "a", {"md-h2"}),
        ("##### a", "a", {"md-h3"}),
        ("# a **b** *c*", "b", {"md-h1"}),
        ("**b**", "b", {"answer", "md-strong"}),
        ("*b*", "b", {"answer", "md-em"}),
        ("***b***", "b", {"answer", "md-both"}),
        ("~~b~~", "b", {"answer", "md-strike"}),
        ("`b`", "b", {"answer", "md-mono"}),
        ("*斜*", "斜", {"answer", "md-strong", "cjk"}),
        ("a 中文", "中文", {"answer", "cjk"}),
        ("> q", "q", {"answer", "md-in-1", "md-quote"}),
        ("- a\n  - b", "b", {"answer", "md-in-2", "md-ul-2"}),
        ("- a\n\n  b", "b", {"answer", "md-in-1"}),
        ("---", "\n", {"md-rule"}),
        ("<b>x</b>", "<b>x</b>", {"answer"}),
        ("$a*b*c$", "$a*b*c$", {"answer"}),
        ("\\(a*b*c\\)", "\\(a*b*c\\)", {"answer"}),
        ("$5 and *b* $6", "b", {"answer", "md-em"}),
    ],
)
def test_tags(source: str, words: str, tags: set[str]) -> None:
    assert tags_of(source, words) == tags


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("1. a\n1. b\n   - c\n", "1. a\n2. b\n• c\n"),
        ("- [ ] a\n- [x] b\n", "☐ a\n☑ b\n"),
        ("[a](http://b.c)", "a (http://b.c)\n"),
        ("[http://b.c](http://b.c)", "http://b.c\n"),
        ("<http://b.c>", "http://b.c\n"),
        ("[b@c](mailto:b@c)", "b@c\n"),
        ("[a](file.txt)", "a (file.txt)\n"),
        ("[a](javascript:b)", "[a](javascript:b)\n"),
        ("![a](http://b.c/d.png)", "a (http://b.c/d.png)\n"),
        ("[a][1]\n\n[1]: http://b.c", "[a][1]\n\n[1]: http://b.c\n"),
        ("a\nb", "a\nb\n"),
        ("| a | b |\n|---|---|\n| c | d |", "a\tb\nc\td\n"),
        ("```py\na\n```", "a\n"),
        ("a\n\nb", "a\n\nb\n"),
    ],
)
def test_plain_text(source: str, text: str) -> None:
    assert plain(source) == text


def test_targets_hide_nothing() -> None:
    made = render("[bank](https://evil.example/%E2%80%AEgpj.exe) [手册](https://例.cn/手册)", LOOK)
    text = "".join(text for text, _tags in made.spans)
    assert "bank (https://evil.example/⟨U+202E⟩gpj.exe)" in text
    assert "手册 (https://xn--fsq.cn/手册)" in text
    assert list(made.links.values())[0] == "https://evil.example/%E2%80%AEgpj.exe"


def test_a_label_that_only_looks_like_its_target_does_not_hide_it() -> None:
    assert "(https://evil.example)" in plain("[https://bank.example](https://evil.example)")
    assert "(https://a.example/⟨U+200B⟩)" in plain("[https://a.example/\u200b](https://a.example/\u200b)")


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("see https://a.b/c_d_e.", "https://a.b/c_d_e"),
        ("(https://a.b/(c))", "https://a.b/(c)"),
        ("请看https://a.b/c，谢谢", "https://a.b/c"),
        ("**https://a.b/c**", "https://a.b/c"),
        ("https://a.b/路径", "https://a.b/"),
    ],
)
def test_plain_addresses_can_be_clicked(text: str, address: str) -> None:
    assert list(render(text, LOOK).links.values()) == [address]


def test_an_address_in_code_is_no_link() -> None:
    assert render("`https://a.b` and\n\n    https://c.d\n", LOOK).links == {}


def test_a_table_stands_in_columns_where_they_fit() -> None:
    made = render("| Name | 金额 |\n|---|--:|\n| x | 12 |", LOOK)
    (table,) = made.tables.values()
    stops = table.stops(LOOK)
    # 12 for the margin, 28 for "Name", a gap of 40, 28 for the two wide characters
    assert stops and (stops.tabs, stops.hang) == ((12 + 28 + 40 + 28, "right"), 12)
    assert table.stops(Look(90, LOOK.measure)) is None


def test_a_last_column_that_is_too_wide_is_wrapped_in_its_place() -> None:
    made = render(f"| a | b |\n|---|---|\n| x | {'long ' * 40} |", LOOK)
    (table,) = made.tables.values()
    stops = table.stops(LOOK)
    assert stops and stops.hang == stops.tabs[-1] == 12 + 7 + 16


def test_a_table_that_does_not_fit_is_stacked() -> None:
    source = f"| Kind | Pro | Con |\n|---|---|---|\n| x | {'long ' * 20} | {'word ' * 20} |\n| y | | c |"
    text = "".join(text for text, _tags in render(source, LOOK).spans)
    assert "x\nPro: long" in text and "\nCon: word" in text
    assert "y\nCon: c\n" in text  # an empty cell says nothing


def test_code_has_a_head_and_colours_and_is_kept_for_copying() -> None:
    made = render("- a\n\n  ```python\n  def f(x):\n      return g('1')  # c\n  ```", LOOK)
    assert list(made.codes.items()) == [("copy:0.0.0", "def f(x):\n    return g('1')  # c\n")]
    by_text = {text: set(tags) for text, tags in made.spans}
    assert {"md-copy", "copy:0.0.0"} <= by_text["copy"]
    assert "md-code-head" in by_text["python\t"]
    assert "md-in-1" in by_text["def"] and "syn-keyword" in by_text["def"]
    assert "syn-func" in by_text["f"] and "syn-func" in by_text["g"]
    assert any("syn-string" in tags for text, tags in made.spans if "1" in text)
    assert "syn-comment" in by_text["# c"]


@pytest.mark.parametrize("language", ["", "pytho", "nonsense", "../x", "\u202e", "text"])
def test_code_in_no_known_language_is_plain(language: str) -> None:
    assert highlighted(language, "def x") == [[("def x", ())]]


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_that_is_offered_gives_back_its_text(language: str) -> None:
    code = "\n\t<?a 'b\n  \"c { [ ( /* # -- 中 😀 \\ \x0c\n\n"
    lines = highlighted(language, code)
    assert "\n".join("".join(text for text, _tags in line) for line in lines) == code


def test_code_beyond_the_limit_is_plain() -> None:
    lines = highlighted("python", "pass\n" * (LIMIT // 5 + 10))
    assert lines[0] == [("pass", ("syn-keyword",))]
    assert lines[-2] == [("pass", ())]


def test_what_is_nested_too_deeply_is_shown_as_it_was_written() -> None:
    source = ">" * (NESTING + 5) + " deep\n"
    assert plain(source) == source
    assert "deep" in plain("- " * (NESTING + 5) + "deep")


def test_a_line_that_is_too_long_for_tk_is_broken_but_copied_whole() -> None:
    source = "word " * 2000
    assert plain(source) == source.strip() + "\n"
    assert max(len(line) for line in "".join(t for t, _ in render(source, LOOK).spans).split("\n")) <= 2000
    code = "x" * 9000
    assert plain(f"```\n{code}\n```") == code + "\n"


def loaded_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys, json; print(json.dumps(list(sys.modules)))"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return {name.split(".")[0] for name in json.loads(done.stdout)}


def test_parser_and_colours_are_loaded_late() -> None:
    assert not loaded_after("import metona_tk.ui.chat.markdown.answers") & {"markdown_it", "pygments"}
    warm = "from metona_tk.ui.chat.markdown.parser import warm_up; warm_up()"
    assert loaded_after(warm) >= {"markdown_it", "pygments"}
