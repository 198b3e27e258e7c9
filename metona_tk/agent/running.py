"""The turns that run now, each on a thread of its own, at most one a chat. Counterpart: `agent.engine`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from metona_tk.backends.base import CancelToken
from metona_tk.protocol.events import Event, TurnFinished
from metona_tk.protocol.problems import ProblemCode, ProblemError

Send = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class _Run:
    chat_id: str
    cancel: CancelToken


@dataclass(slots=True)
class Running:
    """The register of running turns; thread-safe."""

    emit: Send
    _runs: dict[str, _Run] = field(default_factory=dict[str, _Run])
    _threads: dict[str, threading.Thread] = field(default_factory=dict[str, threading.Thread])
    _used: set[str] = field(default_factory=set[str])  # ids of turns, running or ended: each is used once
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def in_chat(self, chat_id: str) -> bool:
        """Whether a turn of this chat runs."""
        with self._lock:
            return any(run.chat_id == chat_id for run in self._runs.values())

    def check_free(self, chat_id: str, turn_id: str = "") -> None:
        """ProblemError(turn_running) where the chat has a running turn, or the id was used before."""
        if self.in_chat(chat_id) or turn_id in self._used:
            raise ProblemError(ProblemCode.TURN_RUNNING)

    def start(self, chat_id: str, turn_id: str, cancel: CancelToken, work: Callable[[], None]) -> None:
        """Run a turn. Whoever emits its last event does so by `sender`, or calls `forget` before."""

        def run() -> None:
            try:
                work()
            finally:
                self.forget(turn_id)
                with self._lock:
                    self._threads.pop(turn_id, None)

        thread = threading.Thread(target=run, name=f"turn-{turn_id[:8]}", daemon=True)
        self._used.add(turn_id)
        with self._lock:
            self._runs[turn_id] = _Run(chat_id, cancel)
            self._threads[turn_id] = thread
        thread.start()

    def sender(self, turn_id: str) -> Send:
        """Emits for a turn; who has seen its TurnFinished may start the next one."""

        def send(event: Event) -> None:
            if isinstance(event, TurnFinished):
                self.forget(turn_id)
            self.emit(event)

        return send

    def forget(self, turn_id: str) -> None:
        """The turn is over, though its thread may still have something to tidy."""
        with self._lock:
            self._runs.pop(turn_id, None)

    def cancel(self, turn_id: str) -> None:
        """Stop a turn; nothing for one that has ended."""
        with self._lock:
            run = self._runs.get(turn_id)
        if run:
            run.cancel.cancel()

    def stop(self, seconds: float) -> None:
        """Stop every turn and wait so long for each to say its last."""
        with self._lock:
            runs, threads = list(self._runs.values()), list(self._threads.values())
        for run in runs:
            run.cancel.cancel()
        for thread in threads:
            thread.join(seconds)
