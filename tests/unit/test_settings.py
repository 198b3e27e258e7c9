from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metona_tk import settings
from metona_tk.protocol.problems import ProblemCode, ProblemError


def test_a_missing_file_gives_the_defaults(tmp_path: Path) -> None:
    loaded = settings.load(tmp_path / "settings.json")
    assert (loaded.values, loaded.problem) == (settings.defaults(), None)
    assert loaded["numCtx"] == 24576
    assert not (tmp_path / "settings.json").exists()


def test_what_was_changed_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "settings.json"
    loaded = settings.load(path)
    loaded.change({"model": "a:1b", "temperature": 1, "enabledTools": {"read_file": False}})
    again = settings.load(path)
    assert (again["model"], again["temperature"], again["enabledTools"]) == ("a:1b", 1, {"read_file": False})
    assert path.stat().st_mode & 0o777 == 0o600
    assert sorted(os.listdir(path.parent)) == ["settings.json"]


def test_unknown_fields_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"version": 9, "future": {"a": 1}, "model": "m"}))
    loaded = settings.load(path)
    loaded.change({"theme": "light"})
    data = json.loads(path.read_text())
    assert (data["future"], data["model"], data["theme"]) == ({"a": 1}, "m", "light")


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[1]", b"null", b"\xff\xfe\x00", b"[" * 100_000, b'{"a": "' + b"x" * (2 << 20) + b'"}']
)
def test_a_damaged_file_is_set_aside_and_said(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(raw)
    loaded = settings.load(path)
    assert loaded.values == settings.defaults()
    assert loaded.problem is not None
    assert loaded.problem.code is ProblemCode.SETTINGS_SET_ASIDE
    assert Path(loaded.problem.details["path"]).read_bytes() == raw
    assert not path.exists()


def test_two_damaged_files_are_both_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    for text in ("{1", "{2", "{3"):
        path.write_text(text)
        settings.load(path)
    assert sorted(entry.read_text() for entry in tmp_path.iterdir()) == ["{1", "{2", "{3"]


def test_one_wrong_field_loses_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"model": "kept", "numCtx": "big"}))
    loaded = settings.load(path)
    assert (loaded["model"], loaded["numCtx"]) == ("kept", 24576)
    assert loaded.problem is not None
    assert loaded.problem.details["key"] == "numCtx"


@pytest.mark.parametrize(
    "changes",
    [
        {"theme": "pink"},
        {"numCtx": 1},
        {"numCtx": True},
        {"numCtx": 2048.5},
        {"temperature": "hot"},
        {"temperature": 2.1},
        {"allowedDirs": "x"},
        {"allowedDirs": [1]},
        {"enabledTools": {"read_file": 1}},
        {"nope": 1},
        {"model": "good", "theme": "pink"},
    ],
)
def test_a_change_is_all_or_nothing(tmp_path: Path, changes: dict[str, Any]) -> None:
    loaded = settings.load(tmp_path / "settings.json")
    with pytest.raises(ProblemError) as told:
        loaded.change(changes)
    assert told.value.problem.code is ProblemCode.BAD_SETTING
    assert loaded.values == settings.defaults()
    assert not (tmp_path / "settings.json").exists()


def test_a_folder_that_cannot_be_written_is_said_and_the_change_holds(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    loaded = settings.load(tmp_path / "file" / "settings.json")
    with pytest.raises(ProblemError) as told:
        loaded.change({"model": "m"})
    assert told.value.problem.code is ProblemCode.SETTINGS_NOT_SAVED
    assert loaded["model"] == "m"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda x: st.lists(x) | st.dictionaries(st.text(max_size=5), x),
        max_leaves=8,
    ),
    st.sampled_from(sorted(settings.FIELDS)),
)
def test_any_value_is_checked_without_an_exception(value: Any, key: str) -> None:
    assert settings.FIELDS[key].check(value) in {True, False}


def test_every_default_fits_its_own_field() -> None:
    for entry in settings.SCHEMA:
        assert entry.check(entry.default), entry.key
        assert entry.title
        assert entry.help


def test_another_running_metonas_changes_stay(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    window, terminal = settings.load(path), settings.load(path)
    window.change({"blockedDirs": ["/data"], "enabled": False})
    terminal.change({"model": "m"})
    again = settings.load(path)
    assert (again["blockedDirs"], again["enabled"], again["model"]) == (["/data"], False, "m")


def test_a_file_that_cannot_be_understood_any_more_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    loaded = settings.load(path)
    path.write_text("{half")
    with pytest.raises(ProblemError) as told:
        loaded.change({"model": "m"})
    assert told.value.problem.code is ProblemCode.SETTINGS_NOT_SAVED
    assert path.read_text() == "{half"


def test_values_of_another_version_stay_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"version": 7, "confirmationMode": "review", "theme": "pink"}))
    loaded = settings.load(path)
    assert loaded["confirmationMode"] == "write-only"
    assert loaded.problem is not None
    assert loaded.problem.details["key"] == "confirmationMode, theme"
    loaded.change({"model": "m"})
    data = json.loads(path.read_text())
    assert (data["version"], data["confirmationMode"], data["theme"]) == (7, "review", "pink")
