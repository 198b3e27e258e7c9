"""Installs what comes from the system: Tk, venv and the tools of the tests. Only apt is driven."""

import glob
import os
import shutil
import subprocess
import sys
from pathlib import Path

from .words import Stop, reason, say

LISTS = "/var/lib/apt/lists/*Packages*"
NAMES: dict[str, dict[str, str]] = {
    "apt-get": {
        "tkinter": "python3-tk",
        "venv": "python3-venv",
        "xvfb": "xvfb",
        "imagemagick": "imagemagick",
        "cjk-fonts": "fonts-noto-cjk",
        "gi": "python3-gi",
        "gtk-typelib": "gir1.2-gtk-3.0",
        "appindicator-typelib": "gir1.2-ayatanaappindicator3-0.1",
    },
    "dnf": {
        "tkinter": "python3-tkinter",
        "venv": "python3",
        "libtk8.6": "tk",
        "xvfb": "xorg-x11-server-Xvfb",
        "imagemagick": "ImageMagick",
        "cjk-fonts": "google-noto-sans-cjk-fonts",
        "dbus": "dbus-daemon",
        "gi": "python3-gobject-base",
        "gtk-typelib": "gtk3",
        "appindicator-typelib": "libayatana-appindicator-gtk3",
    },
    "pacman": {
        "tkinter": "tk",
        "venv": "python",
        "libtk8.6": "tk",
        "xvfb": "xorg-server-xvfb",
        "cjk-fonts": "noto-fonts-cjk",
        "gi": "python-gobject",
        "gtk-typelib": "gtk3",
        "appindicator-typelib": "libayatana-appindicator",
    },
    "zypper": {
        "tkinter": "python3-tk",
        "venv": "python3",
        "libtk8.6": "tk",
        "xvfb": "xorg-x11-server-Xvfb",
        "imagemagick": "ImageMagick",
        "cjk-fonts": "google-noto-sans-cjk-fonts",
        "dbus": "dbus-1-daemon",
        "gi": "python3-gobject",
        "gtk-typelib": "typelib-1_0-Gtk-3_0",
        "appindicator-typelib": "typelib-1_0-AyatanaAppIndicator3-0_1",
    },
}
VERBS = {"apt-get": "install", "dnf": "install", "pacman": "-S", "zypper": "install"}


def manager() -> str | None:
    """The package manager of this Linux, None where there is none that we know."""
    return next((name for name in NAMES if shutil.which(name)), None)


def package_names(tool: str, needs: list[str]) -> list[str]:
    """The packages of `tool` for needs such as `tkinter`, `venv-3.12`, `libtk8.6` or `xclip`."""
    names: list[str] = []
    for need in needs:
        kind, _, version = need.partition("-3.")
        if tool == "apt-get" and version:
            names.append(f"python3.{version}-{'tk' if kind == 'tkinter' else kind}")
        else:
            names.append(NAMES[tool].get(need) or NAMES[tool].get(kind, need))
    return list(dict.fromkeys(names))


def install(needs: list[str], yes: bool) -> None:
    """Install what `needs` names, at once as root, else with sudo once the user agrees."""
    tool = manager()
    if tool is None:
        raise Stop(f"Something is missing on this system: {', '.join(needs)}. Install it, then start it again.")
    names = package_names(tool, needs)
    root = os.geteuid() == 0
    by_hand = " ".join([*([] if root or not shutil.which("sudo") else ["sudo"]), tool, VERBS[tool], *names])
    if tool != "apt-get":
        raise Stop(f"Packages of the system are missing. Install them, then start it again:\n  {by_hand}")
    prefix = [] if root else allowed_prefix(by_hand, yes)
    say(f"Installing packages of the system: {' '.join(names)} ...")
    output = apt(prefix, names)
    if output:
        raise Stop(f"The system's packages could not be installed. {reason(output, Path('/var'))}\n  {by_hand}")


def allowed_prefix(by_hand: str, yes: bool) -> list[str]:
    """How to become root: `sudo` after a yes. With nobody to ask, the command is only named."""
    sudo = shutil.which("sudo")
    terminal = sys.stdin.isatty() and sys.stderr.isatty()
    if not sudo or not (yes or terminal):
        who = "as root" if not sudo else "(or start this again with --yes before the command)"
        raise Stop(f"Packages of the system are missing. Install them {who}, then start it again:\n  {by_hand}")
    if not yes:
        sys.stderr.write(f"Packages of the system are missing. Run this now?\n  {by_hand}\n[Y/n] ")
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower() not in {"", "y", "yes"}:
            raise Stop(f"Nothing was installed. When you like, run this and start it again:\n  {by_hand}")
    return [sudo] if terminal else [sudo, "-n"]


def apt(prefix: list[str], names: list[str]) -> str:
    """Install with apt-get, updating its lists where they are missing or too old; "" or what it said."""
    base = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C", "apt-get", "-o", "DPkg::Lock::Timeout=120"]
    update, fetch = [*base, "update"], [*base, "install", "-y", "--no-install-recommends", *names]
    said = "" if glob.glob(LISTS) else run(update)[1]
    updated = bool(said)
    code, output = run(fetch)
    if code and not (updated or "Could not get lock" in output or "sudo:" in output):
        said = run(update)[1]  # its code says nothing: it is 0 even where no server answered
        code, output = run(fetch)
    return output + said if code else ""


def run(command: list[str]) -> tuple[int, str]:
    """Run one command; its code and all that it printed (never nothing)."""
    result = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False
    )
    return result.returncode, result.stdout or f"code {result.returncode}"
