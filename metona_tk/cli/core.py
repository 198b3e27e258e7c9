"""What the command line needs of the program's other parts; `app` provides it, so that they stay siblings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from metona_tk.protocol.commands import Command
from metona_tk.protocol.events import Event
from metona_tk.protocol.values import Decision, JsonObject, Preview, Result
from metona_tk.settings import Settings

AskUser = Callable[[str, Preview], tuple[Decision, str]]


class RunningEngine(Protocol):
    """The core, started."""

    def start(self) -> None: ...
    def send(self, command: Command) -> None: ...
    def join(self, seconds: float) -> bool: ...


class Core(Protocol):
    """The program behind the command line."""

    settings: Settings

    def engine(
        self, emit: Callable[[Event], None], host: str, answer_seconds: float, allow_files: tuple[str, ...]
    ) -> RunningEngine:
        """A new engine; `host` "" = the setting; `answer_seconds` 0 = nobody can answer questions."""
        ...

    def tools(self) -> list[tuple[str, bool, str]]:
        """(name, on, description) of every tool."""
        ...

    def schemas(self) -> list[JsonObject]:
        """What the model would be sent."""
        ...

    def run_tool(
        self, name: str, arguments: str, folder: str, allow_files: tuple[str, ...], ask: AskUser | None
    ) -> Result:
        """One tool by hand, through the same gate."""
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
