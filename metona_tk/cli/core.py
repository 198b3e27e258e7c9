"""What the command line needs of the program's other parts; `app` provides it, so that they stay siblings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from metona_tk.protocol.commands import Command, RedoOperation, UndoOperation
from metona_tk.protocol.events import Event, OperationChanged, UndoConflicted, UndoRefused
from metona_tk.protocol.problems import Problem
from metona_tk.protocol.values import Answer, JsonObject, Preview, Result
from metona_tk.settings import Settings

AskUser = Callable[[str, Preview], Answer]
Ran = tuple[Result, str]  # and the id of the change that was made, "" for none


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a command line allows beforehand: sensitive files (absolute), the mode ("" = the setting), and with --yes
    what the mode would ask for inside the folder, with --yes-delete deletions there as well.
    """

    files: tuple[str, ...] = ()
    mode: str = ""
    changes: bool = False
    deletions: bool = False


class RunningEngine(Protocol):
    """The core, started."""

    def start(self) -> None: ...
    def send(self, command: Command) -> None: ...
    def join(self, seconds: float) -> bool: ...


class Changes(Protocol):
    """What tools have changed, their log, and taking it back."""

    def outcome(self, command: UndoOperation | RedoOperation) -> OperationChanged | UndoConflicted | UndoRefused:
        """Undo or redo one operation; a conflict goes on with its digest as `accept`."""
        ...

    def of_turn(self, turn_id: str) -> list[str]:
        """The operations of a turn that are done, newest first."""
        ...

    def last(self, undone: bool) -> str | None:
        """The operation that was done (or undone) last."""
        ...

    def calls(self, since: float | None, most: int) -> list[JsonObject]:
        """The log of tool calls, oldest first; times as seconds since 1970, `undone`: its change is."""
        ...

    def problem(self) -> Problem | None:
        """What was wrong with the record of changes."""
        ...


class Core(Protocol):
    """The program behind the command line."""

    settings: Settings

    def engine(
        self, emit: Callable[[Event], None], host: str, answer_seconds: float, allowed: Allowed
    ) -> RunningEngine:
        """A new engine; `host` "" = the setting; `answer_seconds` 0 = nobody can answer questions."""
        ...

    def tools(self) -> list[tuple[str, bool, str]]:
        """(name, on, description) of every tool."""
        ...

    def schemas(self) -> list[JsonObject]:
        """What the model would be sent."""
        ...

    def run_tool(self, name: str, arguments: str, folder: str, allowed: Allowed, ask: AskUser | None) -> Ran:
        """One tool by hand, through the same gate."""
        ...

    @property
    def changes(self) -> Changes:
        """What the tools have changed and logged so far."""
        ...

    def usable_workspace(self, path: str) -> bool:
        """Whether a folder can be the workspace."""
        ...

    def checks(self, host: str) -> list[dict[str, Any]]:
        """What `doctor` finds: {name, ok, detail, step}."""
        ...

    def open_window(self, folder: str | None, model: str, question: str, host: str) -> int:
        """Open the window; its exit code."""
        ...
