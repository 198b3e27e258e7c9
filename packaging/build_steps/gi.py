"""Gives the build environment the system's `gi`, which the icon in the tray needs on Linux and pip can only compile.

Only `gi` is linked into it: with all of the system's packages the executables would hold whatever a machine has.
"""

import glob
import subprocess
from pathlib import Path

from bootstrap_steps import system_packages
from bootstrap_steps.words import Stop

FOLDERS = ("/usr/lib/python3/dist-packages", "/usr/lib*/python3.*/site-packages")
NEEDS = ("gi", "gtk-typelib", "appindicator-typelib")
# What the environment must be able to do; prints what it cannot.
_QUESTIONS = """
import sysconfig
try:
    import gi
except ImportError:
    raise SystemExit("gi " + sysconfig.get_config_var("SOABI"))
try:
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, DBus
except (ImportError, ValueError) as error:
    raise SystemExit("gtk-typelib " + str(error))
try:
    gi.require_version("AyatanaAppIndicator3", "0.1")
except ValueError as error:
    raise SystemExit("appindicator-typelib " + str(error))
"""


def find(abi: str, folders: "tuple[str, ...]" = FOLDERS) -> "Path | None":
    """The system's folder that holds a `gi` which a Python with this binary interface can load."""
    for pattern in folders:
        for folder in sorted(glob.glob(pattern)):
            if glob.glob(f"{glob.escape(folder)}/gi/_gi.{abi}*.so"):
                return Path(folder)
    return None


def fits(python: Path) -> bool:
    """Whether the system has a `gi` for this Python."""
    return find(facts(python)[0]) is not None


def link(source: Path, packages: Path) -> None:
    """Make `gi` and what tells its version seen in the folder of packages of an environment."""
    for found in [source / "gi", *source.glob("PyGObject-*"), *source.glob("pygobject-*")]:
        target = packages / found.name
        if target.is_symlink():
            target.unlink()
        target.symlink_to(found)


def provide(python: Path) -> None:
    """Let this Python of an environment import `gi` and GTK; Stop with what to install where it cannot be had."""
    abi, packages = facts(python)
    source = find(abi)
    if source:
        link(source, packages)
    done = subprocess.run([str(python), "-I", "-c", _QUESTIONS], stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise Stop(advice(done.stderr.strip().splitlines()[-1], system_packages.manager()))


def facts(python: Path) -> "tuple[str, Path]":
    """The binary interface of a Python, and the folder of its packages."""
    code = "import sysconfig as s; print(s.get_config_var('SOABI')); print(s.get_path('purelib'))"
    done = subprocess.run([str(python), "-I", "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    abi, packages = done.stdout.split("\n")[:2]
    return abi, Path(packages)


def advice(said: str, tool: "str | None") -> str:
    """What to do when the environment cannot show an icon, by what it said: what is missing, and why."""
    missing, _, reason = said.partition(" ")
    if missing not in NEEDS:
        return f"The executable would have no icon in the tray: {said}"
    names = " ".join(system_packages.package_names(tool, list(NEEDS))) if tool else "PyGObject, GTK 3 and AppIndicator"
    how = f"{tool} {system_packages.VERBS[tool]} {names}" if tool else f"install {names}"
    return f"The executable would have no icon in the tray ({missing}: {reason}). On this system: {how}"
