from __future__ import annotations

import os
from pathlib import Path

import pytest

from metona_tk.agent.changing import Waiver
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Mode
from tests.fakes.tool_chat import ALLOW, DENY, ToolChat
from tests.unit.tools.test_move_path import filled, names


@pytest.fixture
def chat(work: Path) -> ToolChat:
    return ToolChat(work, answer=ALLOW)


@pytest.mark.parametrize("mode", list(Mode))
def test_deletions_are_asked_for_in_every_mode(work: Path, mode: Mode) -> None:
    filled(work, "a.txt")
    chat = ToolChat(work, mode)
    assert chat("delete_file", path="a.txt").code is Code.NO_ANSWER
    chat.answer = DENY
    assert chat("delete_file", path="a.txt").code is Code.DENIED
    assert names(work) == ["a.txt"]
    result = chat.allowing()("delete_file", path="a.txt")
    assert result.data == {"path": str(work / "a.txt"), "deleted": True, "recoverable": True}
    assert names(work) == []
    assert "deletes" in chat.shown.rules


def test_even_its_own_file_is_asked_for(work: Path) -> None:
    chat = ToolChat(work)
    chat("write_file", path="a.txt", content="mine")
    assert chat("delete_file", path="a.txt").code is Code.NO_ANSWER


def test_a_folder_with_something_in_it_needs_to_be_said(work: Path, chat: ToolChat) -> None:
    filled(work, "d/a.txt", "d/e/b.txt")
    result = chat("delete_file", path="d")
    assert result.code is Code.NOT_EMPTY
    assert result.error is not None
    assert "2 files and 1 folder" in result.error
    assert 'delete_file(path="d", recursive=true)' in result.error
    assert chat("delete_file", path="d", recursive=True).success
    item = chat.shown.items[0]
    assert (item.files, item.folders, item.total_size) == (2, 1, len("text of d/a.txt\n") + len("text of d/e/b.txt\n"))
    assert [(row.depth, row.name) for row in item.tree] == [(0, "d"), (1, "a.txt"), (1, "e"), (2, "b.txt")]
    assert names(work) == []


def test_an_empty_folder_goes_without(work: Path, chat: ToolChat) -> None:
    (work / "empty").mkdir()
    assert chat("delete_file", path="empty/").success
    assert not (work / "empty").exists()


def test_a_pattern_lists_every_hit(work: Path, chat: ToolChat) -> None:
    filled(work, "a.tmp", "b.tmp", "c.txt")
    result = chat("delete_file", path="*.tmp")
    assert result.data["paths"] == [str(work / "a.tmp"), str(work / "b.tmp")]
    assert [item.path for item in chat.shown.items] == result.data["paths"]
    assert names(work) == ["c.txt"]


def test_a_link_goes_and_its_target_stays(work: Path, chat: ToolChat) -> None:
    filled(work, "d/a.txt")
    (work / "to folder").symlink_to("d")
    (work / "dangling").symlink_to("nowhere")
    outside = work.parent / "outside"
    filled(outside, "o.txt")
    (work / "out").symlink_to(outside)
    for name in ("to folder", "dangling", "out"):
        assert chat("delete_file", path=name).success, name
    assert names(work) == ["d/a.txt"]
    assert names(outside) == ["o.txt"]


def test_what_cannot_be_deleted(work: Path, chat: ToolChat) -> None:
    os.mkfifo(work / "fifo")
    assert chat("delete_file", path=".").code is Code.IS_ROOT
    assert chat("delete_file", path="..").code is Code.OUTSIDE_ROOT
    assert chat("delete_file", path="fifo").code is Code.NOT_REGULAR
    assert chat("delete_file", path="missing").code is Code.NOT_FOUND
    assert chat("delete_file", path="*.none").code is Code.NOT_FOUND
    assert chat.asked == []


def test_a_folder_of_1240_files_is_shown_with_count_size_and_names(work: Path, chat: ToolChat) -> None:
    for number in range(1240):
        filled(work, f"d/{number % 40:02}/{number}.txt")
    assert chat("delete_file", path="d", recursive=True).success
    item = chat.shown.items[0]
    assert (item.files, item.folders) == (1240, 40)
    assert sum(row.kind == "file" for row in item.tree) == 1240


def test_a_waiver_for_deletions_holds_inside_the_folder(work: Path) -> None:
    filled(work, "a.txt", "b.txt")
    chat = ToolChat(work, waiver=Waiver(changes=True))
    assert chat("delete_file", path="a.txt").code is Code.NO_ANSWER
    chat = ToolChat(work, waiver=Waiver(changes=True, deletions=True))
    assert chat("delete_file", path="a.txt").success
    filled(work, ".env")
    assert chat("delete_file", path=".env").code is Code.NO_ANSWER
