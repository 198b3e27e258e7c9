"""Several starts of the program: one stays, with real processes."""

from __future__ import annotations

import json
import os
import queue
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from metona_tk import i18n, instance
from metona_tk.instance.messages import PATIENCE, encode
from metona_tk.instance.place import find_place
from metona_tk.protocol.handed import AskQuickly, ShowWindow
from tests.fakes.starts import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a folder and signals as POSIX has them")
both_doors = pytest.mark.parametrize("door", ["sock", "port"])


def left(runtime: Path) -> list[str]:
    return sorted(path.suffix for path in (runtime / "metona-tk").iterdir())


@both_doors
def test_the_second_start_gives_its_wish_to_the_first_and_ends(start, door) -> None:
    first = start(door=door)
    assert first.line() == "FIRST"
    second = start("你好 –?", door)
    assert second.line() == "HANDED"
    assert second.process.wait(20) == 0
    assert first.line() == "AskQuickly 你好 –?"
    assert first.end() == ""
    assert start(door=door).line() == "FIRST"


@both_doors
def test_what_is_wished_before_the_first_one_listens_is_not_lost(start, door) -> None:
    first = start(door=door, late=True)
    assert first.line() == "FIRST"
    for number in range(3):
        assert start(str(number), door).line() == "HANDED"
    first.say("")
    assert [first.line() for _ in range(3)] == [f"AskQuickly {number}" for number in range(3)]


def test_other_data_or_another_screen_is_another_program(start, tmp_path) -> None:
    environments = [
        {},
        {"METONA_TK_HOME": str(tmp_path / "b")},
        {"DISPLAY": ":78"},
        {"DISPLAY": "", "WAYLAND_DISPLAY": "w"},
    ]
    assert [start(**each).line() for each in environments] == ["FIRST"] * 4
    assert start(DISPLAY=":78").line() == "HANDED"


@both_doors
@pytest.mark.timeout(240)
def test_of_two_at_the_same_moment_one_is_the_first(start, door) -> None:
    for _ in range(50):
        both = [start("one", door), start("two", door)]
        assert sorted(each.line() for each in both) == ["FIRST", "HANDED"]
        for each in both:
            each.end()


@both_doors
def test_of_many_at_the_same_moment_one_is_the_first_and_gets_all_wishes(start, door) -> None:
    many = {str(number): start(str(number), door) for number in range(8)}
    said = {number: each.line() for number, each in many.items()}
    assert sorted(said.values()) == ["FIRST"] + ["HANDED"] * 7
    first = next(number for number, words in said.items() if words == "FIRST")
    wished = {many[first].line() for _ in range(7)}
    assert wished == {f"AskQuickly {number}" for number in many if number != first}


@both_doors
def test_what_a_killed_program_left_behind_is_no_hindrance(start, runtime, door) -> None:
    first = start(door=door)
    assert first.line() == "FIRST"
    first.kill()
    assert left(runtime) == [".lock", f".{door}"]
    assert start(door=door).line() == "FIRST"
    assert start(door=door).line() == "HANDED"


@both_doors
def test_the_end_leaves_the_lock_file_alone(start, runtime, door) -> None:
    first = start(door=door)
    assert first.line() == "FIRST"
    first.end()
    assert left(runtime) == [".lock"]


def test_a_start_that_waits_for_a_program_that_dies_takes_its_place(start) -> None:
    place = find_place()
    lock = place.take_lock()
    with place.door.open() as listener:
        second = start("now")
        listener.settimeout(20)
        connection, _ = listener.accept()
        assert connection.recv(1000) == encode(AskQuickly(None, "", "now"))
        os.close(lock)
        connection.close()
        listener.close()
    assert second.line() == "FIRST"


def test_a_program_that_does_not_answer_is_told_and_no_second_one_opens(start) -> None:
    first = start()
    assert first.line() == "FIRST"
    first.process.send_signal(signal.SIGSTOP)
    begun = time.monotonic()
    second = start("now")
    assert second.line() == "Silent"
    assert time.monotonic() - begun >= PATIENCE and second.process.wait(20) == 1
    first.process.send_signal(signal.SIGCONT)
    assert start("later").line() == "HANDED"
    assert first.line() == "AskQuickly later"  # what was told to have failed does not come as a surprise


def test_a_holder_of_the_lock_that_never_listens_is_told(start) -> None:
    lock = find_place().take_lock()
    try:
        assert start().line() == "Silent"
    finally:
        os.close(lock)
    assert start().line() == "FIRST"


def test_a_program_of_another_version_is_told(start) -> None:
    place = find_place()
    lock = place.take_lock()
    with place.door.open() as listener:
        listener.settimeout(20)
        second = start()
        connection, _ = listener.accept()
        with connection:
            connection.recv(1000)
            connection.sendall(b'{"v": 2, "answer": "taken"}\n')
            assert second.line() == "Refused"
    os.close(lock)


def test_a_question_that_is_too_long_opens_a_window_but_is_not_handed_over(start) -> None:
    question = "x" * 70_000
    first = start(question)
    assert first.line() == "FIRST"
    assert start(question).line() == "TooLong"
    assert start("short").line() == "HANDED"
    assert first.line() == "AskQuickly short"


