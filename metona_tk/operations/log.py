"""One row of the log of tool calls (SPEC 4.1)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CallEntry:
    """Times are in seconds since 1970, arguments JSON text with secrets masked.

    decision: "" | allow | deny | no_answer; decided_by: user | mode | flag | rule; outcome: "success" or a code;
    seconds: the time it took, questions included.
    """

    at: float
    chat_id: str
    turn_id: str
    call_id: str
    tool: str
    arguments: str
    by_program: bool
    decision: str
    decided_by: str
    rule: str
    answer_ms: int
    outcome: str
    seconds: float
    operation_id: str
