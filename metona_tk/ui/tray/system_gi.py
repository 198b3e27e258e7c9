"""Finds the system's own PyGObject for a Python that has none, as in a virtual environment."""

from __future__ import annotations

import glob
import importlib.util
import os
import sys
import sysconfig

PLACES = ("/usr/lib/python3/dist-packages", "/usr/lib/python3.*/site-packages", "/usr/lib64/python3.*/site-packages")


def find() -> str | None:
    """The folder to be put behind all others in sys.path; "" where gi is there already, None where there is none.

    Only one that was built for this very Python: its modules in C would not load, or worse, would.
    """
    if importlib.util.find_spec("gi") is not None:
        return ""
    tag = sysconfig.get_config_var("SOABI")
    if not tag or not sys.platform.startswith("linux"):
        return None
    for pattern in PLACES:
        for folder in sorted(glob.glob(pattern)):
            if os.path.exists(os.path.join(folder, "gi", f"_gi.{tag}.so")):
                return folder
    return None
