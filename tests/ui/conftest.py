"""One root for the session and a Toplevel for each test (a root for each would leak 1.5 MB)."""

from __future__ import annotations

import os
import sys
import tkinter as tk
from collections.abc import Iterator
from pathlib import Path

import pytest

from metona_tk.ui.widgets.root import make_root
from tests.ui.hands import Hands, drop_hands, make_hands


@pytest.fixture(scope="session")
def root() -> Iterator[tk.Tk]:
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        pytest.skip("there is no DISPLAY to show a window on")
    made = make_root()
    made.withdraw()
    yield made
    made.destroy()


@pytest.fixture(autouse=True)
def background_errors(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """What goes wrong in timers and idle work of Tk itself, such as one of a widget that is gone."""
    errors: list[str] = []
    if "root" not in request.fixturenames:
        yield errors
        return
    root = request.getfixturevalue("root")
    root.tk.createcommand("bgerror", lambda words: errors.append(f"{words}\n{root.getvar('errorInfo')}"))
    yield errors
    root.update()
    assert not errors


@pytest.fixture
def hands(root: tk.Tk) -> Iterator[Hands]:
    made = make_hands(root)
    yield made
    drop_hands(made)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One screen, one focus: the tests of the window run in one process, one after another."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("screen"))
