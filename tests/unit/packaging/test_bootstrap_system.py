"""bootstrap.py: packages of the system and a screen for the tests, with fake apt-get, sudo, Xvfb and openbox."""

import contextlib
import io
import os
import sys
import time
from pathlib import Path

import pytest
from bootstrap_steps import command, display, system_packages, words

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the fake programs are shell scripts")
TK_LIBRARY = "libtk8.6.so: cannot open shared object file: No such file or directory"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def lists(tmp_path, monkeypatch):
    file = tmp_path / "x_Packages"
    file.touch()
    monkeypatch.setattr(system_packages, "LISTS", str(file))
    return file


@pytest.fixture
def as_user(monkeypatch):
    def become(number, stdin=None):
        monkeypatch.setattr(os, "geteuid", lambda: number)
        monkeypatch.setattr(sys, "stdin", stdin or io.StringIO())
        monkeypatch.setattr(sys, "stderr", Terminal() if stdin else io.StringIO())

    return become


@pytest.fixture
def env(programs):
    programs("env", 'shift 2; exec "$@"'.replace("exec ", f"PATH={programs.folder}:$PATH; exec "))


def apt_lines(programs):
    return [line.split("Timeout=120 ")[1] for line in programs.calls() if line.startswith("apt-get")]


def test_root_installs_at_once(programs, lists, as_user, env):
    programs("apt-get")
    as_user(0)
    system_packages.install(["tkinter", "xclip"], yes=False)
    assert apt_lines(programs) == ["install -y --no-install-recommends python3-tk xclip"]


def test_missing_lists_are_fetched_first(programs, lists, as_user, env):
    programs("apt-get")
    lists.unlink()
    as_user(0)
    system_packages.install(["xclip"], yes=False)
    assert [line.split()[0] for line in apt_lines(programs)] == ["update", "install"]


def test_old_lists_are_fetched_when_the_installation_fails(programs, lists, as_user, env, tmp_path):
    programs("apt-get", f'case "$*" in *update*) touch {tmp_path}/new ;; *) [ -e {tmp_path}/new ] ;; esac')
    as_user(0)
    system_packages.install(["xclip"], yes=False)
    assert [line.split()[0] for line in apt_lines(programs)] == ["install", "update", "install"]


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7", "Another program is installing"),
        ("W: Temporary failure resolving 'deb.debian.org'", "network cannot be reached"),
        ("E: You don't have enough free space in /var/cache/apt/archives/.", "no space left"),
        ("E: Unable to locate package xclip", "Unable to locate package xclip"),
    ],
)
def test_a_failing_apt_says_why(programs, lists, as_user, env, said, sentence):
    programs("apt-get", f'echo "{said}"; exit 100')
    as_user(0)
    with pytest.raises(words.Stop) as stop:
        system_packages.install(["xclip"], yes=False)
    assert sentence in str(stop.value) and "apt-get install xclip" in str(stop.value)


@pytest.mark.parametrize(("answer", "runs"), [("\n", True), ("y\n", True), ("n\n", False), ("what\n", False)])
def test_a_user_is_asked_before_sudo(programs, lists, as_user, env, answer, runs):
    programs("apt-get")
    programs("sudo", f'PATH={programs.folder}:$PATH; exec "$@"')
    as_user(1000, Terminal(answer))
    with contextlib.nullcontext() if runs else pytest.raises(words.Stop, match="sudo apt-get install xclip"):
        system_packages.install(["xclip"], yes=False)
    assert bool(apt_lines(programs)) == runs


def test_without_a_terminal_the_command_is_named_and_yes_runs_it(programs, lists, as_user, env):
    programs("apt-get")
    programs("sudo", f'shift; PATH={programs.folder}:$PATH; exec "$@"')
    as_user(1000)
    with pytest.raises(words.Stop, match="sudo apt-get install xclip"):
        system_packages.install(["xclip"], yes=False)
    assert not programs.calls()
    system_packages.install(["xclip"], yes=True)
    assert programs.calls()[0].startswith("sudo -n env") and apt_lines(programs)


def test_no_sudo_and_a_refusing_sudo_are_told_apart(programs, lists, as_user, env):
    programs("apt-get")
    as_user(1000)
    with pytest.raises(words.Stop, match="as root"):
        system_packages.install(["xclip"], yes=True)
    programs(
        "sudo",
        'echo "sudo: unable to resolve host: Temporary failure in name resolution"; '
        'echo "sudo: a password is required"; exit 1',
    )
    with pytest.raises(words.Stop, match="sudo refused"):
        system_packages.install(["xclip"], yes=True)


