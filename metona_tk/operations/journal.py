"""What was meant and what was done, in SQLite: written down before anything is touched, and again when it is done."""

from __future__ import annotations

import dataclasses
import secrets
import sqlite3
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metona_tk.database.opening import DamagedDatabase, as_damage, connect, migrate, reason_of, script, set_aside
from metona_tk.operations.log import CallEntry
from metona_tk.operations.steps import Step, from_json, to_json
from metona_tk.protocol.changes import OperationState, Origin
from metona_tk.protocol.problems import Problem, ProblemCode, ProblemError

_MIGRATIONS = ("0001_operations.sql",)
_CALLS = (
    "at, chat, turn, call, tool, arguments, by_program, decision, decided_by, rule, answer_ms, outcome, seconds, "
    "operation"
)
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another


@dataclass(frozen=True, slots=True)
class Operation:
    """A row of `operations`. `run` None: its steps are no longer kept."""

    operation_id: str
    at: float
    chat_id: str
    turn_id: str
    state: OperationState
    run: int | None


@dataclass(frozen=True, slots=True)
class Run:
    """A row of `runs`: the steps that did, undid or redid an operation."""

    number: int
    operation_id: str
    direction: str  # do | undo | redo
    steps: list[Step]


_AFTER = {"do": OperationState.DONE, "redo": OperationState.DONE, "undo": OperationState.UNDONE}


