"""A workspace that is gone, or is something else now: nothing is read beside it, and it is not made anew."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from metona_tk.agent import judging
from metona_tk.agent.plan_context import ChangeContext
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Mode
from metona_tk.tools.changing import Plan
from tests.fakes.tool_chat import ALLOW, ToolChat

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("list_directory", {"path": "."}),
    ("list_directory", {"path": ".", "recursive": True}),
    ("list_directory", {"path": "a"}),
    ("search_files", {"path": ".", "query": "neighbour"}),
    ("read_file", {"path": "a"}),
    ("read_file", {"path": "."}),
    ("write_file", {"path": "n", "content": "x"}),
    ("write_file", {"path": "deep/er/n", "content": "x"}),
    ("append_file", {"path": "a", "content": "x"}),
    ("append_file", {"path": ".", "content": "x"}),
    ("edit_file", {"path": ".", "old_text": "now", "new_text": "then"}),
    ("create_directory", {"path": "d"}),
    ("create_directory", {"path": "."}),
    ("move_path", {"source": "a", "destination": "b"}),
    ("move_path", {"source": ".", "destination": "b"}),
    ("copy_path", {"source": "a", "destination": "b"}),
    ("copy_path", {"source": ".", "destination": "b"}),
    ("copy_path", {"source": "*", "destination": "b/"}),
    ("delete_file", {"path": "a"}),
    ("delete_file", {"path": "*"}),
]


def gone(root: Path) -> None:
    root.rename(root.parent / "elsewhere")


def a_file(root: Path) -> None:
    shutil.rmtree(root)
    root.write_text("now a file\n")


def a_link(root: Path) -> None:
    shutil.rmtree(root)
    os.symlink(root.parent / "beside", root)


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
@pytest.mark.parametrize("become", [gone, a_file, a_link])
def test_every_tool_refuses(become: Any, tool: str, arguments: dict[str, Any], tmp_path: Path) -> None:
    root, beside = tmp_path / "root", tmp_path / "beside"
    for folder in (root, beside):
        folder.mkdir()
        (folder / "a").write_text("neighbour\n")
    chat = ToolChat(root, mode=Mode.NONE, answer=ALLOW)
    assert chat("list_directory", path=".").success
    become(root)
    before = sorted(str(path) for path in tmp_path.rglob("*"))
    result = chat(tool, **arguments)
    assert not result.success
    assert "not there any more" in str(result.error) or result.code in {Code.IS_ROOT, Code.OUTSIDE_ROOT}, result
    assert become is a_link or result.code is not Code.OUTSIDE_ROOT
    assert "neighbour" not in str(result.as_json()) or arguments.get("query")
    assert sorted(str(path) for path in tmp_path.rglob("*")) == before and chat.asked == []
    assert (beside / "a").read_text() == "neighbour\n"


def test_it_works_again_once_it_is_back(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    chat = ToolChat(root)
    gone(root)
    assert not chat("write_file", path="n", content="x").success
    (tmp_path / "elsewhere").rename(root)
    assert chat("write_file", path="n", content="x").success


def test_it_is_not_made_anew_where_it_vanishes_while_the_call_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    chat = ToolChat(root)
    real = ChangeContext.parents

    def parents(self: ChangeContext, path: str) -> Any:
        gone(root)
        return real(self, path)

    monkeypatch.setattr(ChangeContext, "parents", parents)
    result = chat("write_file", path="n", content="x")
    assert not result.success and "not there any more" in str(result.error)
    assert not root.exists()


def test_no_folder_beside_is_listed_where_the_root_becomes_a_file_in_the_last_instant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "neighbour.txt").write_text("x")
    chat = ToolChat(root)
    from metona_tk.agent import gatekeeper

    monkeypatch.setattr(gatekeeper, "check_there", lambda root: None)
    a_file(root)
    result = chat("list_directory", path=".")
    assert result.code is Code.NOT_A_DIRECTORY and "neighbour" not in result.text


@pytest.mark.parametrize("name", ["realpath", "ismount"])
def test_a_folder_that_turns_into_a_link_while_it_is_judged_is_one_that_changed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "d").mkdir()
    chat = ToolChat(tmp_path)
    real, judge = getattr(os.path, name), judging.Judge.judge

    def broken(path: str) -> Any:
        raise OSError(22, "Invalid argument", path)

    def judged(self: judging.Judge, plan: Plan, undo: Any) -> Any:
        monkeypatch.setattr(os.path, name, broken)
        try:
            return judge(self, plan, undo)
        finally:
            monkeypatch.setattr(os.path, name, real)

    monkeypatch.setattr(judging.Judge, "judge", judged)
    result = chat("write_file", path="d/n", content="x")
    assert result.code is Code.CHANGED_SINCE_APPROVAL, result
    assert not (tmp_path / "d" / "n").exists()
