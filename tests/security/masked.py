"""A file with a secret in it, and all that a call says: shared by the tests of what stays masked."""

from __future__ import annotations

import json

from metona_tk.protocol.values import Result

SECRET = "Zq8vT2mKx94LpWn3"
INI = f"name = pelican\npassword = {SECRET}\nport = 8080\n"


def said(result: Result) -> str:
    """Everything that leaves the program."""
    return json.dumps([result.text, result.error, result.note, result.data], ensure_ascii=False, default=str)
