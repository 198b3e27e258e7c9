"""From the bytes of a stream to chunks. Pure: no socket here, so that every split of the bytes can be tested."""

from __future__ import annotations

from typing import Any

from metona_tk.backends.base import Chunk, RawCall
from metona_tk.backends.ollama.models import as_list, as_object
from metona_tk.protocol.problems import ProblemCode, ProblemError
from metona_tk.protocol.strict_json import loads
from metona_tk.protocol.values import Usage

MAX_LINE = 16 << 20  # bytes; a write of 5 MiB, escaped, fits


class LineSplitter:
    """Cuts bytes at b"\\n" only: U+0085 comes raw inside strings, and str.splitlines would break a line in two."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that are complete now. ProblemError(line_too_long) beyond MAX_LINE."""
        *whole, rest = data.split(b"\n")
        lines: list[bytes] = []
        for line in whole:
            self._check(len(line))
            lines.append(b"".join([*self._parts, line]))
            self._parts, self._size = [], 0
        if rest:
            self._check(len(rest))
            self._parts.append(rest)
            self._size += len(rest)
        return [line for line in lines if line.strip()]

    def _check(self, more: int) -> None:
        if self._size + more > MAX_LINE:
            raise ProblemError(ProblemCode.LINE_TOO_LONG, megabytes=str(MAX_LINE >> 20))

    def rest(self) -> bytes:
        """What came behind the last line end."""
        return b"".join(self._parts).strip()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _count(data: dict[str, Any], key: str) -> int:
    value = data.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _usage(data: dict[str, Any]) -> Usage:
    return Usage(
        prompt_tokens=_count(data, "prompt_eval_count"),
        answer_tokens=_count(data, "eval_count"),
        total_ns=_count(data, "total_duration"),
        load_ns=_count(data, "load_duration"),
        prompt_ns=_count(data, "prompt_eval_duration"),
        answer_ns=_count(data, "eval_duration"),
    )


def _calls(value: Any) -> tuple[RawCall, ...]:
    found: list[RawCall] = []
    for item in as_list(value):
        call = as_object(item)
        function = as_object(call.get("function"))
        if function:
            name = _text(function.get("name")).split("<|", 1)[0].strip()
            found.append(RawCall(name, function.get("arguments"), _text(call.get("id"))))
    return tuple(found)


def parse_line(line: bytes) -> Chunk:
    """One line of the stream. Raises ProblemError for an error line, and for what is no Ollama answer."""
    try:
        data = loads(line)
    except ValueError as error:
        shown = line[:200].decode("utf-8", "replace")
        raise ProblemError(ProblemCode.BAD_ANSWER, server=shown) from error
    line_object = as_object(data)
    if not line_object:
        raise ProblemError(ProblemCode.BAD_ANSWER, server=str(data)[:200])
    if not isinstance(line_object.get("message"), dict):
        # an old server put its text under another key; a line without a message is an error in any case
        known = line_object.get("error") or next(iter(line_object.values()))
        raise problem_of(200, known if isinstance(known, str) else str(known))
    message = as_object(line_object["message"])
    done = line_object.get("done") is True or bool(line_object.get("done_reason"))
    return Chunk(
        _text(message.get("content")),
        _text(message.get("thinking")),
        _calls(message.get("tool_calls")),
        done,
        _text(line_object.get("done_reason")),
        _usage(line_object) if done else Usage(),
    )


# What the server's words mean, first hit wins (routes.go, llama_server.go, images.go).
_WORDS: tuple[tuple[str, ProblemCode], ...] = (
    ("does not support tools", ProblemCode.NO_TOOLS),
    ("does not support thinking", ProblemCode.NO_THINKING),
    ("invalid think value", ProblemCode.NO_THINKING),  # a level that this server does not know
    ("chatrequest.think ", ProblemCode.NO_THINKING),  # a server from before there were levels
    ("error parsing tool call", ProblemCode.MODEL_OUTPUT),
    ("invalid tool call arguments", ProblemCode.MODEL_OUTPUT),
    ("xml syntax error", ProblemCode.MODEL_OUTPUT),
    ("context length", ProblemCode.CONTEXT_TOO_SMALL),
    ("exceed_context_size", ProblemCode.CONTEXT_TOO_SMALL),
    ("exceeds the available context", ProblemCode.CONTEXT_TOO_SMALL),
    ("no user query found", ProblemCode.CONTEXT_TOO_SMALL),
    ("system memory", ProblemCode.OUT_OF_MEMORY),
    ("out of memory", ProblemCode.OUT_OF_MEMORY),
    ("cudamalloc failed", ProblemCode.OUT_OF_MEMORY),
    ("unable to allocate", ProblemCode.OUT_OF_MEMORY),
    ("server busy", ProblemCode.SERVER_BUSY),
    ("overloaded", ProblemCode.SERVER_BUSY),
)
_STATUSES = {
    401: ProblemCode.UNAUTHORIZED,
    403: ProblemCode.FORBIDDEN,
    429: ProblemCode.RATE_LIMITED,
    502: ProblemCode.SERVER_BUSY,
    503: ProblemCode.SERVER_BUSY,
}


def _inner(text: str) -> str:
    """The message inside an error that is itself a JSON text."""
    try:
        data = loads(text)
    except ValueError:
        return text
    for _ in range(3):
        if not isinstance(data, dict):
            break
        data = data.get("error") or data.get("message") or data  # pyright: ignore
        if isinstance(data, str):
            return data
    return text


def problem_of(status: int, said: str, **details: str) -> ProblemError:
    """What an HTTP status and the server's words mean to the user; the words are kept in `details["server"]`."""
    lowered = said.lower()
    code = next((code for words, code in _WORDS if words in lowered), None)
    if code is None and status == 404 and "model" in lowered and "not found" in lowered:
        code = ProblemCode.MODEL_MISSING
    if code is None:
        code = _STATUSES.get(status, ProblemCode.SERVER_FAILED)
    return ProblemError(code, **details, server=_inner(said)[:2000])
