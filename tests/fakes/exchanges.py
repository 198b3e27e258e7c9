"""The exchanges of tests/data/exchanges.yaml as replies. Counterpart: `replies.Reply`, which the server plays."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.fakes.replies import CREATED, JSON, MODEL, NDJSON, Part, Reply

FILE = Path(__file__).parent.parent / "data" / "exchanges.yaml"


@dataclass(frozen=True)
class Exchange:
    """One answer of a server, and what a client must make of it (`want`, see the head of the file)."""

    name: str
    number: int
    reply: Reply
    want: dict[str, Any]
    offered: tuple[str, ...] = ()
    request: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.number} {self.name}"


def exchanges() -> list[Exchange]:
    """All of them, in order."""
    return [_exchange(entry) for entry in yaml.safe_load(FILE.read_text("utf-8"))]


def exchange(name: str) -> Exchange:
    """The one of that name."""
    return next(item for item in exchanges() if item.name == name)


def _exchange(entry: dict[str, Any]) -> Exchange:
    offered, request = tuple(entry.get("offered", ())), entry.get("request", {})
    return Exchange(entry["name"], entry["number"], _reply(entry), entry["want"], offered, request)


def _reply(entry: dict[str, Any]) -> Reply:
    if "lines" in entry:
        end = "fin" if entry.get("ends") == "cut" else "whole"
        return Reply(body=[_part(item) for item in entry["lines"]], headers={"Content-Type": NDJSON}, end=end)
    body = entry["body"]
    text = body if isinstance(body, str) else json.dumps(body)
    return Reply(entry["status"], [text], {"Content-Type": entry.get("type", JSON)}, chunked=False)


def _part(item: dict[str, Any] | str) -> Part:
    if isinstance(item, str):
        return item + "\n"
    if "error" in item:
        return item
    left = dict(item)
    message = {"role": "assistant", "content": left.pop("content", "")}
    if "thinking" in left:
        message["thinking"] = left.pop("thinking")
    if "calls" in left:
        message["tool_calls"] = [_call(call) for call in left.pop("calls")]
    line = {"model": MODEL, "created_at": CREATED, "message": message, "done": left.pop("done", False)}
    if "reason" in left:
        line["done_reason"] = left.pop("reason")
    return line | left


def _call(call: dict[str, Any]) -> dict[str, Any]:
    function = {"index": call.get("index", 0), "name": call["name"], "arguments": call["arguments"]}
    return ({"id": call["id"]} if "id" in call else {}) | {"function": function}
