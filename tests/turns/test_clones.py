"""Servers that speak the protocol almost: open ends, resets behind the last line, redirects, missing addresses, TLS."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metona_tk.backends.base import Cancelled, CancelToken, ChatRequest
from metona_tk.backends.ollama.client import OllamaBackend
from metona_tk.protocol.commands import CancelTurn, ListModels
from metona_tk.protocol.events import (
    ModelsListed,
    ServerStateChanged,
    StateChanged,
    ToolFinished,
    TurnFinished,
    TurnStarted,
)
from metona_tk.protocol.problems import Code, ProblemCode
from metona_tk.protocol.values import TurnEnd, TurnState
from tests.fakes.ollama import Reply, ScriptedServer, answer, as_json, calls, line, plain, text
from tests.turns.driver import Driver

Drive = Callable[..., Driver]


@pytest.mark.parametrize("end", ["hang", "rst", "fin"])
def test_an_answer_is_whole_with_its_last_line(drive: Drive, end: Any) -> None:
    with ScriptedServer(calls(("read_file", {"path": "notes.txt"})).ending(end), text("ok").ending(end)) as server:
        driver = drive(server)
        finished = driver.ask("?")
        assert (finished.end, finished.problem, driver.text()) == (TurnEnd.ANSWERED, None, "ok")


def test_a_chat_is_not_carried_to_another_address(drive: Drive) -> None:
    with ScriptedServer(text("not mine"), strict=False) as other:
        moved = Reply(307, [], {"Location": other.address + "/api/chat"}, chunked=False)
        with ScriptedServer(moved) as server:
            finished = drive(server).ask("secret?")
            assert finished.problem is not None
            assert finished.problem.code is ProblemCode.NOT_OLLAMA
        assert other.requests == []


def test_a_server_without_show_is_asked_with_tools(drive: Drive) -> None:
    listed = as_json({"models": [{"name": "old:1b"}]})
    routes: dict[str, Any] = {"/api/show": plain("404 page not found", 404), "/api/tags": listed}
    with ScriptedServer(text("hi"), routes=routes) as server:
        driver = drive(server)
        assert driver.ask("?").end is TurnEnd.ANSWERED
        assert "tools" in server.chats[0]


def test_the_model_that_is_shown_is_the_one_that_a_turn_uses(drive: Drive) -> None:
    """A server whose list does not tell what models can do."""
    listed = as_json({"models": [{"name": "plain:1b"}, {"name": "able:1b"}]})
    models = {"plain:1b": ["completion"], "able:1b": ["completion", "tools"]}
    with ScriptedServer(text("hi"), routes={"/api/tags": listed}, models=models) as server:
        driver = drive(server)
        driver.send(ListModels())
        assert driver.wait(ModelsListed).chosen == "able:1b"
        driver.ask("?")
        assert server.chats[0]["model"] == "able:1b"


def pieces(*parts: tuple[str, str, Any]) -> Reply:
    return answer(
        *(line(tool_calls=[{"id": i, "function": {"index": 0, "name": n, "arguments": a}}]) for i, n, a in parts)
    )


@pytest.mark.parametrize(
    "reply",
    [
        pieces(("a", "read_file", None), ("a", "", '{"path":'), ("a", "", '"notes.txt"}')),
        pieces(
            ("a", "read_file", '{"path":'),
            ("b", "read_file", '{"pa'),
            ("a", "", '"notes.txt"}'),
            ("b", "", 'th":"package.json"}'),
        ),
        pieces(("x", "read_file", '{"path":"notes.txt"}'), ("x", "read_file", '{"path":"package.json"}')),
        pieces(("", "read_file", '{"path":"no'), ("", "", 'tes.txt"}')),
    ],
    ids=["empty first piece", "two ids mixed", "whole calls with one id", "no ids"],
)
def test_string_arguments_in_every_arrangement(drive: Drive, reply: Reply) -> None:
    with ScriptedServer(reply, text("ok")) as server:
        driver = drive(server)
        driver.ask("?")
        ended = driver.of(ToolFinished)
        assert ended
        assert all(event.result.success for event in ended), [event.result.error for event in ended]


def test_text_that_began_like_a_call_is_shown_when_it_breaks_off(drive: Drive) -> None:
    with ScriptedServer(answer("[1] According ", done=False).ending("rst")) as server:
        driver = drive(server)
        driver.ask("?")
        assert driver.text() == "[1] According "


def test_text_that_began_like_a_call_is_shown_at_a_stop(drive: Drive) -> None:
    gate = threading.Event()
    with ScriptedServer(answer("[1] According ", gate, done=False)) as server:
        driver = drive(server)
        turn = driver.start("?")
        driver.wait(StateChanged, lambda event: event.state is TurnState.ACCUMULATING)
        driver.send(CancelTurn(turn))
        driver.wait(TurnFinished)
        gate.set()
        assert driver.text() == "[1] According "


def test_calls_that_alternate_are_repeats_too(drive: Drive) -> None:
    both = calls(("read_file", {"path": "notes.txt"}), ("read_file", {"path": "package.json"}))
    with ScriptedServer(both, both, both) as server:
        assert drive(server).ask("?").end is TurnEnd.REPEATED


def test_the_same_call_three_times_in_one_reply_is_answered_first(drive: Drive) -> None:
    same = ("read_file", {"path": "notes.txt"})
    with ScriptedServer(calls(same, same, same), text("A pelican.")) as server:
        driver = drive(server)
        assert driver.ask("?").end is TurnEnd.ANSWERED
        assert len(driver.of(ToolFinished)) == 3


def test_a_call_while_all_tools_are_off_is_answered(drive: Drive) -> None:
    with ScriptedServer(calls(("read_file", {"path": "notes.txt"})), text("ok")) as server:
        driver = drive(server, enabled=False)
        driver.ask("?")
        assert driver.result().code is Code.DISABLED
        assert driver.of(TurnStarted)[0].tools is False


def test_wrong_arguments_are_told_before_the_switch(drive: Drive) -> None:
    with ScriptedServer(calls(("read_file", {})), text("ok")) as server:
        driver = drive(server, enabledTools={"read_file": False})
        driver.ask("?")
        assert driver.result().code is Code.BAD_ARGUMENTS


@pytest.mark.parametrize("said", ["Hello! Let me know what you want.", "首先，答案是三。", "I found three of them."])
def test_an_answer_that_only_sounds_like_a_plan_gets_no_push(drive: Drive, said: str) -> None:
    with ScriptedServer(text(said)) as server:
        assert drive(server).ask("?").end is TurnEnd.ANSWERED
        assert len(server.chats) == 1


def test_a_turn_that_finds_no_server_says_so_in_the_state(drive: Drive) -> None:
    with ScriptedServer() as gone:
        address = gone.address
    driver = drive(address)
    driver.ask("?")
    assert driver.wait(ServerStateChanged).server.reachable is False


def test_stop_ends_a_connection_of_tls_too(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    listener = socket.create_server(("127.0.0.1", 0))
    asked, gone = threading.Event(), threading.Event()

    def serve() -> None:
        raw, _ = listener.accept()
        with context.wrap_socket(raw, server_side=True) as secure:
            secure.settimeout(20)
            secure.recv(65536)
            asked.set()
            try:
                while secure.recv(65536):
                    pass
            except OSError:
                pass
            gone.set()

    threading.Thread(target=serve, daemon=True).start()
    stop = CancelToken()
    failed: list[BaseException] = []

    def ask() -> None:
        try:
            list(OllamaBackend(f"https://127.0.0.1:{listener.getsockname()[1]}").chat(ChatRequest("m", []), stop))
        except BaseException as error:
            failed.append(error)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
        import requests

        verify = requests.Session.merge_environment_settings
        patch.setattr(
            requests.Session,
            "merge_environment_settings",
            lambda self, *args: verify(self, *args) | {"verify": str(certificate)},
        )
        thread = threading.Thread(target=ask)
        thread.start()
        assert asked.wait(10)
        stop.cancel()
        thread.join(10)
        assert gone.wait(10)
    listener.close()
    assert isinstance(failed[0], Cancelled)
