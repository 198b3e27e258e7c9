"""A hard link of a closed file is the closed file: no changing tool reads, moves, replaces or deletes it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from metona_tk import places
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Mode
from tests.fakes.tool_chat import ALLOW, ToolChat

pytestmark = pytest.mark.skipif(os.name == "nt", reason="hard links by inode are POSIX")


def settings() -> Path:
    path = places.settings_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}\n")
    return path


def stored(chat: ToolChat) -> Path:
    """An object of the store, deep below the program's own folder."""
    (chat.work / "old").write_text("old\n")
    assert chat("delete_file", path="old").success
    return next(path for path in (places.data_dir() / "undo" / "objects").glob("*/*") if path.is_file())


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("copy_path", {"source": "link", "destination": "new"}),
    ("copy_path", {"source": "li*", "destination": "new/"}),
    ("copy_path", {"source": "plain", "destination": "link", "overwrite": True}),
    ("move_path", {"source": "link", "destination": "new"}),
    ("move_path", {"source": "l?nk", "destination": "new/"}),
    ("move_path", {"source": "plain", "destination": "link", "overwrite": True}),
    ("delete_file", {"path": "link"}),
    ("delete_file", {"path": "*nk"}),
    ("write_file", {"path": "link", "content": "x"}),
    ("edit_file", {"path": "link", "old_text": "{", "new_text": "["}),
    ("append_file", {"path": "link", "content": "x"}),
]
IN_A_FOLDER: list[tuple[str, dict[str, Any]]] = [
    ("copy_path", {"source": "folder", "destination": "new"}),
    ("move_path", {"source": "folder", "destination": "new"}),
    ("delete_file", {"path": "folder", "recursive": True}),
]


@pytest.mark.parametrize("mode", [Mode.NONE, Mode.ALL])
@pytest.mark.parametrize(("tool", "arguments"), CALLS)
@pytest.mark.parametrize("which", ["settings", "object", "journal"])
def test_another_name_is_refused(which: str, tool: str, arguments: dict[str, Any], mode: Mode, tmp_path: Path) -> None:
    chat = ToolChat(tmp_path, mode=mode, answer=ALLOW)
    closed = {
        "settings": settings,
        "object": lambda: stored(chat),
        "journal": lambda: stored(chat).parents[2] / "journal.sqlite",
    }[which]()
    (tmp_path / "plain").write_text("plain\n")
    os.link(closed, tmp_path / "link")
    before, asked = sorted(os.listdir(tmp_path)), len(chat.asked)
    result = chat(tool, **arguments)
    assert result.code is Code.PROTECTED_PATH, result
    assert sorted(os.listdir(tmp_path)) == before and len(chat.asked) == asked


@pytest.mark.parametrize(("tool", "arguments"), IN_A_FOLDER)
def test_a_folder_that_holds_another_name_is_refused(tool: str, arguments: dict[str, Any], tmp_path: Path) -> None:
    chat = ToolChat(tmp_path, mode=Mode.NONE, answer=ALLOW)
    (tmp_path / "folder" / "deep").mkdir(parents=True)
    os.link(settings(), tmp_path / "folder" / "deep" / "link")
    result = chat(tool, **arguments)
    assert result.code is Code.PROTECTED_PATH, result
    assert (tmp_path / "folder" / "deep" / "link").exists() and not (tmp_path / "new").exists()


def test_other_hard_links_are_the_users_own(tmp_path: Path) -> None:
    settings()
    (tmp_path / "a").write_text("a\n")
    os.link(tmp_path / "a", tmp_path / "b")
    chat = ToolChat(tmp_path, mode=Mode.NONE)
    assert chat("copy_path", source="b", destination="c").success
    assert chat("move_path", source="b", destination="d").success
