"""`metona-tk undo`, `redo` and `log`: what the tools did, and taking it back."""

from __future__ import annotations

import argparse
import datetime
import json
import re
import time
from typing import Any

from metona_tk.cli import terminal
from metona_tk.cli.confirm import diff_text
from metona_tk.cli.core import Core
from metona_tk.i18n import N_, tr
from metona_tk.i18n.problems import not_undoable_text, problem_text
from metona_tk.protocol.changes import Conflict
from metona_tk.protocol.commands import RedoOperation, UndoOperation
from metona_tk.protocol.events import OperationChanged, UndoConflicted
from metona_tk.protocol.values import JsonObject

DONE, FAILED, WRONG_USE, DENIED = 0, 1, 2, 3
_MOST = 10_000  # calls that a list shows
_AGO = re.compile(r"(\d+)\s*([smhdw])")
_SHOWN = 200  # characters of arguments in a line
_HOW = {
    ("user", "allow"): N_("you allowed it"),
    ("flag", "allow"): N_("allowed by --yes"),
    ("mode", "allow"): N_("the mode does not ask"),
}
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


class BadTime(ValueError):
    """A --since that is no time."""


def add_undo(parser: argparse.ArgumentParser, redo: bool) -> None:
    """The options of undo or redo."""
    parser.add_argument("id", nargs="?", help=tr("the change, as “log” names it; without one the last"))
    if not redo:
        parser.add_argument("--turn", metavar="ID", help=tr("every change of one answer, as “ask” names it"))
    parser.add_argument("--last", action="store_true", help=tr("the last one"))
    parser.add_argument("--yes", action="store_true", help=tr("also where a file was changed since, without asking"))


def add_log(parser: argparse.ArgumentParser) -> None:
    """The options of log."""
    parser.add_argument(
        "--since", metavar="T", default="", help=tr("a time (2026-12-31, 14:30) or how long ago (2h, 3d)")
    )
    parser.add_argument("--json", action="store_true", help=tr("one JSON object a line"))


def undo(core: Core, options: argparse.Namespace, redo: bool) -> int:
    """Undo or redo; every operation is named on standard output with what came of it."""
    turn = getattr(options, "turn", None)
    if (options.id is not None) + (turn is not None) + options.last > 1:
        terminal.err(tr("Name one of: an ID, --turn, --last."))
        return WRONG_USE
    ids = [options.id] if options.id is not None else _last(core, redo) if turn is None else _of_turn(core, turn)
    if not ids:
        terminal.err(_nothing(redo, turn))
        return FAILED
    code = DONE
    for operation_id in ids:
        code = max(code, _one(core, operation_id, redo, options.yes))
    return code


def _of_turn(core: Core, turn: str) -> list[str]:
    return core.changes.of_turn(turn) if turn else []  # calls by hand have no turn, and are not one


def _nothing(redo: bool, turn: str | None) -> str:
    if turn is not None:
        return tr("There is no answer of that ID with a change to undo.")
    return tr("There is nothing to redo.") if redo else tr("There is nothing to undo.")


def _last(core: Core, redo: bool) -> list[str]:
    found = core.changes.last(redo)
    return [found] if found else []


def _one(core: Core, operation_id: str, redo: bool, yes: bool) -> int:
    command = RedoOperation if redo else UndoOperation
    came = core.changes.outcome(command(operation_id))
    if isinstance(came, UndoConflicted):
        if not yes and not _agrees(came.conflict):
            terminal.err(tr("Nothing was changed."))
            if not terminal.can_ask():
                terminal.err(tr("Nobody could be asked; with --yes it goes on without asking."))
            return DENIED
        came = core.changes.outcome(command(operation_id, came.conflict.digest))
    if isinstance(came, OperationChanged):
        done = tr("done again") if redo else tr("undone")
        terminal.out(f"{operation_id}: {done}{_what(core, operation_id)}\n")
        return DONE
    if isinstance(came, UndoConflicted):
        terminal.err(tr("It was changed again while you were asked; nothing was done."))
        return FAILED
    where = f" ({terminal.exact(came.path)})" if came.path else ""
    terminal.err(not_undoable_text(came.reason) + where)
    return FAILED