def test_other_distributions_get_their_own_command(programs, as_user):
    programs("dnf")
    as_user(0)
    with pytest.raises(words.Stop, match="sudo dnf install python3-tkinter|dnf install python3-tkinter"):
        system_packages.install(["tkinter"], yes=True)
    assert not programs.calls()


# the screen


@pytest.mark.parametrize(
    ("arguments", "window"),
    [
        ([], True),
        (["--folder", "docs"], True),
        (["ask", "hello"], False),
        (["ask", "hello", "--window"], True),
        (["--version"], False),
        (["--help"], False),
        (["doctor"], False),
        (["tools", "list"], False),
        (["models"], False),
        (["--folder", "docs", "ask", "hello"], False),
    ],
)
def test_only_a_window_needs_a_screen(arguments, window):
    assert display.wants_window(arguments) == window


def test_run_without_a_screen_names_ask(project, monkeypatch, capsys, started):
    monkeypatch.setattr(display, "is_there", lambda: False)
    assert command.main(["run"]) == 1
    assert "run ask" in capsys.readouterr().err and not started


def alive(process_file):
    number = process_file.read_text().strip()  # empty while the fake is ended in the middle of writing it
    return bool(number) and Path("/proc", number).exists()


@pytest.fixture
def fake_screen(programs, tmp_path, monkeypatch):
    """A fake Xvfb and openbox that write down their process ids; no display in the environment, and no long run."""
    monkeypatch.delenv("METONA_TK_SOAK", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(display, "is_there", lambda: False)
    ids = [tmp_path / "xvfb.pid", tmp_path / "openbox.pid"]
    programs("Xvfb", f"echo $$ > {ids[0]}; echo 77 > /dev/fd/$2; exec sleep 60")
    programs("openbox", f'echo "openbox on $DISPLAY" >> "$CALLS"; echo $$ > {ids[1]}; exec sleep 60')
    return ids


def wait_for(*files):
    end = time.monotonic() + 5
    while not all(file.exists() and file.read_text().endswith("\n") for file in files):
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("error", [None, KeyboardInterrupt, SystemExit, ValueError])
def test_the_screen_of_the_tests_ends_with_them(fake_screen, error):
    with pytest.raises(error) if error else contextlib.nullcontext(), display.own_screen() as screen:
        wait_for(*fake_screen)
        assert screen == ":77" and all(map(alive, fake_screen))
        if error:
            raise error
    assert not any(map(alive, fake_screen))


def test_a_screen_that_does_not_start_is_told(programs):
    programs("Xvfb", "exit 1")
    with pytest.raises(words.Stop, match="Xvfb"), display.own_screen():
        pass


@pytest.mark.parametrize("soak", [True, False])
def test_tests_get_screen_arguments_and_folder_and_give_their_code(
    project, programs, fake_python, only, fake_screen, monkeypatch, soak
):
    monkeypatch.setattr(display, "needs", lambda: [])
    only(fake_python())
    assert command.main(["test", *(["--soak"] if soak else []), "-k", "x y"]) == 3
    line = next(line for line in programs.calls() if "-m pytest" in line)
    # "in": the window manager writes into the same list at the same moment
    assert ("-m pytest -k x y" if soak else "-m pytest -m not soak -k x y") in line
    assert f"DISPLAY=:77 SOAK={'1' if soak else ''} {project}" in programs.calls()
    assert not any(alive(file) for file in fake_screen if file.exists())


@pytest.mark.parametrize(("cores", "beside"), [(1, ""), (2, "-n 2 --dist loadfile "), (64, "-n 4 --dist loadfile ")])
def test_all_tests_together_run_side_by_side_on_a_screen_each(
    project, programs, fake_python, only, fake_screen, monkeypatch, cores, beside
):
    monkeypatch.setattr(display, "needs", lambda: [])
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    only(fake_python())
    assert command.main(["test"]) == 3
    assert any(f"-m pytest {beside}-m not soak" in line for line in programs.calls())
    assert f"DISPLAY=:77 SOAK= {project}" in programs.calls()
    assert "SCREENS=" + " ".join([":77"] * min(cores, 4)) in programs.calls()


def test_screen_and_python_packages_are_installed_in_one_go(project, fake_python, only, monkeypatch, capsys):
    monkeypatch.setattr(display, "is_there", lambda: False)
    monkeypatch.setattr(display, "needs", lambda: ["xvfb"])
    monkeypatch.setattr(sys, "platform", "linux")
    only(fake_python(tk=TK_LIBRARY))
    asked = []
    monkeypatch.setattr(system_packages, "install", lambda needs, yes: asked.append((needs, yes)))
    assert command.main(["--yes", "test"]) == 1  # the fake Python stays broken, which is told too
    assert asked == [(["xvfb", "libtk8.6"], True)]
    assert "still cannot use tkinter" in capsys.readouterr().err
