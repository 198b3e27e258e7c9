"""What a confirmation shows is what is written: whole calls on real files."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Mode
from tests.fakes.tool_chat import ALLOW, ToolChat

INI = "name = pelican\npassword = Zq8vT2mKx94LpWn3\nport = 8080\n"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "R"
    folder.mkdir()
    (folder / "a.ini").write_text(INI)
    return folder


@pytest.fixture
def chat(work: Path) -> ToolChat:
    return ToolChat(work)


@pytest.mark.parametrize(
    "codec",
    [
        "cp037",
        "cp500",
        "cp1140",
        "cp424",
        "hz",
        "utf-16-le",
        "utf-16-be",
        "utf-32-le",
        "iso2022_jp",
        "iso2022_kr",
        "iso2022_jp_2",
    ],
)
def test_nothing_is_written_in_an_encoding_that_hides_what_it_says(codec: str, work: Path, chat: ToolChat) -> None:
    result = chat.allowing()("write_file", path="new.txt", content="\u7563\u6c72\u3042", encoding=codec)
    assert result.code is Code.BAD_ARGUMENTS and not (work / "new.txt").exists()


def test_the_confirmation_shows_what_base64_stands_for(work: Path) -> None:
    chat = ToolChat(work, mode=Mode.ALL, answer=ALLOW)
    script = "#!/bin/sh\necho hello\n"
    content = base64.b64encode(script.encode()).decode()
    assert chat("write_file", path="run", content=content, encoding="base64").success
    item = chat.shown.items[0]
    assert [line.text for line in item.diff if line.sign == "+"] == ["#!/bin/sh", "echo hello"]
    assert chat.shown.editable is None
    assert chat(
        "write_file", path="b.bin", content=base64.b64encode(bytes(range(256))).decode(), encoding="base64"
    ).success
    assert "binary_after" in chat.shown.items[0].flags and not chat.shown.items[0].diff
    assert (work / "b.bin").read_bytes() == bytes(range(256))


def test_the_confirmation_says_that_only_the_encoding_changes(work: Path) -> None:
    (work / "n.txt").write_text("caf\u00e9\n", encoding="utf-8")
    chat = ToolChat(work, answer=ALLOW)
    chat("read_file", path="n.txt")
    assert chat("write_file", path="n.txt", content="caf\u00e9\n", encoding="utf-16").success
    item = chat.shown.items[0]
    assert "other_encoding" in item.flags and item.encoding == "utf-8 \u2192 utf-16" and not item.diff
    assert (work / "n.txt").read_text(encoding="utf-16") == "caf\u00e9\n"
