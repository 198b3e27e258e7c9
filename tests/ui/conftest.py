"""One root for the session and a Toplevel for each test (a root for each would leak 1.5 MB)."""

from __future__ import annotations

import gc
import os
import queue
import sys
import tkinter as tk
from collections.abc import Iterator
from pathlib import Path

import pytest

from metona_tk import settings
from metona_tk.app import Program
from metona_tk.cli.core import Allowed
from metona_tk.protocol.commands import Shutdown
from metona_tk.ui.widgets.root import make_root
from metona_tk.ui.window import StartOptions, Window
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


@pytest.fixture
def start(root, tmp_path, monkeypatch):
    gc.collect()  # here, not on the core's threads: the fonts of windows that are gone would call Tk from there
    monkeypatch.setenv("METONA_TK_HOME", str(tmp_path / "home"))
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "plan.txt").write_text("The number is 42.\n", encoding="utf-8")
    (tmp_path / "outside.txt").write_text("Outside words.\n", encoding="utf-8")
    made = []

    def begin(address: str) -> Hands:
        program = Program(settings.load(tmp_path / "home" / "settings.json"))
        hands = Hands(tk.Toplevel(root), queue.SimpleQueue())
        engine = program.engine(hands.events.put, address, 300.0, Allowed())
        engine.start()

        def send(command):
            hands.sent.append(command)
            engine.send(command)

        hands.window = Window(hands.top, send, hands.events, dict(program.settings.values))
        hands.window.start(StartOptions(str(folder)))
        made.append(hands)
        hands.wait_for(lambda: hands.window.state.shown.model and hands.page.winfo_viewable(), "a model")
        return hands

    yield begin
    for hands in made:
        if not hands.of(Shutdown):
            hands.window.close()
        hands.wait_for_end()
        drop_hands(hands)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One screen, one focus: the tests of the window run in one process, one after another."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("screen"))
