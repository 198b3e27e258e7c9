"""The written laws of ui/: no colour outside the palette, no long files, no waiting on Tk's thread."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

UI = Path(__file__).parents[3] / "metona_tk" / "ui"
FILES = sorted(UI.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(UI)))
def test_a_file_keeps_the_laws(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    if path.name != "palette.py":
        assert not re.search("#[0-9A-Fa-f]{6}\\b", text), "a colour outside palette.py"
    code = re.sub(r'""".*?"""|#[^\n]*', "", text, flags=re.S)
    if path.parent.name == "chat":
        assert "update_idletasks" not in code, "it would lay out all that was written"
    assert not re.search(r"\.update\(\)|time\.sleep|\.join\(timeout|wait_window|grab_set", code)
    if "widgets" not in path.parts:
        assert "import customtkinter" not in code
