"""The scripted server itself, met by http.client and plain sockets."""

from __future__ import annotations

import gc
import http.client
import json
import socket
import threading
import time
import warnings

import pytest

from metona_tk.protocol.problems import ProblemCode
from tests.fakes.exchanges import exchange, exchanges
from tests.fakes.ollama import (
    MODEL,
    Reply,
    ScriptedServer,
    answer,
    broken,
    calls,
    empty,
    error,
    html,
    long_line,
    plain,
    recorded,
    text,
)
from tests.fakes.replies import WIRE, encode, line

ASK = {"model": MODEL, "messages": [{"role": "user", "content": "hello"}]}


def connect(server: ScriptedServer) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)


def post(server: ScriptedServer, body: dict = ASK, path: str = "/api/chat") -> tuple[http.client.HTTPResponse, bytes]:
    connection = connect(server)
    try:
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def begin(server: ScriptedServer, body: dict = ASK) -> socket.socket:
    """Ask by a plain socket, so that nothing is read before the test wants it."""
    raw = json.dumps(body).encode()
    sock = socket.create_connection(("127.0.0.1", server.port), timeout=5)
    sock.sendall(b"POST /api/chat HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(raw) + raw)
    return sock


def until(sock: socket.socket, mark: bytes) -> bytes:
    got = b""
    while mark not in got:
        got += (piece := sock.recv(65536))
        assert piece, f"the connection ended before {mark!r}: {got[-200:]!r}"
    return got


def lines(body: bytes) -> list[dict]:
    return [json.loads(item) for item in body.split(b"\n") if item]


def test_defaults():
    with ScriptedServer() as server:
        connection = connect(server)
        for path in ("/", "/api/version", "/api/tags", "/api/ps"):
            connection.request("GET", path)
            response = connection.getresponse()
            assert response.status == 200
            body = response.read()
            assert body == b"Ollama is running" if path == "/" else isinstance(json.loads(body), dict)
        connection.close()
        _, show = post(server, {"model": MODEL}, "/api/show")
        assert json.loads(show)["capabilities"] == ["completion", "tools"]
        assert json.loads(show)["details"]["context_length"] == 32768
        assert post(server, {"model": "nope"}, "/api/show")[0].status == 404
        assert post(server, {}, "/api/nothing")[0].status == 404
    assert server.connections == 4  # the first four requests shared one


def test_text_comes_in_lines_of_their_own():
    with ScriptedServer(text("Hello", " world", thinking=("Hm",), eval_count=7)) as server:
        response, body = post(server)
    assert response.headers["Transfer-Encoding"] == "chunked"
    assert response.headers["Content-Type"] == "application/x-ndjson"
    first, second, third, final = lines(body)
    assert first["message"] == {"role": "assistant", "content": "", "thinking": "Hm"}
    assert (second["message"]["content"], third["message"]["content"]) == ("Hello", " world")
    assert (final["done"], final["done_reason"], final["eval_count"]) == (True, "stop", 7)
    assert server.chats == [ASK]


@pytest.mark.parametrize("shape", ["early", "final", "text"])
def test_calls(shape):
    wanted = ("read_file", {"path": "a.txt"}), ("read_file", {"path": "b.txt"})
    with ScriptedServer(calls(*wanted, shape=shape, before="I look. " * (shape != "text"))) as server:
        got = lines(post(server)[1])
    found = [call["function"] for item in got for call in item["message"].get("tool_calls", ())]
    content = "".join(item["message"]["content"] for item in got)
    assert got[-1]["done"] and got[-1]["done_reason"] == "stop"
    if shape == "text":
        assert not found and content.count('"read_file"') == 2 and content.startswith("```json\n")
        return
    assert [(call["name"], call["arguments"], call["index"]) for call in found] == [
        ("read_file", {"path": "a.txt"}, 0),
        ("read_file", {"path": "b.txt"}, 1),
    ]
    assert ("tool_calls" in got[-1]["message"]) == (shape == "final")
    assert content == "I look. "


def test_without_streaming_the_lines_are_one_object():
    with ScriptedServer(text("a", "b"), calls(("f", {})), broken("a", message="no")) as server:
        _, body = post(server, ASK | {"stream": False})
        assert json.loads(body)["message"]["content"] == "ab"
        assert json.loads(body)["done"] is True
        _, body = post(server, ASK | {"stream": False})
        assert json.loads(body)["message"]["tool_calls"][0]["function"]["name"] == "f"
        response, body = post(server, ASK | {"stream": False})
        assert response.status == 500 and json.loads(body) == {"error": "no"}


def test_a_script_sees_the_request():
    def echo(body: dict) -> Reply:
        return text(body["messages"][-1]["content"].upper())

    with ScriptedServer(echo, script=echo) as server:
        for _ in range(2):
            assert lines(post(server)[1])[0]["message"]["content"] == "HELLO"


def test_other_paths_can_be_overridden():
    with ScriptedServer(routes={"/api/tags": empty(403), "/": lambda body: html()}) as server:
        connection = connect(server)
        connection.request("GET", "/api/tags")
        response = connection.getresponse()
        assert (response.status, response.read()) == (403, b"")
        connection.request("GET", "/")
        assert connection.getresponse().read().startswith(b"<!DOCTYPE html>")
        connection.close()


def test_gates_hold_back_headers_and_pieces():
    loading, middle = threading.Event(), threading.Event()
    with ScriptedServer(answer("Hel", middle, "lo").after(loading)) as server, begin(server) as sock:
        [request] = server.wait_for_requests(1)
        sock.settimeout(0.05)
        with pytest.raises(TimeoutError):
            sock.recv(1)
        sock.settimeout(5)
        loading.set()
        assert b"Hel" in until(sock, b"}\n\r\n")
        assert not request.finished.is_set()
        middle.set()
        assert b"lo" in until(sock, b"\r\n0\r\n\r\n")
        assert request.finished.wait(1)


def test_pieces_are_sent_at_the_given_boundaries():
    gate = threading.Event()
    whole = encode(line("né"))
    cut = whole.index("é".encode()) + 1  # in the middle of a character
    with ScriptedServer(Reply(body=[whole[:cut], gate, whole[cut:]])) as server, begin(server) as sock:
        got = until(sock, whole[:cut] + b"\r\n")
        assert got.endswith(b"\r\n%x\r\n" % cut + whole[:cut] + b"\r\n")
        gate.set()
        rest = until(sock, b"0\r\n\r\n")
        assert rest == b"%x\r\n" % (len(whole) - cut) + whole[cut:] + b"\r\n0\r\n\r\n"


@pytest.mark.parametrize("state", ["before the headers", "between pieces", "hanging"])
def test_a_client_that_goes_away_is_noticed(state):
    gate = threading.Event()
    reply = {
        "before the headers": text("never").after(gate),
        "between pieces": answer("a", gate, "b"),
        "hanging": answer("a", done=False).ending("hang"),
    }[state]
    with ScriptedServer(reply) as server:
        sock = begin(server)
        [request] = server.wait_for_requests(1)
        if state != "before the headers":
            until(sock, b"}\n\r\n")
        begun = time.monotonic()
        sock.shutdown(socket.SHUT_RDWR)
        assert request.gone.wait(5)
        assert time.monotonic() - begun < 1  # a machine under load is slower than the usual 10 ms
        sock.close()
        assert server.wait_for_disconnects(1) == [request]
        assert not request.finished.is_set()


def test_a_client_that_leaves_while_much_is_being_sent():
    with ScriptedServer(long_line(200_000_000)) as server:
        sock = begin(server)
        until(sock, b"xxx")
        sock.close()
        assert server.wait_for_disconnects(1)


def test_leaving_after_the_end_is_no_disconnect():
    with ScriptedServer(text("a")) as server:
        post(server)
        assert server.requests[0].finished.wait(1)
    assert server.disconnects == []


def test_cut_short_in_good_order():
    reply = text("Hello", " world")
    inside = len(encode(line("Hello"))) + 10
    with ScriptedServer(reply.cut_at(inside)) as server:
        connection = connect(server)
        connection.request("POST", "/api/chat", json.dumps(ASK))
        with pytest.raises(http.client.IncompleteRead) as failure:
            connection.getresponse().read()
        connection.close()
    assert len(failure.value.partial) < inside + 1


def test_cut_short_by_a_reset():
    with ScriptedServer(text("Hello").cut_at(20, "rst")) as server, begin(server) as sock:
        got = b""
        with pytest.raises(ConnectionResetError):
            while piece := sock.recv(65536):
                got += piece
        assert got.endswith(encode(line("Hello"))[:20])


def test_no_last_chunk():
    with ScriptedServer(answer("a", done=False).ending("fin")) as server, pytest.raises(http.client.IncompleteRead):
        post(server)


def test_a_length_that_lies():
    reply = Reply(body=[b"{}"], length=100, end="fin")
    with ScriptedServer(reply) as server, pytest.raises(http.client.IncompleteRead):
        post(server)


def test_raw_bytes():
    with ScriptedServer(Reply(raw=b"SSH-2.0-OpenSSH_9.2\r\n")) as server, pytest.raises(http.client.BadStatusLine):
        post(server)


def test_an_error_line_comes_with_status_200():
    with ScriptedServer(broken("a", message="it broke")) as server:
        response, body = post(server)
    assert response.status == 200
    assert lines(body)[-1] == {"error": "it broke"}


def test_refusals_and_other_bodies():
    with ScriptedServer(error(401, "unauthorized", signin_url="x"), html(), plain("asleep"), empty()) as server:
        response, body = post(server)
        assert (response.status, json.loads(body)) == (401, {"error": "unauthorized", "signin_url": "x"})
        assert post(server)[0].headers["Content-Type"] == "text/html; charset=utf-8"
        assert post(server)[1] == b"asleep"
        response, body = post(server)
        assert (response.status, body, response.headers["Content-Length"]) == (403, b"", "0")


def test_a_very_long_line_is_made_while_it_is_sent():
    size = 50_000_000
    with ScriptedServer(long_line(size)) as server:
        connection = connect(server)
        connection.request("POST", "/api/chat", json.dumps(ASK))
        response = connection.getresponse()
        total, newline = 0, 0
        while piece := response.read(1 << 20):
            newline = newline or (total + piece.index(b"\n") + 1 if b"\n" in piece else 0)
            total += len(piece)
        connection.close()
    assert newline == size < total


def test_loading_takes_nothing_from_the_queue():
    with ScriptedServer(text("a")) as server:
        assert json.loads(post(server, {"model": MODEL, "messages": []})[1])["done_reason"] == "load"
        body = {"model": MODEL, "messages": [], "keep_alive": 0}
        assert json.loads(post(server, body)[1])["done_reason"] == "unload"
        assert lines(post(server)[1])[0]["message"]["content"] == "a"


CALL = {"function": {"name": "f", "arguments": "{}"}}
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {"x": True}}}}


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"messages": [{"role": "user", "content": ["a"]}]}, 400),
        ({"messages": [{"role": "assistant", "content": "", "tool_calls": [CALL]}]}, 400),
        ({"messages": [{"role": "function", "content": ""}]}, 400),
        ({"tools": [TOOL]}, 400),
        ({"think": "much"}, 400),
        ({"keep_alive": "300"}, 400),
        ({"options": {"num_ctx": "8192"}}, 500),
        ({"model": ""}, 400),
    ],
)
def test_what_no_server_takes_is_refused(change, status):
    with ScriptedServer(text("still here")) as server:
        response, body = post(server, ASK | change)
        assert response.status == status
        assert json.loads(body)["error"] == server.refused[0]
        fine = ASK | {"keep_alive": "5m", "think": "max", "options": {"num_ctx": 8192, "temperature": 1}}
        assert b"still here" in post(server, fine)[1]


