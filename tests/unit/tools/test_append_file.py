from __future__ import annotations

from pathlib import Path

import pytest

from metona_tk.protocol.problems import Code
from tests.fakes.tool_chat import ALLOW, ToolChat

CHINESE = "会议记录，请大家提交报告。\n"


@pytest.fixture
def chat(work: Path) -> ToolChat:
    return ToolChat(work, answer=ALLOW)


@pytest.mark.parametrize(
    ("raw", "content", "written"),
    [
        (b"a\n", "b\n", b"a\nb\n"),
        (b"a", "b\n", b"a\nb\n"),
        (b"a", "\nb", b"a\nb"),
        (b"a\r\n", "b\nc\n", b"a\r\nb\r\nc\r\n"),
        (b"a\r\nb", "c", b"a\r\nb\r\nc"),
        (b"", "b", b"b"),
        ("一\n".encode("utf-16"), "二\n", "一\n二\n".encode("utf-16")),
        (CHINESE.encode("gb18030"), "好\n", (CHINESE + "好\n").encode("gb18030")),
    ],
)
def test_text_goes_to_the_end(work: Path, chat: ToolChat, raw: bytes, content: str, written: bytes) -> None:
    (work / "f").write_bytes(raw)
    result = chat("append_file", path="f", content=content)
    assert result.success, result.error
    assert (work / "f").read_bytes() == written
    assert result.data["bytesWritten"] == len(written) - len(raw)
    assert result.data["created"] is False


def test_a_missing_file_is_made_at_once(work: Path, chat: ToolChat) -> None:
    result = chat("append_file", path="new/log.txt", content="first\n")
    assert result.data == {"path": str(work / "new/log.txt"), "bytesWritten": 6, "created": True}
    assert chat.asked == []


def test_what_was_there_is_asked_for_with_the_added_lines(work: Path, chat: ToolChat) -> None:
    (work / "f").write_text("a\nb\nc\nd\ne\n")
    chat("append_file", path="f", content="new\n")
    item = chat.shown.items[0]
    assert item.action == "append"
    assert (item.added, item.removed) == (1, 0)
    assert [line.text for line in item.diff if line.sign == "+"] == ["new"]


def test_a_file_that_was_only_added_to_is_still_unread(work: Path, chat: ToolChat) -> None:
    (work / "f").write_text("a\n")
    assert chat("append_file", path="f", content="b\n").success
    assert chat("write_file", path="f", content="c\n").code is Code.NOT_READ


def test_nothing_to_add_and_no_text_file_are_refused(work: Path, chat: ToolChat) -> None:
    (work / "d").mkdir()
    (work / "b").write_bytes(b"\0\1\2")
    assert chat("append_file", path="x", content="").code is Code.BAD_ARGUMENTS
    assert chat("append_file", path="d", content="x").code is Code.IS_DIRECTORY
    assert chat("append_file", path="b", content="x").code is Code.BINARY_FILE
