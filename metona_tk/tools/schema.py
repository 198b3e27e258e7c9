"""The schema that the model sees, flattened to what survives on the way (OLLAMA.md "Tool schema that survives").

The server drops $ref, default, format, minimum and titles, and refuses boolean schemas; so only type, description,
enum, items, properties and required are sent, and an optional value is simply one that is not required.
"""

from __future__ import annotations

from typing import Any

from metona_tk.protocol.values import JsonObject
from metona_tk.tools.base import Tool

_KEPT = ("type", "description", "enum", "items")


def _flatten(part: JsonObject) -> JsonObject:
    choices: list[JsonObject] = [choice for choice in part.get("anyOf", []) if choice.get("type") != "null"]
    merged: JsonObject = (choices[0] | {key: part[key] for key in ("description",) if key in part}) if choices else part
    flat: JsonObject = {key: merged[key] for key in _KEPT if key in merged}
    if isinstance(flat.get("items"), dict):
        flat["items"] = _flatten(flat["items"])
    return flat


def tool_schema(tool: Tool) -> JsonObject:
    """`{"type": "function", "function": {name, description, parameters}}`."""
    made: dict[str, Any] = tool.Args.model_json_schema()
    properties: JsonObject = {name: _flatten(part) for name, part in made.get("properties", {}).items()}
    parameters = {"type": "object", "required": made.get("required", []), "properties": properties}
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": parameters},
    }
