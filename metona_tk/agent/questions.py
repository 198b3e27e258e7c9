"""Open questions of a turn that are no approvals, and their answers. One answer counts; silence is the last choice."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from metona_tk.backends.base import CancelToken


@dataclass(slots=True)
class _Question:
    choices: tuple[str, ...]
    done: threading.Event = field(default_factory=threading.Event)
    answer: str = ""


class Questions:
    """The questions of one engine, by id. `seconds` is how long one waits; 0 = nobody is there to answer."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._lock = threading.Lock()
        self._open: dict[str, _Question] = {}

    def register(self, question_id: str, choices: tuple[str, ...]) -> None:
        """Open a question, before it is announced, so that no answer can come too early."""
        with self._lock:
            self._open[question_id] = _Question(choices, answer=choices[-1])

    def wait(self, question_id: str, cancel: CancelToken) -> str:
        """Wait for the answer; a stop and silence are the last choice. Closes the question."""
        question = self._open[question_id]
        forget = cancel.on_cancel(question.done.set)
        question.done.wait(self.seconds)
        forget()
        with self._lock:
            del self._open[question_id]
            return question.answer

    def answer(self, question_id: str, answer: str) -> bool:
        """Answer a question; False when it is closed or answered already, or has no such choice."""
        with self._lock:
            question = self._open.get(question_id)
            if question is None or question.done.is_set() or answer not in question.choices:
                return False
            question.answer = answer
            question.done.set()
            return True
