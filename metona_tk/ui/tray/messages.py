"""What window and icon say to each other: one line of JSON each. Pure; what is no message of ours is None."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Literal, cast

MOST = 64 * 1024  # bytes of a line


class State(StrEnum):
    """What the icon looks like."""

    IDLE = "idle"
    WORKING = "working"
    WAITING = "waiting"  # for the user's answer
    OFFLINE = "offline"  # the server is not reachable


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the menu; `key` comes back when it is chosen. The default one is what a click on the icon does."""

    key: str
    label: str
    kind: Literal["normal", "radio", "separator"] = "normal"
    checked: bool = False
    default: bool = False


# To the icon


@dataclass(frozen=True, slots=True)
class Show:
    """Look so."""

    state: State
    tooltip: str


@dataclass(frozen=True, slots=True)
class Menu:
    """Offer this."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Notify:
    """Tell the user something; a later one with the same key takes its place."""

    key: str
    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """It needs no telling any more."""

    key: str


@dataclass(frozen=True, slots=True)
class Hotkey:
    """Listen for these keys everywhere, as pynput writes them: <ctrl>+<alt>+m; "" listens for none."""

    keys: str


@dataclass(frozen=True, slots=True)
class Stop:
    """End."""


# From the icon


@dataclass(frozen=True, slots=True)
class Works:
    """Whether the icon is really shown and can be clicked; `reason`, in English, why not, else what shows it."""

    works: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """An entry of the menu was chosen, or the icon clicked."""

    key: str


@dataclass(frozen=True, slots=True)
class Clicked:
    """A notification was clicked."""

    key: str


@dataclass(frozen=True, slots=True)
class Pressed:
    """The keys of Hotkey were pressed."""


@dataclass(frozen=True, slots=True)
class NoHotkey:
    """They cannot be listened for; why, in English."""

    reason: str


Message = Show | Menu | Notify | Withdraw | Hotkey | Stop | Works | Chosen | Clicked | Pressed | NoHotkey
_KINDS: dict[str, type[Any]] = {
    kind.__name__.lower(): kind
    for kind in (Show, Menu, Notify, Withdraw, Hotkey, Stop, Works, Chosen, Clicked, Pressed, NoHotkey)
}


def encode(message: Message) -> bytes:
    """One line."""
    return json.dumps({"is": type(message).__name__.lower()} | asdict(message)).encode() + b"\n"


def decode(line: bytes) -> Message | None:
    """The message of a line."""
    try:
        parsed: object = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(parsed, dict):
        return None
    fields = cast("dict[str, Any]", parsed)
    kind = fields.pop("is", None)
    made = _KINDS.get(kind) if isinstance(kind, str) else None
    try:
        return None if made is None else cast("Message", _made(made, fields))
    except (TypeError, ValueError):
        return None


def _made(kind: type[Any], fields: dict[str, Any]) -> object:
    """TypeError or ValueError for fields that are not those of `kind`."""
    if kind is Menu:
        fields["entries"] = tuple(_entry(each) for each in fields["entries"])
    if kind is Show:
        fields["state"] = State(fields["state"])
    for name, value in fields.items():
        if name not in {"entries", "works"} and not isinstance(value, str):
            raise TypeError(name)
    if not isinstance(fields.get("works", False), bool):
        raise TypeError("works")
    return kind(**fields)


def _entry(fields: dict[str, Any]) -> Entry:
    entry = Entry(**fields)
    if not (isinstance(entry.key, str) and isinstance(entry.label, str)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("entry")
    if entry.kind not in {"normal", "radio", "separator"}:
        raise ValueError(entry.kind)
    return entry
