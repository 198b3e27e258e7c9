"""Nothing in the workspace changes before the gate has asked, decided and written down; without the gate tests fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.__main__ import copy_project
from tests.security import audited

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="facts of Linux")
ROOT = Path(__file__).parents[2]
ALWAYS = {name for name in audited.CALLS if name.startswith("delete")}


@pytest.fixture(scope="module")
def happened(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[str, Any]]:
    """What happened in each call with each answer."""
    base = tmp_path_factory.mktemp("audited")
    (base / "home").mkdir()
    (base / "w").mkdir()
    environment = os.environ | {"HOME": str(base / "home"), "METONA_TK_HOME": str(base / "app")}
    environment.pop("XDG_DATA_HOME", None)
    done = subprocess.run(
        [sys.executable, "-m", "tests.security.audited", str(base / "w")],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return {(each["call"], each["said"]): each for each in json.loads(done.stdout)}


def is_change(event: str) -> bool:
    return event.startswith("changed by")


@pytest.mark.parametrize("call", audited.CALLS)
@pytest.mark.parametrize("said", ["deny", "no answer"])
def test_without_a_yes_no_file_event_touches_the_workspace(happened: Any, call: str, said: str) -> None:
    told = happened[call, said]
    assert told["seen"] == ["shown", "answered", "finished"]
    assert told["code"] == {"deny": "denied", "no answer": "no_answer"}[said]
    assert told["log"][1:] == [said.replace(" ", "_"), "user", told["code"]]


@pytest.mark.parametrize("call", audited.CALLS)
def test_the_first_file_event_comes_after_the_yes_and_the_journal(happened: Any, call: str) -> None:
    told = happened[call, "allow"]
    assert told["seen"][:3] == ["shown", "answered", "journalled"]
    assert is_change(told["seen"][3])
    assert told["log"][1:] == ["allow", "user", "success"]


@pytest.mark.parametrize("call", audited.CALLS)
def test_where_the_mode_decides_the_journal_comes_first_all_the_same(happened: Any, call: str) -> None:
    told = happened[call, "nobody"]
    if call in ALWAYS:
        assert told["seen"] == ["finished"]
        assert told["log"][1:] == ["no_answer", "rule", "no_answer"]
    else:
        assert told["seen"][0] == "journalled"
        assert is_change(told["seen"][1])
        assert told["log"][1:] == ["allow", "mode", "success"]


# --- without the gate -----------------------------------------------------------------------------------------------

GATE = "metona_tk/agent/changing.py"
KEEPER = "metona_tk/agent/gatekeeper.py"
CASES = "tests/security/test_change_cases.py::test_"
HOOK, SAVED, OUTSIDE, FOLDER = TESTS = (
    f"{CASES}a_git_hook_is_written_only_with_a_yes[there-none]",
    "tests/security/test_change_links.py::test_a_file_that_is_saved_while_the_dialog_is_open_is_asked_for_again[edit_file]",
    f"{CASES}nothing_outside_is_written_or_made",
    f"{CASES}no_folder_takes_the_place_of_a_file",
)
# what is taken out: module, the lines, what stands there instead, and which of the tests fail then
TAKEN_OUT = {
    "the judge": (
        GATE,
        "        judged = self._judge(plan, context)\n        final",
        '        judged = Judged(Allow(), (), {}, "store", False)\n        final',
        {HOOK, SAVED},
    ),
    "the look after the answer": (GATE, "        if same != (", "        if False and same != (", {SAVED}),
    "the question": (GATE, "        if judged.rules:\n", "        if False:\n", {HOOK, SAVED}),
    "the answer": (GATE, "        if answer.decision is Decision.DENY:\n", "        if False:\n", {HOOK}),
    "the refusal of places": (
        KEEPER,
        "        if isinstance(verdict, Deny):\n            raise refused_change(verdict)\n",
        "",
        {OUTSIDE},
    ),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the project."""
    folder = tmp_path_factory.mktemp("copy")
    copy_project(folder)
    return folder


def failing(copy: Path) -> set[str]:
    """Which of the tests fail in the copy; the others pass."""
    options = ("-rA", "--tb=no", "-p", "no:cacheprovider", "-p", "no:randomly", "--basetemp", str(copy / "temp"))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *TESTS],
        cwd=copy,
        capture_output=True,
        text=True,
        timeout=100,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )
    failed = {test for test in TESTS if f"FAILED {test}" in done.stdout}
    passed = {test for test in TESTS if f"PASSED {test}" in done.stdout}
    assert failed | passed == set(TESTS), done.stdout + done.stderr
    return failed


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(part, marks=() if part in ("the judge", "the look after the answer") else pytest.mark.soak)
        for part in TAKEN_OUT
    ],
)
def test_without_a_part_of_the_gate_tests_fail(copy: Path, part: str) -> None:
    name, lines, instead, fail = TAKEN_OUT[part]
    source = (ROOT / name).read_text("utf-8")
    assert source.count(lines) == 1
    (copy / name).write_text(source.replace(lines, instead), "utf-8")
    try:
        assert failing(copy) == fail
    finally:
        (copy / name).write_text(source, "utf-8")
