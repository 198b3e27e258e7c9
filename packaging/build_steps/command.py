"""The command line of `build.py`: the environment, the Python that is carried, and PyInstaller."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from bootstrap_steps import pythons
from bootstrap_steps.command import repair
from bootstrap_steps.environment import Environment
from bootstrap_steps.words import Stop, reason_of, say

from . import gi

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build"
LOCKS = ("lock.txt", "lock-build.txt")
KINDS = ("one-file", "one-folder")
LONG_AGO = "1577836800"  # 2020: the date in the files where neither the environment nor git tells one


def parse(words: "list[str]") -> "tuple[list[str], Path]":
    """The kinds to build, and where to put them."""
    parser = argparse.ArgumentParser(prog="build.py", description="Build the executables of this system.")
    kind = parser.add_mutually_exclusive_group()
    for name in KINDS:
        kind.add_argument("--" + name, action="store_const", const=[name], dest="kinds", help=f"only {name}")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="DIR", help="where to put them (dist)")
    found = parser.parse_args(words)
    return found.kinds or list(KINDS), Path(os.path.abspath(found.out))


def main(words: "list[str]") -> int:
    """Build; 0 when all are there."""
    kinds, out = parse(words)
    try:
        python = prepare()
        for kind in kinds:
            say(f"Building {out / kind} ...")
            build(python, kind, out / kind)
    except Stop as stop:
        say(str(stop))
    except OSError as error:
        say(f"The executables could not be built. {reason_of(error)}")
    else:
        return 0
    return 1


def prepare() -> Path:
    """The Python of the build environment, with all that is bundled."""
    environment = Environment(ROOT, LOCKS, "build/environment")
    WORK.mkdir(exist_ok=True)
    if not environment.ready():
        environment.build(base())
    if sys.platform.startswith("linux"):
        gi.provide(environment.python)
    return environment.python


def base() -> pythons.Python:
    """The Python that the executables carry: on Linux one that the system's gi fits, best the system's own."""
    found = list(pythons.found())
    complete = [python for python in found if python.complete and is_shared(python)]
    if not complete:
        lacking = [python for python in found if python.version >= pythons.OLDEST and not python.complete]
        raise Stop(f"No Python here can be carried by an executable. It lacks: {', '.join(repair(lacking))}.")
    if not sys.platform.startswith("linux"):
        return complete[0]
    return min(complete, key=lambda python: (not gi.fits(Path(python.path)), not is_systems(python)))


def is_shared(python: pythons.Python) -> bool:
    """Whether it has a shared library: without one PyInstaller has nothing to bundle on Linux."""
    if not sys.platform.startswith("linux"):
        return True
    code = "import sysconfig; raise SystemExit(not sysconfig.get_config_var('Py_ENABLE_SHARED'))"
    return not subprocess.run([python.path, "-I", "-c", code], check=False).returncode


def is_systems(python: pythons.Python) -> bool:
    """Whether it came with the system, whose builds are optimised and without what debuggers need."""
    return Path(python.path).resolve().parent == Path("/usr/bin")


def build(python: Path, kind: str, out: Path) -> None:
    """Run PyInstaller; Stop with the end of what it said when it fails."""
    spec = ROOT / "packaging" / "metona-tk.spec"
    places = ["--distpath", str(out), "--workpath", str(WORK / kind)]
    command = [str(python), "-I", "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", *places, str(spec)]
    done = subprocess.run(
        [*command, "--", "--" + kind],
        env=surroundings(dict(os.environ), committed()),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise Stop("PyInstaller failed:\n" + "\n".join(done.stdout.splitlines()[-15:]))


def surroundings(environment: "dict[str, str]", date: str) -> "dict[str, str]":
    """The environment for PyInstaller, in which the same sources give the same bytes; `date` in seconds."""
    kept = {name: value for name, value in environment.items() if not name.startswith(("PYTHON", "METONA_TK"))}
    fixed = {"PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8", "TZ": "UTC", "PYINSTALLER_CONFIG_DIR": str(WORK / "cache")}
    return {"SOURCE_DATE_EPOCH": date, **kept, **fixed}


def committed() -> str:
    """When the last change of the sources was committed, in seconds."""
    try:
        command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    except OSError:
        return LONG_AGO
    return done.stdout.strip() or LONG_AGO