def _what(core: Core, operation_id: str) -> str:
    """The call of an operation in brackets; "" where the log does not have it."""
    calls = core.changes.calls(None, _MOST)
    found = next((call for call in calls if call["operation_id"] == operation_id), None)
    return " (" + terminal.exact(f"{found['tool']} {acts_on(found['arguments'])}"[:_SHOWN]) + ")" if found else ""


def _agrees(conflict: Conflict) -> bool:
    """Show what is there now and what would be, and ask."""
    terminal.err(tr("This was changed since, and going on replaces it:"))
    for item in conflict.items:
        gone = tr("nothing, it goes to the recycle bin") if item.then.kind == "none" else tr("as it was")
        if item.goes_to:
            gone = tr("it goes to {path}, as it is now", path=terminal.exact(item.goes_to))
        now = tr("nothing is there") if item.now.kind == "none" else tr("{count} bytes", count=item.now.size)
        terminal.err(f"  {terminal.exact(item.path)}: {now} → {gone}")
        for line in item.diff:
            terminal.err(diff_text(line))
    terminal.err(tr("What is there now is kept in the undo store, so this too can be undone."))
    return terminal.can_ask() and terminal.is_yes(
        terminal.answer(tr("Type yes to go on, anything else to leave it: "), None)
    )


def acts_on(arguments: JsonObject) -> str:
    """What a call is about, from its arguments."""
    return " ".join(str(arguments[key]) for key in ("query", "path", "source", "destination") if key in arguments)


def show_log(core: Core, options: argparse.Namespace) -> int:
    """The calls, oldest first, a line or a JSON object each."""
    try:
        since = parse_since(options.since, time.time())
    except BadTime:
        terminal.err(tr("{text} is no time: give a date, a time of day, or how long ago (2h, 3d).", text=options.since))
        return WRONG_USE
    calls = core.changes.calls(since, _MOST)
    for call in calls:
        terminal.json_out(call) if options.json else terminal.out(_line(call) + "\n")
    if problem := core.changes.problem():
        terminal.err(problem_text(problem))
    if not calls and not options.json:
        said = tr("No tool was called in that time.") if options.since else tr("No tool was called so far.")
        terminal.err(said)
    return DONE


def parse_since(text: str, now: float) -> float | None:
    """Seconds since 1970 for "2026-12-31", "2026-12-31 14:30", "14:30" (today), "2h", "3d"; None for "". BadTime."""
    text = text.strip()
    if not text:
        return None
    if ago := _AGO.fullmatch(text.lower()):
        return now - int(ago[1]) * _SECONDS[ago[2]]
    today = datetime.datetime.fromtimestamp(now).date()
    for candidate in (text, f"{today.isoformat()} {text}"):
        try:
            return datetime.datetime.fromisoformat(candidate).timestamp()
        except (ValueError, OverflowError):
            continue
    raise BadTime(text)


def _line(call: dict[str, Any]) -> str:
    when = datetime.datetime.fromtimestamp(call["at"]).isoformat(" ", "seconds")
    well = call["outcome"] == "success"
    arguments = json.dumps(call["arguments"], ensure_ascii=False)
    shown = arguments if len(arguments) <= _SHOWN else arguments[:_SHOWN] + "…"
    parts = [when, f"{'✓' if well else '✗'} {call['tool']}", shown, "" if well else call["outcome"], _how(call)]
    parts += [f"[{call['operation_id']}]" if call["operation_id"] else "", tr("undone") if call["undone"] else ""]
    return terminal.exact("  ".join(part for part in parts if part))


def _how(call: dict[str, Any]) -> str:
    """Who let a change pass. A refusal is told by its outcome already."""
    known = _HOW.get((call["decided_by"], call["decision"]))
    return tr(known) if known else ""
