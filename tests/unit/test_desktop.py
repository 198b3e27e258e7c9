from __future__ import annotations

import queue
from typing import Any

import pytest

from metona_tk.desktop import LateEngine
from metona_tk.protocol.commands import ListModels, Shutdown
from metona_tk.protocol.events import EngineStopped


class _Engine:
    def __init__(self) -> None:
        self.got: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def start(self) -> None:
        self.got.put("started")

    def send(self, command: Any) -> None:
        self.got.put(command)

    def join(self, seconds: float) -> bool:
        return True


def test_commands_wait_for_the_engine_and_keep_their_order() -> None:
    engine, gate = _Engine(), queue.SimpleQueue[None]()

    def build() -> _Engine:
        gate.get(timeout=10)
        return engine

    late = LateEngine(build, lambda _: None)
    late.send(ListModels())
    late.send(Shutdown())
    late.begin()
    late.begin()
    gate.put(None)
    assert [engine.got.get(timeout=10) for _ in range(3)] == ["started", ListModels(), Shutdown()]


def test_an_engine_that_cannot_be_built_is_told(caplog: pytest.LogCaptureFixture) -> None:
    events: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def build() -> _Engine:
        raise RuntimeError("broken")

    late = LateEngine(build, events.put)
    late.send(ListModels())
    late.begin()
    assert events.get(timeout=10) == EngineStopped()
