"""Whether a command needs a screen, and a screen of its own (Xvfb) for the tests where there is none."""

import contextlib
import glob
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Generator

from .words import Stop

WITHOUT_WINDOW = {"ask", "tools", "log", "undo", "redo", "doctor", "models", "export"}
PROGRAMS = {
    "xvfb": "Xvfb",
    "xdotool": "xdotool",
    "openbox": "openbox",
    "imagemagick": "import",
    "xclip": "xclip",
    "trayer": "trayer",
    "dunst": "dunst",
    "dbus": "dbus-run-session",
}
FILES = {
    "cjk-fonts": ["/usr/share/fonts/**/NotoSans*CJK*"],
    "gi": ["/usr/lib*/python3*/*-packages/gi/_gi.*"],
    "gtk-typelib": ["/usr/lib*/girepository-1.0/Gtk-3.0.typelib", "/usr/lib/*/girepository-1.0/Gtk-3.0.typelib"],
}


def wants_window(arguments: list[str]) -> bool:
    """Whether the program opens a window when it is started with `arguments`."""
    if arguments and not arguments[0].startswith("-"):
        return "--window" in arguments
    if {"-h", "--help", "--version"} & set(arguments):
        return False
    return not WITHOUT_WINDOW & set(arguments) or "--window" in arguments


def is_there() -> bool:
    """Whether Tk can open a window: on Linux it speaks X11 only, so WAYLAND_DISPLAY alone does not help."""
    return sys.platform in {"win32", "darwin", "cygwin"} or bool(os.environ.get("DISPLAY"))


def needs() -> list[str]:
    """What the tests' own screen lacks here, in the words of `system_packages.NAMES`."""
    lacking = [need for need, program in PROGRAMS.items() if not shutil.which(program)]
    return lacking + [
        need for need, places in FILES.items() if not any(glob.glob(place, recursive=True) for place in places)
    ]


@contextlib.contextmanager
def own_screen() -> Generator[str, None, None]:
    """Start Xvfb on a free number and a window manager on it; gives DISPLAY. Both end with the block."""
    with contextlib.ExitStack() as stack:
        reading, writing = os.pipe()
        stack.callback(os.close, reading)
        size = ["-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset"]
        try:
            start(stack, ["Xvfb", "-displayfd", str(writing), *size], pass_fds=(writing,))
        finally:
            os.close(writing)
        display = ":" + number_from(reading)
        start(stack, ["openbox", "--sm-disable"], env=os.environ | {"DISPLAY": display})
        yield display


def start(stack: contextlib.ExitStack, command: list[str], **options: object) -> None:
    """Start a quiet process that ends with `stack`; in a session of its own, so that Ctrl+C first ends the tests."""
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, start_new_session=True, **quiet, **options)  # type: ignore[call-overload]
    stack.callback(end, process)


def number_from(descriptor: int) -> str:
    """The display number that Xvfb writes when it is ready; Stop if that does not come within 20 s."""
    text = b""
    while not text.endswith(b"\n"):
        if not select.select([descriptor], [], [], 20)[0]:
            raise Stop("The screen for the tests (Xvfb) did not start within 20 seconds. Try it again.")
        piece = os.read(descriptor, 64)
        if not piece:
            raise Stop("The screen for the tests (Xvfb) did not start. Run Xvfb :99 to see what it says.")
        text += piece
    return text.decode().strip()


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a process that we started and wait for it; by force after 5 s."""
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
