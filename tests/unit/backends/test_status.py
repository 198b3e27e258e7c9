"""Statuses and bodies of the small requests, as a table; `responses` plays the server."""

from __future__ import annotations

from typing import Any

import pytest
import requests
import responses

from metona_tk.backends.base import Cancelled, CancelToken
from metona_tk.backends.ollama import client
from metona_tk.backends.ollama.client import OllamaBackend
from metona_tk.backends.ollama.models import capabilities_from, model_from
from metona_tk.protocol.problems import ProblemCode, ProblemError

ADDRESS = "http://127.0.0.1:11434"


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (200, "<html>Sign in</html>", ProblemCode.NOT_OLLAMA),
        (200, "Ollama is running", ProblemCode.NOT_OLLAMA),
        (200, "[1]", ProblemCode.NOT_OLLAMA),
        (200, "{}", ProblemCode.NOT_OLLAMA),
        (200, '{"models": null}', ProblemCode.NOT_OLLAMA),
        (200, "", ProblemCode.NOT_OLLAMA),
        (400, '{"error": "model is required"}', ProblemCode.SERVER_FAILED),
        (401, '{"error": "unauthorized", "signin_url": "x"}', ProblemCode.UNAUTHORIZED),
        (403, "", ProblemCode.FORBIDDEN),
        (403, '{"error": "cloud is disabled"}', ProblemCode.FORBIDDEN),
        (404, "404 page not found", ProblemCode.NOT_OLLAMA),
        (405, "method not allowed", ProblemCode.NOT_OLLAMA),
        (429, '{"error": "rate limit"}', ProblemCode.RATE_LIMITED),
        (500, '{"error": "llama runner has terminated: cudaMalloc failed: out of memory"}', ProblemCode.OUT_OF_MEMORY),
        (502, "<html>Bad gateway</html>", ProblemCode.SERVER_BUSY),
        (503, '{"error": "server busy, please try again."}', ProblemCode.SERVER_BUSY),
    ],
)
@responses.activate
def test_the_list_of_models(status: int, body: str, code: ProblemCode) -> None:
    responses.get(ADDRESS + "/api/tags", body=body, status=status)
    with pytest.raises(ProblemError) as told:
        OllamaBackend(ADDRESS).models(CancelToken())
    assert told.value.problem.code is code


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (requests.ConnectionError("Connection refused"), ProblemCode.NO_SERVER),
        (requests.ConnectTimeout(), ProblemCode.NO_SERVER),
        (requests.ReadTimeout(), ProblemCode.NO_SERVER),
        (requests.TooManyRedirects(), ProblemCode.NOT_OLLAMA),
        (requests.exceptions.InvalidURL(), ProblemCode.NOT_OLLAMA),
    ],
)
@responses.activate
def test_what_the_network_does(error: Exception, code: ProblemCode) -> None:
    responses.get(ADDRESS + "/api/version", body=error)
    with pytest.raises(ProblemError) as told:
        OllamaBackend(ADDRESS).version(CancelToken())
    assert (told.value.problem.code, told.value.problem.details["address"]) == (code, ADDRESS)


@responses.activate
def test_an_endless_small_answer_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_MAX_BODY", 1000)
    responses.get(ADDRESS + "/api/tags", body="x" * 100_000)
    with pytest.raises(ProblemError) as told:
        OllamaBackend(ADDRESS).models(CancelToken())
    assert told.value.problem.code is ProblemCode.LINE_TOO_LONG


@responses.activate
def test_a_stop_before_the_answer_raises_at_once() -> None:
    responses.get(ADDRESS + "/api/version", body='{"version": "1"}')
    stopped = CancelToken()
    stopped.cancel()
    with pytest.raises(Cancelled):
        OllamaBackend(ADDRESS).version(stopped)


@pytest.mark.parametrize(
    ("entry", "name", "remote"),
    [
        ({"name": "a:1b"}, "a:1b", False),
        ({"model": "b"}, "b", False),
        ({"name": "c:cloud"}, "c:cloud", True),
        ({"name": "d:671b-cloud"}, "d:671b-cloud", True),
        ({"name": "e", "remote_host": "https://x"}, "e", True),
        ({"name": "f", "details": None, "size": "big", "capabilities": None}, "f", False),
        ({"name": "g", "details": {"families": None, "context_length": 0}}, "g", False),
    ],
)
def test_models_of_old_and_new_servers(entry: dict[str, Any], name: str, remote: bool) -> None:
    model = model_from(entry)
    assert model is not None
    assert (model.name, model.remote) == (name, remote)


@pytest.mark.parametrize("entry", [None, {}, [], {"name": 1}, {"name": ""}, "x"])
def test_what_is_no_model_is_left_out(entry: Any) -> None:
    assert model_from(entry) is None


@pytest.mark.parametrize(
    ("shown", "tools", "context"),
    [
        ({"capabilities": ["completion", "tools"], "details": {"context_length": 4096}}, True, 4096),
        ({"capabilities": ["completion"], "model_info": {"a.context_length": 10, "b.context_length": 20}}, False, 20),
        ({"capabilities": [], "model_info": {"general.context_length": 7, "b.context_length": 20}}, False, 7),
        ({"template": "{{ if .Tools }}", "model_info": None}, True, None),
        ({"template": "{{ .Prompt }}"}, False, None),
        ({}, False, None),
    ],
)
def test_capabilities_with_a_fallback_for_old_servers(shown: dict[str, Any], tools: bool, context: int | None) -> None:
    found = capabilities_from(shown)
    assert (found.tools, found.context_length) == (tools, context)
