"""What the server says of its models; fields that older servers do not send are optional."""

from __future__ import annotations

import re
from typing import Any

from metona_tk.backends.base import Capabilities
from metona_tk.protocol.values import ModelInfo


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def as_object(value: Any) -> dict[str, Any]:
    """A JSON object, {} for anything else."""
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def as_list(value: Any) -> list[Any]:
    """A JSON list, [] for anything else."""
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def _names(value: Any) -> tuple[str, ...] | None:
    return tuple(str(each) for each in as_list(value)) if isinstance(value, list) else None


def is_remote(name: str, entry: dict[str, Any]) -> bool:
    """Whether a model runs elsewhere (`:cloud`, `-cloud`, or as the server says)."""
    return bool(entry.get("remote_host") or entry.get("remote_model")) or name.endswith((":cloud", "-cloud"))


def model_from(entry: Any) -> ModelInfo | None:
    """An item of /api/tags; None for what has no name."""
    data = as_object(entry)
    name = data.get("name") or data.get("model")
    if not isinstance(name, str) or not name:
        return None
    details = as_object(data.get("details"))
    told = data.get("capabilities")
    return ModelInfo(
        name=name,
        size=_number(data.get("size")) or 0,
        family=str(details.get("family") or ""),
        parameters=str(details.get("parameter_size") or ""),
        quantization=str(details.get("quantization_level") or ""),
        context_length=_number(details.get("context_length")),
        capabilities=_names(told),
        remote=is_remote(name, data),
    )


def _context_length(data: dict[str, Any]) -> int | None:
    """details.context_length, else general.context_length, else the largest `*.context_length` of model_info."""
    info = as_object(data.get("model_info"))
    found = _number(as_object(data.get("details")).get("context_length")) or _number(info.get("general.context_length"))
    if found:
        return found
    lengths = [_number(value) or 0 for key, value in info.items() if key.endswith(".context_length")]
    return max(lengths, default=0) or None


def _billions(data: dict[str, Any]) -> float | None:
    """details.parameter_size ("1.8B", "134.52M") in billions."""
    told = re.fullmatch(r"([\d.]+)\s*([MBKT])", str(as_object(data.get("details")).get("parameter_size") or ""))
    try:
        return float(told[1]) * {"K": 1e-6, "M": 1e-3, "B": 1.0, "T": 1e3}[told[2]] if told else None
    except ValueError:
        return None


def capabilities_from(data: dict[str, Any]) -> Capabilities:
    """An answer of /api/show. Servers before capabilities are judged by the template, as they themselves did."""
    told = data.get("capabilities")
    if isinstance(told, list):
        names = set(_names(told) or ())  # pyright: ignore[reportUnknownArgumentType]
        tools, vision, thinking = "tools" in names, "vision" in names, "thinking" in names
    else:
        tools, thinking = ".Tools" in str(data.get("template") or ""), False
        vision = bool(data.get("projector_info"))
    family = str(as_object(data.get("details")).get("family") or "")
    return Capabilities(tools, vision, thinking, _context_length(data), _billions(data), family=family)
