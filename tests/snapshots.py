"""Frozen texts: what the model is sent and what the core says must not change unseen.

METONA_TK_UPDATE_SNAPSHOTS=1 writes them anew; look at the difference before you keep it.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "data" / "snapshots"


def check_snapshot(name: str, text: str) -> None:
    """Compare `text` with the frozen file, or write it where that was asked for."""
    path = FOLDER / name
    if os.environ.get("METONA_TK_UPDATE_SNAPSHOTS"):
        FOLDER.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text
