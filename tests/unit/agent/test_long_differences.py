"""The difference of long texts is that of short ones, further down, and takes little memory."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import pytest

from metona_tk.agent import differences
from metona_tk.agent.differences import difference

HEAD = "".join(f"head {number}\n" for number in range(900))
TAIL = "".join(f"tail {number}\r\n" for number in range(900))
PAIRS = [
    ("", "new\n"),
    ("old\n", ""),
    ("one\ntwo\nthree\n", "one\n2\nthree\n"),
    ("a\n" * 30 + "b\n" + "a\n" * 30, "a\n" * 61),
    ("x\r\ny\r\n", "x\ny\r\n"),
    ("def f():\n    return 1\n", "def f():\n    return 2\n"),
]


@pytest.mark.parametrize(("old", "new"), PAIRS)
@pytest.mark.parametrize(("head", "tail"), [(HEAD, TAIL), ("", TAIL), (HEAD, ""), (HEAD, "no end"), ("\n" * 900, TAIL)])
def test_it_is_the_same_as_when_all_is_taken_apart(
    old: str, new: str, head: str, tail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = difference(head + old + tail, head + new + tail)
    monkeypatch.setattr(differences, "MOST_WHOLE", 0)
    assert difference(head + old + tail, head + new + tail) == replace(whole, whole=())


@pytest.mark.parametrize("new", ["added at the end", "changed"])
def test_twenty_million_lines_take_little(new: str) -> None:
    old = "\n" * 20_000_000
    after = old + new if new.startswith("added") else old[:9_000_000] + new + old[9_000_000:]
    tracemalloc.start()
    found = difference(old, after)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.added == 1 and found.whole == () and found.places[-1].text in {new, ""}
    assert most < 90 << 20, most
