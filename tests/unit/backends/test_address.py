from __future__ import annotations

import pytest

from metona_tk.backends.ollama.address import is_loopback, server_address
from metona_tk.protocol.problems import ProblemCode, ProblemError


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("", "http://127.0.0.1:11434"),
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("example", "http://example:11434"),
        (":8080", "http://127.0.0.1:8080"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:99", "http://127.0.0.1:99"),
        ("::", "http://[::1]:11434"),
        ("[::]:99", "http://[::1]:99"),
        ("::1", "http://[::1]:11434"),
        ("[::1]", "http://[::1]:11434"),
        ("http://example", "http://example:80"),
        ("https://example", "https://example:443"),
        ("https://example:8443/ollama/", "https://example:8443/ollama"),
        (' "http://example:1" ', "http://example:1"),
        ("HTTP://Example:1", "http://example:1"),
    ],
)
def test_an_address_is_read_as_ollama_reads_it(given: str, wanted: str) -> None:
    assert server_address(given) == wanted


def test_the_environment_counts_where_nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "box:99")
    assert server_address("") == "http://box:99"
    assert server_address("other") == "http://other:11434"


@pytest.mark.parametrize("given", ["ftp://x", "a b", "http://", "x:port", "http://user@x", "http://[::1", "x:99999"])
def test_what_is_no_address_is_told(given: str) -> None:
    with pytest.raises(ProblemError) as told:
        server_address(given)
    assert told.value.problem.code is ProblemCode.BAD_ADDRESS


@pytest.mark.parametrize(
    ("address", "loopback"),
    [
        ("http://127.0.0.1:11434", True),
        ("http://127.8.8.8:1", True),
        ("http://[::1]:1", True),
        ("http://localhost:1", True),
        ("http://192.168.1.2:1", False),
        ("https://example.com:443", False),
    ],
)
def test_what_is_on_this_computer(address: str, loopback: bool) -> None:
    assert is_loopback(address) is loopback
