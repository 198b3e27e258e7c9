"""What a confirmation shows is what is written, and what counts as read was read: whole calls on real files."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Mode
from tests.fakes.tool_chat import ALLOW, ToolChat

# --- what is written --------------------------------------------------------------------------------------------------


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


# --- what counts as read ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["append_file", "edit_file"])
def test_adding_or_editing_does_not_make_the_users_new_lines_read(call: str, work: Path) -> None:
    chat = ToolChat(work, mode=Mode.NONE)
    (work / "n.txt").write_text("one\n")
    chat("read_file", path="n.txt")
    (work / "n.txt").write_text("one\nthe user's page\n")
    how = {"content": "two\n"} if call == "append_file" else {"old_text": "one", "new_text": "1"}
    assert chat(call, path="n.txt", **how).success
    before = (work / "n.txt").read_bytes()
    assert chat("write_file", path="n.txt", content="gone").code is Code.CHANGED_SINCE_READ
    assert (work / "n.txt").read_bytes() == before and b"the user's page" in before
    assert chat("read_file", path="n.txt").success
    assert chat("write_file", path="n.txt", content="all new").success


def test_what_the_user_added_to_a_file_of_this_chat_is_asked_for_after_an_added_line(work: Path) -> None:
    chat = ToolChat(work, answer=ALLOW)
    assert chat("write_file", path="n.txt", content="mine\n").success
    with open(work / "n.txt", "a") as file:
        file.write("the user's page\n")
    assert chat("append_file", path="n.txt", content="two\n").success
    assert chat.asked, "adding to what the user changed is asked for"
    chat.answer = None
    assert not chat("write_file", path="n.txt", content="gone").success
    assert "the user's page" in (work / "n.txt").read_text()


def test_a_file_that_was_read_in_part_is_not_overwritten_before_the_rest_was_read(work: Path) -> None:
    chat = ToolChat(work, mode=Mode.NONE)
    (work / "long.txt").write_text("".join(f"line {n}\n" for n in range(1, 1201)))
    chat("read_file", path="long.txt", start_line=1, end_line=2)
    assert chat("write_file", path="long.txt", content="x").code is Code.NOT_READ
    chat("read_file", path="long.txt", start_line=900)
    assert chat("write_file", path="long.txt", content="x").code is Code.NOT_READ
    for start in (3, 503, 901):
        chat("read_file", path="long.txt", start_line=start)
    assert chat("write_file", path="long.txt", content="x").success


def test_an_edit_keeps_what_was_read_as_read(work: Path) -> None:
    chat = ToolChat(work, mode=Mode.NONE)
    chat("read_file", path="a.ini")
    assert chat("edit_file", path="a.ini", old_text="8080", new_text="9090").success
    assert chat("write_file", path="a.ini", content="port = 1\n").success


# --- links on the way -------------------------------------------------------------------------------------------------


def test_the_confirmation_says_that_a_path_leads_through_a_link(work: Path) -> None:
    (work / "archive" / "docs").mkdir(parents=True)
    (work / "docs").symlink_to("archive/docs")
    chat = ToolChat(work, mode=Mode.ALL, answer=ALLOW)
    calls = [
        ("write_file", {"path": "docs/a.txt", "content": "a"}, "inside_link"),
        ("append_file", {"path": "docs/a.txt", "content": "b"}, "inside_link"),
        ("create_directory", {"path": "docs/new"}, "inside_link"),
        ("copy_path", {"source": "docs/a.txt", "destination": "c.txt"}, "from_link"),
        ("copy_path", {"source": "a.ini", "destination": "docs/d.ini"}, "inside_link"),
        ("move_path", {"source": "docs/d.ini", "destination": "e.ini"}, "from_link"),
        ("delete_file", {"path": "docs/a.txt"}, "inside_link"),
    ]
    for name, arguments, flag in calls:
        assert chat(name, **arguments).success, name
        assert flag in chat.shown.items[0].flags, name
    chat("write_file", path="plain.txt", content="x")
    assert not {"inside_link", "from_link"} & set(chat.shown.items[0].flags)


def test_a_workspace_that_is_itself_a_link_is_no_link_on_the_way(tmp_path: Path, work: Path) -> None:
    (tmp_path / "L").symlink_to(work)
    chat = ToolChat(tmp_path / "L", mode=Mode.ALL, answer=ALLOW)
    assert chat("write_file", path="plain.txt", content="x").success
    assert "inside_link" not in chat.shown.items[0].flags
