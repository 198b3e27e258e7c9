"""What the real server refuses in a chat request by its types alone, whatever the model. Counterpart: `ollama`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

Refusal = tuple[int, str]
NUMBERS = ("num_ctx", "num_predict", "seed", "top_k", "num_keep", "repeat_last_n")
FRACTIONS = ("temperature", "top_p", "min_p", "repeat_penalty")
THINK = ("high", "medium", "low", "max")


def refusal(body: Any) -> Refusal | None:
    """The status and words with which a request of this shape is refused, None when it is taken."""
    if not isinstance(body, dict):
        return 400, "missing request body" if body is None else "json: cannot unmarshal into api.ChatRequest"
    return next(_faults(body), None)


def _faults(body: dict[str, Any]) -> Iterator[Refusal]:
    if not body.get("model"):
        yield 400, "model is required"
    for message in body.get("messages") or []:
        yield from _message(message)
    for tool in body.get("tools") or []:
        yield from _tool(tool)
    think = body.get("think")
    if not (think is None or isinstance(think, bool) or think in THINK):
        yield 400, f'invalid think value: "{think}" (must be "high", "medium", "low", "max", true, or false)'
    keep = body.get("keep_alive")
    if isinstance(keep, str) and not re.fullmatch(r"-?(\d+(\.\d+)?(h|m|s|ms|us|ns))+", keep):
        yield 400, f'time: missing unit in duration "{keep}"'
    for key, value in (body.get("options") or {}).items():
        if key in NUMBERS and (isinstance(value, bool) or not isinstance(value, int)):
            yield 500, f'option "{key}" must be of type integer'
        if key in FRACTIONS and (isinstance(value, bool) or not isinstance(value, int | float)):
            yield 500, f'option "{key}" must be of type float32'


def _message(message: Any) -> Iterator[Refusal]:
    if message.get("role") not in ("system", "user", "assistant", "tool"):
        yield 400, f"invalid role: {message.get('role')}"
    for key in ("content", "thinking", "tool_name", "tool_call_id"):
        if not isinstance(message.get(key, ""), str | None):
            yield 400, f"json: cannot unmarshal into Go struct field ChatRequest.messages.{key} of type string"
    for call in message.get("tool_calls") or []:
        if not isinstance(call["function"].get("arguments"), dict | None):
            kind = "ToolCallFunctionArguments"
            yield 400, f"json: cannot unmarshal string into Go struct field of type api.{kind}"
    if any(str(image).startswith("data:") for image in message.get("images") or []):
        yield 400, "illegal base64 data at input byte 4"


def _tool(tool: Any) -> Iterator[Refusal]:
    schema = tool["function"].get("parameters") or {}
    properties = schema.get("properties", {})
    if not isinstance(properties, dict) or not all(isinstance(value, dict) for value in properties.values()):
        yield 400, "json: cannot unmarshal into Go struct field ToolFunctionParameters.properties"
    if not isinstance(schema.get("required", []), list):
        yield 400, "json: cannot unmarshal into Go struct field ToolFunctionParameters.required of type []string"
