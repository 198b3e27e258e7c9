"""Checks that a built program runs: python3 packaging/self_check.py PROGRAM [--tray]

It works by itself, in a home of its own, with a scripted server, and with nothing on PATH that could stand in for what
is to be bundled. A line for each check; exit code 1 if one failed. --tray: the icon must work, too.
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bootstrap_steps import display

sys.path.insert(1, str(Path(__file__).resolve().parents[1]))

from tests.fakes.ollama import ScriptedServer, calls, text  # noqa: E402

TOOLS = (
    *("append_file", "copy_path", "create_directory", "delete_file", "edit_file", "list_directory", "move_path"),
    *("read_file", "search_files", "write_file"),
)
PATIENCE = 60.0  # s for one step; a slow disk and a virus scanner are no failure
BEFORE, AFTER = "before 之前\r\nno end".encode(), "after 之后\n"
NO_TRAY = "not in this program"


class Failed(Exception):
    """A check that failed, and why."""


class Program:
    """The built program, started with a home and a folder of its own."""

    def __init__(self, path: str, home: Path) -> None:
        self.path, self.home = path, home
        self.folder = home / "work 文件"
        self.folder.mkdir()
        (home / "empty").mkdir()

    def environment(self, **more: str) -> "dict[str, str]":
        """What it is started with."""
        own = {"METONA_TK_HOME": str(self.home / "own"), "PATH": str(self.home / "empty"), "LC_ALL": "C.UTF-8"}
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "_PYI", "OLLAMA"))}
        return {**kept, **own, **more}

    def run(self, *words: str, code: int = 0, **more: str) -> str:
        """Its standard output; Failed when it ends with another code."""
        done = subprocess.run(
            [self.path, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment(**more),
            timeout=PATIENCE,
            check=False,
        )
        if done.returncode != code:
            said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
            raise Failed(f"{words[0]} ended with {done.returncode}: {said[-400:]}")
        return done.stdout.decode("utf-8")

    def tool(self, name: str, *options: str, **arguments: str) -> "dict[str, object]":
        """Run one tool by hand; its result."""
        words = ("tools", "run", name, json.dumps(arguments), "--folder", str(self.folder), *options)
        result = json.loads(self.run(*words))
        if not result["success"]:
            raise Failed(f"{name}: {result['error']}")
        return result

    def checks(self) -> "list[dict[str, object]]":
        """What its doctor says, whose exit code is 1 without a server."""
        return json.loads(self.run("doctor", "--json", "--host", "127.0.0.1:1", code=1))["checks"]


def expect(true: object, otherwise: str) -> None:
    """Failed with a sentence where something is not so."""
    if not true:
        raise Failed(otherwise)


def version(program: Program) -> str:
    """It starts at all."""
    said = program.run("--version").strip()
    expect(said.startswith("Metona TK "), f"it says {said!r}")
    return said


def tools(program: Program) -> str:
    """They are found by their modules, which a program in one piece could lack."""
    names = [line.split()[0] for line in program.run("tools", "list").splitlines()]
    expect(sorted(names) == sorted(TOOLS), f"it lists {', '.join(names)}")
    return f"{len(names)} tools"


def search(program: Program) -> str:
    """With nothing on PATH, only the bundled ripgrep can find it."""
    (program.folder / "letter.txt").write_text("a needle, 一根针\n", "utf-8")
    for query in ("needle", "一根针"):
        found = json.dumps(program.tool("search_files", path=".", query=query))
        expect("letter.txt" in found, f"{query} was not found: {found[:300]}")
    said = [str(check["detail"]) for check in program.checks() if "ripgrep" in str(check["detail"])]
    expect(said and said[0].startswith("ripgrep "), "the doctor does not find it")
    return said[0]


def store(program: Program) -> str:
    """A change is done, logged and taken back, byte for byte."""
    file = program.folder / "changed.txt"
    file.write_bytes(BEFORE)
    program.tool("write_file", "--yes", path="changed.txt", content=AFTER)
    expect(AFTER.strip() in file.read_text("utf-8"), "the file was not written")
    expect("write_file" in program.run("log", "--json"), "the log does not have it")
    program.run("undo")
    expect(file.read_bytes() == BEFORE, f"after undo it holds {file.read_bytes()!r}")
    program.tool("create_directory", "--yes", path="新文件夹")
    program.run("undo")
    expect(not (program.folder / "新文件夹").exists(), "the folder is still there")
    return "written, logged, undone"


def languages(program: Program) -> str:
    """Both catalogues are there."""
    english, chinese = program.run("--help"), program.run("--help", LC_ALL="zh_CN.UTF-8")
    expect("undo what" in english or "list the" in english, "the help is not English")
    expect(any("\u4e00" <= char <= "\u9fff" for char in chinese), "the help has no Chinese in it")
    return "English and Chinese"


def ask(program: Program) -> str:
    """A question is answered by way of a tool."""
    (program.folder / "lease.txt").write_text("The rent is 850.\n")
    with ScriptedServer(calls(("read_file", {"path": "lease.txt"})), text("It is 850", ".")) as server:
        folder, host = str(program.folder), server.address
        said = program.run("ask", "How much is the rent?", "--folder", folder, "--host", host)
        expect("It is 850." in said, f"the answer is {said!r}")
        told = json.dumps(server.chats[-1]["messages"][-1])
    expect("The rent is 850." in told, "the model did not get what the tool read")
    return "answered with a tool call"


def window(program: Program) -> str:
    """It is shown, and ends when it is closed."""
    settings = program.home / "own" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text('{"tray": false}')
    begun = time.perf_counter()
    with started(program, METONA_TK_ANNOUNCE_READY="1", OLLAMA_HOST="127.0.0.1:1") as process:
        if not ready(process):
            raise Failed(f"it did not say READY: {ended(process)}")
        took = time.perf_counter() - begun
        if not shutil.which("xdotool") or not sys.platform.startswith("linux"):
            return f"READY after {took:.2f} s; nothing here looks at it or closes it"
        found = xdotool("search", "--sync", "--onlyvisible", "--name", "^Metona$").split()
        expect(found, "no window has its title")
        xdotool("windowfocus", "--sync", found[0], "key", "ctrl+q")
        try:
            code = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Failed("it did not end when it was closed") from None
        expect(code == 0, f"it ended with {code}")
    return f"READY after {took:.2f} s, seen, closed"


def tray(program: Program) -> str:
    """What its doctor finds out about an icon."""
    found = [check for check in program.checks() if check["name"] == "tray"]
    return f"{'works' if found[0]['ok'] else 'no icon here'}: {found[0]['detail']}" if found else NO_TRAY


def working_tray(program: Program) -> str:
    """The same, where it has to work."""
    said = tray(program)
    expect(said.startswith("works"), said)
    return said


@contextlib.contextmanager
def started(program: Program, **more: str) -> "Iterator[subprocess.Popen[bytes]]":
    """The program as a window, ended with the block, with all that it started."""
    process = subprocess.Popen(
        [windowed(program.path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=program.environment(**more),
        start_new_session=os.name == "posix",
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM) if os.name == "posix" else process.terminate()
        display.end(process)


def windowed(path: str) -> str:
    """The program that opens a window, beside the one for the command line that Windows has."""
    return path.replace("-cli.exe", ".exe")


def ready(process: "subprocess.Popen[bytes]") -> bool:
    """Whether it says READY, or closes its output before."""
    assert process.stdout is not None
    return any(line.strip() == b"READY" for line in process.stdout)


def ended(process: "subprocess.Popen[bytes]") -> str:
    """How a program ended that should be running."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        return f"it ended with {process.wait(5)}"
    return "it runs"