def test_a_request_that_nobody_scripted_is_told():
    with pytest.raises(AssertionError, match="nothing was scripted"), ScriptedServer() as server:
        assert post(server)[0].status == 500


def test_a_gate_that_nobody_opens_is_told():
    with (
        pytest.raises(TimeoutError, match="not opened"),
        ScriptedServer(text("a").after(threading.Event()), patience=0.1) as server,
        begin(server) as sock,
    ):
        assert sock.recv(1) == b""


def test_waiting_is_bounded():
    with ScriptedServer(patience=0.05) as server, pytest.raises(TimeoutError, match="2 requests"):
        server.wait_for_requests(2)


def test_nothing_is_left_behind():
    before = set(threading.enumerate())
    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        server = ScriptedServer(text("a").after(threading.Event()), answer("b", done=False).ending("hang"))
        with server:
            first, second = begin(server), begin(server)
            server.wait_for_requests(2)
            idle = socket.create_connection(("127.0.0.1", server.port))
            begun = time.monotonic()
        assert time.monotonic() - begun < 2
        for sock in (first, second, idle):
            sock.close()
        gc.collect()
    assert set(threading.enumerate()) <= before
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port), timeout=1)


@pytest.mark.parametrize("name", sorted(path.stem for path in WIRE.glob("*.txt")))
def test_recorded(name):
    head, _, body = (WIRE / f"{name}.txt").read_bytes().partition(b"\r\n\r\n")
    with ScriptedServer(recorded(name)) as server:
        response, got = post(server)
    assert got == body
    assert response.status == int(head.split()[1])
    assert (b"Transfer-Encoding: chunked" in head) == (response.headers["Transfer-Encoding"] == "chunked")
    assert not response.headers["Content-Length"] or int(response.headers["Content-Length"]) == len(body)


