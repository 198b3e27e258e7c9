from __future__ import annotations

from pathlib import Path

import pytest

from metona_tk.protocol.problems import Code
from tests.fakes.tool_chat import ALLOW, ToolChat
from tests.unit.tools.test_move_path import filled, names


@pytest.fixture
def chat(work: Path) -> ToolChat:
    return ToolChat(work, answer=ALLOW)


def test_a_file_is_copied_at_once(work: Path) -> None:
    chat = ToolChat(work)
    filled(work, "a.txt")
    result = chat("copy_path", source="a.txt", destination="deep/b.txt")
    assert result.data == {"path": str(work / "deep/b.txt"), "copied": True}
    assert names(work) == ["a.txt", "deep/b.txt"]
    assert (work / "deep/b.txt").read_bytes() == (work / "a.txt").read_bytes()


def test_a_folder_is_copied_with_all_in_it_but_links(work: Path, chat: ToolChat) -> None:
    filled(work, "d/a.txt", "d/e/b.txt")
    (work / "d/empty").mkdir()
    (work / "d/link").symlink_to("a.txt")
    result = chat("copy_path", source="d", destination="copy")
    assert result.success, result.error
    assert names(work / "copy") == ["a.txt", "e/b.txt"]
    assert (work / "copy/empty").is_dir()
    assert result.note == "1 link in it was not copied"


def test_a_pattern_is_copied_into_a_folder(work: Path, chat: ToolChat) -> None:
    filled(work, "a.txt", "b.txt")
    result = chat("copy_path", source="*.txt", destination="All/")
    assert result.data["paths"] == [str(work / "All/a.txt"), str(work / "All/b.txt")]
    assert names(work) == ["All/a.txt", "All/b.txt", "a.txt", "b.txt"]


def test_over_what_is_there_only_when_asked(work: Path, chat: ToolChat) -> None:
    filled(work, "a.txt", "b.txt")
    assert chat("copy_path", source="a.txt", destination="b.txt").code is Code.EXISTS
    assert chat.asked == []
    assert chat("copy_path", source="a.txt", destination="b.txt", overwrite=True).success
    assert chat.shown.rules == ("overwrites",)
    assert (work / "b.txt").read_text() == "text of a.txt\n"


def test_a_copy_follows_a_link_to_the_file(work: Path, chat: ToolChat) -> None:
    filled(work, "a.txt")
    (work / "link").symlink_to("a.txt")
    assert chat("copy_path", source="link", destination="c.txt").success
    assert not (work / "c.txt").is_symlink()


def test_secret_files_are_not_copied(work: Path, chat: ToolChat) -> None:
    filled(work, ".env")
    assert chat("copy_path", source=".env", destination="notes.txt").code is Code.SENSITIVE_FILE
    assert names(work) == [".env"]


def test_from_outside_is_asked_for_and_to_outside_is_refused(work: Path, chat: ToolChat) -> None:
    filled(work.parent / "out", "s.txt")
    assert chat("copy_path", source="../out/s.txt", destination="s.txt").success
    assert len(chat.asked) == 1
    assert chat("copy_path", source="s.txt", destination="../out/t.txt").code is Code.OUTSIDE_ROOT