def xdotool(*words: str) -> str:
    """Its output; Failed when it finds nothing."""
    done = subprocess.run(["xdotool", *words], stdout=subprocess.PIPE, timeout=PATIENCE, check=False)
    return done.stdout.decode()


@contextlib.contextmanager
def screen() -> "Iterator[None]":
    """A screen of our own where one can be had, so that no other window is taken for the program's."""
    if not sys.platform.startswith("linux") or set(display.needs()) & {"xvfb", "openbox", "xdotool"}:
        yield
        return
    before = os.environ.get("DISPLAY")
    with display.own_screen() as own:
        os.environ["DISPLAY"] = own
        try:
            yield
        finally:
            os.environ.pop("DISPLAY") if before is None else os.environ.update(DISPLAY=before)


def check(name: str, work: "Callable[[Program], str]", program: Program) -> bool:
    """Do one check and print its line."""
    begun = time.perf_counter()
    try:
        said, well = work(program), True
    except Exception as error:  # a program that says what nobody expects has failed
        said, well = str(error) or type(error).__name__, False
    took = time.perf_counter() - begun
    sys.stdout.write(f"{'ok' if well else 'FAILED':<7}{took:7.2f} s  {name}: {said}\n")
    sys.stdout.flush()
    return well


def main(words: "list[str]") -> int:
    """Check the program; 0 when all is well."""
    parser = argparse.ArgumentParser(prog="self_check.py", description="Check that a built program runs.")
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("--tray", action="store_true", help="the icon in the tray must work")
    options = parser.parse_args(words)
    path = os.path.abspath(options.program)
    if not os.access(path, os.X_OK) or os.path.isdir(path):
        parser.error(f"{path} is no program")
    works = (version, tools, search, store, languages, ask, window, working_tray if options.tray else tray)
    with tempfile.TemporaryDirectory(prefix="metona-check-") as home, screen():
        program = Program(path, Path(home))
        results = [check(work.__name__.replace("_", " "), work, program) for work in works]
    return 0 if all(results) else 1


if __name__ == "__main__":
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
