"""CustomTkinter, loaded without Pillow, which it would load at once and we draw nothing with."""
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

import contextlib
import io
import sys

from metona_tk.logs import log
from metona_tk.ui import bundled_fonts

_hidden = "PIL" not in sys.modules
_bundled = bundled_fonts.show_bundled()
if _hidden:
    sys.modules["PIL"] = None  # type: ignore[assignment]  # an import of it then fails, which CustomTkinter expects
try:
    # it tells the terminal when it cannot copy its fonts into the user's folder
    with contextlib.redirect_stderr(io.StringIO()) as _said:
        import customtkinter as ctk
finally:
    if _hidden:
        del sys.modules["PIL"]
if _said.getvalue():
    log.info("CustomTkinter: %s", _said.getvalue().strip())
if _bundled:
    ctk.DrawEngine.preferred_drawing_method = "font_shapes"  # its font is found without the copy

__all__ = ["ctk"]