@pytest.mark.parametrize("entry", exchanges(), ids=str)
def test_exchanges_are_sound(entry):
    """What the lines say is what `want` says, as far as it can be told without a client."""
    want = entry.want
    assert set(want) >= {"content", "thinking", "calls", "done_reason", "complete", "error"}
    assert want["error"] is None or want["error"] in set(ProblemCode)
    with ScriptedServer(routes={"/api/chat": entry.reply}) as server:
        try:
            body = post(server, ASK | entry.request)[1]
        except http.client.IncompleteRead as failure:
            body = failure.partial
    got = []
    for item in body.split(b"\n"):
        try:
            got.append(json.loads(item))
        except ValueError:
            assert not item or want["error"] in ("not_ollama", "bad_answer")
    messages = [item["message"] for item in got if "message" in item]
    assert "".join(message["content"] for message in messages) == want["content"]
    assert "".join(message.get("thinking", "") for message in messages) == want["thinking"]
    assert any(item.get("done") for item in got) == want["complete"]
    assert next((item["done_reason"] for item in got if "done_reason" in item), None) == want["done_reason"]
    found = [call["function"] for message in messages for call in message.get("tool_calls", ())]
    found = [{"name": call["name"], "arguments": call["arguments"]} for call in found]
    assert want["calls"] == (found if want["complete"] else [])
    assert want.get("server", "") in body.decode().replace('\\"', '"')


def test_every_exchange_has_a_name_of_its_own():
    names = [entry.name for entry in exchanges()]
    assert len(set(names)) == len(names)
    assert {entry.number for entry in exchanges()} == set(range(1, 15))
    assert exchange("plain stream").want["complete"]
