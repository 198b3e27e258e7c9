"""The fonts that come with the toolkit, inside an executable: found where they are bundled when they cannot be copied.

CustomTkinter copies them into ~/.fonts, for fontconfig to find; that fails in a home that is read-only, and helps
nothing on a system that has no configuration of fontconfig at all. Counterpart: fonts.conf beside this module.
"""

from __future__ import annotations

import os
import sys

from metona_tk import places

SYSTEM = "/etc/fonts/fonts.conf"
COPIES = "~/.fonts"


def show_bundled() -> bool:
    """Point fontconfig to them where that is needed, before the first font is asked for; whether it was."""
    if places.bundle() is None or not sys.platform.startswith("linux") or not needed():
        return False
    os.environ.setdefault("FONTCONFIG_FILE", os.fspath(places.bundled("ui", "fonts.conf")))
    return True


def needed(system: str = SYSTEM, copies: str = COPIES) -> bool:
    """Whether a copy in the user's folder would not be found or cannot be made."""
    folder = os.path.expanduser(copies)
    above = folder if os.path.isdir(folder) else os.path.dirname(folder)
    return not os.path.isfile(system) or not os.access(above, os.W_OK)
