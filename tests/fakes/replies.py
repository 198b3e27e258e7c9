"""What a scripted server says: `Reply`, and helpers that write Ollama's lines. Counterpart: `ollama` plays them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

MODEL = "test:1b"
CREATED = "2026-03-01T09:00:00.123456789Z"
NDJSON = "application/x-ndjson"
JSON = "application/json; charset=utf-8"
WIRE = Path(__file__).parent.parent / "data" / "wire"
METRICS = {
    "total_duration": 1_500_000_000,
    "load_duration": 2_000_000,
    "prompt_eval_count": 120,
    "prompt_eval_duration": 300_000_000,
    "eval_count": 12,
    "eval_duration": 1_000_000_000,
}

Gate = threading.Event
Lazy = Callable[[], Iterator[bytes]]
Part = dict[str, Any] | bytes | str | Gate | Lazy
Call = tuple[str, Any]


@dataclass(frozen=True)
class Reply:
    """One HTTP answer, byte by byte.

    `body` is a list of parts, sent in order: a dict is a JSON line, bytes and str go out as they are, an Event is a
    gate that is waited for, a callable gives an iterator of bytes that are made while they are sent. Each part of
    bytes is one send and, with `chunked`, one chunk. Without it the true Content-Length is sent, or where there is
    something lazy none at all and the end of the connection ends the body; `length` sends that number instead.

    `end` says what comes after the last part, or after `cut` bytes of the body:
    "whole"  the answer is finished as it should be and the connection stays open
    "fin"    the connection is closed in an orderly way, without a last chunk
    "rst"    the connection is reset
    "hang"   nothing at all, until the client goes away
    A `cut` in the middle of a part leaves a chunk that is shorter than it says. `raw` is sent instead of all this, for
    servers that do not even speak HTTP. `before` is a gate before the first byte of the headers: a loading model.
    """

    status: int = 200
    body: tuple[Part, ...] | list[Part] = ()
    headers: dict[str, str] = field(default_factory=dict)
    chunked: bool = True
    length: int | None = None
    before: Gate | None = None
    cut: int | None = None
    end: Literal["whole", "fin", "rst", "hang"] = "whole"
    raw: bytes | None = None

    def after(self, gate: Gate) -> Reply:
        """The same, but silent until the gate opens."""
        return replace(self, before=gate)

    def cut_at(self, count: int, end: Literal["fin", "rst", "hang"] = "fin") -> Reply:
        """The same, but it breaks off after `count` bytes of the body."""
        return replace(self, cut=count, end=end)

    def ending(self, end: Literal["whole", "fin", "rst", "hang"]) -> Reply:
        """The same with another end."""
        return replace(self, end=end)


def encode(line: dict[str, Any]) -> bytes:
    """A line as Go writes it: compact, real characters, but <, >, &, U+2028 and U+2029 escaped."""
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text.encode() + b"\n"


def line(content: str = "", *, done: bool = False, **message: Any) -> dict[str, Any]:
    """One line of a chat; `message` may hold thinking and tool_calls."""
    body = {"role": "assistant", "content": content} | message
    return {"model": MODEL, "created_at": CREATED, "message": body, "done": done}


def think(text: str) -> dict[str, Any]:
    """One line of thinking."""
    return line(thinking=text)


def last(
    done_reason: str | None = "stop", *, content: str = "", tool_calls: Any = None, **metrics: Any
) -> dict[str, Any]:
    """The `done: true` line. Metrics that are 0 or None are left out, as the server does."""
    more = {"tool_calls": tool_calls} if tool_calls else {}
    reason = {"done_reason": done_reason} if done_reason else {}
    numbers = {key: value for key, value in (METRICS | metrics).items() if value}
    return line(content, done=True, **more) | reason | numbers


def answer(*parts: Part, done_reason: str | None = "stop", done: bool = True, **metrics: Any) -> Reply:
    """A streamed answer: each str is a line of content; dicts, bytes and gates are taken as they are.

    `done` False leaves the last line out, as a server does that was interrupted.
    """
    body = [line(part) if isinstance(part, str) else part for part in parts]
    return Reply(body=[*body, last(done_reason, **metrics)] if done else body, headers={"Content-Type": NDJSON})


def text(*pieces: str, thinking: tuple[str, ...] = (), **metrics: Any) -> Reply:
    """An answer in words, a line for each piece."""
    return answer(*(think(piece) for piece in thinking), *pieces, **metrics)


def tool_calls(*wanted: Call, first: int = 0, ids: bool = True) -> list[dict[str, Any]]:
    """The calls as they stand in a message; `first` is the index of the first one."""
    out = []
    for index, (name, arguments) in enumerate(wanted, first):
        call: dict[str, Any] = {"function": {"index": index, "name": name, "arguments": arguments}}
        out.append({"id": f"call_test{index:04d}"} | call if ids else call)
    return out


def calls(
    *wanted: Call,
    shape: Literal["early", "final", "text"] = "early",
    before: str = "",
    thinking: str = "",
    ids: bool = True,
    **metrics: Any,
) -> Reply:
    """An answer that calls tools, in the shape in which servers send it.

    early  in a done:false line, then an empty done:true line
    final  inside the done:true line
    text   as fenced JSON in the content, in small pieces, since no server made a call of it
    `before` is content and `thinking` is thinking that comes first.
    """
    parts: list[Part] = [think(thinking)] if thinking else []
    parts += [before] if before else []
    if shape == "text":
        blocks = (json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False) for name, arguments in wanted)
        fenced = "\n".join(f"```json\n{block}\n```" for block in blocks)
        return answer(*parts, *(fenced[at : at + 7] for at in range(0, len(fenced), 7)), **metrics)
    whole = tool_calls(*wanted, ids=ids)
    if shape == "early":
        return answer(*parts, line(tool_calls=whole), **metrics)
    return answer(*parts, last(tool_calls=whole, **metrics), done=False)


def counted(reply: Reply, tokens: int) -> Reply:
    """The same with that prompt_eval_count, where the server tells any."""
    body = [
        part | {"prompt_eval_count": tokens} if isinstance(part, dict) and part.get("done") else part
        for part in reply.body
    ]
    return replace(reply, body=body)


def as_json(data: Any, status: int = 200) -> Reply:
    """One JSON object that is not streamed."""
    return Reply(status, [json.dumps(data).encode()], {"Content-Type": JSON}, chunked=False)


def error(status: int, message: str, **more: Any) -> Reply:
    """A refusal before the first line: a status and `{"error": ...}`."""
    return as_json({"error": message} | more, status)


def broken(*parts: Part, message: str) -> Reply:
    """An answer that fails in the middle: its lines, then an error line, all with status 200."""
    return answer(*parts, {"error": message}, done=False)


def html(status: int = 200, title: str = "Sign in to the network") -> Reply:
    """What a proxy or another program's page looks like."""
    page = f"<!DOCTYPE html>\n<html><head><title>{title}</title></head>\n<body><h1>{title}</h1></body></html>\n"
    return Reply(status, [page], {"Content-Type": "text/html; charset=utf-8"}, chunked=False)


