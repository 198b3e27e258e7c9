"""One program for each user, screen and data folder; with real processes, and sockets of others."""

from __future__ import annotations

import json
import os
import queue
import signal
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metona_tk import instance
from metona_tk.protocol.wishes import AskQuickly, ShowWindow

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(sys.platform == "win32", reason="a Unix socket")
# says FIRST and then each wish, or HANDED; ends with its standard input
PROGRAM = """
import sys
from metona_tk.instance import begin
from metona_tk.protocol.wishes import AskQuickly, ShowWindow
place = begin(AskQuickly(None, "", sys.argv[1]), lambda words: print(words, flush=True))
if place is None:
    print("HANDED", flush=True)
else:
    print("FIRST", flush=True)
    place.listen(lambda wish: print(type(wish).__name__, wish.question, flush=True))
    sys.stdin.read()
    place.close()
"""
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=50)


@pytest.fixture(autouse=True)
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    monkeypatch.setenv("DISPLAY", ":77")
    return folder


class Started:
    def __init__(self, question: str = "", **environment: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, question],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=os.environ | environment,
        )

    def line(self) -> str:
        return self.process.stdout.readline().strip()

    def end(self) -> None:
        self.process.communicate(timeout=20)


@pytest.fixture
def start():
    made: list[Started] = []

    def begin(question: str = "", **environment: str) -> Started:
        made.append(Started(question, **environment))
        return made[-1]

    yield begin
    for each in made:
        if each.process.poll() is None:
            each.process.kill()
        each.process.wait(10)


# --- the words ------------------------------------------------------------------------------------------------------


@given(st.sampled_from([ShowWindow, AskQuickly]), st.none() | texts.map(lambda t: "/" + t), texts, texts)
def test_a_wish_arrives_as_it_was_sent(kind, folder, model, question) -> None:
    wish = kind(folder, model, question)
    line = instance.encode(wish, "t")
    assert line.count(b"\n") == 1 and line.endswith(b"\n")
    assert instance.decode(line, "t") == (None if folder is not None and "\0" in folder else wish)


@given(st.binary(max_size=200))
def test_garbage_is_no_wish(line) -> None:
    assert instance.decode(line) is None


GOOD = {"v": 1, "kind": "quick", "folder": None, "model": "", "question": "?"}


