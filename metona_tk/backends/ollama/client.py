"""The Ollama server as a Backend: plain requests, and streams that a stop ends at once.

Each request runs on a thread of its own that hands what comes over a queue; so the turn that waits can always be
stopped, whatever the socket does, and it is told each second of silence.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from http.client import RemoteDisconnected
from typing import Any

import requests
from urllib3.exceptions import HTTPError

from metona_tk.backends.base import Cancelled, CancelToken, Capabilities, ChatRequest, Chunk, Silence
from metona_tk.backends.ollama.address import is_loopback
from metona_tk.backends.ollama.chunks import LineSplitter, parse_line, problem_of
from metona_tk.backends.ollama.markup import MarkupFilter
from metona_tk.backends.ollama.models import capabilities_from, is_remote, model_from
from metona_tk.backends.ollama.sockets import CONNECT_SECONDS, new_session
from metona_tk.logs import log
from metona_tk.protocol.problems import ProblemCode, ProblemError
from metona_tk.protocol.values import JsonObject, ModelInfo

SILENCE_TOLD = 10  # seconds without a byte before it is said
SILENCE_ENDS = 600  # seconds without a byte before the turn ends
_SHORT = 30.0  # seconds for the small requests
_MAX_BODY = 16 << 20  # bytes of a small answer (a model's licence and template are long)

_Item = Chunk | BaseException | None


class OllamaBackend:
    """An Ollama server at `address`, as `address.server_address` gives it."""

    def __init__(self, address: str, silence_ends: float = SILENCE_ENDS, silence_told: float = SILENCE_TOLD) -> None:
        self._address = address
        self._silence_ends = silence_ends
        self._silence_told = silence_told

    @property
    def address(self) -> str:
        return self._address

    def is_remote(self, model: str) -> bool:
        return not is_loopback(self._address) or is_remote(model, {})

    def version(self, cancel: CancelToken) -> str:
        found = self._json("GET", "/api/version", None, cancel).get("version")
        return found if isinstance(found, str) else ""

    def models(self, cancel: CancelToken) -> list[ModelInfo]:
        listed = self._json("GET", "/api/tags", None, cancel).get("models")
        if not isinstance(listed, list):
            raise ProblemError(ProblemCode.NOT_OLLAMA, address=self._address)
        found = [model_from(item) for item in listed]  # pyright: ignore[reportUnknownVariableType]
        return [model for model in found if model is not None]

    def capabilities(self, model: str, cancel: CancelToken) -> Capabilities:
        try:
            return capabilities_from(self._json("POST", "/api/show", {"model": model}, cancel, model=model))
        except ProblemError as error:
            if error.problem.code is not ProblemCode.NOT_OLLAMA or error.problem.details.get("server") != "HTTP 404":
                raise
        # a server without this address: the list may tell; else tools are offered, and left out when it refuses them
        listed = next((found for found in self.models(cancel) if found.name == model), None)
        told = listed.capabilities if listed else None
        names = told if told is not None else ("tools",)
        length = listed.context_length if listed else None
        family = listed.family if listed else ""
        return Capabilities("tools" in names, "vision" in names, "thinking" in names, length, family=family)

    def chat(self, request: ChatRequest, cancel: CancelToken) -> Iterator[Chunk | Silence]:
        body: JsonObject = {
            "model": request.model,
            "messages": request.messages,
            "stream": True,
            "options": request.options,
        }
        if request.tools:
            body["tools"] = request.tools
        if request.think is not None:
            body["think"] = request.think
        markup = MarkupFilter()
        for item in self._stream(body, request.model, cancel):
            if isinstance(item, Silence):
                yield item
                continue
            content, thinking = markup.feed(item.content)
            if item.done:
                rest, thought = markup.finish()
                content, thinking = content + rest, thinking + thought
            yield Chunk(content, item.thinking + thinking, item.calls, item.done, item.done_reason, item.usage)
            if item.done:
                return  # whatever the connection does now, the answer is whole
        content, thinking = markup.finish()
        if content or thinking:
            yield Chunk(content, thinking)

    def _stream(self, body: JsonObject, model: str, cancel: CancelToken) -> Iterator[Chunk | Silence]:
        items: queue.SimpleQueue[_Item] = queue.SimpleQueue()
        own = CancelToken()  # ends the request also when the turn leaves for another reason
        forget = cancel.on_cancel(own.cancel)
        wake = cancel.on_cancel(lambda: items.put(None))
        threading.Thread(target=self._pump, args=(body, model, own, items), name="ollama-stream", daemon=True).start()
        try:
            yield from self._items(items, cancel)
        finally:
            forget()
            wake()
            own.cancel()

    def _items(self, items: queue.SimpleQueue[_Item], cancel: CancelToken) -> Iterator[Chunk | Silence]:
        last, told = time.monotonic(), 0
        while True:
            try:
                item = items.get(timeout=0.5)
            except queue.Empty:
                silent = time.monotonic() - last
                if silent >= self._silence_ends:
                    minutes = str(max(1, round(self._silence_ends / 60)))
                    raise ProblemError(ProblemCode.SILENT_TOO_LONG, minutes=minutes) from None
                if silent >= self._silence_told and int(silent) > told:
                    told = int(silent)
                    yield Silence(told)
                continue
            cancel.check()
            if item is None:
                return
            if isinstance(item, BaseException):
                raise item
            last, told = time.monotonic(), 0
            yield item

    def _pump(self, body: JsonObject, model: str, own: CancelToken, items: queue.SimpleQueue[_Item]) -> None:
        session, close = new_session(self._address, own)
        came = False
        try:
            with session.post(
                self._address + "/api/chat",
                json=body,
                stream=True,
                timeout=(CONNECT_SECONDS, None),
            ) as response:
                self._check_status(response, model)
                for line in _lines(response):
                    chunk = self._parse(line, came, model)
                    came = True
                    items.put(chunk)
                    if chunk.done:
                        break
            items.put(None)
        except ProblemError as error:
            items.put(error)
        except (requests.RequestException, HTTPError, OSError, ValueError) as error:
            items.put(self._network_problem(error, came))
        except Exception as error:
            # a socket that is shut down under urllib3 can raise anything; the turn must hear of its end in any case
            log.warning("a request ended with %r", error)
            items.put(ProblemError(ProblemCode.CONNECTION_LOST, address=self._address))
        finally:
            close()

    def _parse(self, line: bytes, came: bool, model: str) -> Chunk:
        try:
            return parse_line(line)
        except ProblemError as error:
            code, details = error.problem.code, error.problem.details
            if code is ProblemCode.BAD_ANSWER and not came:
                raise ProblemError(ProblemCode.NOT_OLLAMA, **details, address=self._address) from error
            raise ProblemError(code, **(details | {"model": model})) from error

    def _network_problem(self, error: Exception, came: bool) -> ProblemError:
        if came:
            return ProblemError(ProblemCode.CONNECTION_LOST, address=self._address)
        if isinstance(error, (requests.ConnectionError, requests.Timeout)):
            broken = _has_cause(error, (ConnectionResetError, RemoteDisconnected))
            code = ProblemCode.CONNECTION_LOST if broken else ProblemCode.NO_SERVER
            return ProblemError(code, address=self._address)
        if isinstance(error, requests.RequestException) and not isinstance(
            error, requests.exceptions.ChunkedEncodingError
        ):
            return ProblemError(ProblemCode.NOT_OLLAMA, address=self._address)
        return ProblemError(ProblemCode.CONNECTION_LOST, address=self._address)

    def _check_status(self, response: requests.Response, model: str) -> None:
        if response.status_code < 300:
            return
        body = b""
        for block in response.iter_content(8192):
            body += block
            if len(body) > 1 << 16:
                break
        raise self._status_problem(response.status_code, body, model)

    def _status_problem(self, status: int, body: bytes, model: str) -> ProblemError:
        from metona_tk.protocol.strict_json import loads

        try:
            data = loads(body)
            said = data.get("error") if isinstance(data, dict) else None  # pyright: ignore
        except ValueError:
            said = None
        if not isinstance(said, str):
            if status in {403, 429, 502, 503}:
                return problem_of(status, "", model=model, address=self._address)
            return ProblemError(ProblemCode.NOT_OLLAMA, address=self._address, server=f"HTTP {status}")
        return problem_of(status, said, model=model, address=self._address)

    def _json(
        self, method: str, path: str, body: JsonObject | None, cancel: CancelToken, model: str = ""
    ) -> JsonObject:
        """One small request; runs on its own thread so that a stop does not wait for the network."""
        answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        wake = cancel.on_cancel(lambda: answers.put(Cancelled()))
        threading.Thread(
            target=self._ask, args=(method, path, body, cancel, model, answers), name="ollama-ask", daemon=True
        ).start()
        try:
            answer = answers.get(timeout=_SHORT + CONNECT_SECONDS + 5)
        except queue.Empty:
            raise ProblemError(ProblemCode.NO_SERVER, address=self._address) from None
        finally:
            wake()
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _ask(
        self,
        method: str,
        path: str,
        body: JsonObject | None,
        cancel: CancelToken,
        model: str,
        answers: queue.SimpleQueue[Any],
    ) -> None:
        session, close = new_session(self._address, cancel)
        try:
            with session.request(
                method,
                self._address + path,
                json=body,
                stream=True,
                timeout=(CONNECT_SECONDS, _SHORT),
            ) as response:
                self._check_status(response, model)
                answers.put(self._object(_whole(response)))
        except ProblemError as error:
            answers.put(error)
        except (requests.RequestException, HTTPError, OSError, ValueError) as error:
            answers.put(self._network_problem(error, False))
        except Exception as error:
            log.warning("a request ended with %r", error)
            answers.put(ProblemError(ProblemCode.CONNECTION_LOST, address=self._address))
        finally:
            close()

    def _object(self, raw: bytes) -> JsonObject:
        from metona_tk.protocol.strict_json import loads

        try:
            data = loads(raw)
        except ValueError as error:
            raise ProblemError(ProblemCode.NOT_OLLAMA, address=self._address) from error
        if not isinstance(data, dict):
            raise ProblemError(ProblemCode.NOT_OLLAMA, address=self._address)
        return data  # pyright: ignore[reportUnknownVariableType]


def _has_cause(error: BaseException | None, kinds: tuple[type[BaseException], ...]) -> bool:
    """Whether an error, or what it was made from, is of one of the kinds."""
    seen: list[Any] = [error]
    for found in seen:
        if isinstance(found, kinds):
            return True
        more = [found.__cause__, found.__context__, *found.args, getattr(found, "reason", None)]
        seen += [each for each in more if isinstance(each, BaseException) and each not in seen]
    return False


def _whole(response: requests.Response) -> bytes:
    body = b""
    for block in response.iter_content(1 << 16):
        body += block
        if len(body) > _MAX_BODY:
            raise ProblemError(ProblemCode.LINE_TOO_LONG, megabytes=str(_MAX_BODY >> 20))
    return body


def _lines(response: requests.Response) -> Iterator[bytes]:
    splitter = LineSplitter()
    # read1 gives what has come, without waiting for a full block
    while block := response.raw.read1(1 << 16, decode_content=True):
        yield from splitter.feed(block)
    if rest := splitter.rest():
        yield rest
