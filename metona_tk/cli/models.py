"""`metona-tk models`: what is installed on the server."""

from __future__ import annotations

import dataclasses
import queue

from metona_tk.cli import terminal
from metona_tk.cli.core import Allowed, Core
from metona_tk.i18n import tr
from metona_tk.i18n.problems import problem_text
from metona_tk.protocol.commands import ListModels, Shutdown
from metona_tk.protocol.events import CommandRefused, Event, ModelsListed, ServerStateChanged
from metona_tk.protocol.problems import Problem, ProblemCode
from metona_tk.protocol.values import EXAMPLE_MODEL, ModelInfo

_SECONDS = 60.0


def _listed(core: Core, host: str) -> ModelsListed | Problem:
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    engine = core.engine(events.put, host, 0.0, Allowed())
    engine.start()
    engine.send(ListModels())
    found: ModelsListed | Problem = Problem(ProblemCode.NO_SERVER, {"address": host})
    try:
        while True:
            event = events.get(timeout=_SECONDS)
            if isinstance(event, ModelsListed):
                found = event
                break
            if isinstance(event, CommandRefused):
                found = event.problem
                break
            if isinstance(event, ServerStateChanged) and event.server.problem:
                found = event.server.problem
                break
    except queue.Empty:
        pass  # found says already that no server answers
    engine.send(Shutdown())
    engine.join(3)
    return found


def _row(model: ModelInfo, chosen: str) -> str:
    mark = "*" if model.name == chosen else " "
    size = f"{model.size / 1e9:.1f} GB" if model.size else ""
    can = ", ".join(model.capabilities or ())
    if model.remote:
        can = (can + "; " if can else "") + tr("runs elsewhere: file contents leave this computer")
    return f"{mark} {model.name:32} {model.parameters:>8} {model.quantization:10} {size:>8}  {can}".rstrip()


def models(core: Core, host: str, as_json: bool) -> int:
    """0, or 4 without a server."""
    found = _listed(core, host)
    if isinstance(found, Problem):
        terminal.err(problem_text(found))
        return 2 if found.code is ProblemCode.BAD_ADDRESS else 4
    if as_json:
        terminal.json_out([dataclasses.asdict(model) for model in found.models])
        return 0
    for model in found.models:
        terminal.out(terminal.safe(_row(model, found.chosen)) + "\n")
    if not found.models:
        terminal.err(problem_text(Problem(ProblemCode.NO_MODELS, {"example": EXAMPLE_MODEL})))
    return 0
