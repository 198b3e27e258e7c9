"""What `metona-tk doctor` looks at: each part by really using it, with the next step where it fails."""

from __future__ import annotations

import os
import platform
import sys
from typing import Any

from metona_tk import __version__, places
from metona_tk.agent.models import ModelMemory
from metona_tk.backends.base import CancelToken
from metona_tk.backends.ollama.address import server_address
from metona_tk.backends.ollama.client import OllamaBackend
from metona_tk.i18n import tr
from metona_tk.i18n.problems import problem_parts, problem_text
from metona_tk.protocol.problems import ProblemError
from metona_tk.protocol.values import EXAMPLE_MODEL
from metona_tk.security.sandbox import landlock, launch
from metona_tk.settings import Settings

Check = dict[str, Any]


def _check(name: str, ok: bool, detail: str, step: str = "") -> Check:
    return {"name": name, "ok": ok, "detail": detail, "step": step}


def run_checks(
    settings: Settings, host: str, toolkit: tuple[bool, str, str], tray: tuple[bool, str, str]
) -> list[Check]:
    """Every check; `toolkit` and `tray` are what the window's side found: (usable, in words, what to do)."""
    return [
        _check("metona-tk", True, f"{__version__}, Python {platform.python_version()}, {sys.platform}"),
        _check(tr("window"), *toolkit),
        _check(tr("tray"), *tray),
        _search_program(),
        _settings(settings),
        *_server(settings, host),
    ]


def _search_program() -> Check:
    program = launch.ripgrep()
    step = tr("Install Metona again; its search program is missing.")
    if program is None:
        return _check(tr("search"), False, tr("ripgrep is missing"), step)
    try:
        reading = launch.start_reader([program, "--version"])
        first = next(reading.records(), b"").decode("utf-8", "replace")
        code, said = reading.finish()
    except OSError as error:
        return _check(tr("search"), False, str(error), step)
    wall = f"Landlock {landlock.version()}" if landlock.version() else tr("no Landlock wall here")
    return _check(tr("search"), code == 0, f"{first or said}, {wall}", step)


def _settings(settings: Settings) -> Check:
    folder = places.config_dir()
    above = folder
    while not above.exists() and above != above.parent:
        above = above.parent
    step = tr("Make the folder {folder} writable.", folder=str(folder))
    if settings.problem:
        return _check(tr("settings"), False, problem_text(settings.problem), step)
    return _check(tr("settings"), os.access(above, os.W_OK), str(settings.path), step)


def _server(settings: Settings, host: str) -> list[Check]:
    cancel = CancelToken()
    try:
        backend = OllamaBackend(server_address(host or settings["server"]))
        version = backend.version(cancel)
        models = backend.models(cancel)
    except ProblemError as error:
        return [_check(tr("server"), False, *problem_parts(error.problem))]
    found = [_check(tr("server"), True, f"Ollama {version}, {backend.address}")]
    pull = tr("Get one with “ollama pull {example}”.", example=EXAMPLE_MODEL)
    if not models:
        return [*found, _check(tr("models"), False, tr("no model is installed"), pull)]
    memory = ModelMemory()
    with_tools: list[str] = []
    for model in models[:20]:
        try:
            if memory.capabilities(backend, model.name, cancel).tools:
                with_tools.append(model.name)
        except ProblemError:
            continue  # a model that cannot be looked at is none that can be counted on
    detail = tr("{count} installed, with tools: {names}", count=len(models), names=", ".join(with_tools) or "–")
    return [*found, _check(tr("models"), bool(with_tools), detail, pull)]
