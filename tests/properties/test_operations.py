"""Random changes, edits by others, undo and redo, against a model in memory; what is undone is as it was to the bit."""

from __future__ import annotations

import itertools
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from metona_tk.operations.failures import CannotUndo, Conflicted
from metona_tk.protocol.changes import Change, OperationState
from tests.fakes import changes
from tests.fakes.changes import Desk, Tree, temps, tree

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes and links are POSIX")
SOAK = bool(os.environ.get("METONA_TK_SOAK"))
NAMES = ("a", "b", "c", "f/a", "f/b", "f", "g", "g/h", "g/h/a", "ü", "\udcff")
PICK = st.integers(0, 50)
BYTES = st.binary(max_size=200)
MODES = st.sampled_from([0o644, 0o600, 0o755, 0o444, 0o640])


class Changing(RuleBasedStateMachine):
    """The model: the trees before and after each operation that is done or undone, while nobody else edits."""

    def __init__(self) -> None:
        super().__init__()
        self.base = Path(tempfile.mkdtemp(prefix="changing-"))
        self.home = os.environ.get("HOME", "")
        os.environ["HOME"] = str(self.base / "home")
        os.environ.pop("XDG_DATA_HOME", None)
        self.desk = Desk(self.base)
        self.done: list[tuple[str, Tree, Tree]] = []
        self.undone: list[tuple[str, Tree, Tree]] = []
        self.edited, self.others = False, False
        self.numbers = itertools.count()

    def teardown(self) -> None:
        try:
            if not self.edited:
                while self.done:
                    self._undo()
        finally:
            self.desk.close()
            os.environ["HOME"] = self.home
            shutil.rmtree(self.base)

    @initialize(others=st.booleans(), names=st.lists(st.tuples(st.sampled_from(NAMES), BYTES, MODES), max_size=6))
    def plant(self, others: bool, names: list[tuple[str, bytes, int]]) -> None:
        self.others = others
        for name, content, mode in names:
            self._edit(name, content, mode)

    # --- changes ---------------------------------------------------------------------------------------------------

    def _path(self, name: str) -> Path:
        return self.desk.work / name

    def _do(self, *plan: Change) -> None:
        before = tree(self.desk.work)
        applied = self.desk.apply(*plan)
        assert applied.recoverable
        self.done.append((applied.operation_id, before, tree(self.desk.work)))
        self.undone.clear()

    def _free(self, pick: int) -> Path:
        free = [self._path(name) for name in [*NAMES, f"new{next(self.numbers)}"]]
        free = [path for path in free if path.parent.is_dir() and not os.path.lexists(path)]
        return free[pick % len(free)]

    def _file(self, pick: int) -> Path:
        found = [path for path in self._all() if path.is_file() and not path.is_symlink()]
        return found[pick % len(found)]

    def _all(self) -> list[Path]:
        return sorted(self.desk.work.rglob("*"))

    def _has(self, files: int) -> bool:
        return len([path for path in self._all() if path.is_file() and not path.is_symlink()]) >= files

    @rule(new=PICK, content=BYTES)
    def create(self, new: int, content: bytes) -> None:
        path = self._free(new)
        self._do(changes.create(path, content))
        assert path.read_bytes() == content

    @precondition(lambda self: self._has(1))
    @rule(pick=PICK, content=BYTES)
    def write(self, pick: int, content: bytes) -> None:
        path = self._file(pick)
        mode = path.stat().st_mode
        self._do(changes.write(path, content))
        assert (path.read_bytes(), path.stat().st_mode) == (content, mode)

    @precondition(lambda self: self._has(1))
    @rule(pick=PICK, content=BYTES)
    def append(self, pick: int, content: bytes) -> None:
        path = self._file(pick)
        old = path.read_bytes()
        self._do(changes.append(path, content))
        assert path.read_bytes() == old + content

    @rule(new=PICK)
    def folder(self, new: int) -> None:
        path = self._free(new)
        self._do(changes.folder(path))
        assert path.is_dir()

    @rule(new=PICK, content=BYTES)
    def create_in_new_folders(self, new: int, content: bytes) -> None:
        path = self._free(new)
        self._do(changes.folder(path), changes.folder(path / "r"), changes.create(path / "r" / "a", content))

    @precondition(lambda self: self._all())
    @rule(pick=PICK, new=PICK)
    def move(self, pick: int, new: int) -> None:
        source, path = self._any(pick), self._free(new)
        if source not in path.parents:
            self._do(changes.move(source, path))
            assert os.path.lexists(path) and not os.path.lexists(source)

    @precondition(lambda self: self._has(2))
    @rule(pick=PICK, more=st.integers(1, 50))
    def move_over(self, pick: int, more: int) -> None:
        source, path = self._file(pick), self._file(pick + more)
        if source != path:
            content = source.read_bytes()
            self._do(changes.move(source, path))
            assert path.read_bytes() == content and not source.exists()

    @precondition(lambda self: self._has(1))
    @rule(pick=PICK, other=PICK, over=st.booleans())
    def copy(self, pick: int, other: int, over: bool) -> None:
        source, path = self._file(pick), self._file(other) if over else self._free(other)
        if source != path:
            self._do(changes.copy(source, path))
            assert path.read_bytes() == source.read_bytes()

    def _any(self, pick: int) -> Path:
        found = self._all()
        return found[pick % len(found)]

    @precondition(lambda self: self._all())
    @rule(pick=PICK)
    def delete(self, pick: int) -> None:
        path = self._any(pick)
        self._do(changes.delete(path))
        assert not os.path.lexists(path)

    @precondition(lambda self: self._has(2))
    @rule(pick=PICK, new=PICK, content=BYTES)
    def several(self, pick: int, new: int, content: bytes) -> None:
        path, gone, free = self._file(pick), self._file(pick + 1), self._free(new)
        self._do(changes.write(path, content), changes.delete(gone), changes.create(free, content))

    # --- back and forth ----------------------------------------------------------------------------------------------

    @precondition(lambda self: self.done and not self.edited)
    @rule()
    def undo(self) -> None:
        self._undo()

    def _undo(self) -> None:
        operation, before, after = self.done.pop()
        assert self.desk.operations.last() == operation
        assert self.desk.operations.undo(operation).state is OperationState.UNDONE
        assert tree(self.desk.work) == before
        self.undone.append((operation, before, after))

    @precondition(lambda self: self.undone and not self.edited)
    @rule()
    def redo(self) -> None:
        operation, before, after = self.undone.pop()
        assert self.desk.operations.redo(operation).state is OperationState.DONE
        assert tree(self.desk.work) == after
        self.done.append((operation, before, after))

    # --- others ------------------------------------------------------------------------------------------------------

    def _edit(self, name: str, content: bytes, mode: int) -> None:
        path = self._path(name)
        if path.is_dir():
            return
        if not path.parent.is_dir():
            if os.path.lexists(path.parent) or not path.parent.parent.is_dir():
                return
            path.parent.mkdir()
        path.unlink(missing_ok=True)
        if len(content) % 7 == 3:
            path.symlink_to(os.fsdecode(content.hex() or "x"))
            return
        path.write_bytes(content)
        path.chmod(mode)

    @precondition(lambda self: self.others)
    @rule(
        name=st.sampled_from(NAMES),
        content=BYTES,
        mode=MODES,
        pick=st.integers(0, 20),
        redo=st.booleans(),
        accept=st.booleans(),
    )
    def edit_and_turn_back_anything(
        self, name: str, content: bytes, mode: int, pick: int, redo: bool, accept: bool
    ) -> None:
        """After an edit by somebody else nothing of theirs is lost, unless they agree; then it can be had back."""
        self._edit(name, content, mode)
        known = [row[0] for row in self._rows("SELECT id FROM operations ORDER BY number")]
        self.edited = self.edited or bool(known)
        if not known:
            return
        operation, direction = known[pick % len(known)], "redo" if redo else "undo"
        before = tree(self.desk.work)
        turn = getattr(self.desk.operations, direction)
        try:
            turn(operation)
        except CannotUndo:
            assert tree(self.desk.work) == before
        except Conflicted as conflict:
            assert tree(self.desk.work) == before
            if accept:
                self._accept(operation, direction, conflict, before)

    def _accept(self, operation: str, direction: str, conflict: Conflicted, before: Tree) -> None:
        turn, back = getattr(self.desk.operations, direction), "undo" if direction == "redo" else "redo"
        try:
            turn(operation, conflict.digest)
        except CannotUndo:
            assert tree(self.desk.work) == before
            return
        getattr(self.desk.operations, back)(operation)
        lost = set(before.items()) - set(tree(self.desk.work).items())
        assert not {name for name, what in lost if what[0] != "folder"}

    @invariant()
    def nothing_is_left_lying_about(self) -> None:
        assert temps(self.base) == []
        assert self._rows("SELECT * FROM runs WHERE state = 'intent'") == []

    def _rows(self, query: str) -> list[tuple[object, ...]]:
        return self.desk.rows(query) if (self.desk.store / "journal.sqlite").exists() else []


