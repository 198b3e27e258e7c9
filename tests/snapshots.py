"""Frozen texts: what the model is sent and what the core says must not change unseen.

METONA_TK_UPDATE_SNAPSHOTS=1 writes them anew; look at the difference before you keep it.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path

FOLDER = Path(__file__).parent / "data" / "snapshots"


def check_snapshot(name: str, text: str) -> None:
    """Compare `text` with the frozen file, or write it where that was asked for; a difference is shown as a diff."""
    path = FOLDER / name
    if os.environ.get("METONA_TK_UPDATE_SNAPSHOTS"):
        FOLDER.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    frozen = path.read_bytes().decode().replace("\r\n", "\n") if path.exists() else ""
    if frozen != text:
        raise AssertionError(_difference(name, frozen, text))


def _difference(name: str, frozen: str, text: str) -> str:
    """What changed, and how to keep it."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "tests").split(" ")[0]
    lines = difflib.unified_diff(frozen.splitlines(), text.splitlines(), f"frozen/{name}", f"now/{name}", "", "", 2, "")
    diff = "\n".join(lines) or "(only line ends differ)"
    how = f"METONA_TK_UPDATE_SNAPSHOTS=1 python -m pytest '{test}'"
    return f"{name} is not what it was:\n{diff}\nIf that is wanted, renew it and look at it in the commit:\n  {how}"
