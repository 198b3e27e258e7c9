"""A plugin of pytest: only the tests that a file names, in its order. Counterpart: `nearest`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

LIST = "METONA_TK_CHOSEN_TESTS"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what was not chosen."""
    order = {name: place for place, name in enumerate(json.loads(Path(os.environ[LIST]).read_text("utf-8")))}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in order])
    items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])
