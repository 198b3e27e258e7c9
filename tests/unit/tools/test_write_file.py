from __future__ import annotations

import os
from pathlib import Path

import pytest

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Mode
from tests.fakes.tool_chat import ALLOW, ToolChat


@pytest.fixture
def chat(work: Path) -> ToolChat:
    return ToolChat(work)


def test_a_new_file_is_made_at_once_with_its_folders(work: Path, chat: ToolChat) -> None:
    result = chat("write_file", path="a/b/new.txt", content="one\ntwo")
    assert result.success, result.error
    assert result.data == {"path": str(work / "a/b/new.txt"), "bytesWritten": 7, "created": True}
    assert (work / "a/b/new.txt").read_bytes() == b"one\ntwo"
    assert chat.asked == []


def test_exact_bytes_are_written(work: Path, chat: ToolChat) -> None:
    content = "\ufeffa\0b\r\nc\rd\n\ne"
    assert chat("write_file", path="odd.bin", content=content).success
    assert (work / "odd.bin").read_bytes() == content.encode()


def test_a_file_that_was_not_read_is_not_overwritten(work: Path, chat: ToolChat) -> None:
    (work / "list.txt").write_text("eggs\n")
    result = chat.allowing()("write_file", path="list.txt", content="milk\n")
    assert result.code is Code.NOT_READ
    assert result.error is not None
    assert 'append_file(path="list.txt"' in result.error
    assert (work / "list.txt").read_text() == "eggs\n"
    assert chat.asked == []


def test_a_file_that_was_read_is_asked_for_and_written(work: Path, chat: ToolChat) -> None:
    (work / "list.txt").write_text("eggs\n")
    chat("read_file", path="list.txt")
    result = chat("write_file", path="list.txt", content="milk\n")
    assert result.code is Code.NO_ANSWER
    result = chat.allowing()("write_file", path="list.txt", content="milk\n")
    assert result.data == {"path": str(work / "list.txt"), "bytesWritten": 5, "created": False}
    assert [(line.sign, line.text) for line in chat.shown.items[0].diff if line.sign in "+-"] == [
        ("-", "eggs"),
        ("+", "milk"),
    ]
    assert chat.shown.rules == ("overwrites",)
    assert chat.shown.read_before == ("list.txt",)


def test_its_own_file_is_changed_without_a_question(work: Path, chat: ToolChat) -> None:
    chat("write_file", path="mine.txt", content="1\n")
    assert chat("write_file", path="mine.txt", content="2\n").success
    assert chat("edit_file", path="mine.txt", old_text="2", new_text="3").success
    assert chat("append_file", path="mine.txt", content="4\n").success
    assert (work / "mine.txt").read_text() == "3\n4\n"
    assert chat.asked == []


def test_a_file_that_somebody_changed_meanwhile_is_read_again_first(work: Path, chat: ToolChat) -> None:
    (work / "list.txt").write_text("eggs\n")
    chat.allowing()("read_file", path="list.txt")
    (work / "list.txt").write_text("eggs and ham\n")
    result = chat("write_file", path="list.txt", content="milk\n")
    assert result.code is Code.CHANGED_SINCE_READ
    assert (work / "list.txt").read_text() == "eggs and ham\n"


@pytest.mark.parametrize(
    ("raw", "content", "written"),
    [
        (b"a\r\nb\r\n", "x\ny\n", b"x\r\ny\r\n"),
        (b"a\rb\r", "x\ny\n", b"x\ry\r"),
        (b"a\r\nb\n", "x\ny\n", b"x\ny\n"),
        (b"a\r\nb\r\n", "x\ny\r\n", b"x\ny\r\n"),
        (b"\xef\xbb\xbfa\n", "x\n", b"\xef\xbb\xbfx\n"),
        ("中文内容，这是一个普通的文件。\r\n".encode("gb18030"), "中国\n", "中国\r\n".encode("gb18030")),
        ("中\n".encode("utf-16"), "国\n", "国\n".encode("utf-16")),
        (b"\xfe\xff" + "中\n".encode("utf-16-be"), "国\n", b"\xfe\xff" + "国\n".encode("utf-16-be")),
    ],
)
def test_encoding_and_line_ends_of_the_file_are_kept(
    work: Path, chat: ToolChat, raw: bytes, content: str, written: bytes
) -> None:
    (work / "f").write_bytes(raw)
    assert chat.allowing()("read_file", path="f").success
    result = chat("write_file", path="f", content=content)
    assert result.success, result.error
    assert (work / "f").read_bytes() == written


