from __future__ import annotations

from pathlib import Path

from metona_tk.protocol.problems import Code
from tests.fakes.tool_chat import ToolChat


def test_a_folder_is_made_with_those_above_it(work: Path) -> None:
    chat = ToolChat(work)
    result = chat("create_directory", path="a/b/c")
    assert result.data == {"path": str(work / "a/b/c"), "created": True}
    assert (work / "a/b/c").is_dir()


def test_a_folder_that_is_there_is_no_failure(work: Path) -> None:
    chat = ToolChat(work)
    (work / "d").mkdir()
    outcome = chat.outcome("create_directory", path="d")
    assert outcome.result.data["created"] is False
    assert outcome.operation is None


def test_a_file_in_its_place_or_on_the_way_is_one(work: Path) -> None:
    chat = ToolChat(work)
    (work / "f").write_text("x")
    assert chat("create_directory", path="f").code is Code.EXISTS
    assert chat("create_directory", path="f/g").code is Code.NOT_A_DIRECTORY
    assert chat("create_directory", path="../x").code is Code.OUTSIDE_ROOT
