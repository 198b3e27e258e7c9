"""Fake programs, Pythons and a project for the tests of packaging/bootstrap.py; nothing is downloaded or installed."""

import importlib
import json
import os
import sys
import textwrap
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[3] / "packaging"
sys.path.insert(0, str(PACKAGING))
# the tests import them by name: they are loaded from then on
for name in ["bootstrap_steps.command", "bootstrap_steps.old_python", "build_steps.command", "self_check"]:
    importlib.import_module(name)
sys.path.remove(str(PACKAGING))
from bootstrap_steps import command, pythons  # noqa: E402


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """An otherwise empty PATH; call it to put a shell script there. `programs.calls()` are the logged lines."""
    folder, log = tmp_path / "programs", tmp_path / "calls.log"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("CALLS", str(log))

    def put(name, script="", to=folder):
        to.mkdir(parents=True, exist_ok=True)
        file = to / name
        file.write_text(
            f'#!/bin/sh\nPATH=/usr/bin:/bin\necho "{name} $*" | tr "\\n" " " >> "$CALLS"; echo >> "$CALLS"\n'
            + textwrap.dedent(script)
        )
        file.chmod(0o755)
        return file

    put.calls = lambda: [line.rstrip() for line in log.open()] if log.exists() else []
    put.folder = folder
    return put


@pytest.fixture
def fake_python(programs):
    """A python that describes itself as told, makes a venv by copying itself, and lets pip print and end as told."""

    def make(name="python3.12", version=(3, 12), tk="", venv=True, pip_says="", pip_code=0, to=programs.folder):
        path = to / name
        answer = json.dumps([str(path), version, tk, venv])
        return programs(
            name,
            f"""
            case "$*" in
            *"-c import sys; sys.exit"*) exit {int(version < (3, 11))} ;;
            *" -c "*) cat <<'END'
            {answer}
            END
            ;;
            *"-m venv"*) for last; do :; done; rm -rf "$last"; mkdir -p "$last/bin"; cp "$0" "$last/bin/python" ;;
            *"-m pip"*) echo "{pip_says}"; exit {pip_code} ;;
            *"-m pytest"*) echo "DISPLAY=$DISPLAY SOAK=$METONA_TK_SOAK $PWD" >> "$CALLS"
                echo "SCREENS=$METONA_TK_SCREENS" >> "$CALLS"; exit 3 ;;
            esac
            """.replace("\n            ", "\n"),
            to,
        )

    return make


@pytest.fixture
def project(tmp_path, monkeypatch):
    root = tmp_path / "project"
    (root / "packaging").mkdir(parents=True)
    for name in ("bootstrap.py", "lock.txt", "lock-test.txt"):
        (root / "packaging" / name).write_text(name)
    monkeypatch.setattr(command, "ROOT", root)
    return root


@pytest.fixture
def only(monkeypatch):
    """Makes the given files all the Pythons there are."""
    return lambda *files: monkeypatch.setattr(pythons, "candidates", lambda: [[str(file)] for file in files])


@pytest.fixture
def started(monkeypatch):
    """The program's start, recorded instead of done: [arguments, environment]."""
    calls = []

    def become(_path, arguments, env):
        calls.append((arguments, env))
        raise SystemExit

    monkeypatch.setattr(os, "execve", become)
    return calls


@pytest.fixture(autouse=True)
def signals_as_before(monkeypatch):
    monkeypatch.setattr(command.signal, "signal", lambda *_: None)
