"""Two programs on one store take turns: all of both is done, and all of it can be undone."""

from __future__ import annotations

import os
import sys
import traceback

import pytest

from tests.fakes import changes
from tests.fakes.changes import Desk, temps, tree

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="children are forked")
TIMES = 100


def work_on(desk: Desk, name: str, go: int) -> None:
    os.read(go, 1)
    for number in range(TIMES // 4):
        path = desk.work / f"{name}{number}.txt"
        desk.apply(changes.create(path, b"new"), chat=name)
        desk.apply(changes.append(path, b" and more"), chat=name)
        desk.apply(changes.move(path, path.with_suffix(".moved")), chat=name)
        done = desk.apply(changes.delete(path.with_suffix(".moved")), chat=name)
        desk.operations.undo(done.operation_id)


def started(desk: Desk, name: str, go: int) -> int:
    child = os.fork()
    if child == 0:
        try:
            work_on(Desk(desk.base), name, go)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    return child


def test_two_programs_at_once_do_everything_and_all_can_be_undone(desk: Desk) -> None:
    read, go = os.pipe()
    children = [started(desk, name, read) for name in ("one", "two")]
    os.write(go, b"!!")
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
    os.close(read)
    os.close(go)
    rows = desk.rows("SELECT id, chat, state FROM operations ORDER BY number")
    assert len(rows) == 2 * TIMES
    assert {chat for _, chat, _ in rows[: len(rows) // 2]} == {"one", "two"}, "they did not run at the same time"
    for operation, _, state in reversed(rows):
        if state == "done":
            desk.operations.undo(operation)
    assert tree(desk.work) == {}
    assert temps(desk.base) == []
    assert desk.rows("SELECT * FROM runs WHERE state = 'intent'") == []
