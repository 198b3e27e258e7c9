"""Changes on the command line: what is asked, what is told, how it is taken back."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from metona_tk.app import main
from metona_tk.cli.ask import is_told
from metona_tk.cli.confirm import confirm, lines_of
from metona_tk.protocol.changes import ChangeItem, ChangePreview, DiffLine
from metona_tk.protocol.values import Decision
from tests.fakes.ollama import ScriptedServer, calls, text

Run = Callable[..., tuple[int, str, str]]
Tool = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    root.mkdir()
    (root / "list.txt").write_text("milk\n")
    return root


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """run(*arguments) -> (exit code, standard output, standard error); a record of its own."""
    monkeypatch.setenv("METONA_TK_HOME", str(tmp_path / "home"))

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def tool(run: Run, folder: Path) -> Tool:
    """tool(name, arguments, *options): a tool by hand."""

    def call(name: str, arguments: dict[str, str], *options: str) -> tuple[int, str, str]:
        return run("tools", "run", name, json.dumps(arguments), "--folder", str(folder), *options)

    return call


def named(said: str) -> str:
    """The id in “To take it back: undo ID”."""
    return said.strip().rsplit(" ", 1)[1]


def preview_of(*lines: DiffLine, line_ends: str = "\n", undo: str = "store", action: str = "edit") -> ChangePreview:
    item = ChangeItem(action, "a.txt", "/w/a.txt", "file", diff=lines, line_ends=line_ends)  # pyright: ignore
    return ChangePreview("edit_file", "low", ("overwrites",), (item,), undo, "d")  # pyright: ignore


def test_a_change_by_hand_names_how_it_is_taken_back_and_that_does_it(tool: Tool, run: Run, folder: Path) -> None:
    code, _, said = tool("append_file", {"path": "list.txt", "content": "bread"}, "--yes")
    assert (code, (folder / "list.txt").read_text()) == (0, "milk\nbread")
    assert run("undo", named(said)) == (0, f"{named(said)}: undone (append_file list.txt)\n", "")
    assert (folder / "list.txt").read_text() == "milk\n"


def test_where_nobody_can_be_asked_the_options_that_allow_it_are_named(tool: Tool, folder: Path) -> None:
    code, out, said = tool("append_file", {"path": "list.txt", "content": "bread"})
    assert (code, json.loads(out)["code"]) == (3, "no_answer")
    assert "--yes" in said
    assert "--yes-delete" in said
    assert (folder / "list.txt").read_text() == "milk\n"


def test_yes_does_not_stand_for_a_deletion(tool: Tool, folder: Path) -> None:
    assert tool("delete_file", {"path": "list.txt"}, "--yes")[0] == 3
    assert (folder / "list.txt").exists()


def test_a_sensitive_file_that_is_not_read_names_the_option_that_reads_it(tool: Tool, folder: Path) -> None:
    (folder / ".env").write_text("A=1\n")
    code, _, said = tool("read_file", {"path": ".env"})
    assert (code, "--allow-file" in said) == (3, True)


def test_the_log_tells_what_is_undone_and_who_allowed_it(tool: Tool, run: Run) -> None:
    one = named(tool("write_file", {"path": "new.txt", "content": "1"})[2])
    two = named(tool("append_file", {"path": "list.txt", "content": "x"}, "--yes")[2])
    tool("append_file", {"path": "list.txt", "content": "y"})
    run("undo", two)
    lines = run("log")[1].splitlines()
    assert lines[0].endswith(f'✓ write_file  {{"path": "new.txt", "content": "1"}}  the mode does not ask  [{one}]')
    assert lines[1].endswith(f"allowed by --yes  [{two}]  undone")
    assert "✗ append_file" in lines[2]
    assert lines[2].endswith("no_answer")
    states = [json.loads(line)["undone"] for line in run("log", "--json")[1].splitlines()]
    assert states == [False, True, False]


@pytest.mark.parametrize("nothing", [["undo", ""], ["undo", "--turn", ""], ["redo", ""]])
def test_an_empty_id_takes_nothing_back(nothing: list[str], tool: Tool, run: Run, folder: Path) -> None:
    tool("append_file", {"path": "list.txt", "content": "bread"}, "--yes")
    code, out, said = run(*nothing)
    assert (code, out, bool(said)) == (1, "", True)
    assert (folder / "list.txt").read_text() == "milk\nbread"


def test_a_conflict_that_nobody_can_be_asked_about_names_the_option(tool: Tool, run: Run, folder: Path) -> None:
    change = named(tool("append_file", {"path": "list.txt", "content": "bread"}, "--yes")[2])
    (folder / "list.txt").write_text("mine\n")
    code, _, said = run("undo", change)
    assert (code, "--yes" in said, (folder / "list.txt").read_text()) == (3, True, "mine\n")
    assert run("undo", change, "--yes")[0] == 0
    assert (folder / "list.txt").read_text() == "milk\n"


def test_an_empty_log_says_whether_a_time_was_asked_for(run: Run) -> None:
    assert run("log")[2] != run("log", "--since", "1h")[2]


def test_an_answer_with_changes_ends_with_how_all_of_them_are_taken_back(run: Run, folder: Path) -> None:
    made = [calls(("write_file", {"path": f"{name}.txt", "content": name})) for name in "ab"]
    with ScriptedServer(*made, text("Made.")) as server:
        code, _, said = run("ask", "Make the files a.txt and b.txt.", "--folder", str(folder), "--host", server.address)
    assert code == 0
    assert (folder / "a.txt").exists()
    assert run("undo", "--turn", named(said))[0] == 0
    assert [path.name for path in folder.iterdir()] == ["list.txt"]


def test_an_answer_with_a_change_nobody_could_allow_names_the_options(run: Run, folder: Path) -> None:
    wanted = calls(("append_file", {"path": "list.txt", "content": "bread"}))
    with ScriptedServer(wanted, text("I could not.")) as server:
        code, _, said = run("ask", "Add bread to list.txt.", "--folder", str(folder), "--host", server.address)
    assert (code, "--yes-delete" in said) == (3, True)


def test_the_question_of_a_call_by_hand_does_not_speak_of_a_model() -> None:
    preview = preview_of(DiffLine("+", text="x"))
    assert "model" not in "\n".join(lines_of(preview, False, by_hand=True))
    assert "model" in "\n".join(lines_of(preview, False))


@pytest.mark.parametrize(("undo", "told"), [("store", True), ("bin", True), ("none", False)])
def test_a_deletion_says_where_it_goes_unless_it_is_for_good(undo: str, told: bool) -> None:
    shown = "\n".join(lines_of(preview_of(undo=undo, action="delete"), False))
    assert ("recycle bin." in shown.replace("is in the recycle bin.", "")) is told


def test_line_ends_are_marked_only_where_they_are_not_all_the_same() -> None:
    same = preview_of(DiffLine("-", text="a", end="\r\n"), DiffLine("+", text="b", end="\r\n"), line_ends="\r\n")
    assert "⟨" not in "\n".join(lines_of(same, False))
    other = preview_of(DiffLine("-", text="a", end="\r\n"), DiffLine("+", text="b"), line_ends="\r\n")
    assert "- a⟨CR⟩" in "\n".join(lines_of(other, False))
    last = preview_of(DiffLine("-", text="a", end="\r\n"), DiffLine("+", text="b", end=""), line_ends="\r\n")
    assert "+ b⟨no line end⟩" in "\n".join(lines_of(last, False))


@pytest.mark.parametrize(
    ("said", "decision", "reason"),
    [("yes", "allow", ""), ("是", "allow", ""), ("", "deny", ""), ("later", "deny", "later")],
)
def test_only_a_clear_yes_allows_and_other_words_are_the_reason(said: str, decision: str, reason: str) -> None:
    answer = confirm(preview_of(DiffLine("+", text="x")), io.StringIO(said + "\n"))
    assert (answer.decision, answer.reason) == (Decision(decision), reason)


def test_a_long_wait_is_told_seldom() -> None:
    assert [seconds for seconds in range(1, 200) if is_told(seconds)] == [10, 30, 60, 120, 180]
