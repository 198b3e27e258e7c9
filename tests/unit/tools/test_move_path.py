from __future__ import annotations

import os
from pathlib import Path

import pytest

from metona_tk.protocol.problems import Code
from tests.fakes.tool_chat import ALLOW, ToolChat


@pytest.fixture
def chat(work: Path) -> ToolChat:
    return ToolChat(work, answer=ALLOW)


def filled(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"text of {name}\n")


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())


def test_a_file_is_renamed(work: Path, chat: ToolChat) -> None:
    filled(work, "a.txt")
    result = chat("move_path", source="a.txt", destination="b.txt")
    assert result.data == {"path": str(work / "b.txt"), "moved": True}
    assert names(work) == ["b.txt"]
    assert chat.shown.items[0].source == str(work / "a.txt")


@pytest.mark.parametrize("destination", ["Archive", "Archive/", "New/", "New/deep/"])
def test_a_file_goes_into_a_folder(work: Path, chat: ToolChat, destination: str) -> None:
    filled(work, "a.txt")
    (work / "Archive").mkdir()
    result = chat("move_path", source="a.txt", destination=destination)
    assert result.success, result.error
    assert names(work) == [destination.rstrip("/") + "/a.txt"]


def test_a_pattern_goes_into_a_folder_and_is_one_question(work: Path, chat: ToolChat) -> None:
    filled(work, "a.pdf", "b.PDF", "c.pdf", "d.txt", ".hidden.pdf", "sub/e.pdf")
    result = chat("move_path", source="*.pdf", destination="Docs/")
    assert result.data["paths"] == [str(work / "Docs/a.pdf"), str(work / "Docs/c.pdf")]
    assert result.data["path"] == str(work / "Docs")
    assert names(work) == [".hidden.pdf", "Docs/a.pdf", "Docs/c.pdf", "b.PDF", "d.txt", "sub/e.pdf"]
    assert len(chat.asked) == 1
    assert len(chat.shown.items) == 2


def test_a_pattern_in_another_case_is_found_where_none_fits(work: Path, chat: ToolChat) -> None:
    filled(work, "A.JPG", "B.jpg.txt")
    assert chat("move_path", source="*.jpg", destination="Pictures/").success
    assert names(work) == ["B.jpg.txt", "Pictures/A.JPG"]


def test_a_pattern_over_folders(work: Path, chat: ToolChat) -> None:
    filled(work, "x/a.log", "y/z/b.log", "c.log")
    assert chat("move_path", source="**/*.log", destination="Logs/").success
    assert names(work) == ["Logs/a.log", "Logs/b.log", "Logs/c.log"]


def test_a_file_that_is_called_like_a_pattern_comes_first(work: Path, chat: ToolChat) -> None:
    filled(work, "*.txt", "a.txt")
    assert chat("move_path", source="*.txt", destination="star.txt").success
    assert names(work) == ["a.txt", "star.txt"]


def test_a_pattern_is_never_a_rename(work: Path, chat: ToolChat) -> None:
    filled(work, "a.txt", "b.txt")
    result = chat("move_path", source="*.txt", destination="all.txt")
    assert result.code is Code.NOT_A_DIRECTORY
    assert result.error is not None
    assert 'move_path(source="*.txt", destination="all.txt/")' in result.error
    assert names(work) == ["a.txt", "b.txt"]


def test_everything_into_a_folder_beside_leaves_that_folder(work: Path, chat: ToolChat) -> None:
    filled(work, "a.txt", "b.txt", "Archive/old.txt")
    result = chat("move_path", source="*", destination="Archive/")
    assert result.success, result.error
    assert names(work) == ["Archive/a.txt", "Archive/b.txt", "Archive/old.txt"]


def test_what_is_there_is_only_replaced_when_asked(work: Path, chat: ToolChat) -> None:
    filled(work, "a.txt", "b.txt")
    result = chat("move_path", source="a.txt", destination="b.txt")
    assert result.code is Code.EXISTS
    assert result.error is not None
    assert "overwrite=true" in result.error
    assert chat("move_path", source="a.txt", destination="b.txt", overwrite=True).success
    assert (work / "b.txt").read_text() == "text of a.txt\n"
    assert "overwrites" in chat.shown.items[0].flags


def test_a_folder_is_never_replaced(work: Path, chat: ToolChat) -> None:
    filled(work, "a/x.txt", "b/a/y.txt")
    assert chat("move_path", source="a", destination="b", overwrite=True).code is Code.EXISTS
    assert chat("move_path", source="b/a/y.txt", destination="a/x.txt/z", overwrite=True).code is Code.NOT_A_DIRECTORY


@pytest.mark.parametrize(("source", "destination"), [("d", "d"), ("d", "."), ("d/f.txt", "d/")])
def test_to_where_it_is_already(work: Path, chat: ToolChat, source: str, destination: str) -> None:
    filled(work, "d/f.txt")
    assert chat("move_path", source=source, destination=destination).code in {Code.EXISTS, Code.BAD_PATH}


def test_a_folder_cannot_go_into_itself(work: Path, chat: ToolChat) -> None:
    filled(work, "d/e/f.txt")
    assert chat("move_path", source="d", destination="d/e/").code is Code.BAD_PATH
    assert names(work) == ["d/e/f.txt"]


def test_two_of_one_name_cannot_go_into_one_folder(work: Path, chat: ToolChat) -> None:
    filled(work, "x/a.txt", "y/a.txt")
    assert chat("move_path", source="*/a.txt", destination="All/").code is Code.EXISTS
    assert names(work) == ["x/a.txt", "y/a.txt"]


def test_a_link_itself_is_moved(work: Path, chat: ToolChat) -> None:
    filled(work, "a.txt")
    (work / "link").symlink_to("a.txt")
    assert chat("move_path", source="link", destination="other").success
    assert os.readlink(work / "other") == "a.txt"
    assert (work / "a.txt").exists()


def test_a_missing_source_offers_real_paths(work: Path, chat: ToolChat) -> None:
    filled(work, "Documents/report.txt")
    result = chat("move_path", source="report.txt", destination="r.txt")
    assert result.code is Code.NOT_FOUND
    assert result.error is not None
    assert "Documents/report.txt" in result.error


def test_the_workspace_itself_stays(work: Path, chat: ToolChat) -> None:
    assert chat("move_path", source=".", destination="x/").code is Code.IS_ROOT


def test_its_own_file_is_moved_at_once(work: Path) -> None:
    chat = ToolChat(work)
    chat("write_file", path="a.txt", content="mine\n")
    assert chat("move_path", source="a.txt", destination="b.txt").success
    assert chat("write_file", path="b.txt", content="still mine\n").success
    filled(work, "theirs.txt")
    assert chat("move_path", source="theirs.txt", destination="c.txt").code is Code.NO_ANSWER


def test_a_secret_file_under_another_name_stays_closed(work: Path, chat: ToolChat) -> None:
    filled(work, ".env")
    assert chat("move_path", source=".env", destination="notes.txt").success
    assert "sensitive_file" in chat.shown.rules
    assert chat("read_file", path="notes.txt").code is Code.SENSITIVE_FILE
    assert chat("copy_path", source="notes.txt", destination="more.txt").code is Code.SENSITIVE_FILE