def test_text_that_the_encoding_cannot_hold_is_not_written(work: Path, chat: ToolChat) -> None:
    raw = "Grüße aus Köln, schöne Straße.\n".encode("cp1252")
    (work / "f").write_bytes(raw)
    assert chat.allowing()("read_file", path="f", encoding="cp1252").success
    result = chat("write_file", path="f", content="中")
    assert result.code is Code.UNKNOWN_ENCODING
    assert result.error is not None
    assert 'encoding="utf-8"' in result.error
    assert (work / "f").read_bytes() == raw
    assert chat("write_file", path="f", content="中", encoding="utf-8").success
    assert (work / "f").read_bytes() == "中".encode()


@pytest.mark.parametrize("name", ["unicode_escape", "utf-7", "rot13", "no such"])
def test_encodings_that_no_file_has_are_refused(chat: ToolChat, name: str) -> None:
    assert chat("write_file", path="f", content="x", encoding=name).code is Code.BAD_ARGUMENTS


def test_more_than_five_mebibytes_are_refused(work: Path, chat: ToolChat) -> None:
    assert chat("write_file", path="f", content="x" * (5 << 20)).success
    assert chat("write_file", path="g", content="x" * ((5 << 20) + 1)).code is Code.CONTENT_TOO_LARGE
    assert not (work / "g").exists()


def test_folders_and_odd_things_are_refused(work: Path, chat: ToolChat) -> None:
    (work / "d").mkdir()
    (work / "plain").write_text("x")
    os.mkfifo(work / "fifo")
    assert chat("write_file", path="d", content="x").code is Code.IS_DIRECTORY
    assert chat("write_file", path="fifo", content="x").code is Code.NOT_REGULAR
    assert chat("write_file", path="plain/in/it", content="x").code is Code.NOT_A_DIRECTORY


def test_the_same_contents_are_no_change(work: Path, chat: ToolChat) -> None:
    (work / "f").write_text("same\n")
    chat("read_file", path="f")
    outcome = chat.outcome("write_file", path="f", content="same\n")
    assert outcome.result.success
    assert outcome.operation is None
    assert outcome.result.note is not None


def test_a_link_inside_stays_and_its_target_changes(work: Path, chat: ToolChat) -> None:
    (work / "target.txt").write_text("old\n")
    (work / "link").symlink_to("target.txt")
    chat.allowing()("read_file", path="link")
    assert chat("write_file", path="link", content="new\n").success
    assert (work / "link").is_symlink()
    assert (work / "target.txt").read_text() == "new\n"
    assert "inside_link" in chat.shown.items[0].flags


def test_in_automatic_mode_what_was_read_is_written_at_once(work: Path) -> None:
    chat = ToolChat(work, Mode.NONE)
    (work / "f").write_text("old\n")
    chat("read_file", path="f")
    assert chat("write_file", path="f", content="new\n").success
    assert chat("write_file", path=".env", content="A=1\n").code is Code.NO_ANSWER


def test_in_the_strictest_mode_even_a_new_file_is_asked_for(work: Path) -> None:
    chat = ToolChat(work, Mode.ALL)
    assert chat("write_file", path="f", content="x").code is Code.NO_ANSWER
    assert chat.allowing()("write_file", path="f", content="x").success
    assert chat.shown.rules == ("every_change",)


def test_base64_content_is_bytes(work: Path, chat: ToolChat) -> None:
    assert chat("write_file", path="f", content="AAEC/w==", encoding="base64").success
    assert (work / "f").read_bytes() == b"\0\1\2\xff"
    assert chat("write_file", path="g", content="%%", encoding="base64").code is Code.BAD_ARGUMENTS


def test_what_the_user_put_into_a_made_file_is_the_users(work: Path) -> None:
    chat = ToolChat(work, answer=ALLOW)
    chat("write_file", path="n.txt", content="made\n")
    assert chat("write_file", path="n.txt", content="again\n").success
    assert chat.asked == []
    (work / "n.txt").write_text("again\nthe user's own line\n")
    chat("read_file", path="n.txt")
    assert chat("write_file", path="n.txt", content="gone\n").success
    assert len(chat.asked) == 1
