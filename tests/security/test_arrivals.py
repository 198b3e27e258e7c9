"""A folder that is moved or copied is judged by what it will hold where it arrives."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Mode
from tests.fakes.tool_chat import ALLOW, ToolChat

TOOLS = ("move_path", "copy_path")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home folder that is the workspace; the program's own folders are the usual ones and not there yet."""
    from metona_tk import places

    made = tmp_path / "home"
    made.mkdir()
    monkeypatch.delenv("METONA_TK_HOME")
    monkeypatch.setenv("HOME", str(made))
    for name, below in (("CONFIG", ".config"), ("DATA", ".data"), ("STATE", ".state"), ("CACHE", ".cache")):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(made / below))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))  # the record of the test itself
    places._dirs.cache_clear()
    yield made
    places._dirs.cache_clear()


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("place", [".config", ".cache", ".state"])
def test_no_folder_brings_the_programs_own_files(tool: str, mode: Mode, place: str, home: Path) -> None:
    (home / "prep" / "metona-tk" / "log").mkdir(parents=True)
    (home / "prep" / "metona-tk" / "settings.json").write_text("{}")
    chat = ToolChat(home, mode=mode, answer=ALLOW)
    result = chat(tool, source="prep", destination=place)
    assert result.code is Code.APP_PRIVATE
    assert "another destination" in str(result.error)
    assert chat.asked == []
    assert not (home / place).exists() and (home / "prep" / "metona-tk" / "settings.json").exists()


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("spelling", ["metona-tk", "METONA-TK", "metona-tk\u200b", "ｍetona-tk"])
def test_any_spelling_and_an_empty_folder_count(tool: str, spelling: str, home: Path) -> None:
    (home / "prep" / spelling).mkdir(parents=True)
    assert ToolChat(home, mode=Mode.NONE)(tool, source="prep", destination=".config").code is Code.APP_PRIVATE


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("depth", [1, 2])
def test_deeper_folders_count_too(tool: str, depth: int, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from metona_tk import places

    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "x" / "y" / "z"))
    places._dirs.cache_clear()
    (home / "prep" / "y" / "z" / "metona-tk").mkdir(parents=True)
    chat = ToolChat(home, mode=Mode.NONE)
    if depth == 1:
        assert chat(tool, source="prep", destination="x").code is Code.APP_PRIVATE
    else:
        (home / "x").mkdir()
        assert chat(tool, source="prep/y", destination="x/").code is Code.APP_PRIVATE
        assert chat(tool, source="prep/*", destination="x/").code is Code.APP_PRIVATE


@pytest.mark.parametrize("tool", TOOLS)
def test_no_folder_brings_a_protected_place(tool: str, home: Path) -> None:
    (home / "prep" / "gcloud").mkdir(parents=True)
    (home / "prep" / "gcloud" / "token").write_text("x")
    chat = ToolChat(home, mode=Mode.NONE, answer=ALLOW)
    assert chat(tool, source="prep", destination=".config").code is Code.PROTECTED_PATH
    assert not (home / ".config").exists()


def test_no_link_is_moved_above_the_programs_own_files(home: Path) -> None:
    (home / "prep" / "metona-tk").mkdir(parents=True)
    os.symlink("prep", home / "link")
    chat = ToolChat(home, mode=Mode.NONE, answer=ALLOW)
    assert chat("move_path", source="link", destination=".config").code is Code.APP_PRIVATE
    assert not os.path.lexists(home / ".config")


def test_no_link_in_a_folder_comes_above_the_programs_own_files(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from metona_tk import places

    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "x" / "y"))
    places._dirs.cache_clear()
    (home / "prep").mkdir()
    os.symlink("..", home / "prep" / "y")
    chat = ToolChat(home, mode=Mode.NONE, answer=ALLOW)
    assert chat("move_path", source="prep", destination="x").code is Code.APP_PRIVATE
    shutil.rmtree(home / "prep")
    (home / "prep").mkdir()
    os.symlink("..", home / "prep" / "harmless")
    assert chat("move_path", source="prep", destination="x").success


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("inside", [".git/hooks/pre-commit", "conftest.py", "deep/er/.envrc", ".vscode/tasks.json"])
def test_what_would_run_where_it_arrives_is_asked_for(tool: str, inside: str, home: Path) -> None:
    path = home / "prep" / inside
    path.parent.mkdir(parents=True)
    path.write_text("x")
    chat = ToolChat(home, mode=Mode.NONE, answer=ALLOW)
    assert chat(tool, source="prep", destination="there").success
    assert "runs_later" in chat.shown.rules


@pytest.mark.parametrize("tool", TOOLS)
def test_a_place_that_makes_its_files_run_is_asked_for(tool: str, home: Path) -> None:
    (home / "prep").mkdir()
    (home / "prep" / "plain.desktop").write_text("x")
    chat = ToolChat(home, mode=Mode.NONE, answer=ALLOW)
    assert chat(tool, source="prep", destination=".config/autostart").success
    assert "runs_later" in chat.shown.rules


@pytest.mark.parametrize("tool", TOOLS)
def test_a_folder_with_secrets_is_asked_for_and_they_stay_closed(tool: str, home: Path) -> None:
    (home / "prep").mkdir()
    (home / "prep" / ".env").write_text("TOKEN=x")
    (home / "id_rsa").write_text("KEY")
    chat = ToolChat(home, mode=Mode.NONE, answer=ALLOW)
    assert chat("move_path", source="id_rsa", destination="prep/plain.txt").success
    (home / "prep" / ".env").unlink()
    assert chat(tool, source="prep", destination="there").success
    assert "sensitive_file" in chat.shown.rules
    assert chat("read_file", path="there/plain.txt").code is Code.SENSITIVE_FILE


@pytest.mark.parametrize("tool", TOOLS)
def test_a_harmless_folder_goes_unasked_beside_closed_places(tool: str, home: Path) -> None:
    (home / "prep" / "other").mkdir(parents=True)
    (home / "prep" / "other" / "a.txt").write_text("x")
    chat = ToolChat(home, mode=Mode.NONE)
    assert chat(tool, source="prep", destination=".cache").success
    assert (home / ".cache" / "other" / "a.txt").read_text() == "x"
