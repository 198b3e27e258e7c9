"""Drives an engine as the window does, by commands and events alone, against a server on a real socket."""

from __future__ import annotations

import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from metona_tk.agent.engine import Engine
from metona_tk.agent.recording import open_record
from metona_tk.backends.ollama.address import server_address
from metona_tk.backends.ollama.client import OllamaBackend
from metona_tk.protocol.commands import AnswerApproval, AnswerQuestion, Command, NewConversation, Shutdown, StartTurn
from metona_tk.protocol.events import (
    ApprovalRequested,
    EngineStopped,
    Event,
    QuestionAsked,
    TextAdded,
    ToolFinished,
    TurnFinished,
)
from metona_tk.protocol.values import Decision
from metona_tk.settings import Settings
from metona_tk.tools.registry import built_in

E = TypeVar("E")
SECONDS = 15.0


def stacks() -> str:
    """Where every thread stands, for a test that waits in vain."""
    frames = sys._current_frames()
    named = [(thread.name, frames[thread.ident]) for thread in threading.enumerate() if thread.ident in frames]
    return "\n".join(f"{name}\n" + "".join(traceback.format_stack(frame)[-6:]) for name, frame in named)


class Driver:
    """An engine with one chat. Every event is kept, with the time at which it came."""

    def __init__(
        self,
        address: str,
        workspace: Path | None,
        home: Path,
        *,
        answer_seconds: float = 300.0,
        allow_files: tuple[str, ...] = (),
        silence_ends: float = 600.0,
        silence_told: float = 10.0,
        tools: list[Any] | None = None,
        **settings: Any,
    ) -> None:
        self.events: list[Event] = []
        self.times: list[float] = []
        self._queue: queue.SimpleQueue[Event] = queue.SimpleQueue()
        loaded = Settings(home / "settings.json")
        loaded.values |= {"server": address} | settings
        self.settings = loaded
        self.engine = Engine(
            loaded,
            self._queue.put,
            lambda server: OllamaBackend(server_address(server), silence_ends, silence_told),
            built_in() if tools is None else tools,
            open_record(loaded),
            answer_seconds,
            allow_files,
        )
        self.engine.start()
        self.turn = 0
        self.send(NewConversation("chat", str(workspace) if workspace else None))

    def __enter__(self) -> Driver:
        return self

    def __exit__(self, *_: object) -> None:
        self.send(Shutdown())
        self.wait(EngineStopped)
        assert self.engine.join(SECONDS)
        end = time.monotonic() + SECONDS
        while left := [each.name for each in threading.enumerate() if each.name.startswith(("turn-", "tool_"))]:
            assert time.monotonic() < end, left
            time.sleep(0.01)

    def send(self, command: Command) -> None:
        self.engine.send(command)

    def start(self, text: str, model: str = "") -> str:
        self.turn += 1
        turn_id = f"turn{self.turn}"
        self.send(StartTurn("chat", turn_id, text, model))
        return turn_id

    def ask(self, text: str, model: str = "") -> TurnFinished:
        """One whole turn."""
        turn_id = self.start(text, model)
        return self.wait(TurnFinished, lambda event: event.turn_id == turn_id)

    def wait(self, kind: type[E], wanted: Callable[[E], bool] = lambda _: True, seconds: float = SECONDS) -> E:
        """The first event of that kind from now on (or among those that came since the last wait)."""
        end = time.monotonic() + seconds
        while True:
            try:
                event = self._queue.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                names = [type(event).__name__ for event in self.events]
                raise AssertionError(f"no {kind.__name__} came; these did: {names}\n{stacks()}") from None
            self.events.append(event)
            self.times.append(time.monotonic())
            if isinstance(event, kind) and wanted(event):
                return event

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def text(self, turn_id: str = "") -> str:
        return "".join(event.text for event in self.of(TextAdded) if not turn_id or event.turn_id == turn_id)

    def result(self, index: int = -1) -> Any:
        return self.of(ToolFinished)[index].result


def through(driver: Driver, order: str, decision: Decision, go_on: str = "stop") -> TurnFinished:
    """One turn in which every confirmation gets `decision`, and the program's own questions `go_on`."""
    turn_id = driver.start(order)
    while True:
        event = driver.wait(ApprovalRequested | QuestionAsked | TurnFinished)  # type: ignore[arg-type]
        if isinstance(event, TurnFinished):
            assert event.turn_id == turn_id
            return event
        if isinstance(event, QuestionAsked):
            driver.send(AnswerQuestion(event.question_id, go_on))
        else:
            driver.send(AnswerApproval(event.call_id, decision, digest=event.preview.digest))
