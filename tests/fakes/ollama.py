"""A server on a real socket that plays scripts in Ollama's protocol. Counterpart: `replies` makes the scripts.

    with ScriptedServer(calls(("read_file", {"path": "a.txt"})), text("It says ", "hello.")) as server:
        ...                                     # the client under test talks to server.address
    server.chats[1]["messages"][-1]["role"]     # "tool"

    gate = threading.Event()
    with ScriptedServer(answer("Hel", gate, "lo")) as server:
        ...                                     # the client has shown "Hel"; now Stop
        assert server.requests[0].gone.wait(1)  # the server has seen it go

Each POST /api/chat with messages takes the next Reply of the queue. What a real server refuses by its shape (string
arguments, content that is no string, "8192" as num_ctx ...) is refused here too and takes none. At the end of the
`with` block a request for which nothing was scripted, a gate that was never opened and a failing script are raised.
"""

from __future__ import annotations

import json
import select
import socket
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable
from typing import Any

from tests.fakes.connection import PATIENCE, Connection, Request
from tests.fakes.replies import (
    CREATED,
    METRICS,
    MODEL,
    Reply,
    answer,
    as_json,
    broken,
    calls,
    counted,
    empty,
    encode,
    error,
    fold,
    html,
    last,
    line,
    long_line,
    plain,
    recorded,
    text,
    think,
    tool_calls,
)
from tests.fakes.shapes import refusal

__all__ = [
    "CREATED",
    "METRICS",
    "MODEL",
    "Reply",
    "Request",
    "ScriptedServer",
    "answer",
    "as_json",
    "broken",
    "calls",
    "counted",
    "empty",
    "encode",
    "error",
    "fold",
    "html",
    "last",
    "line",
    "long_line",
    "plain",
    "recorded",
    "text",
    "think",
    "tool_calls",
]

Script = Reply | Callable[[Any], Reply]


