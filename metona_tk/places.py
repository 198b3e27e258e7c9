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
    found = (config_dir(), data_dir(), cache_dir(), log_dir(), *map(Path, usual), *program_files())
    return tuple(dict.fromkeys(found))


def program_files() -> tuple[Path, ...]:
    """What an executable consists of, which whoever changed it would be run with; nothing for a program from sources,
    on which its user may work.
    """
    inside = bundle()
    if inside is None:
        return ()
    program = Path(os.path.realpath(sys.executable))
    app = next((folder for folder in program.parents if folder.suffix == ".app"), None)
    if app:
        return (app,)
    whole = program.parent in inside.parents and program.parent != Path.home()
    return (program.parent,) if whole else (program, inside)


def bundle() -> Path | None:
    """The folder in which an executable has its parts, None for a program from sources."""
    inside = getattr(sys, "_MEIPASS", None)
    return Path(os.path.realpath(inside)) if inside else None


def settings_file() -> Path:
    """The settings, JSON."""
    return config_dir() / "settings.json"


def bundled(*parts: str) -> Path:
    """A file shipped with the program, also inside a frozen executable."""
    inside = bundle()
    base = inside / "metona_tk" if inside else Path(__file__).parent
    return base.joinpath(*parts)
