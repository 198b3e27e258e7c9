from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.turns.driver import Driver


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small workspace."""
    root = tmp_path / "work"
    (root / "src").mkdir(parents=True)
    (root / "package.json").write_text('{\n  "name": "demo",\n  "port": 8421\n}\n')
    (root / "src" / "main.ts").write_text("import { app } from 'electron'\nimport electron from 'electron'\n")
    (root / "src" / "menu.ts").write_text("export const menu = 1\n")
    (root / "notes.txt").write_text("The pelican eats fish.\n")
    return root


@pytest.fixture
def drive(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Driver]]:
    """drive(server, **options) -> a Driver that is ended with the test."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("METONA_TK_HOME", str(home))
    with ExitStack() as stack:

        def make(server: Any, workspace: Path | None = folder, **options: Any) -> Driver:
            address = server if isinstance(server, str) else server.address
            return stack.enter_context(Driver(address, workspace, home, **options))

        yield make