class ScriptedServer:
    """See the module's docstring. `script` answers when the queue is empty; `routes` overrides other paths.

    A route's value is a Reply or a function of the request's body, like a script; `models` are the names and
    capabilities that /api/tags and /api/show tell. `count` gives the tokens of a request's body, which then stand as
    prompt_eval_count in the last line of its answer.
    """

    def __init__(
        self,
        *replies: Script,
        script: Callable[[Any], Reply] | None = None,
        routes: dict[str, Script] | None = None,
        models: dict[str, list[str]] | None = None,
        context_length: int = 32768,
        parameter_size: str = "8.0B",
        patience: float = PATIENCE,
        strict: bool = True,
        family: str = "test",
        count: Callable[[Any], int] | None = None,
    ) -> None:
        self.queue: deque[Script] = deque(replies)
        self.script = script
        self.routes = dict(routes or {})
        self.models = models or {MODEL: ["completion", "tools"]}
        self.context_length = context_length
        self.parameter_size = parameter_size
        self.patience = patience
        self.strict = strict
        self.family = family
        self.count = count
        self.requests: list[Request] = []
        self.disconnects: list[Request] = []  # those whose client went away, in that order
        self.refused: list[str] = []  # requests of a shape that no server takes
        self.failures: list[BaseException] = []
        self.connections = 0
        self.stopping = threading.Event()
        self._changed = threading.Condition()
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> ScriptedServer:
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.wake, self._waker = socket.socketpair()
        self._start(self._accept, "scripted-server")
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: object) -> None:
        self.stopping.set()
        self._waker.send(b"x")  # never read: it wakes every select, for good
        for thread in self._threads:  # the acceptor is the first: after it the list grows no more
            thread.join(self.patience)
        frames = sys._current_frames()
        alive = [
            thread.name + "\n" + "".join(traceback.format_stack(frames[thread.ident]))
            for thread in self._threads
            if thread.is_alive() and thread.ident in frames
        ]
        for sock in (self._listener, self.wake, self._waker):
            sock.close()
        if kind is None and alive:
            raise AssertionError(f"threads of the scripted server did not end: {alive}")
        if kind is None and self.strict and self.failures:
            raise self.failures[0]

    @property
    def chats(self) -> list[Any]:
        """The bodies of the chat requests so far."""
        return [request.body for request in list(self.requests) if request.path == "/api/chat"]

    def wait_for_requests(self, count: int, path: str = "/api/chat") -> list[Request]:
        """Wait until `count` requests for a path have come, and give them."""

        def found() -> list[Request]:
            return [request for request in self.requests if request.path == path]

        return self._until(lambda: len(found()) >= count, found, f"{count} requests for {path}")

    def wait_for_disconnects(self, count: int = 1) -> list[Request]:
        """Wait until `count` clients went away before their reply was complete."""
        return self._until(lambda: len(self.disconnects) >= count, lambda: self.disconnects, f"{count} disconnects")

    def _until(self, done: Callable[[], bool], value: Callable[[], list[Request]], what: str) -> list[Request]:
        with self._changed:
            if not self._changed.wait_for(done, self.patience):
                raise TimeoutError(f"no {what} in {self.patience} s; got {[r.path for r in self.requests]}")
            return list(value())

    def note(self, append: Callable[[], None]) -> None:
        """Change one of the lists and tell those who wait for it."""
        with self._changed:
            append()
            self._changed.notify_all()

    def _start(self, run: Callable[[], None], name: str) -> None:
        thread = threading.Thread(target=run, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            select.select([self._listener, self.wake], [], [])
            if self.stopping.is_set():
                return
            try:
                sock, _ = self._listener.accept()
            except BlockingIOError:
                continue  # the client went away between select and accept
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = Connection(self, sock, self.connections)
            self.connections += 1
            self._start(connection.run, f"scripted-server-{connection.number}")

    def reply_to(self, request: Request) -> Reply:
        """The reply for a request: an override, the chat's queue, or what an idle server says."""
        if request.path in self.routes:
            return self._made(self.routes[request.path], request.body)
        if request.method == "POST" and request.path == "/api/chat":
            return self._chat(request.body)
        if request.method == "POST" and request.path == "/api/show":
            return self._show(request.body)
        defaults: dict[str, Callable[[], Reply]] = {
            "/": lambda: plain("Ollama is running"),
            "/api/version": lambda: as_json({"version": "0.33.0"}),
            "/api/tags": lambda: as_json({"models": [self._entry(name) for name in self.models]}),
            "/api/ps": lambda: as_json({"models": [self._loaded(name) for name in self.models]}),
        }
        if request.method in ("GET", "HEAD") and request.path in defaults:
            return defaults[request.path]()
        return plain("404 page not found", 404)

    def _chat(self, body: Any) -> Reply:
        if wrong := refusal(body):
            self.note(lambda: self.refused.append(wrong[1]))
            return error(*wrong)
        if not body.get("messages"):
            reason = "unload" if body.get("keep_alive") == 0 else "load"
            return as_json(line(done=True) | {"model": body["model"], "done_reason": reason})
        if self.queue:
            made = self._made(self.queue.popleft(), body)
        elif self.script is not None:
            made = self.script(body)
        else:
            raise AssertionError(f"a chat request for which nothing was scripted: {json.dumps(body)[:500]}")
        if self.count:
            made = counted(made, self.count(body))
        return fold(made) if body.get("stream") is False else made

    def _made(self, script: Script, body: Any) -> Reply:
        return script if isinstance(script, Reply) else script(body)

    def _entry(self, name: str) -> dict[str, Any]:
        details = {"parent_model": "", "format": "gguf", "family": self.family, "families": [self.family]}
        details |= {"parameter_size": self.parameter_size, "quantization_level": "Q4_K_M"}
        more = {"context_length": self.context_length}
        entry = {"name": name, "model": name, "modified_at": CREATED, "size": 700_000_000, "digest": "ab" * 32}
        return entry | {"details": details | more, "capabilities": self.models[name]}

    def _loaded(self, name: str) -> dict[str, Any]:
        entry = self._entry(name)
        del entry["capabilities"]
        return entry | {"expires_at": CREATED, "size_vram": 0, "context_length": self.context_length}

    def _show(self, body: Any) -> Reply:
        name = (body or {}).get("model") or (body or {}).get("name")
        if name not in self.models:
            return error(404, f"model '{name}' not found")
        entry = self._entry(name)
        info = {"general.architecture": "test", "test.context_length": self.context_length}
        told = {"modelfile": "", "template": "", "modified_at": CREATED, "model_info": info}
        return as_json(told | {"details": entry["details"], "capabilities": entry["capabilities"]})
