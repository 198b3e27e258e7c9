"""What one question came to. Counterparts: `ours` and `plain` make it, `report` prints it."""

from __future__ import annotations

import os
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SECONDS = 300  # for one question


@dataclass
class Outcome:
    """`calls` are {name, arguments, by_program, status, result}; `note` says what went wrong with the run itself."""

    answer: str = ""
    calls: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0
    note: str = ""
    undone: bool | None = None  # whether undoing all changes gave the folder back; None: not tried

    @property
    def by_model(self) -> int:
        """Calls that the model asked for."""
        return sum(not call.get("by_program") for call in self.calls)


@dataclass(frozen=True)
class Setup:
    """Whom to ask, and how the program is started."""

    host: str
    model: str
    program: tuple[str, ...]
    changing: bool = False  # changes are asked for, and allowed without asking

    @property
    def allowed(self) -> tuple[str, ...]:
        """The options for it."""
        return ("--yes", "--yes-delete") if self.changing else ()


def run(command: list[str], home: Path, seconds: float) -> tuple[str, str, int | None]:
    """Run one of the program's commands; (stdout, stderr, exit code), None as the code when the time was up."""
    root = Path(__file__).parents[2]
    paths = os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH", ""))))
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        cwd=home,
        env=os.environ | {"METONA_TK_HOME": str(home), "PYTHONUTF8": "1", "PYTHONPATH": paths},
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=max(1.0, seconds))
        return out, err, process.returncode
    except subprocess.TimeoutExpired:
        return *_end(process), None
    except BaseException:
        _end(process)
        raise


def _end(process: subprocess.Popen[str]) -> tuple[str, str]:
    """End it and what it started; give what it had said."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    return process.communicate()
