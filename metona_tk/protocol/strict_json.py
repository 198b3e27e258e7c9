"""JSON that hides nothing: a key named twice is remembered, NaN and infinity are refused. For what models send."""

from __future__ import annotations

import json
from typing import Any, NoReturn


class RepeatedKey(dict[str, Any]):
    """A JSON object that named `key` twice; readers differ in which value counts, so it is refused later."""

    key = ""


def _keep_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    names = [name for name, _ in pairs]
    marked = RepeatedKey(plain)
    marked.key = next(name for name in names if names.count(name) > 1)
    return marked


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def loads(text: str | bytes) -> Any:
    """As json.loads; ValueError for what is no JSON, and for what is nested too deeply to be read."""
    try:
        return json.loads(text, object_pairs_hook=_keep_repeats, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
