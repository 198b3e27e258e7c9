"""What the executables hold and what they leave out: the pure part of `metona-tk.spec`."""

import importlib.util
import os
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

Collected = "tuple[str, str, str]"  # (name in the program, file on this machine, PyInstaller's type)

# What is imported by its name at run time, so that no import statement tells of it.
BY_NAME = ("re2", "send2trash.plat_other")
# Of the icon in the tray, which one system has and another has not.
TRAY = {
    "linux": (
        "pynput.keyboard._xorg",
        "pynput.mouse._xorg",
        "pystray._gtk",
        "pystray._appindicator",
        *(f"gi.repository.{name}" for name in ("Gtk", "Gdk", "GdkPixbuf", "GLib", "GObject", "Gio", "DBus")),
        "gi.repository.AyatanaAppIndicator3",
        "gi.repository.AppIndicator3",
    ),
    "win32": ("pystray._win32",),
    "darwin": ("pystray._darwin",),
}
TRAY_EVERYWHERE = ("pystray", "pystray._util", "PIL.Image", "PIL.PngImagePlugin", "PIL.IcoImagePlugin")
NOTIFICATIONS = "desktop_notifier"
NEVER = (
    *("pytest", "_pytest", "hypothesis", "coverage", "babel", "PyInstaller", "_pyinstaller_hooks_contrib"),
    *("setuptools", "pkg_resources", "pip", "wheel", "ensurepip", "venv", "distutils", "lib2to3"),
    *("test", "tkinter.test", "idlelib", "turtle", "turtledemo", "pydoc_data", "numpy", "IPython"),
    *("PIL.ImageQt", "PIL.ImageShow", "PIL._avif", "PIL._webp", "PIL._imagingcms", "PIL._imagingft"),
    *("PIL._imagingmath", "PIL.AvifImagePlugin", "PIL.WebPImagePlugin", "pystray._xorg"),
)
# PyInstaller leaves these to the host for the sake of its graphics drivers, which nothing here draws with. Where they
# are missing GTK does not even load, and Tk neither.
LEFT_TO_THE_HOST = (
    *("libxcb.so.1", "libwayland-client.so.0", "libwayland-cursor.so.0", "libwayland-egl.so.1"),
    "libcrypt.so.1",
)
# Hooks that point GTK's variables into the program, in every process and what it starts. Here the icon's alone is
# pointed there, by `gtk_places.py`.
HOOKS_FOR_EVERYBODY = frozenset(f"pyi_rth_{name}" for name in ("gi", "gio", "glib", "gtk", "gdkpixbuf"))
_UNUSED = re.compile(
    r"share/(icons|themes|locale|mime|fontconfig)/"
    r"|lib/gdk-pixbuf/|gio_modules/"  # PNG is built in; the modules are for networks and settings
    r"|(_tcl_data|tcl/tcl8\.\d)/(tzdata|opt0)|_tk_data/(demos|images)/|tcl8/8\.\d/(tcltest|http)"
    r"|lib(rsvg|icu(data|uc|i18n)|xml2|tiff|jbig|webp|deflate|Lerc|lzma_unused)[-.\d]"
    r"|customtkinter/assets/icons/.*\.(ico|icns)$"
    r"|.*\.dist-info/(RECORD|INSTALLER|WHEEL|direct_url\.json|REQUESTED)$"
)


def is_there(package: str) -> bool:
    """Whether a package can be imported here."""
    return importlib.util.find_spec(package) is not None


def hidden(platform: str = sys.platform, there: "Callable[[str], bool]" = is_there) -> "list[str]":
    """Modules that are to be bundled though no import statement names them; of the tray's, those that are there."""
    tray = [name for name in (*TRAY_EVERYWHERE, *TRAY.get(platform, TRAY["linux"])) if there(name.split(".")[0])]
    notifications = [NOTIFICATIONS] if there(NOTIFICATIONS) else []
    return [*BY_NAME, *tray, *notifications]


def wanted(collected: "Iterable[Collected]") -> "list[Collected]":
    """Of what PyInstaller collected, what the program uses."""
    return [entry for entry in collected if not _UNUSED.match(entry[0].replace(os.sep, "/"))]


def without_hooks(scripts: "Iterable[Collected]") -> "list[Collected]":
    """The scripts that run at the start, without those that would set GTK up for every process."""
    return [entry for entry in scripts if entry[0] not in HOOKS_FOR_EVERYBODY]


def data_files(root: Path) -> "list[tuple[str, str]]":
    """The program's own files that are no modules: (file, folder in the program)."""
    patterns = ("i18n/locale/*/LC_MESSAGES/*.mo", "ui/icon_sheets/*.png", "ui/fonts.conf", "database/migrations/*.sql")
    files = [file for pattern in patterns for file in sorted((root / "metona_tk").glob(pattern))]
    icons = sorted((root / "assets" / "icons").rglob("*.png"))
    found = [(str(file), file.parent.relative_to(root).as_posix()) for file in files]
    return found + [(str(file), "metona_tk/" + file.parent.relative_to(root).as_posix()) for file in icons]


def version_numbers(version: str) -> "tuple[int, int, int, int]":
    """A version as Windows writes it: 1.2.3rc1 is (1, 2, 3, 0)."""
    numbers = [int(number) for number in re.findall(r"\d+", re.split(r"[a-z+]", version)[0])]
    one, two, three, *_ = [*numbers, 0, 0, 0]
    return one, two, three, 0
