"""Where the program keeps its own files, and where its bundled assets lie.

`METONA_TK_HOME` puts settings, data and cache into one folder; otherwise the platform's usual folders.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

import platformdirs

APP = "metona-tk"


@cache
def _dirs() -> platformdirs.PlatformDirs:
    return platformdirs.PlatformDirs(APP, appauthor=False, roaming=False)


def _own_home() -> Path | None:
    home = os.environ.get("METONA_TK_HOME", "")
    return Path(os.path.abspath(os.path.expanduser(home))) if home else None


def config_dir() -> Path:
    """Folder of settings.json; need not exist."""
    return _own_home() or Path(_dirs().user_config_dir)


def data_dir() -> Path:
    """Folder of chats, log and undo store; need not exist."""
    home = _own_home()
    return home / "data" if home else Path(_dirs().user_data_dir)


def cache_dir() -> Path:
    """Folder of what can be made again; need not exist."""
    home = _own_home()
    return home / "cache" if home else Path(_dirs().user_cache_dir)


def log_dir() -> Path:
    """Folder of the program's own log file; need not exist."""
    home = _own_home()
    return home / "log" if home else Path(_dirs().user_log_dir)


def private_dirs() -> tuple[Path, ...]:
    """Every folder that no tool may touch, whether it exists yet or not."""
    usual = (_dirs().user_config_dir, _dirs().user_data_dir, _dirs().user_cache_dir, _dirs().user_log_dir)
    found = (config_dir(), data_dir(), cache_dir(), log_dir(), *map(Path, usual))
    return tuple(dict.fromkeys(found))


def settings_file() -> Path:
    """The settings, JSON."""
    return config_dir() / "settings.json"


def bundled(*parts: str) -> Path:
    """A file shipped with the program, also inside a frozen executable."""
    root = getattr(sys, "_MEIPASS", None)
    base = Path(root) / "metona_tk" if root else Path(__file__).parent
    return base.joinpath(*parts)
