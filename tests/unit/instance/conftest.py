from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.starts import Starts, starts


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the user's session, with a short name: a socket's path has no room for more."""
    with tempfile.TemporaryDirectory(prefix="m-", dir="/tmp" if os.path.isdir("/tmp") else None) as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        monkeypatch.setenv("DISPLAY", ":77")
        yield Path(folder)


@pytest.fixture
def start() -> Iterator[Starts]:
    with starts() as made:
        yield made