def plain(words: str, status: int = 200) -> Reply:
    """Plain text where JSON belongs."""
    return Reply(status, [words], {"Content-Type": "text/plain; charset=utf-8"}, chunked=False)


def empty(status: int = 403) -> Reply:
    """No body: how a wrong Host or Origin is refused."""
    return Reply(status, chunked=False)


def long_line(size: int = 50_000_000, piece: int = 1 << 16) -> Reply:
    """One line of content of `size` bytes, made while it is sent, then the last line."""

    def pieces() -> Iterator[bytes]:
        head, _, tail = encode(line("@")).partition(b"@")
        yield head
        left = size - len(head) - len(tail)
        while left > 0:
            yield b"x" * min(piece, left)
            left -= piece
        yield tail

    return answer(pieces)


def fold(reply: Reply) -> Reply:
    """A streamed answer as one object, as the server gives it for `stream: false`. Anything unusual stays as it is."""
    lines = [part for part in reply.body if isinstance(part, dict)]
    usual = reply.status == 200 and reply.raw is None and reply.cut is None and reply.chunked
    if not lines or not usual or any(isinstance(part, bytes | str) or _lazy(part) for part in reply.body):
        return reply
    failed = next((item for item in lines if "message" not in item), None)
    if failed is not None:
        return replace(as_json(failed, 500), before=reply.before)
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    for item in lines:
        for key in ("content", "thinking", "tool_calls"):
            if value := item["message"].get(key):
                message[key] = message[key] + value if key in message else value
    gates = [part for part in reply.body if isinstance(part, Gate)]
    whole = json.dumps(lines[-1] | {"message": message}, ensure_ascii=False).encode()
    # chunked only where gates are in the way: then the object comes after all of them
    return replace(reply, body=[*gates, whole], headers={"Content-Type": JSON}, chunked=bool(gates))


def _lazy(part: Part) -> bool:
    return callable(part) and not isinstance(part, Gate)


def recorded(name: str) -> Reply:
    """A real server's answer from tests/data/wire, as correct HTTP again: the files hold chunked bodies joined."""
    head, _, body = (WIRE / f"{name}.txt").read_bytes().partition(b"\r\n\r\n")
    status, *fields = head.decode().split("\r\n")
    headers = {key: value for key, _, value in (item.partition(": ") for item in fields)}
    chunked = headers.pop("Transfer-Encoding", "") == "chunked"
    claimed = headers.pop("Content-Length", None)
    if claimed is not None and int(claimed) != len(body):
        raise ValueError(f"{name}.txt is damaged: Content-Length {claimed}, but {len(body)} bytes")
    parts = [part + b"\n" for part in body.split(b"\n") if part] if body.endswith(b"\n") else [body]
    return Reply(int(status.split()[1]), [part for part in parts if part], headers, chunked=chunked)