TestChanging = Changing.TestCase
TestChanging.settings = settings(
    settings.get_profile("soak" if SOAK else "quick"),
    max_examples=500 if SOAK else 14,
    stateful_step_count=20 if SOAK else 15,
)
TestChanging = pytest.mark.timeout(7200)(TestChanging) if SOAK else TestChanging


def has_xattrs(folder: Path) -> bool:
    path = folder / "probe"
    path.write_bytes(b"")
    try:
        os.setxattr(path, "user.probe", b"1")
    except (OSError, AttributeError):
        return False
    finally:
        path.unlink()
    return True


@settings(max_examples=500 if SOAK else 25)
@given(
    old=st.binary(max_size=5000),
    new=st.binary(max_size=5000),
    mode=st.integers(0, 0o777),
    attributes=st.dictionaries(st.sampled_from(["user.a", "user.ü", "user.b.c"]), st.binary(max_size=50)),
    seconds=st.integers(0, 2**32),
)
def test_write_and_undo_is_identity(
    old: bytes, new: bytes, mode: int, attributes: dict[str, bytes], seconds: int
) -> None:
    if os.getuid() != 0:
        mode |= 0o600  # an ordinary user changes what he may read and write
    with tempfile.TemporaryDirectory() as base, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", f"{base}/home")
        patch.delenv("XDG_DATA_HOME", raising=False)
        desk = Desk(Path(base))
        path = desk.work / "a"
        path.write_bytes(old)
        for name, value in attributes.items() if has_xattrs(desk.work) else ():
            os.setxattr(path, name, value)
        path.chmod(mode)
        os.utime(path, (seconds, seconds))
        start = state(path)
        operation = desk.apply(changes.write(path, new)).operation_id
        written = state(path)
        assert written[0] == new and written[1:3] == start[1:3]
        for _ in range(2):
            desk.operations.undo(operation)
            assert state(path) == start
            desk.operations.redo(operation)
            assert state(path) == written
        desk.operations.undo(operation)
        assert state(path) == start
        desk.close()


def state(path: Path) -> tuple[bytes, int, dict[str, bytes], int]:
    found = path.stat()
    attributes = {name: os.getxattr(path, name) for name in os.listxattr(path)} if sys.platform == "linux" else {}
    return path.read_bytes(), found.st_mode, attributes, found.st_mtime_ns
