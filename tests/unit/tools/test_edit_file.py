from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metona_tk.protocol.problems import Code
from metona_tk.tools.texts import file_text, line_ends, with_line_ends
from tests.fakes.tool_chat import ALLOW, ToolChat


@pytest.fixture
def chat(work: Path) -> ToolChat:
    return ToolChat(work, answer=ALLOW)


ENCODINGS = ["utf-8", "utf-8-sig", "gb18030", "utf-16", "cp1252", "cp932"]
WORDS = {"cp1252": "Größe façade été", "cp932": "本日の会議の議事録です"}


@pytest.mark.parametrize(("codec", "end"), list(itertools.product(ENCODINGS, ["\n", "\r\n", "\r", "mixed"])))
def test_only_the_edited_range_changes(work: Path, chat: ToolChat, codec: str, end: str) -> None:
    words = WORDS.get(codec, "今天的会议记录，请大家提交报告")
    ends = ["\n", "\r\n", "\r", "\n", "\r\n"] if end == "mixed" else [end] * 5
    lines = [f"# {words}", "[server]", "port = 8080", f"name = {words}", "last line"]
    raw = ("".join(line + each for line, each in zip(lines, ends, strict=True)) + words).encode(codec)
    (work / "f").write_bytes(raw)
    chat("read_file", path="f", **({"encoding": codec} if codec in WORDS else {}))
    result = chat("edit_file", path="f", old_text="port = 8080", new_text="port = 9090")
    assert result.success, result.error
    assert (work / "f").read_bytes() == raw.decode(codec).replace("8080", "9090").encode(codec)
    assert result.data["replacements"] == 1


def test_old_text_matches_whatever_the_line_ends(work: Path, chat: ToolChat) -> None:
    (work / "f").write_bytes(b"a\r\nb\r\nc\r\n")
    assert chat("edit_file", path="f", old_text="a\nb\n", new_text="x\ny\nz\n").success
    assert (work / "f").read_bytes() == b"x\r\ny\r\nz\r\nc\r\n"


def test_no_match_shows_the_file(work: Path, chat: ToolChat) -> None:
    (work / "f").write_text("[http]\nport = 8080\n")
    result = chat("edit_file", path="f", old_text="port: 8080", new_text="port: 9090")
    assert result.code is Code.NO_MATCH
    assert result.error is not None
    assert "2: port = 8080" in result.error
    assert chat.asked == []


def test_no_match_in_a_long_file_shows_the_nearest_lines(work: Path, chat: ToolChat) -> None:
    lines = [f"entry {number} of many" for number in range(500)]
    lines[300] = "the colour of the bicycle is green"
    (work / "f").write_text("\n".join(lines) + "\n")
    result = chat("edit_file", path="f", old_text="The color of the bicycle is green", new_text="x")
    assert result.error is not None
    assert "301: the colour of the bicycle is green" in result.error
    assert "entry 100 " not in result.error


def test_several_matches_are_all_shown_and_replace_all_takes_them(work: Path, chat: ToolChat) -> None:
    (work / "f").write_text("colour one\nx\ncolour two\n")
    result = chat("edit_file", path="f", old_text="colour", new_text="color")
    assert result.code is Code.SEVERAL_MATCHES
    assert result.error is not None
    assert "line 1: colour one\nline 3: colour two" in result.error
    result = chat("edit_file", path="f", old_text="colour", new_text="color", replace_all=True)
    assert result.data["replacements"] == 2
    assert (work / "f").read_text() == "color one\nx\ncolor two\n"


def test_an_insertion_into_an_unread_file_shows_it_first(work: Path, chat: ToolChat) -> None:
    (work / "f").write_text("[http]\nport = 8080\n")
    call = {"path": "f", "old_text": "[http]", "new_text": "[http]\nport = 9090"}
    result = chat("edit_file", **call)
    assert result.code is Code.NOT_READ
    assert result.error is not None
    assert "port = 8080" in result.error
    assert (work / "f").read_text() == "[http]\nport = 8080\n"
    assert chat("edit_file", **call).success


def test_an_empty_old_text_names_the_right_tool(work: Path, chat: ToolChat) -> None:
    (work / "f").write_text("x")
    result = chat("edit_file", path="f", old_text="", new_text="y")
    assert result.code is Code.BAD_ARGUMENTS
    assert result.error is not None
    assert "append_file" in result.error


def test_a_missing_file_offers_real_paths(work: Path, chat: ToolChat) -> None:
    (work / "app").mkdir()
    (work / "app" / "config.toml").write_text("a = 1\n")
    result = chat("edit_file", path="config.toml", old_text="a", new_text="b")
    assert result.code is Code.NOT_FOUND
    assert result.error is not None
    assert "app/config.toml" in result.error


def test_binary_files_are_left_alone(work: Path, chat: ToolChat) -> None:
    (work / "f.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    assert chat("edit_file", path="f.png", old_text="PNG", new_text="JPG").code is Code.BINARY_FILE


def test_plain_words_are_edited_in_any_unknown_encoding(work: Path, chat: ToolChat) -> None:
    raw = "端口=8080\n".encode("gb18030")
    (work / "f").write_bytes(raw)
    assert chat("edit_file", path="f", old_text="8080", new_text="9090").success
    assert (work / "f").read_bytes() == raw.replace(b"8080", b"9090")
    assert chat("edit_file", path="f", old_text="端口", new_text="埠").code is Code.UNKNOWN_ENCODING


def test_broken_bytes_stay(work: Path, chat: ToolChat) -> None:
    raw = ("会议记录，请大家提交报告。\n" * 5).encode() + b"\xff\xfe port = 1\n"
    (work / "f").write_bytes(raw)
    assert chat("edit_file", path="f", old_text="port = 1", new_text="port = 2").success
    assert (work / "f").read_bytes() == raw.replace(b"port = 1", b"port = 2")


@given(st.text(max_size=60), st.data())
def test_a_range_is_replaced_and_nothing_else(text: str, data: st.DataObject) -> None:
    text = text.encode("utf-8", "replace").decode()
    codec = data.draw(st.sampled_from(["utf-8", "utf-16-le", "gb18030"]))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    new = data.draw(st.text(max_size=10).map(lambda each: each.encode("utf-8", "replace").decode()))
    raw = text.encode(codec)
    file = file_text(raw, "f", codec, "", False)
    assert file.replaced([(start, end)], [new]) == (text[:start] + new + text[end:]).encode(codec)


def test_a_character_that_can_be_written_in_two_ways_is_found() -> None:
    file = file_text(b"\xfa\x40port=1", "f", "cp932", "", False)
    assert file.text.encode("cp932") != b"\xfa\x40port=1"
    at = file.text.index("1")
    assert file.replaced([(at, at + 1)], ["2"]) == b"\xfa\x40port=2"


@pytest.mark.parametrize(
    ("text", "kind"),
    [("", ""), ("a", ""), ("a\n", "\n"), ("a\r\nb\r\n", "\r\n"), ("a\rb", "\r"), ("a\nb\r\n", "mixed")],
)
def test_line_ends_are_named(text: str, kind: str) -> None:
    assert line_ends(text) == kind


def test_text_that_says_its_own_line_ends_keeps_them() -> None:
    assert with_line_ends("a\nb", "\r\n") == "a\r\nb"
    assert with_line_ends("a\r\nb\n", "\r") == "a\r\nb\n"