@pytest.mark.parametrize(
    "change",
    [
        {"v": 2}, {"v": "1"}, {"kind": "quit"}, {"kind": ["quick"]}, {"kind": None}, {"folder": "docs"},
        {"folder": "/a\0b"}, {"folder": 3}, {"model": None}, {"question": None}, {"question": 7}, {"token": "x"},
        {"token": None},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_wish_of_ours_is_refused(change) -> None:
    assert instance.decode(json.dumps(GOOD).encode()) == AskQuickly(None, "", "?")
    assert instance.decode(json.dumps(GOOD | change).encode()) is None


def test_the_token_has_to_be_the_right_one() -> None:
    assert instance.decode(instance.encode(ShowWindow(), "right"), "right") == ShowWindow()
    for token in ("", "wrong", "righ\u00fc"):
        assert instance.decode(instance.encode(ShowWindow(), token), "right") is None
    assert instance.decode(b"[" * 50_000) is None


def test_a_question_that_is_too_long_is_told_at_once() -> None:
    with pytest.raises(instance.HandOverFailed, match="too long"):
        instance.encode(AskQuickly(None, "", "x" * instance.MOST))


@pytest.mark.parametrize(
    ("arguments", "wish"),
    [
        ([], ShowWindow()),
        (["ask", "--window"], AskQuickly()),
        (["ask", "a b", "--window"], AskQuickly(None, "", "a b")),
        (["ask", "--window", "x=y"], AskQuickly(None, "", "x=y")),
        (["ask", "--window", "--folder", "/", "--model=m", "q"], AskQuickly("/", "m", "q")),
        (["ask", "--folder=.", "--window"], AskQuickly(os.getcwd(), "", "")),
        (["ask", "--window", "--folder", "/nowhere/at/all"], None),
        (["ask", "--window", "--folder"], None),
        (["ask", "--window", "--host", "h"], None),
        (["ask", "--window", "-"], None),
        (["ask", "--window", "a", "b"], None),
        (["ask", "--window", "--model", "--json"], None),
        (["ask", "--window", "--help"], None),
        (["ask", "q"], None),
        (["--version"], None),
        (["tools", "list", "--window"], None),
    ],
    ids=str,
)
def test_which_command_lines_wish_for_a_window(arguments, wish) -> None:
    assert instance.wish_of(arguments) == wish


# --- programs -------------------------------------------------------------------------------------------------------


def test_the_second_start_gives_its_wish_to_the_first_and_ends(start) -> None:
    first = start()
    assert first.line() == "FIRST"
    second = start("你好 –?")
    assert second.line() == "HANDED"
    assert second.process.wait(20) == 0
    assert first.line() == "AskQuickly 你好 –?"
    first.end()
    third = start()
    assert third.line() == "FIRST"


def test_other_data_or_another_screen_is_another_program(start, tmp_path) -> None:
    environments = [
        {},
        {"METONA_TK_HOME": str(tmp_path / "b")},
        {"DISPLAY": ":78"},
        {"DISPLAY": "", "WAYLAND_DISPLAY": "w"},
    ]
    assert [start(**each).line() for each in environments] == ["FIRST"] * 4
    assert start(DISPLAY=":78").line() == "HANDED"


@pytest.mark.timeout(120)
def test_of_two_at_the_same_moment_one_is_the_first(start) -> None:
    for _ in range(50):
        both = [start("one"), start("two")]
        assert sorted(each.line() for each in both) == ["FIRST", "HANDED"]
        for each in both:
            each.end()


@posix
def test_what_a_killed_program_left_behind_is_no_hindrance(start, runtime) -> None:
    first = start()
    assert first.line() == "FIRST"
    first.process.send_signal(signal.SIGKILL)
    first.process.wait(10)
    assert [path.suffix for path in sorted((runtime / "metona-tk").iterdir())] == [".lock", ".sock"]
    assert start().line() == "FIRST"
    assert start().line() == "HANDED"


def test_the_end_leaves_no_socket(start, runtime) -> None:
    first = start()
    assert first.line() == "FIRST"
    first.end()
    assert [path.suffix for path in (runtime / "metona-tk").iterdir()] == [".lock"]


@posix
def test_a_child_of_the_first_program_does_not_keep_its_place(start) -> None:
    place = instance.begin(ShowWindow())
    child = subprocess.Popen(["sleep", "60"], close_fds=False)
    try:
        place.close()
        assert start().line() == "FIRST"
    finally:
        child.kill()
        child.wait(10)


# --- others ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def first():
    place = instance.begin(ShowWindow())
    wishes: queue.Queue = queue.Queue()
    place.listen(wishes.put)
    yield wishes
    place.close()


def connect() -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(20)
    connection.connect(str(instance.find_folder() / f"{instance.place_name()}.sock"))
    return connection


@posix
@pytest.mark.parametrize(
    "sent", [b"\n", b"{}\n", b"\xff" * 100 + b"\n", b"x" * 3 * instance.MOST, b"GET / HTTP/1.1\r\n\r\n"]
)
def test_hostile_input_is_refused_and_hurts_nothing(first, sent) -> None:
    with connect() as connection:
        try:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            answer = connection.recv(100)
        except (BrokenPipeError, ConnectionResetError):
            answer = b""
        assert answer in {b"refused\n", b""}
    assert instance.begin(AskQuickly(None, "", "after")) is None
    assert first.get(timeout=20) == AskQuickly(None, "", "after")
    assert first.empty()


@posix
def test_those_who_say_nothing_do_not_keep_others_waiting_for_long(first) -> None:
    silent = [connect() for _ in range(3)]
    assert instance.begin(AskQuickly(None, "", "me")) is None
    assert first.get(timeout=20) == AskQuickly(None, "", "me")
    more = [connect() for _ in range(12)]
    for connection in [*silent, *more]:
        connection.close()
    assert instance.begin(AskQuickly(None, "", "again")) is None


@posix
def test_a_program_that_does_not_answer_is_told(runtime, monkeypatch) -> None:
    monkeypatch.setattr(instance, "PATIENCE", 0.3)
    folder = instance.find_folder()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / f"{instance.place_name()}.sock"))
        listener.listen(1)
        with pytest.raises(instance.HandOverFailed, match="does not answer"):
            instance.begin(ShowWindow())