class Journal:
    """The journal at `path`; thread-safe, a connection a thread. ProblemError(store_unusable) where it cannot be used.

    `problem` is set when a damaged file was set aside.
    """

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self._path, self._clock = path, clock
        self._local = threading.local()
        self._opening = threading.Lock()
        self._checked = False
        self._open_ones: weakref.WeakSet[sqlite3.Connection] = weakref.WeakSet()  # a thread's go with it
        self.problem: Problem | None = None

    def _connection(self, durable: bool = True) -> sqlite3.Connection:
        name = "durable" if durable else "quick"
        found: sqlite3.Connection | None = getattr(self._local, name, None)
        if found is None:
            with self._opening:
                found = self._open(durable)
                self._open_ones.add(found)
            setattr(self._local, name, found)
        return found

    def _open(self, durable: bool) -> sqlite3.Connection:
        try:
            if self._checked:
                return connect(self._path, durable)
            made = self._open_checked(durable)
            self._checked = True
            return made
        except (OSError, sqlite3.Error) as error:
            raise ProblemError(
                ProblemCode.STORE_UNUSABLE, folder=str(self._path.parent), reason=reason_of(error, self._path.parent)
            ) from error

    def _open_checked(self, durable: bool) -> sqlite3.Connection:
        scripts = [script(name) for name in _MIGRATIONS]
        try:
            made = connect(self._path, durable)
            migrate(made, scripts, _check)
            return made
        except DamagedDatabase:
            aside = set_aside(self._path)
            folder = str(self._path.parent / "objects")
            self.problem = Problem(ProblemCode.JOURNAL_SET_ASIDE, {"path": str(aside), "folder": folder})
            made = connect(self._path, durable)
            migrate(made, scripts, _check)
            return made

    def close(self) -> None:
        """Let every connection go; nobody uses the journal any more, or it is opened anew."""
        with self._opening:
            for connection in list(self._open_ones):
                connection.close()
            self._open_ones.clear()
            self._local = threading.local()

    # --- runs ------------------------------------------------------------------------------------------------------

    def begin(self, steps: Sequence[Step], origin: Origin) -> Run:
        """Write down a new operation before it is done."""
        operation_id = "".join(secrets.choice(_LETTERS) for _ in range(8))
        now = self._clock()
        row = (operation_id, now, *dataclasses.astuple(origin), OperationState.INTENT, now)
        with _transaction(self._connection()) as db:
            db.execute(
                "INSERT INTO operations (id, at, chat, turn, call, tool, state, changed) VALUES (?,?,?,?,?,?,?,?)", row
            )
            return self._add_run(db, operation_id, "do", steps)

    def begin_again(self, operation_id: str, direction: str, steps: Sequence[Step]) -> Run:
        """Write down that an operation is about to be undone or redone."""
        with _transaction(self._connection()) as db:
            return self._add_run(db, operation_id, direction, steps)

    def _add_run(self, db: sqlite3.Connection, operation_id: str, direction: str, steps: Sequence[Step]) -> Run:
        row = (operation_id, self._clock(), direction, "intent", to_json(steps))
        added = db.execute("INSERT INTO runs (operation, at, direction, state, steps) VALUES (?,?,?,?,?)", row)
        number = added.lastrowid or 0
        _keep_objects(db, number, steps)
        return Run(number, operation_id, direction, list(steps))

    def finish(self, run: Run, steps: Sequence[Step], objects: Sequence[str] = ()) -> None:
        """It is done: the operation is what the run made of it. `objects`: more that its steps need.

        The next commit makes it last; where a power cut comes before, the disk tells that it was done.
        """
        with _transaction(self._connection(durable=False)) as db:
            db.execute("UPDATE runs SET state = 'done', steps = ? WHERE number = ?", (to_json(steps), run.number))
            _keep_objects(db, run.number, steps, objects)
            values = (_AFTER[run.direction], run.number, self._clock(), run.operation_id)
            db.execute("UPDATE operations SET state = ?, run = ?, changed = ? WHERE id = ?", values)

    def fail(self, run: Run) -> None:
        """Nothing of it was done, or nothing is left of it: an undo or redo leaves the operation in its state."""
        with _transaction(self._connection()) as db:
            db.execute("UPDATE runs SET state = 'failed', steps = '[]' WHERE number = ?", (run.number,))
            db.execute("DELETE FROM objects WHERE run = ?", (run.number,))
            if run.direction == "do":
                values = (OperationState.FAILED, self._clock(), run.operation_id)
                db.execute("UPDATE operations SET state = ?, changed = ? WHERE id = ?", values)

    def unfinished(self) -> list[Run]:
        """What was begun and neither finished nor given up: the program died over it."""
        rows = self._connection().execute(
            "SELECT number, operation, direction, steps FROM runs WHERE state = 'intent' ORDER BY number"
        )
        return [Run(number, operation, direction, from_json(steps)) for number, operation, direction, steps in rows]

    # --- operations ------------------------------------------------------------------------------------------------

    def find(self, operation_id: str) -> Operation | None:
        """An operation by its id."""
        row = (
            self._connection()
            .execute("SELECT id, at, chat, turn, state, run FROM operations WHERE id = ?", (operation_id,))
            .fetchone()
        )
        return Operation(row[0], row[1], row[2], row[3], OperationState(row[4]), row[5]) if row else None

    def steps_of(self, run: int) -> list[Step]:
        """The steps of a run, as they were done."""
        row = self._connection().execute("SELECT steps FROM runs WHERE number = ?", (run,)).fetchone()
        return from_json(row[0]) if row else []

    def last(self, state: OperationState) -> str | None:
        """The operation that came to this state last."""
        row = (
            self._connection()
            .execute("SELECT id FROM operations WHERE state = ? ORDER BY changed DESC, number DESC LIMIT 1", (state,))
            .fetchone()
        )
        return row[0] if row else None

    def undone(self) -> set[str]:
        """The operations that are undone as it stands."""
        rows = self._connection().execute("SELECT id FROM operations WHERE state = ?", (OperationState.UNDONE,))
        return {row[0] for row in rows}

    def of_turn(self, turn_id: str) -> list[str]:
        """The operations of a turn that are done, newest first."""
        rows = self._connection().execute(
            "SELECT id FROM operations WHERE turn = ? AND state = ? ORDER BY number DESC",
            (turn_id, OperationState.DONE),
        )
        return [row[0] for row in rows]

    # --- room ------------------------------------------------------------------------------------------------------

    def oldest_kept(self) -> list[tuple[str, float, str, set[str]]]:
        """Operations whose steps are still kept, oldest first: (id, at, chat, their objects)."""
        db = self._connection()
        rows = db.execute("SELECT id, changed, chat FROM operations WHERE run IS NOT NULL ORDER BY number").fetchall()
        return [(name, at, chat, self._objects_of(db, name)) for name, at, chat in rows]

    @staticmethod
    def _objects_of(db: sqlite3.Connection, operation_id: str) -> set[str]:
        rows = db.execute(
            "SELECT digest FROM objects WHERE run IN (SELECT number FROM runs WHERE operation = ?)", (operation_id,)
        )
        return {row[0] for row in rows}

    def forget_steps(self, operation_id: str) -> None:
        """No longer keep how an operation is undone; that it was done stays in the log."""
        with _transaction(self._connection()) as db:
            db.execute(
                "DELETE FROM objects WHERE run IN (SELECT number FROM runs WHERE operation = ?)", (operation_id,)
            )
            db.execute("DELETE FROM runs WHERE operation = ? AND state <> 'intent'", (operation_id,))
            db.execute("UPDATE operations SET run = NULL WHERE id = ?", (operation_id,))

    def was_set_aside(self) -> bool:
        """Whether an older journal lies beside this one, whose objects nobody knows any more."""
        return any(self._path.parent.glob(f"{self._path.name}.damaged-*"))

    def needed(self) -> set[str]:
        """Every object that some run still needs."""
        return {row[0] for row in self._connection().execute("SELECT DISTINCT digest FROM objects")}

    # --- the log ---------------------------------------------------------------------------------------------------

    def record_call(self, entry: CallEntry) -> None:
        """Add a call to the log. It may be lost in a power cut, unlike the changes themselves."""
        try:
            marks = ",".join("?" * 14)
            self._connection(durable=False).execute(
                f"INSERT INTO calls ({_CALLS}) VALUES ({marks})", dataclasses.astuple(entry)
            )
        except sqlite3.Error as error:
            raise ProblemError(
                ProblemCode.STORE_UNUSABLE, folder=str(self._path.parent), reason=reason_of(error, self._path.parent)
            ) from error

    def calls(self, since: float | None, most: int) -> list[CallEntry]:
        """The newest `most` calls since a time, oldest first."""
        rows = self._connection(durable=False).execute(
            f"SELECT {_CALLS} FROM calls WHERE at >= ? ORDER BY number DESC LIMIT ?", (since or 0.0, most)
        )
        names = [field.name for field in dataclasses.fields(CallEntry)]
        made: list[dict[str, Any]] = [dict(zip(names, row, strict=True)) for row in rows]
        for each in made:
            each["by_program"] = bool(each["by_program"])
        found = [CallEntry(**each) for each in made]
        return found[::-1]


