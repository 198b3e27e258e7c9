"""What others might send to the program that runs, or put in its place: nothing is taken, nothing is hurt."""

from __future__ import annotations

import json
import os
import queue
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from metona_tk import instance
from metona_tk.instance import place as places
from metona_tk.instance.doors import LoopbackDoor, UnixDoor
from metona_tk.instance.messages import MOST, PATIENCE, answer, encode
from metona_tk.protocol.handed import AskQuickly, ShowWindow
from tests.fakes.starts import ROOT, starts

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Unix sockets and owners as POSIX has them")
ONE = AskQuickly(None, "", "one")
NOBODY = 65534
as_root = pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root can be somebody else")


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Short, and in a folder that others may pass."""
    with tempfile.TemporaryDirectory(prefix="m-", dir="/tmp") as folder:
        os.chmod(folder, 0o711)
        run = Path(folder, "r")
        run.mkdir(mode=0o700)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(run))
        monkeypatch.setenv("DISPLAY", ":77")
        yield run


class First:
    """The program that runs, and what it was wished."""

    def __init__(self) -> None:
        self.place = instance.begin(ShowWindow())
        self.wishes: queue.Queue = queue.Queue()
        self.place.listen(self.wishes.put)

    def knock(self) -> socket.socket:
        return places.find_place().door.connect(20)

    def is_well(self) -> None:
        """It takes the next wish, at once, and took no other."""
        begun = time.monotonic()
        assert instance.begin(ONE) is None
        assert self.wishes.get(timeout=20) == ONE
        assert time.monotonic() - begun < PATIENCE
        assert self.wishes.empty()


@pytest.fixture(params=[UnixDoor, LoopbackDoor], ids=["sock", "port"])
def first(request, monkeypatch) -> Iterator[First]:
    monkeypatch.setattr(places, "UnixDoor", request.param)
    found = First()
    yield found
    found.place.close()


def heard(connection: socket.socket, sent: bytes) -> bytes:
    """What comes back until the end."""
    found = b""
    try:
        connection.sendall(sent)
        while block := connection.recv(1000):
            found += block
    except (BrokenPipeError, ConnectionResetError):
        pass
    return found


GOOD = {"v": 1, "kind": "quick", "folder": None, "model": "", "question": "?"}
HOSTILE = {
    "nothing": b"\n",
    "empty": b"{}\n",
    "no text": b"\xff" * 100 + b"\n",
    "endless": b"x" * 3 * MOST,
    "long": b" " * MOST + b"\n",
    "web": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "deep": b"[" * 40_000 + b"\n",
    "two": b"{}\n" * 2,
    "quit": json.dumps(GOOD | {"kind": "quit"}).encode() + b"\n",
    "mode": json.dumps(GOOD | {"kind": "mode", "mode": "none"}).encode() + b"\n",
    "folder": json.dumps(GOOD | {"folder": "../x"}).encode() + b"\n",
    "newer": json.dumps(GOOD | {"v": 2}).encode() + b"\n",
    "token": json.dumps(GOOD | {"token": "0" * 64}).encode() + b"\n",
}


@pytest.mark.parametrize("sent", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_input_is_refused_and_hurts_nothing(first, sent) -> None:
    with first.knock() as connection:
        assert heard(connection, sent) in {answer(False), b""}
    first.is_well()


def test_who_says_nothing_is_sent_away(first) -> None:
    with first.knock() as silent:
        begun = time.monotonic()
        assert silent.recv(100) == b""
        assert time.monotonic() - begun < PATIENCE + 10
    first.is_well()


def test_who_never_comes_to_an_end_is_sent_away(first) -> None:
    with first.knock() as slow:
        slow.settimeout(0.05)
        end = time.monotonic() + 30
        gone = False
        while not gone and time.monotonic() < end:
            try:
                slow.sendall(b"x")
                gone = slow.recv(1) == b""
            except TimeoutError:
                continue
            except (BrokenPipeError, ConnectionResetError):
                gone = True
        assert gone
    first.is_well()


def test_a_crowd_that_says_nothing_does_not_keep_a_wish_out(first) -> None:
    crowd = [first.knock() for _ in range(40)]
    first.is_well()
    for each in crowd:
        each.close()
    first.is_well()


def test_thousands_who_come_and_go_hurt_nothing(first) -> None:
    before = len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
    for _ in range(2000 if first.place._place.door.tells_who else 200):  # a port has them wait, not go away
        try:
            first.knock().close()
        except BlockingIOError:  # no more are kept waiting by the system
            continue
    first.is_well()
    if sys.platform == "linux":
        assert len(os.listdir("/proc/self/fd")) <= before + 12


def test_at_most_a_hundred_wishes_wait_for_a_window_that_does_not_come() -> None:
    place = instance.begin(ShowWindow())
    try:
        for _ in range(100):
            assert instance.begin(ONE) is None
        with pytest.raises(instance.Silent):
            instance.begin(ONE)
        taken: queue.Queue = queue.Queue()
        place.listen(taken.put)
        assert [taken.get(timeout=20) for _ in range(100)] == [ONE] * 100
        assert instance.begin(ONE) is None
    finally:
        place.close()


def test_a_wish_without_the_token_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(places, "UnixDoor", LoopbackDoor)
    first = First()
    try:
        for token in ("", "0" * 64):
            with first.knock() as connection:
                assert heard(connection, encode(ONE, token)) == answer(False)
        first.is_well()
    finally:
        first.place.close()


def test_the_file_with_the_token_is_the_users_alone(monkeypatch) -> None:
    monkeypatch.setattr(places, "UnixDoor", LoopbackDoor)
    first = First()
    path = next(Path(places.find_place().lock_file).parent.glob("*.port"))
    assert path.stat().st_mode & 0o777 == 0o600 and len(path.read_text().split()[1]) == 64
    first.place.close()
    assert not path.exists()


# as another user: all is loaded before, since they may not be able to read it
_SERVER = """
import os, socket, sys
folder = sys.argv[1]
os.setgroups([]); os.setgid(65534); os.setuid(65534)
listener = socket.socket(socket.AF_UNIX)
listener.bind(folder + "/s"); listener.listen(5)
print("READY", flush=True)
connection, _ = listener.accept()
print("HEARD", connection.recv(1000), flush=True)
"""
_CLIENT = """
import os, socket, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
caller = socket.socket(socket.AF_UNIX)
caller.connect(sys.argv[1])
caller.sendall(bytes.fromhex(sys.argv[2]))
print("HEARD", caller.recv(1000), flush=True)
"""


@as_root
def test_another_users_socket_gets_no_wish(runtime) -> None:
    """Put in the place of ours by a link, which the system follows."""
    theirs = runtime.parent / "theirs"
    theirs.mkdir()
    os.chown(theirs, NOBODY, NOBODY)
    words = [sys.executable, "-c", _SERVER, str(theirs)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server, starts() as start:
        assert server.stdout.readline() == "READY\n"
        place = places.find_place()
        ours = Path(place.lock_file).with_suffix(".sock")
        ours.symlink_to(theirs / "s")
        assert start("my secret").line() == "FIRST"
        assert server.stdout.readline() == "HEARD b''\n"
        assert not ours.is_symlink() and (theirs / "s").exists()


@as_root
def test_another_users_wish_is_not_taken(runtime) -> None:
    """Even with a door that stands open to all."""
    first = First()
    try:
        door = next((runtime / "metona-tk").glob("*.sock"))
        for path, mode in ((runtime, 0o711), (door.parent, 0o711), (door, 0o777)):
            path.chmod(mode)
        words = [sys.executable, "-c", _CLIENT, str(door), encode(ONE).hex()]
        said = subprocess.run(words, capture_output=True, text=True, timeout=20, cwd=ROOT)
        assert said.stdout == "HEARD b''\n" or "reset" in said.stderr.lower() or "BrokenPipe" in said.stderr
        for path in (runtime, door.parent):
            path.chmod(0o700)
        first.is_well()
    finally:
        first.place.close()
