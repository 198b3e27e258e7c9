from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metona_tk import places, settings
from metona_tk.agent.by_hand import run_by_hand
from metona_tk.agent.recording import open_record
from metona_tk.protocol.values import Result
from metona_tk.tools.registry import Registry, built_in

RunTool = Callable[..., Result]


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """An empty workspace."""
    root = tmp_path / "work"
    root.mkdir()
    return root


@pytest.fixture
def run(work: Path) -> RunTool:
    """run(tool, **arguments) -> Result, through the gate, in the workspace `work`."""

    def call(name: str, allow: tuple[str, ...] = (), num_ctx: int = 1 << 20, **arguments: Any) -> Result:
        loaded = settings.load(places.settings_file())
        loaded.values["numCtx"] = num_ctx
        return run_by_hand(
            loaded, Registry(built_in()), name, json.dumps(arguments), str(work), allow, None, open_record(loaded)
        )

    return call
