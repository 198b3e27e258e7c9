"""The program's own log: a small rotating file for crashes and oddities. Never file contents, never questions."""

from __future__ import annotations

import logging
import logging.handlers
import os

from metona_tk import places

log = logging.getLogger("metona_tk")


def start() -> None:
    """Begin to log into places.log_dir(); without a writable folder, warnings go to standard error."""
    if log.handlers:
        return
    log.propagate = False
    log.setLevel(logging.INFO)
    folder = places.log_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handler: logging.Handler = logging.handlers.RotatingFileHandler(
            folder / "metona-tk.log", maxBytes=1 << 20, backupCount=2, encoding="utf-8", delay=True
        )
    except OSError:
        handler = logging.StreamHandler()
        handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(threadName)s %(message)s"))
    log.addHandler(handler)


def place() -> str:
    """Where the log is, for error messages."""
    return os.fspath(places.log_dir() / "metona-tk.log")
