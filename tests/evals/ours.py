"""The program as a user runs it: `metona-tk ask --json`. Counterpart: `plain`, the yardstick."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.evals.outcome import SECONDS, Outcome, Setup, run

MOST_CHANGES = 100  # of one task


def ask(question: str, folder: Path, setup: Setup, home: Path) -> Outcome:
    """Ask in `home`, which nobody used before, so that no earlier chat or setting helps."""
    command = [*setup.program, "ask", question, "--folder", str(folder), "--model", setup.model, *setup.allowed]
    begun = time.monotonic()
    out, err, code = run([*command, "--host", setup.host, "--json"], home, SECONDS)
    outcome = read(out.split("\n"))
    outcome.seconds = time.monotonic() - begun
    if code is None:
        outcome.note = f"no end after {SECONDS} s"
    elif code:
        outcome.note = "; ".join(filter(None, (f"exit {code}", outcome.note, err.strip()[-300:])))
    return outcome


def take_back(setup: Setup, home: Path) -> None:
    """Undo every change of that home, the last one first."""
    for _ in range(MOST_CHANGES):
        _, _, code = run([*setup.program, "undo", "--last"], home, SECONDS)
        if code:
            return


def read(lines: Iterable[str]) -> Outcome:
    """The outcome as the events tell it: the answer is all text after the last tool call."""
    outcome, running, texts = Outcome(), {}, []
    for line in lines:
        try:
            event: dict[str, Any] = json.loads(line)
        except ValueError:
            continue
        match event.get("event"):
            case "TextAdded":
                texts.append(event["text"])
            case "ToolStarted":
                call = {key: event.get(key) for key in ("name", "arguments", "by_program")}
                running[event["call_id"]] = call
                outcome.calls.append(call)
            case "ToolFinished":
                texts.clear()
                running.get(event["call_id"], {}).update(
                    {key: event.get(key) for key in ("status", "result", "repairs")}
                )
            case "TurnFinished":
                if event.get("problem") or event.get("end") != "answered":
                    outcome.note = f"{event.get('end')} {_code(event.get('problem'))}".strip()
    outcome.answer = "".join(texts).strip()
    return outcome


def _code(problem: Any) -> str:
    return str(problem.get("code", "")) if isinstance(problem, dict) else ""
