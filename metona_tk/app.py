"""Joins the parts; the only module that knows all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from metona_tk import i18n, logs, places, settings
from metona_tk.cli.core import Allowed, AskUser, Changes, Ran, RunningEngine
from metona_tk.protocol.events import Event
from metona_tk.protocol.handed import AskQuickly, Handed
from metona_tk.protocol.values import JsonObject, Mode
from metona_tk.settings import Settings

if TYPE_CHECKING:
    from metona_tk.instance.listening import Instance


@dataclass
class Program:
    """The program behind window and command line. Heavy parts are imported when they are first needed."""

    settings: Settings

    def engine(
        self, emit: Callable[[Event], None], host: str, answer_seconds: float, allowed: Allowed
    ) -> RunningEngine:
        from metona_tk.agent.changing import Waiver
        from metona_tk.agent.engine import Engine
        from metona_tk.backends.ollama.address import server_address
        from metona_tk.backends.ollama.client import OllamaBackend
        from metona_tk.tools.registry import built_in

        return Engine(
            self.settings,
            emit,
            lambda server: OllamaBackend(server_address(host or server)),
            built_in(),
            self._record,
            answer_seconds,
            allowed.files,
            Mode(allowed.mode) if allowed.mode else None,
            Waiver(allowed.changes, allowed.deletions),
        )

    @cached_property
    def _record(self) -> Any:
        from metona_tk.agent.recording import open_record

        return open_record(self.settings)

    def tools(self) -> list[tuple[str, bool, str]]:
        registry = self._registry()
        return [(tool.name, registry.is_on(tool.name), tool.description) for tool in registry.all()]

    def schemas(self) -> list[JsonObject]:
        return self._registry().schemas()

    def _registry(self) -> Any:
        from metona_tk.tools.registry import Registry, built_in

        return Registry(built_in(), self.settings["enabled"], self.settings["enabledTools"])

    def run_tool(self, name: str, arguments: str, folder: str, allowed: Allowed, ask: AskUser | None) -> Ran:
        from metona_tk.agent.by_hand import run_by_hand
        from metona_tk.agent.changing import Waiver

        waiver = Waiver(allowed.changes, allowed.deletions)
        mode = Mode(allowed.mode) if allowed.mode else None
        parts = (self.settings, self._registry(), name, arguments, folder, allowed.files, ask, self._record)
        made: list[str] = []
        return run_by_hand(*parts, mode, waiver, made.append), "".join(made)

    @property
    def changes(self) -> Changes:
        from metona_tk.agent.undoing import Undoing

        return Undoing(self._record.operations)

    def usable_workspace(self, path: str) -> bool:
        from metona_tk.agent.gatekeeper import build_gate, usable_workspace

        gate = build_gate(path, self.settings["allowedDirs"], self.settings["blockedDirs"])
        return usable_workspace(path, gate.protected)

    def checks(self, host: str) -> list[dict[str, Any]]:
        from metona_tk.agent.checks import run_checks
        from metona_tk.desktop import tray_state
        from metona_tk.ui.toolkit import toolkit_state

        return run_checks(self.settings, host, toolkit_state(), tray_state())

    def open_window(self, folder: str | None, model: str, question: str, host: str) -> int:
        from metona_tk.desktop import open_window

        return open_window(self, AskQuickly(folder, model, question), host)


def main(arguments: list[str], wish: Handed | None = None, place: Instance | None = None) -> int:
    """Open the window that is wished, at its `place`, else run the command line; the exit code."""
    logs.start()
    program = Program(settings.load(places.settings_file()))
    i18n.set_language(program.settings["language"])
    if wish:
        from metona_tk.desktop import open_window

        return open_window(program, wish, "", place)
    from metona_tk.cli.main import run

    return run(program, arguments)
