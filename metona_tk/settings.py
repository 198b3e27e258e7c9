"""The user's settings: a schema from which the dialog draws itself, and a file that is never lost.

Saved atomically; missing fields get defaults, unknown fields are kept, a damaged file is set aside and said (SPEC 6.8).
The keys of the original are kept: enabled, enabledTools, allowedDirs, blockedDirs, confirmationMode, runCommandEnabled.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from metona_tk.i18n import N_
from metona_tk.protocol.problems import Problem, ProblemCode, ProblemError

VERSION = 1
MAX_FILE = 1 << 20  # bytes; a settings file beyond this is damaged


@dataclass(frozen=True, slots=True)
class Field:
    """One setting: what the file holds and what the dialog shows. `choices` or `low`/`high` bound it."""

    key: str
    kind: type
    default: Any
    title: str
    help: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None

    def check(self, value: Any) -> bool:
        """Whether `value` may stand in this field."""
        if self.kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if type(value) is not self.kind or (self.choices and value not in self.choices):
            return False
        if self.low is not None and not self.low <= value <= (self.high or float("inf")):
            return False
        return self._check_parts(value)

    def _check_parts(self, value: Any) -> bool:
        if self.kind is list:
            return all(isinstance(part, str) for part in value)
        if self.key == "enabledTools":
            return all(isinstance(name, str) and isinstance(on, bool) for name, on in value.items())
        return True

    @property
    def expected(self) -> str:
        """What would fit, for the error."""
        if self.choices:
            return " | ".join(self.choices)
        if self.low is not None:
            return f"{self.low:g} – {self.high:g}"
        return self.kind.__name__


SCHEMA: tuple[Field, ...] = (
    Field(
        "language",
        str,
        "system",
        N_("Language"),
        N_("Of the window and the messages."),
        ("system", "en", "zh_CN"),
    ),
    Field(
        "theme",
        str,
        "dark",
        N_("Appearance"),
        N_("Dark, light, or as the system is."),
        ("dark", "light", "system"),
    ),
    Field("textSize", int, 100, N_("Text size"), N_("In percent; Ctrl+plus and Ctrl+minus change it."), (), 80, 200),
    Field(
        "tray",
        bool,
        True,
        N_("Icon in the tray"),
        N_("Closing the window only hides it. Without the icon, closing ends Metona."),
    ),
    Field(
        "notifications",
        bool,
        True,
        N_("Notifications"),
        N_("When nobody looks: a question waits, a long answer is there."),
    ),
    Field(
        "hotkey",
        str,
        "",
        N_("Keys for the quick question"),
        N_("From everywhere, while the icon is in the tray: <ctrl>+<alt>+m. Empty: none."),
    ),
    Field("enabled", bool, True, N_("Tools"), N_("Let models look at and work on files.")),
    Field("enabledTools", dict, {}, N_("Single tools"), N_("Switch single tools on or off.")),
    Field("allowedDirs", list, [], N_("Allowed folders"), N_("Besides the workspace, for every chat.")),
    Field("blockedDirs", list, [], N_("Protected folders"), N_("Besides the built-in ones, never touched.")),
    Field(
        "confirmationMode",
        str,
        "write-only",
        N_("Ask before changes"),
        N_("Every change, deletions and overwrites, or none."),
        ("all", "write-only", "none"),
    ),
    Field("runCommandEnabled", bool, False, N_("Commands"), N_("Let models run commands.")),
    Field("server", str, "", N_("Server address"), N_("Empty: OLLAMA_HOST, else this computer.")),
    Field("model", str, "", N_("Model"), N_("The last one used.")),
    Field("workspace", str, "", N_("Workspace"), N_("The last one used.")),
    Field("recentWorkspaces", list, [], N_("Recent workspaces"), N_("For the picker.")),
    Field("numCtx", int, 24576, N_("Context"), N_("Tokens; never above the model's own."), (), 2048, 1 << 20),
    Field("temperature", float, 0.7, N_("Temperature"), N_("Lower is more exact."), (), 0.0, 2.0),
    Field(
        "think",
        str,
        "off",
        N_("Thinking"),
        N_("How much a model thinks before it answers, where it can."),
        ("off", "on", "low", "medium", "high", "max"),
    ),
    Field("maxRounds", int, 10, N_("Rounds"), N_("Tool rounds before you are asked whether to go on."), (), 1, 100),
)
FIELDS: Mapping[str, Field] = {entry.key: entry for entry in SCHEMA}


def defaults() -> dict[str, Any]:
    """A fresh copy of every default."""
    return {entry.key: json.loads(json.dumps(entry.default)) for entry in SCHEMA}


@dataclass(slots=True)
class Settings:
    """The settings in memory."""

    path: Path
    values: dict[str, Any] = field(default_factory=defaults)
    problem: Problem | None = None  # what was wrong with the file when it was loaded

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def change(self, changes: Mapping[str, Any]) -> None:
        """Apply all of `changes` and save, or raise ProblemError and change nothing in memory.

        When only saving fails the values hold until the end of the program (SETTINGS_NOT_SAVED).
        """
        for key, value in changes.items():
            if key not in FIELDS or not FIELDS[key].check(value):
                expected = FIELDS[key].expected if key in FIELDS else ""
                raise ProblemError(ProblemCode.BAD_SETTING, key=str(key), expected=expected)
        self.values.update(changes)
        try:
            self._save(changes)
        except (OSError, ValueError) as error:
            said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise ProblemError(ProblemCode.SETTINGS_NOT_SAVED, path=str(self.path), server=said) from error

    def _save(self, changes: Mapping[str, Any]) -> None:
        """Write what changed into the file as it is now, so that another running Metona's changes stay.

        What this version does not know or cannot use stays as it was; the file is the old or the new one at every
        instant. ValueError for a file that cannot be understood: it is never written over.
        """
        current = _read(self.path)
        if current is None:
            raise ValueError("the settings file cannot be read, so it is not written over")
        merged: dict[str, Any] = {"version": VERSION} | self.values | current | dict(changes)
        merged["version"] = max(VERSION, _version(current))
        text = json.dumps(merged, ensure_ascii=False, indent=2)
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temp = self.path.with_name(f".{self.path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
        try:
            with open(temp, "w", encoding="utf-8", opener=_private) as out:
                out.write(text + "\n")
                out.flush()
                os.fsync(out.fileno())
            os.replace(temp, self.path)
        except (OSError, ValueError):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temp)
            raise


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _version(data: Mapping[str, Any]) -> int:
    value = data.get("version")
    return value if type(value) is int else 0


def _read(path: Path) -> dict[str, Any] | None:
    """What the file holds: {} when it is missing, None when it cannot be read or understood."""
    try:
        with open(path, "rb") as source:
            return _parse(source.read(MAX_FILE + 1))
    except FileNotFoundError:
        return {}
    except OSError:
        return None


def load(path: Path) -> Settings:
    """Read the settings; a missing file gives defaults, a damaged one is set aside and `problem` says so.

    A value that does not fit is left in the file and its default used; `problem` names every such key.
    """
    settings = Settings(path)
    data = _read(path)
    if data is None:
        settings.problem = _set_aside(path)
        return settings
    wrong: list[Field] = []
    for key, value in data.items():
        if key in FIELDS and FIELDS[key].check(value):
            settings.values[key] = value
        elif key in FIELDS:
            wrong.append(FIELDS[key])
    if wrong:
        keys = ", ".join(entry.key for entry in wrong)
        settings.problem = Problem(ProblemCode.BAD_SETTING, {"key": keys, "expected": wrong[0].expected})
    return settings


def _parse(raw: bytes) -> dict[str, Any] | None:
    if len(raw) > MAX_FILE:
        return None
    try:
        data = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None  # pyright: ignore[reportUnknownVariableType]


def _set_aside(path: Path) -> Problem:
    """Keep a damaged file under another name; one that cannot even be read stays where it is."""
    if not os.access(path, os.R_OK):
        return Problem(ProblemCode.SETTINGS_NOT_SAVED, {"path": str(path), "server": os.strerror(errno.EACCES)})
    kept = path.with_name(f"{path.stem}.damaged-{time.strftime('%Y%m%d-%H%M%S')}{path.suffix}")
    number = 1
    while kept.exists():
        number += 1
        kept = kept.with_name(f"{kept.stem}-{number}{kept.suffix}")
    try:
        os.replace(path, kept)
    except OSError as error:
        return Problem(ProblemCode.SETTINGS_NOT_SAVED, {"path": str(path), "server": error.strerror or ""})
    return Problem(ProblemCode.SETTINGS_SET_ASIDE, {"path": str(kept)})
