"""The events of a whole turn as text, frozen: a question, a look, an answer; then the same denied."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from metona_tk.cli.ask import event_json
from metona_tk.protocol.commands import AnswerApproval
from metona_tk.protocol.events import ApprovalRequested, Event, TurnFinished
from metona_tk.protocol.values import Decision
from tests.fakes.ollama import ScriptedServer, calls, text
from tests.snapshots import check_snapshot
from tests.turns.driver import Driver


def as_text(events: list[Event], folder: Path) -> str:
    """A line an event; what differs from run to run is named instead."""
    rows: list[str] = []
    for event in events:
        data = event_json(event)
        if data["event"] in {"SettingsChanged", "ConversationOpened"}:
            continue
        data.pop("chat_id", None)
        rows.append(" ".join(f"{key}={value}" for key, value in data.items()).replace(str(folder.parent), "<tmp>"))
    told = re.sub(r"call_\w+", "<call>", "\n".join(rows))
    told = re.sub(r"use=\{[^}]*\}", "use=<estimate>", told)  # the prompt names the folder and the day
    return re.sub(r"seconds=[\d.e-]+", "seconds=<n>", told) + "\n"


def test_a_turn_that_looks_and_answers(drive: Callable[..., Driver], folder: Path) -> None:
    look = calls(("read_file", {"path": "notes.txt"}), before="I look. ")
    with ScriptedServer(look, text("A ", "pelican.")) as server:
        driver = drive(server)
        driver.ask("?")
        check_snapshot("turn_answered.txt", as_text(driver.events, folder))


def test_a_turn_in_which_something_is_denied(drive: Callable[..., Driver], folder: Path) -> None:
    (folder.parent / "out.txt").write_text("x")
    with ScriptedServer(calls(("read_file", {"path": "../out.txt"})), text("I may not.")) as server:
        driver = drive(server)
        driver.start("?")
        asked = driver.wait(ApprovalRequested)
        driver.send(AnswerApproval(asked.call_id, Decision.DENY, "private"))
        driver.wait(TurnFinished)
        check_snapshot("turn_denied.txt", as_text(driver.events, folder))
