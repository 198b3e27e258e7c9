"""One client's connection to the scripted server. Counterpart: `ollama.ScriptedServer`, which owns it."""

from __future__ import annotations

import contextlib
import http
import http.client
import io
import json
import select
import socket
import struct
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.fakes.replies import (
    Gate,
    Part,
    Reply,
    encode,
    error,
)

if TYPE_CHECKING:
    from tests.fakes.ollama import ScriptedServer

PATIENCE = 10.0
TICK = 0.01  # how often a waiting connection looks for its gate and its client


@dataclass(eq=False)
class Request:
    """What a client asked. `body` is the parsed JSON, None without one; `raw` the bytes of it."""

    method: str
    path: str
    headers: http.client.HTTPMessage
    body: Any
    raw: bytes
    connection: int  # numbered from 0: equal numbers show a connection that was used again
    headers_sent: threading.Event = field(default_factory=threading.Event)
    finished: threading.Event = field(default_factory=threading.Event)  # the reply was played to its end
    gone: threading.Event = field(default_factory=threading.Event)  # the client went away before that


class ClientGone(Exception):
    """The client has closed its side."""


class Stopping(Exception):
    """The server is being closed."""


class Connection:
    """One client's connection: reads requests and plays their replies until either side has had enough."""

    def __init__(self, server: ScriptedServer, sock: socket.socket, number: int) -> None:
        self.server = server
        self.sock = sock
        self.number = number
        self.buffer = b""

    def run(self) -> None:
        try:
            while (request := self._read()) is not None and self._serve(request):
                pass
        except (ClientGone, Stopping):
            pass
        except BaseException as failure:  # a fault of a script or of this file: the test must hear of it
            self._fail(failure)
        finally:
            self.sock.close()

    def _fail(self, failure: BaseException) -> None:
        self.server.note(lambda: self.server.failures.append(failure))

    def _serve(self, request: Request) -> bool:
        self.server.note(lambda: self.server.requests.append(request))
        try:
            try:
                reply = self.server.reply_to(request)
            except Exception as failure:
                self._fail(failure)
                reply = error(500, f"scripted server: {failure}")
            self._play(reply, request)
        except ClientGone:
            self.server.note(lambda: self.server.disconnects.append(request))
            request.gone.set()
            return False
        request.finished.set()
        return reply.end == "whole" and reply.raw is None and not self._until_close(reply)

    # reading

    def _read(self) -> Request | None:
        while b"\r\n\r\n" not in self.buffer:
            if not self._receive():
                return None
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        first, _, fields = head.partition(b"\r\n")
        method, path, _ = first.decode("latin-1").split(" ", 2)
        headers = http.client.parse_headers(io.BytesIO(fields + b"\r\n\r\n"))
        size = int(headers.get("Content-Length") or 0)
        while len(self.buffer) < size:
            if not self._receive():
                return None
        raw, self.buffer = self.buffer[:size], self.buffer[size:]
        body = None
        with contextlib.suppress(ValueError):
            body = json.loads(raw) if raw else None
        return Request(method, path, headers, body, raw, self.number)

    def _receive(self) -> bool:
        """Wait for more bytes; False when the client is done."""
        select.select([self.sock, self.server.wake], [], [])
        if self.server.stopping.is_set():
            raise Stopping
        try:
            got = self.sock.recv(1 << 16)
        except OSError:
            return False
        self.buffer += got
        return bool(got)

    # playing

    def _play(self, reply: Reply, request: Request) -> None:
        if reply.before is not None:
            self._wait(reply.before)
        if reply.raw is not None:
            self._send(reply.raw)
        else:
            self._send(self._head(reply))
            request.headers_sent.set()
            if request.method != "HEAD":
                self._body(reply)
        if reply.end == "hang":
            self._hang()
        elif reply.end == "rst":
            layout = "hh" if sys.platform == "win32" else "ii"
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack(layout, 1, 0))

    def _head(self, reply: Reply) -> bytes:
        reason = http.HTTPStatus(reply.status).phrase if reply.status in set(http.HTTPStatus) else "Unknown"
        headers = {"Date": "Sun, 01 Mar 2026 09:00:00 GMT"} | reply.headers
        if reply.length is not None:
            headers["Content-Length"] = str(reply.length)
        elif reply.chunked:
            headers["Transfer-Encoding"] = "chunked"
        elif self._until_close(reply):
            headers["Connection"] = "close"
        else:
            headers["Content-Length"] = str(sum(len(data) for data in self._pieces(reply, gates=False)))
        fields = "".join(f"{key}: {value}\r\n" for key, value in headers.items())
        return f"HTTP/1.1 {reply.status} {reason}\r\n{fields}\r\n".encode("latin-1")

    def _until_close(self, reply: Reply) -> bool:
        lazy = any(callable(part) for part in reply.body)
        return not reply.chunked and reply.length is None and lazy

    def _pieces(self, reply: Reply, *, gates: bool = True) -> Iterator[bytes]:
        for part in reply.body:
            if isinstance(part, Gate):
                if gates:
                    self._wait(part)
            else:
                yield from _as_bytes(part)

    def _body(self, reply: Reply) -> None:
        left = reply.cut
        for data in self._pieces(reply):
            if not data:
                continue
            kept = data if left is None else data[:left]
            head = b"%x\r\n" % len(data) if reply.chunked and kept else b""
            tail = b"\r\n" if reply.chunked and len(kept) == len(data) else b""
            self._send(head + kept + tail)
            if left is not None and (left := left - len(kept)) <= 0:
                return
        if reply.chunked and reply.end == "whole":
            self._send(b"0\r\n\r\n")

    def _send(self, data: bytes) -> None:
        view = memoryview(data)
        until = time.monotonic() + self.server.patience
        while view:
            self._look()
            _, writable, _ = select.select([], [self.sock], [], TICK)
            if writable:
                try:
                    view = view[self.sock.send(view[: 1 << 18]) :]
                except BlockingIOError:
                    continue
                except OSError as failure:
                    raise ClientGone from failure
                until = time.monotonic() + self.server.patience
            elif time.monotonic() > until:
                raise TimeoutError(f"the client took no bytes for {self.server.patience} s")

    def _wait(self, gate: Gate) -> None:
        until = time.monotonic() + self.server.patience
        while True:
            self._look()
            if gate.wait(TICK):
                return
            if time.monotonic() > until:
                raise TimeoutError(f"a gate was not opened within {self.server.patience} s")

    def _hang(self) -> None:
        """Say nothing more until the client goes, the server is closed, or patience ends."""
        until = time.monotonic() + self.server.patience
        while time.monotonic() < until:
            select.select([self.sock, self.server.wake], [], [], max(0.0, until - time.monotonic()))
            self._look()

    def _look(self) -> None:
        """Raise when the client has gone away or the server is being closed."""
        if self.server.stopping.is_set():
            raise Stopping
        try:
            if self.sock.recv(1, socket.MSG_PEEK) == b"":
                raise ClientGone
        except BlockingIOError:
            pass
        except OSError as failure:
            raise ClientGone from failure


def _as_bytes(part: Part) -> Iterator[bytes]:
    if isinstance(part, dict):
        yield encode(part)
    elif isinstance(part, str):
        yield part.encode()
    elif isinstance(part, bytes):
        yield part
    else:
        yield from part()