def test_a_lock_file_that_was_cleared_away_makes_no_second_program(start, runtime) -> None:
    first = start()
    assert first.line() == "FIRST"
    next((runtime / "metona-tk").glob("*.lock")).unlink()
    assert start("one").line() == "HANDED"
    assert start("two").line() == "HANDED"
    assert [first.line(), first.line()] == ["AskQuickly one", "AskQuickly two"]


@both_doors
def test_the_end_leaves_what_another_has_put_in_the_place_alone(start, runtime, door) -> None:
    first = start(door=door)
    assert first.line() == "FIRST"
    path = next((runtime / "metona-tk").glob(f"*.{door}"))
    path.unlink()
    path.write_text("1 another's\n")
    first.end()
    assert path.read_text() == "1 another's\n"


def test_a_child_of_the_first_program_does_not_keep_its_place(start) -> None:
    place = instance.begin(ShowWindow())
    child = subprocess.Popen(["sleep", "60"], close_fds=False)
    try:
        place.close()
        assert start().line() == "FIRST"
    finally:
        child.kill()
        child.wait(10)


def test_a_child_of_a_killed_program_does_not_keep_its_place(start) -> None:
    words = """
import subprocess
from metona_tk.instance import begin
from metona_tk.protocol.handed import ShowWindow
place = begin(ShowWindow())
print(subprocess.Popen(["sleep", "60"], close_fds=False).pid, flush=True)
input()
"""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", words], stdin=pipe, stdout=pipe, text=True, cwd=ROOT) as program:
        child = int(program.stdout.readline())
        assert start().line() == "HANDED"
        program.kill()
        program.wait(10)
        try:
            assert start().line() == "FIRST"
        finally:
            os.kill(child, signal.SIGKILL)


def test_even_a_child_that_shares_the_lock_does_not_keep_it(start) -> None:
    import fcntl

    place = instance.begin(ShowWindow())
    copy = os.dup(place._lock)
    try:
        place.close()
        assert start().line() == "FIRST"
        with pytest.raises(BlockingIOError):
            fcntl.flock(copy, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(copy)


def test_an_instance_can_be_closed_twice_and_takes_nothing_then() -> None:
    place = instance.begin(ShowWindow())
    assert place.trouble == ""
    place.close()
    place.close()
    with pytest.raises(OSError):
        find_place().door.connect(1)
    again = instance.begin(AskQuickly())
    assert again is not None
    again.close()


def test_a_wish_that_fails_does_not_stop_the_next() -> None:
    taken: queue.Queue = queue.Queue()

    def take(wish) -> None:
        taken.put(wish.question)
        if wish.question == "bad":
            raise ValueError(wish)

    place = instance.begin(ShowWindow())
    try:
        place.listen(take)
        for question in ("bad", "good"):
            assert instance.begin(AskQuickly(None, "", question)) is None
        assert [taken.get(timeout=20) for _ in range(2)] == ["bad", "good"]
    finally:
        place.close()


def test_nobody_is_asked_at_a_port_whose_program_is_gone(start, runtime) -> None:
    """Another user's program could listen there by now."""
    first = start(door="port")
    assert first.line() == "FIRST"
    first.kill()
    path = next((runtime / "metona-tk").glob("*.port"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        path.write_text(f"{listener.getsockname()[1]} {path.read_text().split()[1]}\n")
        assert start("my secret", "port").line() == "FIRST"
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()


def command(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The program's own command; without a screen, so that it could not show a window of its own."""
    return subprocess.run(
        [sys.executable, "-m", "metona_tk", *words],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        encoding="utf-8",
        timeout=30,
    )


def test_the_command_hands_over_and_says_nothing(start, tmp_path) -> None:
    first = start()
    assert first.line() == "FIRST"
    for words, heard in (
        ((), "ShowWindow"),
        (("ask", "--window"), "AskQuickly"),
        (("ask", "why?", "--window", "--folder", str(tmp_path)), "AskQuickly why?"),
    ):
        done = command(*words)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert first.line() == heard


@pytest.mark.parametrize(("language", "words"), [("en", "does not answer"), ("zh_CN", None)])
def test_the_command_tells_of_a_program_that_does_not_answer(start, language, words) -> None:
    settings = Path(os.environ["METONA_TK_HOME"], "settings.json")
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"language": language}))
    first = start()
    assert first.line() == "FIRST"
    first.process.send_signal(signal.SIGSTOP)
    done = command()
    i18n.set_language(language)
    expected = i18n.tr("Metona is running already, but it does not answer: end it, then start it again.")
    assert done.returncode == 1 and done.stderr == expected + "\n"
    assert words is None or words in done.stderr


def test_a_second_start_loads_nothing_heavy() -> None:
    words = "import metona_tk.__main__, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    heavy = {
        "dataclasses",
        "inspect",
        "typing",
        "pathlib",
        "threading",
        "logging",
        "platformdirs",
        "argparse",
        "hashlib",
    }
    assert not heavy & set(done.stdout.split())