def unusable(error: Exception, folder: Path) -> ProblemError:
    """The problem that is told when the disk below the record does not play along."""
    return ProblemError(ProblemCode.STORE_UNUSABLE, folder=str(folder), reason=reason_of(error, folder))


class _transaction:  # noqa: N801 - used like a function
    """All or nothing; what SQLite says of the disk is a problem that is told."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> sqlite3.Connection:
        self._db.execute("BEGIN IMMEDIATE")
        return self._db

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            self._db.execute("COMMIT" if kind is None else "ROLLBACK")
        except sqlite3.Error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise


def _keep_objects(db: sqlite3.Connection, run: int, steps: Sequence[Step], more: Sequence[str] = ()) -> None:
    digests = {digest for step in steps for digest in step.objects()} | set(more)
    db.executemany("INSERT OR IGNORE INTO objects VALUES (?, ?)", [(run, digest) for digest in digests])


def _check(db: sqlite3.Connection) -> None:
    """That the tables are ours and can be read; DamagedDatabase."""
    try:
        db.execute("SELECT id, at, chat, turn, call, tool, state, run, changed FROM operations LIMIT 1").fetchall()
        db.execute(f"SELECT {_CALLS} FROM calls LIMIT 1").fetchall()
        db.execute("SELECT digest, run FROM objects LIMIT 1").fetchall()
        rows = db.execute("SELECT steps FROM runs WHERE state = 'intent'").fetchall()
        for row in rows:
            from_json(row[0])
    except sqlite3.DatabaseError as error:
        raise as_damage(error) from error
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedDatabase(str(error)) from error
