"""Text that is really a tool call: only when the whole reply is that and names an offered tool (SPEC 5.5).

It then runs through the same gate as any other call. JSON inside prose is never run.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from metona_tk.backends.base import RawCall
from metona_tk.protocol.strict_json import RepeatedKey, loads

_FENCE = re.compile(r"```(?:json|tool_call|tool_code)?[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
_TAG = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_MAX = 1 << 20  # characters
_BEGINNINGS = ("{", "[", "```json", "```tool_call", "```tool_code", "```\n", "<tool_call>")


def may_be_call(text: str) -> bool:
    """Whether a reply that begins so may still turn out to be a call; then it is not shown yet."""
    start = text.lstrip()
    if not start or any(beginning.startswith(start) for beginning in _BEGINNINGS):
        return True
    return len(text) < _MAX and start.startswith(_BEGINNINGS)


def _pieces(text: str) -> list[str] | None:
    """The JSON texts that the whole reply consists of; None when there is anything else in it."""
    for pattern in (_FENCE, _TAG):
        if pattern.sub("", text).strip() == "" and (found := pattern.findall(text)):
            return found
    return [text] if text[0] in "{[" else None


def _objects(piece: str) -> list[Any] | None:
    try:
        data = loads(piece.strip())
    except ValueError:
        lines = [line for line in piece.splitlines() if line.strip()]
        if len(lines) < 2:
            return None
        try:
            return [loads(line) for line in lines]
        except ValueError:
            return None
    return data if isinstance(data, list) else [data]  # pyright: ignore[reportUnknownVariableType]


def _as_call(data: Any, offered: Collection[str]) -> RawCall | None:
    if not isinstance(data, dict) or isinstance(data, RepeatedKey):
        return None
    inner: Any = data.get("function")  # pyright: ignore
    if isinstance(inner, dict):
        data = inner  # pyright: ignore[reportUnknownVariableType]
    name: Any = data.get("name")  # pyright: ignore
    arguments: Any = data.get("arguments", data.get("parameters"))  # pyright: ignore
    if name not in offered or not isinstance(arguments, (dict, str, type(None))):
        return None
    return RawCall(name, arguments)  # pyright: ignore[reportUnknownArgumentType]


def calls_in_text(text: str, offered: Collection[str]) -> list[RawCall]:
    """The calls that a reply consists of; [] when it is (also) text, or names what was not offered."""
    text = text.strip()
    if not text or len(text) > _MAX:
        return []
    pieces = _pieces(text)
    if pieces is None:
        return []
    found: list[RawCall] = []
    for piece in pieces:
        for data in _objects(piece) or [None]:
            call = _as_call(data, offered)
            if call is None:
                return []
            found.append(call)
    return found
