"""CustomTkinter, loaded without Pillow, which it would load at once and we draw nothing with."""
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

import sys

_hidden = "PIL" not in sys.modules
if _hidden:
    sys.modules["PIL"] = None  # type: ignore[assignment]  # an import of it then fails, which CustomTkinter expects
try:
    import customtkinter as ctk
finally:
    if _hidden:
        del sys.modules["PIL"]

__all__ = ["ctk"]
