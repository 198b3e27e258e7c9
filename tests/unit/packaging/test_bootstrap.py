"""bootstrap.py: its command line, the choice of a Python, `.venv`, the sentences for failures, the lock files."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from bootstrap_steps import candidates, command, environment, old_python, pythons, system_packages, words

PACKAGING = Path(__file__).resolve().parents[3] / "packaging"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="the fake programs are shell scripts")
TK_LIBRARY = "libtk8.6.so: cannot open shared object file: No such file or directory"


def pip_calls(programs):
    return [line for line in programs.calls() if "-m pip" in line]


# the command line


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (["run", "ask", "--yes", "--soak"], ("run", ["ask", "--yes", "--soak"], False, False)),
        (["run", "--yes"], ("run", ["--yes"], False, False)),
        (["--yes", "run", "--help"], ("run", ["--help"], True, False)),
        (["--yes", "test", "-k", "x", "--soak"], ("test", ["-k", "x"], True, True)),
        (["test", "-h"], ("test", ["-h"], False, False)),
        (["--yes", "--help", "run"], ("help", [], False, False)),
    ],
)
def test_yes_counts_only_before_the_command(line, expected):
    parsed = command.parse(line)
    assert (parsed.command, parsed.arguments, parsed.yes, parsed.soak) == expected


@pytest.mark.parametrize("line", [[], ["start"], ["--no", "run"]])
def test_a_wrong_command_line_points_to_the_help(line, capsys):
    assert command.main(line) == 1
    assert "--help" in capsys.readouterr().err


def test_help_names_both_commands(capsys):
    assert command.main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(word in text for word in ("run", "test", "--yes", "--soak"))


# which Python


def test_the_first_complete_python_is_chosen(fake_python, only):
    only(
        fake_python("old", (3, 8)),
        fake_python("no-tk", tk=TK_LIBRARY),
        fake_python("no-venv", venv=False),
        fake_python("good", (3, 13)),
        fake_python("later", (3, 12)),
    )
    chosen, lacking = pythons.choose()
    assert Path(chosen.path).name == "good"
    assert [Path(python.path).name for python in lacking] == ["no-tk", "no-venv"]


def test_a_python_that_does_not_start_is_passed_over(programs, fake_python, only):
    only(programs("shim", "exit 127"), programs.folder / "missing", fake_python("good"))
    assert Path(pythons.choose()[0].path).name == "good"


def test_candidates_are_the_running_one_then_path_then_pyenv(fake_python, programs, tmp_path, monkeypatch):
    on_path = [fake_python("python3.11"), fake_python("python3.13")]
    homes = [tmp_path / "pyenv" / "versions" / version / "bin" for version in ("3.9.1", "3.12.1", "3.12.10")]
    pyenv = [programs("python3", to=home) for home in homes]
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    found = [line[0] for line in candidates.candidates()]
    expected = [sys.executable, on_path[1], on_path[0], pyenv[2], pyenv[1], pyenv[0]]
    assert found[:6] == [str(path) for path in expected]


def test_a_python_describes_itself_truly():
    python = pythons.ask([sys.executable])
    assert python.version == sys.version_info[:2]
    assert Path(python.path).resolve() == Path(sys.executable).resolve()


@pytest.mark.parametrize(
    ("python", "needs"),
    [
        (("/home/x/.pyenv/versions/3.12.1/bin/python3", (3, 12), TK_LIBRARY, True), ["libtk8.6"]),
        (("/home/x/.pyenv/versions/3.12.1/bin/python3", (3, 12), "No module named '_tkinter'", True), []),
        (("/usr/bin/python3.99", (3, 99), "No module named 'tkinter'", True), ["tkinter-3.99"]),
        (("/usr/bin/python3.99", (3, 99), "No module named 'tkinter'", False), ["tkinter-3.99", "venv-3.99"]),
    ],
)
def test_needs_are_the_smallest_that_help(python, needs):
    assert pythons.Python(*python).needs() == needs


def test_package_names_are_those_of_the_distribution():
    names = system_packages.package_names
    assert names("apt-get", ["tkinter", "venv", "xclip"]) == ["python3-tk", "python3-venv", "xclip"]
    assert names("apt-get", ["tkinter-3.12", "venv-3.12"]) == ["python3.12-tk", "python3.12-venv"]
    assert names("dnf", ["tkinter-3.12", "xvfb"]) == ["python3-tkinter", "xorg-x11-server-Xvfb"]
    assert names("pacman", ["tkinter", "libtk8.6"]) == ["tk"]


# an old Python


def test_an_old_python_hands_over_to_a_newer_one(fake_python, monkeypatch):
    monkeypatch.setattr(old_python, "candidates", lambda: [[str(fake_python("python3", (3, 8)))], [str(fake_python())]])
    monkeypatch.setattr(sys, "argv", ["bootstrap.py", "run", "--yes"])
    calls = []
    monkeypatch.setattr(os, "execv", lambda path, line: calls.append(line) or (_ for _ in ()).throw(SystemExit))
    with pytest.raises(SystemExit):
        old_python.go_on_with_a_newer_python()
    assert [Path(calls[0][0]).name, *calls[0][2:]] == ["python3.12", "run", "--yes"]
    assert os.path.isabs(calls[0][1])


def test_an_old_python_alone_gets_a_sentence(fake_python, monkeypatch, capsys):
    monkeypatch.setattr(old_python, "candidates", lambda: [[str(fake_python("python3", (3, 8)))]])
    with pytest.raises(SystemExit) as end:
        old_python.go_on_with_a_newer_python()
    assert end.value.code == 1
    assert "needs Python 3.11 or newer" in capsys.readouterr().err


def test_no_new_python_at_all_gets_a_sentence(project, fake_python, only, capsys):
    only(fake_python("python3", (3, 10)))
    assert command.main(["run", "doctor"]) == 1
    assert "needs Python 3.11 or newer" in capsys.readouterr().err


OLD = sorted(Path.home().glob(".pyenv/versions/[23].[678].*/bin/python"))


@pytest.mark.skipif(not OLD, reason="no old Python here")
def test_real_old_pythons_start_the_file():
    for old in OLD:
        result = subprocess.run([old, PACKAGING / "bootstrap.py", "--help"], capture_output=True, text=True)
        assert "SyntaxError" not in result.stderr
        assert "Python 3.11" in result.stderr or "--soak" in result.stdout


# .venv and its stamp


def test_the_first_run_installs_and_the_second_calls_nothing(project, programs, fake_python, only, started):
    only(fake_python())
    with pytest.raises(SystemExit):
        command.main(["run", "ask", "a b", "--yes"])
    pips = pip_calls(programs)
    assert len(pips) == 1
    assert "--require-hashes" in pips[0] and "--no-deps" in pips[0] and "lock-test.txt" not in pips[0]
    before = len(programs.calls())
    with pytest.raises(SystemExit):
        command.main(["run", "ask", "c"])
    assert len(programs.calls()) == before + 1  # the Python of .venv is asked for its version, no more
    assert started[0][0][1:] == ["-P", "-m", "metona_tk", "ask", "a b", "--yes"]
    assert started[1][0][0] == str(project / ".venv/bin/python")
    assert started[0][1]["PYTHONPATH"].split(os.pathsep)[0] == str(project)


def test_tests_add_their_own_lock_to_the_same_environment(project, programs, fake_python):
    python = pythons.ask([str(fake_python())])
    environment.Environment(project, ("lock.txt",)).build(python)
    both = environment.Environment(project, ("lock.txt", "lock-test.txt"))
    assert not both.ready()
    both.build(python)
    assert "lock-test.txt" in pip_calls(programs)[1] and "lock.txt" not in pip_calls(programs)[1]
    assert both.ready() and environment.Environment(project, ("lock.txt",)).ready()


def test_a_changed_lock_installs_again_and_forgets_the_tests(project, programs, fake_python):
    python = pythons.ask([str(fake_python())])
    both = environment.Environment(project, ("lock.txt", "lock-test.txt"))
    both.build(python)
    (project / "packaging/lock.txt").write_text("newer")
    plain = environment.Environment(project, ("lock.txt",))
    assert not plain.ready()
    plain.build(python)
    assert plain.ready() and not both.ready()
    assert sum("-m venv" in line for line in programs.calls()) == 1


def damaged_stamp(venv):
    (venv / "metona-tk.json").write_text('{"python": [3')


def no_stamp(venv):
    (venv / "metona-tk.json").unlink()
    (venv / "bin" / "leftover").touch()


def no_python(venv):
    (venv / "bin" / "python").unlink()


def other_python(venv):
    file = venv / "bin" / "python"
    file.write_text(file.read_text().replace("[3, 12]", "[3, 13]"))


@pytest.mark.parametrize("damage", [damaged_stamp, no_stamp, no_python, other_python])
def test_a_half_made_or_orphaned_environment_is_made_anew(project, programs, fake_python, damage):
    python = pythons.ask([str(fake_python())])
    made = environment.Environment(project, ("lock.txt",))
    made.build(python)
    damage(made.folder)
    assert not made.ready()
    made.build(python)
    assert made.ready() and not (made.folder / "bin" / "leftover").exists()
    assert sum("-m venv" in line for line in programs.calls()) == 2


def test_a_failed_addition_leaves_the_program_usable(project, fake_python, tmp_path):
    plain = environment.Environment(project, ("lock.txt",))
    plain.build(pythons.ask([str(fake_python())]))
    broken = fake_python("python", pip_says="Network is unreachable", pip_code=1, to=plain.folder / "bin")
    both = environment.Environment(project, ("lock.txt", "lock-test.txt"))
    with pytest.raises(words.Stop):
        both.build(pythons.ask([str(broken)]))
    assert plain.ready() and not both.ready()


def test_a_second_bootstrap_waits_for_the_first(project, fake_python, capsys):
    python = pythons.ask([str(fake_python())])
    made = environment.Environment(project, ("lock.txt",))
    with environment.alone(project / "packaging/bootstrap.py"):
        second = threading.Thread(target=made.build, args=(python,))
        second.start()
        time.sleep(0.3)
        assert not made.folder.exists()
    second.join(5)
    assert made.ready()
    assert "Waiting" in capsys.readouterr().err


# what is said when it cannot go on


@pytest.mark.parametrize(
    ("pip_says", "sentence"),
    [
        ("WARNING: Retrying ... [Errno -3] Temporary failure in name resolution", "network cannot be reached"),
        ("Failed to establish a new connection: [Errno 111] Connection refused", "network cannot be reached"),
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "no space left"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "hash differs"),
        ("ERROR: [Errno 13] Permission denied: x", "may not write"),
        ("ERROR: something new", "It said: ERROR: something new"),
    ],
)
def test_a_failed_installation_says_why(project, fake_python, only, capsys, pip_says, sentence, started):
    only(fake_python(pip_says=pip_says, pip_code=1))
    assert command.main(["run", "models"]) == 1
    said = capsys.readouterr().err
    assert sentence in said and "Traceback" not in said and not started
    assert not (project / ".venv/metona-tk.json").exists()


@pytest.mark.parametrize(
    ("number", "sentence"), [(13, "may not write"), (30, "may not write"), (28, "no space left"), (5, "said: ")]
)
def test_an_error_of_the_file_system_says_why(project, monkeypatch, capsys, number, sentence):
    def fail(*_):
        raise OSError(number, "some words")

    monkeypatch.setattr(command, "prepare", fail)
    assert command.main(["run", "doctor"]) == 1
    assert sentence in capsys.readouterr().err


def test_a_full_disk_is_named_even_if_the_tool_is_silent(monkeypatch, tmp_path):
    monkeypatch.setattr(words, "SPACE_NEEDED", 1 << 62)
    assert words.reason("Error: returned non-zero exit status 1.", tmp_path) == words.NO_SPACE


def test_control_c_is_no_traceback(project, monkeypatch, capsys):
    monkeypatch.setattr(command, "prepare", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    assert command.main(["run", "doctor"]) == 130
    assert "Stopped" in capsys.readouterr().err


@pytest.mark.parametrize(("platform", "words_"), [("darwin", "brew install python-tk"), ("win32", "tcl/tk and IDLE")])
def test_without_packages_the_advice_is_that_of_the_platform(monkeypatch, platform, words_):
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(words.Stop, match=words_):
        command.repair([pythons.Python("/opt/python3", (3, 13), "No module named '_tkinter'")])


# the files themselves


@pytest.mark.parametrize("name", ["lock.txt", "lock-test.txt", "lock-build.txt"])
def test_locks_hold_hashes_and_no_address(name):
    text = (PACKAGING / name).read_text()
    assert not any(word in text for word in ("http:", "https:", "file:", "--index", "--find-links", " @ "))
    for entry in text.replace("\\\n", "").splitlines():
        assert "==" in entry and "--hash=sha256:" in entry


@pytest.mark.parametrize("other", ["lock-test.txt", "lock-build.txt"])
def test_locks_of_one_environment_agree(other):
    locks = [(PACKAGING / name).read_text() for name in ("lock.txt", other)]
    pins = [dict(line.split(" ")[0].split("==") for line in lock.splitlines() if "==" in line) for lock in locks]
    assert all(pins[1].get(name, version) == version for name, version in pins[0].items())
