"""Orders to change files: what stands before them, and what a model that does something else is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metona_tk.protocol.commands import AnswerApproval, AnswerQuestion
from metona_tk.protocol.events import ApprovalRequested, QuestionAsked, ToolFinished, ToolStarted, TurnFinished
from metona_tk.protocol.values import Decision, QuestionKind, TurnEnd
from tests.fakes.ollama import ScriptedServer, calls, text
from tests.turns.driver import Driver

Drive = Callable[..., Driver]
SMALL: dict[str, Any] = {"parameter_size": "1.5B"}


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


def allowing(driver: Driver, order: str) -> TurnFinished:
    return through(driver, order, Decision.ALLOW)


def said(server: ScriptedServer, chat: int) -> str:
    return str(server.chats[chat]["messages"][-1]["content"])


@pytest.mark.parametrize("order", ["Delete src/menu.ts", "Copy src/menu.ts to old.ts", "删除 src/menu.ts"])
def test_nobody_reads_a_file_that_is_only_deleted_or_copied(drive: Drive, order: str) -> None:
    with ScriptedServer(text("No."), text("No."), **SMALL) as server:
        driver = drive(server)
        driver.ask(order)
        assert driver.of(ToolStarted) == []
        assert "This is there: src/menu.ts" in said(server, 0)
        assert said(server, 0).rpartition("Task:")[2].strip() == order
        assert "export const" not in said(server, 0)


def test_files_of_a_kind_are_named_by_their_pattern(drive: Drive) -> None:
    with ScriptedServer(text("No."), text("No.")) as server:
        drive(server).ask("Move all .ts files of the folder src into old/")
        assert "src/*.ts is 2 files: src/main.ts, src/menu.ts" in said(server, 0)


def test_a_file_of_which_a_part_is_to_change_is_read_and_no_other(drive: Drive) -> None:
    with ScriptedServer(text("No."), text("No.")) as server:
        driver = drive(server)
        driver.ask("In package.json, set the port to 9000")
        assert [event.arguments for event in driver.of(ToolStarted)] == [{"path": "package.json"}]
        assert '"port": 8421' in said(server, 0)


def test_a_model_that_only_talks_is_told_the_tool_and_the_task_once(drive: Drive) -> None:
    with ScriptedServer(text("I will delete it."), text("Deleted.")) as server:
        driver = drive(server)
        assert driver.ask("Delete src/menu.ts").end is TurnEnd.ANSWERED
        assert "Call delete_file now. The task is: Delete src/menu.ts" in said(server, 1)


@pytest.mark.parametrize(
    ("order", "tool", "arguments", "told"),
    [
        ("Take the line 2 off notes.txt", "delete_file", {}, 'edit_file(path="notes.txt"'),
        ("Set the port in notes.txt to 1", "write_file", {"content": "1"}, 'edit_file(path="notes.txt"'),
        ("Add the line x to notes.txt", "write_file", {"content": "x"}, 'append_file(path="notes.txt"'),
        ("Rename notes.txt to n.txt", "append_file", {"content": "n.txt"}, 'move_path(source="notes.txt"'),
        ("Copy notes.txt to n.txt", "delete_file", {}, 'copy_path(source="notes.txt"'),
        ("Delete notes.txt", "write_file", {"content": ""}, 'delete_file(path="notes.txt")'),
    ],
)
def test_a_call_that_does_something_else_is_told_once_and_then_obeyed(
    drive: Drive, folder: Path, order: str, tool: str, arguments: dict[str, str], told: str
) -> None:
    call = (tool, {"path": "notes.txt"} | arguments)
    with ScriptedServer(calls(call), calls(call), text("Done.")) as server:
        driver = drive(server)
        allowing(driver, order)
        own = [event for event in driver.of(ToolFinished) if event.result.code or event.operation]
        assert "Nothing was changed." in own[0].result.text
        assert told in own[0].result.text
        assert len(driver.of(ApprovalRequested)) <= 1  # the first call asked nobody
        assert own[1].result.success or own[1].result.code is not own[0].result.code


def test_a_call_that_belongs_to_a_part_of_the_order_is_not_held_up(drive: Drive, folder: Path) -> None:
    first, second = (
        ("copy_path", {"source": "notes.txt", "destination": "n.txt"}),
        ("delete_file", {"path": "notes.txt"}),
    )
    with ScriptedServer(calls(first), calls(second), text("Done.")) as server:
        driver = drive(server)
        allowing(driver, "Copy notes.txt to n.txt and then delete notes.txt")
        assert not (folder / "notes.txt").exists()
        assert (folder / "n.txt").exists()


def test_a_file_that_is_renamed_stays_in_its_folder(drive: Drive, folder: Path) -> None:
    call = ("move_path", {"source": "src/menu.ts", "destination": "menus.ts"})
    with ScriptedServer(calls(call), text("Done.")) as server:
        driver = drive(server)
        allowing(driver, "Rename src/menu.ts to menus.ts")
        assert (folder / "src/menus.ts").exists()
        assert "renamed in its folder, to src/menus.ts" in driver.of(ToolFinished)[0].repairs


@pytest.mark.parametrize("order", ["Move src/menu.ts to menus.ts", "Rename src/menu.ts to menus.ts and move it up"])
def test_a_file_that_is_moved_goes_where_the_call_says(drive: Drive, folder: Path, order: str) -> None:
    call = ("move_path", {"source": "src/menu.ts", "destination": "./menus.ts"})
    with ScriptedServer(calls(call), text("Done.")) as server:
        allowing(drive(server), order)
        assert (folder / "menus.ts").exists()


def test_an_order_about_all_files_is_followed_to_the_last(drive: Drive, folder: Path) -> None:
    (folder / "notes.txt").write_text("electron\n")  # outside the folder of the order
    (folder / "src/menu.ts").write_text("electron electron\nElectron\n")
    edit = {"old_text": "electron", "new_text": "neutron"}
    script = [calls(("edit_file", edit | {"path": f"src/{name}.ts"})) for name in ("main", "menu")]
    with ScriptedServer(*script, text("Done.")) as server:
        driver = drive(server)
        allowing(driver, "Replace electron by neutron in all files of the folder src")
        assert "It is still in src/menu.ts. Call edit_file(path='src/menu.ts'" in said(server, 1)
        assert "If nothing else was asked for" in said(server, 2)
        assert "still in" not in said(server, 2)
        assert (folder / "src/main.ts").read_text().count("neutron") == 3
        assert (folder / "src/menu.ts").read_text() == "neutron neutron\nElectron\n"
        assert (folder / "notes.txt").read_text() == "electron\n"


def test_one_place_of_several_is_not_taken_for_all(drive: Drive, folder: Path) -> None:
    call = ("edit_file", {"path": "src/main.ts", "old_text": "electron", "new_text": "neutron"})
    with ScriptedServer(calls(call), text("Which one?")) as server:
        driver = drive(server)
        allowing(driver, "Replace electron by neutron in src/main.ts")
        assert "neutron" not in (folder / "src/main.ts").read_text()


@pytest.mark.parametrize(
    ("order", "content", "left"),
    [
        ("Add the line apples to notes.txt", "\napples", "The pelican eats fish.\napples"),
        ("Add a paragraph about apples to notes.txt", "\napples\n", "The pelican eats fish.\n\napples\n"),
        ("Add two lines to notes.txt: a, b", "\na\nb\n", "The pelican eats fish.\n\na\nb\n"),
    ],
)
def test_a_line_that_is_added_brings_no_empty_one(
    drive: Drive, folder: Path, order: str, content: str, left: str
) -> None:
    with ScriptedServer(calls(("append_file", {"path": "notes.txt", "content": content})), text("Done.")) as server:
        allowing(drive(server), order)
        assert (folder / "notes.txt").read_text() == left


def test_an_edit_that_leaves_what_is_to_change_is_told_once(drive: Drive, folder: Path) -> None:
    call = ("edit_file", {"path": "package.json", "old_text": "{", "new_text": '{ "port": 9000,'})
    with ScriptedServer(calls(call), calls(call), text("Done.")) as server:
        driver = drive(server)
        allowing(driver, "Set the port in package.json to 9000")
        first, second = [event.result for event in driver.of(ToolFinished)][-2:]
        assert "what is to change would stay as it is" in first.text
        assert second.success


@pytest.mark.parametrize(
    ("order", "old", "new"),
    [
        ("Insert a line with the version above the port in package.json", '"port"', '"version": 1,\n  "port"'),
        ("Add a version to package.json", '"port"', '"version": 1,\n  "port"'),
        ("Change demo to demo-2 in package.json", "demo", "demo-2"),
    ],
)
def test_an_edit_that_is_meant_to_add_is_not_held_up(
    drive: Drive, folder: Path, order: str, old: str, new: str
) -> None:
    call = ("edit_file", {"path": "package.json", "old_text": old, "new_text": new})
    with ScriptedServer(calls(call), text("Done.")) as server:
        allowing(drive(server), order)
        assert new in (folder / "package.json").read_text()


def test_a_model_that_only_looks_again_is_told_to_do_it(drive: Drive) -> None:
    look = ("search_files", {"path": ".", "query": "port"})
    with ScriptedServer(calls(look), calls(look), text("It is there."), text("Done.")) as server:
        driver = drive(server)
        driver.ask("Set the port in package.json to 9000")
        assert "Do not repeat it: call edit_file now." in said(server, 2)
        assert "tools" in server.chats[2]


def deletions(*names: str) -> list[Any]:
    return [calls(("delete_file", {"path": name})) for name in names]


@pytest.mark.parametrize(("go_on", "end"), [("stop", TurnEnd.REPEATED), ("go_on", TurnEnd.ANSWERED)])
def test_three_denials_of_like_calls_pause_the_turn(drive: Drive, folder: Path, go_on: str, end: TurnEnd) -> None:
    script = deletions("notes.txt", "src/menu.ts", "src/main.ts")
    with ScriptedServer(*script, *([text("Then not.")] if go_on == "go_on" else [])) as server:
        driver = drive(server)
        finished = through(driver, "Delete all files one by one", Decision.DENY, go_on)
        (asked,) = driver.of(QuestionAsked)
        assert (asked.kind, asked.details) == (QuestionKind.AFTER_DENIALS, {"tool": "delete_file", "count": "3"})
        assert finished.end is end
        assert (finished.problem is not None) == (go_on == "stop")
        assert (folder / "notes.txt").exists()


def test_denials_of_other_calls_do_not_add_up(drive: Drive) -> None:
    other = calls(("write_file", {"path": "package.json", "content": "{}"}))
    read = calls(("read_file", {"path": "package.json"}))
    script = [*deletions("notes.txt", "src/menu.ts"), read, other, *deletions("notes.txt", "src/main.ts")]
    with ScriptedServer(*script, text("Then not.")) as server:
        driver = drive(server)
        assert through(driver, "Delete the files and write a new one", Decision.DENY).end is TurnEnd.ANSWERED
        assert driver.of(QuestionAsked) == []
