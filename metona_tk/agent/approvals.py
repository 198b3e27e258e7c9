"""Open questions to the user, and their answers. One answer counts; nobody answering in time is a no."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from metona_tk.backends.base import CancelToken
from metona_tk.protocol.commands import AnswerApproval
from metona_tk.protocol.values import Answer, Decision

ANSWER_SECONDS = 300.0  # SPEC 3.3: five minutes without an answer mean Deny


@dataclass(slots=True)
class _Question:
    digest: str
    done: threading.Event = field(default_factory=threading.Event)
    answer: Answer = Answer(Decision.NO_ANSWER)


class Approvals:
    """The questions of one engine, by call id. `seconds` is how long one waits; 0 = nobody is there to answer."""

    def __init__(self, seconds: float = ANSWER_SECONDS) -> None:
        self.seconds = seconds
        self._lock = threading.Lock()
        self._open: dict[str, _Question] = {}

    @property
    def answerable(self) -> bool:
        """Whether anybody can answer at all."""
        return self.seconds > 0

    def register(self, call_id: str, digest: str = "") -> None:
        """Open a question, before it is announced, so that no answer can come too early.

        `digest` names what is shown: an answer to anything else is none.
        """
        with self._lock:
            self._open[call_id] = _Question(digest)

    def wait(self, call_id: str, cancel: CancelToken) -> Answer:
        """Wait for the answer; a stop counts as no answer. Closes the question."""
        question = self._open[call_id]
        forget = cancel.on_cancel(question.done.set)
        question.done.wait(self.seconds)
        forget()
        with self._lock:
            del self._open[call_id]
            return question.answer

    def answer(self, said: AnswerApproval) -> bool:
        """Answer a question; False when it is closed or answered already, or another one was shown."""
        with self._lock:
            question = self._open.get(said.call_id)
            if question is None or question.done.is_set():
                return False
            if said.decision is Decision.ALLOW and said.digest != question.digest:
                return False
            question.answer = Answer(said.decision, said.reason, said.text, said.typed, said.after_ms)
            question.done.set()
            return True
