"""The command line of `bootstrap.py`: prepares what is missing, then becomes the program or runs its tests."""

import contextlib
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from . import display, pythons, system_packages
from .environment import Environment
from .words import Stop, reason_of, say

ROOT = Path(__file__).resolve().parents[2]
MOST_WORKERS = 4  # a worker with its windows takes up to 300 MB
HELP = """\
python3 packaging/bootstrap.py [--yes] run [ARGUMENTS]            starts Metona TK; ARGUMENTS go to the program
python3 packaging/bootstrap.py [--yes] test [--soak] [ARGUMENTS]  runs the tests; ARGUMENTS go to pytest

The first time, it makes .venv in the project's folder and downloads what is needed; after that it starts at once.
--yes   install missing packages of the system (apt) without asking. It stands before run or test: behind them,
        every argument belongs to the program, which has a --yes of its own.
--soak  also run the long tests (about half an hour).
Tests run in the project's folder, so their paths start there; the program keeps the folder that you are in.
"""


@dataclass(frozen=True, slots=True)
class Line:
    """The command line, taken apart: `command` is run, test or help."""

    command: str
    arguments: list[str]
    yes: bool = False
    soak: bool = False


def parse(words: list[str]) -> Line:
    """Take the command line apart. All behind `run` is the program's, so nothing is looked for there."""
    yes = False
    while words and words[0].startswith("-"):
        if words[0] in {"-h", "--help"}:
            return Line("help", [])
        if words[0] != "--yes":
            raise Stop(f"{words[0]} is not an option of bootstrap.py. See: python3 packaging/bootstrap.py --help")
        yes, words = True, words[1:]
    if not words or words[0] not in {"run", "test"}:
        raise Stop("Say what to do: run or test. See: python3 packaging/bootstrap.py --help")
    command, arguments = words[0], words[1:]
    if command == "run":
        return Line(command, arguments, yes)
    soak = "--soak" in arguments
    return Line(command, [word for word in arguments if word != "--soak"], yes, soak)


def main(words: list[str]) -> int:
    """Do what the command line says; the exit code. Whatever is in the way is told in a sentence or two, code 1."""
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        signal.signal(number, lambda received, _frame: sys.exit(128 + received))
    try:
        line = parse(words)
        if line.command == "help":
            sys.stdout.write(HELP)
            return 0
        return run(line) if line.command == "run" else test(line)
    except Stop as stop:
        say(str(stop))
    except OSError as error:
        say(f"Metona TK could not be started. {reason_of(error)}")
    except KeyboardInterrupt:
        say("\nStopped. Start it again to go on; what was half done is made anew.")
        return 130
    return 1


def run(line: Line) -> int:
    """Become the program, so that signals and the exit code are its own; its folder stays the one the user is in."""
    if display.wants_window(line.arguments) and not display.is_there():
        raise Stop(
            "There is no screen here (DISPLAY is not set), so no window can be opened. Without a window:\n"
            '  python3 packaging/bootstrap.py run ask --folder FOLDER "your question"'
        )
    python = prepare(Environment(ROOT, ("lock.txt",)), [], line.yes)
    # -P: the folder that the user is in may hold a json.py of anyone; it must not be imported
    command = [str(python), "-P", "-m", "metona_tk", *line.arguments]
    if os.name == "posix":
        sys.stderr.flush()
        os.execve(command[0], command, child_environment())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the program itself
    return subprocess.call(command, env=child_environment())


def test(line: Line) -> int:
    """Run the tests in the project's folder; pytest's exit code.

    They get screens of their own where that can be had, so that nobody's typing disturbs them. All of them together run
    side by side, each worker on its own screen: two windows on one would take the focus from each other.
    """
    lacking = display.needs()
    needs = [] if display.is_there() else lacking
    own = not display.is_there() or (sys.platform.startswith("linux") and not lacking)
    workers = 1 if line.arguments or not own else min(os.cpu_count() or 1, MOST_WORKERS)
    python = prepare(Environment(ROOT, ("lock.txt", "lock-test.txt")), needs, line.yes)
    environment = child_environment()
    chosen = [] if line.soak else ["-m", "not soak"]
    if line.soak:
        environment["METONA_TK_SOAK"] = "1"
    beside = ["-n", str(workers), "--dist", "loadfile"] if workers > 1 else []
    command = [str(python), "-m", "pytest", *beside, *chosen, *line.arguments]
    with contextlib.ExitStack() as stack:
        screens = [stack.enter_context(display.own_screen()) for _ in range(workers if own else 0)]
        if screens:
            environment["DISPLAY"] = screens[0]
            environment["METONA_TK_SCREENS"] = " ".join(screens)  # tests/conftest.py takes one for each worker
            environment.pop("WAYLAND_DISPLAY", None)
        return watch(subprocess.Popen(command, cwd=ROOT, env=environment))


def watch(tests: "subprocess.Popen[bytes]") -> int:
    """Wait for the tests; after Ctrl+C they get 3 s to end by themselves, then are told to."""
    try:
        return tests.wait()
    except KeyboardInterrupt:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return tests.wait(3)
        tests.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return tests.wait(10)
        return 130
    finally:
        display.end(tests)


def prepare(environment: Environment, needs: list[str], yes: bool) -> Path:
    """Install what is missing, of the system's packages and of `.venv`; the Python to start. Asks at most once."""
    python = None
    ready = environment.ready()
    if not ready:
        python, lacking = pythons.choose()
        if python is None:
            needs = needs + repair(lacking)
    if needs:
        system_packages.install(needs, yes)
    if not ready and not environment.ready():
        python = python or pythons.choose()[0]
        if python is None:
            raise Stop("Python still cannot use tkinter or venv after the installation. " + tk_advice())
        environment.build(python)
    return environment.python


def repair(lacking: list[pythons.Python]) -> list[str]:
    """What the system needs so that one of these Pythons works; Stop with advice where packages cannot help."""
    if not lacking:
        raise Stop(
            "Metona TK needs Python 3.11 or newer, and none was found. Install one from "
            "https://www.python.org/downloads/ or with your package manager, then start it again."
        )
    for python in lacking:
        if sys.platform == "linux" and python.needs():
            return python.needs()
    version = ".".join(map(str, lacking[0].version))
    raise Stop(f"Python {version} is here ({lacking[0].path}), but tkinter or venv does not work in it. " + tk_advice())


def tk_advice() -> str:
    """What to install by hand for a Python with tkinter on this system."""
    if sys.platform == "darwin":
        return "Install Python from https://www.python.org/downloads/ , or with Homebrew: brew install python-tk@3.13"
    if sys.platform == "win32":
        return (
            "Install Python from https://www.python.org/downloads/ and leave 'tcl/tk and IDLE' ticked "
            "(Python's installer, Modify, adds it later)."
        )
    tool = system_packages.manager()
    if tool is None:
        return "Install your system's package for tkinter (often python3-tk), or a Python that was built with it."
    names = system_packages.package_names(tool, ["tkinter", "venv"])
    return f"Install your system's own: sudo {tool} {system_packages.VERBS[tool]} python3 {' '.join(names)}".replace(
        "pacman -S python3", "pacman -S python"
    )


def child_environment() -> dict[str, str]:
    """The environment for the program: it is found through PYTHONPATH, since it is not installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONHOME"}
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    return environment
