"""Before a model is asked, the program counts alike files and compares two; where it cannot, the files are given."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metona_tk.protocol.events import ToolStarted
from tests.fakes.ollama import ScriptedServer, text
from tests.turns.driver import Driver

Drive = Callable[..., Driver]


@pytest.fixture
def loans(folder: Path) -> Path:
    (folder / "Loans").mkdir()
    for at in range(1, 7):
        state = "open" if at in {2, 5} else f"returned 2026-01-0{at}"
        (folder / "Loans" / f"Loan {at}.txt").write_text(f"Tool: saw {at}\nState: {state}\n")
    return folder


def given(drive: Drive, question: str, workspace: Path | None = None) -> tuple[str, Driver]:
    """What the model reads with a question."""
    options: dict[str, Any] = {} if workspace is None else {"workspace": workspace}
    with ScriptedServer(text("Done."), parameter_size="1.5B") as server:
        driver = drive(server, **options)
        driver.ask(question)
        return server.chats[0]["messages"][-1]["content"], driver


def test_alike_files_are_counted_in_one_search(drive: Drive, loans: Path) -> None:
    told, driver = given(drive, "How many of the loans are open?")
    assert 'State: "returned" in 4 files; "open" in 2 files (Loan 2, Loan 5)' in told
    assert "read_file" not in [event.name for event in driver.of(ToolStarted)]


def test_a_file_with_another_ending_is_not_counted(drive: Drive, loans: Path) -> None:
    (loans / "Loans" / "Loan 9.md").write_text("State: open\n")
    assert "over all 6 files in Loans" in given(drive, "How many of the loans are open?")[0]


def test_without_a_question_of_number_nothing_is_counted(drive: Drive, loans: Path) -> None:
    assert "Counted by the program" not in given(drive, "Which loan is for saw 3?")[0]


def test_two_lists_are_compared(drive: Drive, folder: Path) -> None:
    for month, price in (("01", "3.50"), ("02", "4.10")):
        (folder / f"prices 2026-{month}.csv").write_text(f"article,price\nBell,{price}\nLock,20.00\n")
    told, _ = given(drive, "Compare the prices of January and February 2026.")
    assert "price higher now: Bell (3.50 -> 4.10)" in told
    assert "Rows that are the same in both: 1." in told


def test_what_has_nothing_in_common_is_given_as_it_is(drive: Drive, folder: Path) -> None:
    (folder / "apples.txt").write_text("Apples are red.\n")
    (folder / "pears.txt").write_text("Pears are green.\n")
    told, _ = given(drive, "Compare apples.txt and pears.txt.")
    assert "Compared by the program" not in told
    assert "Apples are red." in told and "Pears are green." in told


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a file that may not be read")
def test_a_file_that_cannot_be_read_is_not_compared(drive: Drive, folder: Path) -> None:
    (folder / "a 1.csv").write_text("article,price\nBell,3.50\n")
    (folder / "a 2.csv").write_text("article,price\nBell,4.50\n")
    (folder / "a 2.csv").chmod(0)
    assert "Compared by the program" not in given(drive, "Compare a 1.csv and a 2.csv.")[0]


def test_a_file_that_is_too_long_is_not_compared(drive: Drive, folder: Path) -> None:
    for name in ("a1.csv", "a2.csv"):
        (folder / name).write_text("".join(f"{at},{name}\n" for at in range(900)))
    assert "Compared by the program" not in given(drive, "Compare a1.csv and a2.csv.")[0]
