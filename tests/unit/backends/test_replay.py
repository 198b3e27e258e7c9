"""Recorded answers of a real server, and the exchanges of the notes, through the real client and its sockets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from metona_tk.agent.recovery import calls_in_text
from metona_tk.agent.reply import Reply
from metona_tk.backends.base import CancelToken, ChatRequest, Silence
from metona_tk.backends.ollama.client import OllamaBackend
from metona_tk.protocol.problems import ProblemCode, ProblemError
from tests.fakes.exchanges import Exchange, exchanges
from tests.fakes.ollama import ScriptedServer, recorded

WIRE = Path(__file__).parents[2] / "data" / "wire"
ASK = ChatRequest("test:1b", [{"role": "user", "content": "hello"}])


def gather(server: ScriptedServer, reply: Reply, request: ChatRequest = ASK) -> None:
    for item in OllamaBackend(server.address).chat(request, CancelToken()):
        assert not isinstance(item, Silence)
        reply.add(item)


def body(name: str) -> Any:
    return json.loads((WIRE / f"{name}.txt").read_text().replace("\r\n", "\n").split("\n\n", 1)[1])


@pytest.mark.parametrize("found", exchanges(), ids=str)
def test_exchanges(found: Exchange) -> None:
    want = found.want
    reply = Reply()
    problem: ProblemError | None = None
    tools = [{"type": "function", "function": {"name": name}} for name in found.offered]
    request = ChatRequest("test:1b", [{"role": "user", "content": "?"}], tools)
    with ScriptedServer(found.reply, strict=False) as server:
        try:
            gather(server, reply, request)
        except ProblemError as error:
            problem = error
    assert reply.content == want["content"]
    assert reply.thinking == want["thinking"]
    assert reply.complete is want["complete"]
    assert (reply.done_reason or None) == want["done_reason"]
    got_calls = [{"name": call.name, "arguments": call.arguments} for call in reply.calls()]
    if reply.complete:
        assert got_calls == want["calls"]
    if "recovered" in want:
        recovered = calls_in_text(reply.content, found.offered)
        assert [{"name": call.name, "arguments": call.arguments} for call in recovered] == want["recovered"]
    elif found.offered:
        assert calls_in_text(reply.content, found.offered) == []
    code = problem.problem.code if problem else None
    # a stream that ends in good order without its last line is told by the turn, not by the client
    if want["error"] == ProblemCode.INCOMPLETE:
        assert (code, reply.complete) == (None, False)
    else:
        assert code == want["error"]
    if "server" in want:
        assert problem is not None
        assert want["server"] in problem.problem.details["server"]


@pytest.mark.parametrize(
    ("name", "content", "calls"),
    [
        ("chat_stream_text", "Hello!", []),
        ("chat_stream_tool", "", [("list_directory", {"path": "/srv/demo"})]),
        ("chat_stream_tool_jinja", "", [("list_directory", {"path": "/srv/demo"})]),
        ("chat_nostream_tool", "", [("list_directory", {"path": "/srv/demo"})]),
        ("chat_numpredict", "To count to fifty,", []),
        ("chat_empty_load", "", []),
    ],
)
def test_recorded_answers(name: str, content: str, calls: list[Any]) -> None:
    reply = Reply()
    with ScriptedServer(recorded(name)) as server:
        gather(server, reply)
    assert reply.complete
    assert reply.content == content
    assert [(call.name, call.arguments) for call in reply.calls()] == calls


def test_recorded_metrics_are_the_servers_own() -> None:
    reply = Reply()
    with ScriptedServer(recorded("chat_stream_text")) as server:
        gather(server, reply)
    assert (reply.usage.prompt_tokens, reply.usage.answer_tokens) == (13, 3)
    assert reply.usage.answer_ns == 274928000
    assert reply.usage.tokens_per_second == pytest.approx(10.9, abs=0.05)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("chat_badjson", ProblemCode.SERVER_FAILED),
        ("chat_missing", ProblemCode.MODEL_MISSING),
        ("chat_notools", ProblemCode.NO_TOOLS),
        ("chat_think_unsupported", ProblemCode.NO_THINKING),
    ],
)
def test_recorded_refusals(name: str, code: ProblemCode) -> None:
    with ScriptedServer(recorded(name)) as server, pytest.raises(ProblemError) as told:
        gather(server, Reply())
    assert told.value.problem.code is code
    assert told.value.problem.details["server"] == body(name)["error"]


def test_recorded_lists_and_models() -> None:
    routes: dict[str, Any] = {
        "/api/tags": recorded("tags"),
        "/api/version": recorded("version"),
        "/api/show": recorded("show"),
    }
    with ScriptedServer(routes=routes) as server:
        backend = OllamaBackend(server.address)
        models = backend.models(CancelToken())
        assert [model.name for model in models] == [entry["name"] for entry in body("tags")["models"]]
        first = models[0]
        assert (first.name, first.parameters, first.quantization) == ("smollm2:135m", "134.52M", "Q4_1")
        assert (first.context_length, first.capabilities) == (8192, ("completion",))
        assert backend.version(CancelToken()) == "0.0.0"
        found = backend.capabilities("qwen-fence:1.5b", CancelToken())
        assert found.tools is ("tools" in body("show")["capabilities"])
        assert found.context_length == 32768
        server.routes["/api/show"] = recorded("show_missing")
        with pytest.raises(ProblemError) as told:
            backend.capabilities("nope:1b", CancelToken())
        assert told.value.problem.code is ProblemCode.MODEL_MISSING