@posix
def test_a_holder_of_the_lock_that_never_listens_is_told(monkeypatch) -> None:
    monkeypatch.setattr(instance, "PATIENCE", 0.3)
    lock = instance._lock(instance.find_folder() / f"{instance.place_name()}.lock")
    try:
        with pytest.raises(instance.HandOverFailed, match="does not answer"):
            instance.begin(ShowWindow())
    finally:
        os.close(lock)


@posix
def test_another_users_socket_is_not_trusted_and_gets_no_wish(monkeypatch) -> None:
    """As it would be seen if it stood there: who is at the other end is asked of the system."""
    heard = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(instance.find_folder() / f"{instance.place_name()}.sock"))
        listener.listen(1)

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                heard.append(connection.recv(100))

        thread = threading.Thread(target=serve)
        thread.start()
        monkeypatch.setattr(instance, "is_same_user", lambda connection: False)
        place = instance.begin(AskQuickly(None, "", "my secret"))
        thread.join(20)
    assert heard == [b""]
    assert place.listener is not None  # it took the place of that socket, in its own folder
    place.close()


@posix
@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can be somebody else")
def test_a_process_of_another_user_is_known_as_such() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    assert instance.is_same_user(ours)
    ours.close(), theirs.close()
    with socket.socket(socket.AF_UNIX) as listener:
        folder = instance.find_folder()
        for part in (folder, *folder.parents):
            if part.stat().st_mode & 0o001 == 0 and str(part).startswith("/tmp"):
                part.chmod(stat.S_IMODE(part.stat().st_mode) | 0o011)
        path = folder / "s"
        listener.bind(str(path))
        path.chmod(0o777)
        listener.listen(1)
        child = os.fork()
        if child == 0:
            os.setgid(65534)
            os.setuid(65534)
            with socket.socket(socket.AF_UNIX) as caller:
                caller.connect(str(path))
                caller.recv(1)
            os._exit(0)
        try:
            listener.settimeout(20)
            connection, _ = listener.accept()
            with connection:
                assert not instance.is_same_user(connection)
        finally:
            os.waitpid(child, 0)


@posix
@pytest.mark.parametrize("bad", ["open", "link", "file"])
def test_a_folder_that_others_could_write_to_is_not_used(runtime, monkeypatch, tmp_path, bad) -> None:
    place = runtime / "metona-tk"
    if bad == "open":
        place.mkdir()
        place.chmod(0o777)
    elif bad == "link":
        (tmp_path / "theirs").mkdir(mode=0o700)
        place.symlink_to(tmp_path / "theirs")
    else:
        place.touch()
    found = instance.find_folder()
    assert found is not None and found != place and instance._is_own(str(found))


@posix
def test_without_any_place_the_program_runs_alone(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(instance, "_folders", lambda: [str(tmp_path / "file" / "x")])
    (tmp_path / "file").touch()
    said = []
    place = instance.begin(ShowWindow(), said.append)
    assert place.listener is None and said
    place.close()
    place.close()


@posix
def test_a_path_that_is_too_long_for_a_socket_is_no_hindrance(monkeypatch, tmp_path) -> None:
    deep = tmp_path / ("d" * 100) / ("e" * 60)
    monkeypatch.setattr(instance, "_folders", lambda: [str(deep)])
    said = []
    place = instance.begin(ShowWindow(), said.append)
    assert place.listener is None and said and place.lock is None
    assert instance._lock(deep / f"{instance.place_name()}.lock") is not None  # it was let go
