"""A frozen text that changes fails with the difference and the command that renews it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import snapshots


def test_a_changed_word_is_shown_with_the_way_to_renew_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "FOLDER", tmp_path)
    monkeypatch.setenv("METONA_TK_UPDATE_SNAPSHOTS", "1")
    snapshots.check_snapshot("a.txt", "one\ntwo\nthree\n")
    monkeypatch.delenv("METONA_TK_UPDATE_SNAPSHOTS")
    snapshots.check_snapshot("a.txt", "one\ntwo\nthree\n")
    with pytest.raises(AssertionError) as failed:
        snapshots.check_snapshot("a.txt", "one\n2\nthree\n")
    said = str(failed.value)
    assert "-two\n+2\n" in said
    assert "METONA_TK_UPDATE_SNAPSHOTS=1 python -m pytest 'tests/unit/test_snapshots.py::" in said
    with pytest.raises(AssertionError, match="b.txt is not what it was"):
        snapshots.check_snapshot("b.txt", "new\n")
