"""The log of every tool call (SPEC 4.1), written when a call has ended, with nothing secret in it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metona_tk import places
from metona_tk.agent.changing import Said
from metona_tk.agent.gatekeeper import build_gate
from metona_tk.agent.tool_context import make_guard
from metona_tk.logs import log
from metona_tk.operations.failures import OperationFailed
from metona_tk.operations.log import CallEntry
from metona_tk.operations.undo import Operations
from metona_tk.protocol.problems import ProblemError
from metona_tk.security.handles import open_folder
from metona_tk.security.names import is_sensitive
from metona_tk.settings import Settings

if TYPE_CHECKING:
    from metona_tk.agent.conversation import Conversation
    from metona_tk.agent.masks import Masks
    from metona_tk.agent.tool_call import Caller, Outcome, ParsedCall

_LONGEST = 4000  # characters of one argument that are kept
_MASKED = "⟨masked⟩"
_CONTENTS = ("content", "old_text", "new_text")
_PATHS = ("path", "source", "destination")


@dataclass(slots=True)
class Record:
    """The record of one program. A log that cannot be written does not stop the work; changes have a journal of their
    own, without which nothing is changed.
    """

    operations: Operations
    clock: Callable[[], float] = time.time

    def tidy(self) -> None:
        """Put right what a crash left, and keep the store within its limits; for the start, beside other work."""
        try:
            self.operations.tidy()
        except (OperationFailed, ProblemError, OSError):
            log.exception("the undo store could not be tidied; it is tried again at the next start")

    def call(self, chat: Conversation, call: ParsedCall, caller: Caller, said: Said, outcome: Outcome) -> None:
        """Note one call."""
        entry = CallEntry(
            at=self.clock(),
            chat_id=chat.chat_id,
            turn_id=caller.turn_id,
            call_id=caller.call_id,
            tool=call.name[:100],
            arguments=masked_arguments(call.shown, chat.masks),
            by_program=caller.by_program,
            decision=str(said.decision or ""),
            decided_by=said.by,
            rule=said.rule,
            answer_ms=said.answer_ms,
            outcome="success" if outcome.result.success else str(outcome.result.code or ""),
            seconds=round(outcome.seconds, 4),
            operation_id=outcome.operation.operation_id if outcome.operation else "",
        )
        try:
            self.operations.record_call(entry)
        except (ProblemError, OSError):
            log.exception("a call could not be written to the log")


def masked_arguments(arguments: dict[str, Any], masks: Masks) -> str:
    """Arguments as JSON text for the log: secrets masked, contents for sensitive files left out, long ones cut."""
    secret = any(is_sensitive(os.path.basename(str(arguments.get(name, "")))) for name in _PATHS)
    kept: dict[str, Any] = {}
    for name, value in arguments.items():
        kept[name] = _MASKED if secret and name in _CONTENTS else masks.logged(value, _LONGEST)
    text = json.dumps(kept, ensure_ascii=False, default=str)
    return text.encode("utf-8", "replace").decode("utf-8")


def open_record(settings: Settings) -> Record:
    """The record in this user's data folder."""
    home = os.path.expanduser("~")
    gate = build_gate(home, settings["allowedDirs"], settings["blockedDirs"])
    guard = make_guard(gate, frozenset())
    operations = Operations(places.data_dir() / "undo", lambda path: open_folder(path, guard))
    return Record(operations)
