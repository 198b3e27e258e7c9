"""Which tests reach which line, the quickest first: learnt from one measured run. Counterpart: `chosen`."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from coverage import CoverageData

# What takes long finds by chance what the others find by a plan: it is not even measured.
LONG = (
    "tests/unit/operations/test_kills.py",
    "tests/unit/operations/test_two_programs.py",
    "tests/security/test_race.py",
    "tests/security/test_bounds.py",
    "tests/unit/operations/test_editors.py::test_a_save_at_the_same_time_is_never_lost",
    "tests/security/test_handles.py::test_deep_recursion",
    "tests/unit/security/test_secrets.py::test_no_text_is_slow",
)
SLOW = 20.0  # seconds; a test that takes longer is not asked
ENOUGH = 60.0  # seconds of tests for one fault; the quick ones come first
_TOOK = re.compile(r"^([0-9.]+)s (?:call|setup) +(\S.*)$", re.MULTILINE)
_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
_MEASURED = (
    "-q",
    "-p",
    "no:randomly",
    "-p",
    "no:cacheprovider",
    "--timeout",
    "120",
    "--durations=0",
    "--durations-min=0",
)
_AFRESH = ("-p", "tests.mutants.afresh")
_COVERED = ("--cov=metona_tk/security", "--cov=metona_tk/operations", "--cov-context=test", "--cov-report=")


@dataclass(frozen=True, slots=True)
class Nearest:
    """The measured run in `folder`. `failed`: tests that fail without any fault; they say nothing."""

    folder: Path
    seconds: dict[str, float]
    failed: list[str]
    lines: dict[str, dict[int, list[str]]]

    def tests_for(self, path: str, line: int) -> list[str]:
        """Tests that reach a line; of one that is read at import those that reach its module. Those of test modules
        that import it come first, then the quickest.
        """
        lines = self.lines.get(path, {})
        found = set(lines.get(line, ())) & self.seconds.keys() or {name for names in lines.values() for name in names}
        usable = [name for name in found if self.seconds.get(name, SLOW) < SLOW and name not in self.failed]
        module = path.removesuffix(".py").replace("/", ".")
        ordered = sorted(usable, key=lambda name: (not self._imports(name, module), self.seconds[name], name))
        together = itertools.accumulate(self.seconds[name] for name in ordered)
        return [name for name, seconds in zip(ordered, together, strict=True) if seconds <= ENOUGH]

    def _imports(self, name: str, module: str) -> bool:
        """Whether the test module of a test imports a module by its name."""
        return f"from {module} import " in _text(str(self.folder / name.partition("::")[0]))


@cache
def _text(path: str) -> str:
    return Path(path).read_text("utf-8")


def measure(folder: Path, tests: list[str]) -> Nearest:
    """Run the tests in a copy of the project and learn what each reaches."""
    data = folder / ".reached"
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            *_MEASURED,
            *_AFRESH,
            *_COVERED,
            *(f"--deselect={each}" for each in LONG),
            *tests,
        ],
        cwd=folder,
        env={**os.environ, "COVERAGE_FILE": str(data)},
        capture_output=True,
        text=True,
        check=False,
    )
    seconds: dict[str, float] = {}
    for took, name in _TOOK.findall(done.stdout):
        seconds[name] = seconds.get(name, 0.0) + float(took)
    if not seconds:
        raise RuntimeError(f"the tests could not be measured:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return Nearest(folder, seconds, _FAILED.findall(done.stdout), _lines(data, folder))


def _lines(data: Path, folder: Path) -> dict[str, dict[int, list[str]]]:
    measured = CoverageData(str(data))
    measured.read()
    found: dict[str, dict[int, list[str]]] = {}
    for file in measured.measured_files():
        path = os.path.relpath(os.path.realpath(file), os.path.realpath(folder))
        found[path] = {
            line: [name.rpartition("|")[0] for name in names if "|" in name]
            for line, names in measured.contexts_by_lineno(file).items()
        }
    return found
