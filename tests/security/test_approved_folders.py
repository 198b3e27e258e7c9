"""An approved change of a folder is of the folder as it was shown: what changes in it meanwhile is seen."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Answer, Mode, Preview
from tests.fakes.tool_chat import ALLOW, ToolChat

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes and ctime are POSIX")


def edited_as_before(path: Path) -> None:
    found = path.stat()
    path.write_text("2")
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def opened_to_all(path: Path) -> None:
    path.chmod(0o777)


def opened_folder(path: Path) -> None:
    path.parent.chmod(0o777)


def opened_the_folder_itself(path: Path) -> None:
    path.parents[1].chmod(0o777)


def marked(path: Path) -> None:
    os.setxattr(path, "user.k", b"v")


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("delete_file", {"path": "a", "recursive": True}),
    ("move_path", {"source": "a", "destination": "b"}),
    ("delete_file", {"path": "a*", "recursive": True}),
    ("move_path", {"source": "a*", "destination": "b/"}),
]
EDITS = [edited_as_before, opened_to_all, opened_folder, opened_the_folder_itself, marked]


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_it_is_not_carried_out(
    tool: str, arguments: dict[str, Any], edit: Callable[[Path], None], tmp_path: Path
) -> None:
    inside = tmp_path / "a" / "e" / "x"
    inside.parent.mkdir(parents=True)
    inside.write_text("1")

    def answer(_: Preview) -> Answer:
        edit(inside)
        return ALLOW

    result = ToolChat(tmp_path, mode=Mode.ALL, answer=answer)(tool, **arguments)
    assert result.code is Code.CHANGED_SINCE_APPROVAL, result
    assert inside.exists() and not (tmp_path / "b").exists()


@pytest.mark.parametrize("edit", [edited_as_before, opened_to_all])
def test_a_copy_is_not_made(edit: Callable[[Path], None], tmp_path: Path) -> None:
    inside = tmp_path / "a" / "e" / "x"
    inside.parent.mkdir(parents=True)
    inside.write_text("1")

    def answer(_: Preview) -> Answer:
        edit(inside)
        return ALLOW

    result = ToolChat(tmp_path, mode=Mode.ALL, answer=answer)("copy_path", source="a", destination="b")
    assert result.code is Code.CHANGED_SINCE_APPROVAL, result
    assert not (tmp_path / "b").exists()
