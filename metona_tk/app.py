"""Joins the parts; the only module that knows all of them."""

from __future__ import annotations

import queue
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metona_tk import i18n, logs, places, settings
from metona_tk.cli.core import Allowed, AskUser, Changes, Ran, RunningEngine
from metona_tk.i18n import tr
from metona_tk.protocol.events import EngineStopped, Event
from metona_tk.protocol.values import JsonObject, Mode
from metona_tk.settings import Settings


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
        from metona_tk.ui.toolkit import toolkit_state

        return run_checks(self.settings, host, toolkit_state())

    def open_window(self, folder: str | None, model: str, question: str, host: str) -> int:
        try:
            from metona_tk.ui.window import StartOptions, run
        except ImportError as error:
            sys.stderr.write(tr("The window needs Tk, which is missing here ({reason}).", reason=error) + "\n")
            return 1
        events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        engine = LateEngine(lambda: self.engine(events.put, host, 300.0, Allowed()), events.put)
        options = StartOptions(folder, model, question)
        return run(engine.send, events, dict(self.settings.values), options, engine.begin)


class LateEngine:
    """An engine that is built on its own thread once `begin` was called: Python runs one thread at a time, so what it
    loads would hold up the first window. Commands wait until then.
    """

    def __init__(self, build: Callable[[], RunningEngine], emit: Callable[[Event], None]) -> None:
        self._waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._build, self._emit = build, emit
        self._begun = False

    def begin(self) -> None:
        """Build it, if that was not begun yet."""
        import threading

        if not self._begun:
            self._begun = True
            threading.Thread(target=self._run, name="engine-start", daemon=True).start()

    def send(self, command: Any) -> None:
        """Give a command; it waits until the engine is there."""
        self._waiting.put(command)

    def _run(self) -> None:
        try:
            engine = self._build()
        except Exception:
            logs.log.exception("the engine could not be built")
            self._emit(EngineStopped())  # the window says so, instead of waiting for ever
            return
        engine.start()
        while True:
            engine.send(self._waiting.get())


def main(argv: list[str] | None = None) -> int:
    """Without arguments the window, else the command line; the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    logs.start()
    program = Program(settings.load(places.settings_file()))
    i18n.set_language(program.settings["language"])
    if not arguments:
        return program.open_window(None, "", "", "")
    from metona_tk.cli.main import run

    return run(program, arguments)
