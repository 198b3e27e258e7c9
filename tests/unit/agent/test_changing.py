from __future__ import annotations

from pathlib import Path

import pytest

from metona_tk.operations.failures import OperationFailed
from metona_tk.protocol.changes import NotUndoable
from metona_tk.protocol.problems import Code
from tests.fakes.tool_chat import ALLOW, ToolChat


@pytest.mark.parametrize(("partly", "said"), [(False, "Nothing was changed."), (True, "The user can undo that part.")])
def test_what_is_left_of_a_failure_is_told_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, partly: bool, said: str
) -> None:
    chat = ToolChat(tmp_path)

    def fail(*_: object, **__: object) -> None:
        raise OperationFailed(Code.IO_ERROR, str(tmp_path / "f"), "the disk is full", partly=partly)

    monkeypatch.setattr(chat.record.operations, "apply", fail)
    result = chat("write_file", path="f", content="x")
    assert result.code is Code.IO_ERROR
    assert result.error == f"f could not be changed: the disk is full. {said}"


def test_a_masked_secret_goes_with_its_file_to_another_name(tmp_path: Path) -> None:
    raw = b"user = lin\npassword = Tr0ub4dor&3x\nport = 1\n"
    (tmp_path / "a.ini").write_bytes(raw)
    chat = ToolChat(tmp_path, answer=ALLOW)
    text = chat("read_file", path="a.ini").data["content"]
    assert "Tr0ub4dor" not in text
    assert chat("move_path", source="a.ini", destination="b.ini").success
    result = chat("write_file", path="b.ini", content=text.replace("port = 1", "port = 2"))
    assert result.success, result.error
    assert (tmp_path / "b.ini").read_bytes() == raw.replace(b"port = 1", b"port = 2")


def test_the_start_lets_go_of_what_is_too_old_to_be_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = ToolChat(tmp_path)
    operation = chat.outcome("write_file", path="f", content="x").operation
    assert operation is not None
    operations = chat.record.operations
    chat.record.tidy()
    assert operations.info(operation.operation_id).blocked is None
    now = operations._clock()
    monkeypatch.setattr(operations, "_clock", lambda: now + 31 * 86400)
    chat.record.tidy()
    assert operations.info(operation.operation_id).blocked is NotUndoable.EXPIRED
