"""Runs first in the executable: shows GTK the libraries and descriptions that are bundled, in the icon's process alone.

In the window's process nothing is set, so that a program which the user opens from there finds its own.
"""

import os
import sys


def _show_gtk_its_places() -> None:
    inside = str(getattr(sys, "_MEIPASS", ""))
    os.environ["GI_TYPELIB_PATH"] = os.path.join(inside, "gi_typelibs")
    for name in ("GTK_DATA_PREFIX", "GTK_EXE_PREFIX", "GTK_PATH", "PANGO_LIBDIR", "GIO_MODULE_DIR"):
        os.environ[name] = inside
    os.environ["GDK_PIXBUF_MODULE_FILE"] = os.devnull  # the host's loaders belong to another GTK; PNG is built in


if sys.platform.startswith("linux") and sys.argv[1:2] == ["tray-icon"]:
    _show_gtk_its_places()
