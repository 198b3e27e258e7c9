"""Draws faults by a seed, runs the tests on each in a copy of the project, and tells which ones nobody noticed."""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.chosen import LIST
from tests.mutants.faults import Fault, faults, with_fault
from tests.mutants.nearest import measure

ROOT = Path(__file__).parents[2]
COPIED = ("metona_tk", "tests", "packaging", "pyproject.toml", "assets", "README.md")
SOURCES = ("metona_tk/security/*.py", "metona_tk/operations/*.py")
TESTS = (
    "tests/unit/security",
    "tests/unit/operations",
    "tests/security",
    "tests/unit/tools",
    "tests/properties/test_paths.py",
    "tests/properties/test_operations.py",
)
SKIPPED = ("metona_tk/security/windows.py", "metona_tk/security/later_names.py")  # not this system; only names
OPTIONS = ("-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", "-p", "tests.mutants.chosen", "--timeout", "60")
LIMIT = 400.0  # seconds for the tests of one fault


@dataclass(frozen=True, slots=True)
class Drawn:
    """A fault of a file."""

    path: str
    fault: Fault


def draw(patterns: list[str], count: int, seed: int) -> list[Drawn]:
    """The sample: always the same for the same sources, patterns and seed."""
    paths = sorted({path for pattern in patterns for path in ROOT.glob(pattern)})
    names = [path.relative_to(ROOT).as_posix() for path in paths]
    every = [
        Drawn(name, fault)
        for name in names
        if name not in SKIPPED
        for fault in faults((ROOT / name).read_text("utf-8"))
    ]
    return sorted(
        random.Random(seed).sample(every, min(count, len(every))), key=lambda each: (each.path, each.fault.line)
    )


def copy_project(folder: Path) -> None:
    """What the tests need, without what they leave behind."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        elif source.exists():
            shutil.copy2(source, folder / name)


def notices(folder: Path, tests: list[str]) -> str:
    """Run the tests in `folder`, in their order: "" when all pass, else what noticed: a test's name, or "timeout"."""
    if not tests:
        return ""
    chosen = folder / "chosen.json"
    chosen.write_text(json.dumps(tests), "utf-8")
    files = sorted({test.partition("::")[0] for test in tests})
    command = [sys.executable, "-m", "pytest", *OPTIONS, *files]
    environment = {**os.environ, LIST: str(chosen)}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return "timeout"
    if done.returncode == 0:
        return ""
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0] if failed else f"pytest ended with {done.returncode}"


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("sources", nargs="*", default=list(SOURCES), help="patterns of files, relative to the project")
    parser.add_argument("--tests", nargs="+", default=list(TESTS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--at-least", type=float, default=90, help="percent of the faults that have to be noticed")
    parser.add_argument("--list", action="store_true", help="only name the faults")
    given = parser.parse_args()
    drawn = draw(given.sources, given.count, given.seed)
    if given.list:
        for each in drawn:
            print(f"{each.path}:{each.fault.line}: {each.fault.words}")
        return 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        Path(folder).chmod(0o755)  # some tests become another user
        copy_project(Path(folder))
        return _run(Path(folder), drawn, given.tests, given.at_least)


def _run(folder: Path, drawn: list[Drawn], tests: list[str], at_least: float) -> int:
    nearest = measure(folder, tests)
    for name in nearest.failed:
        print(f"left out, it fails without any fault: {name}")
    survived = 0
    for each in drawn:
        file = folder / each.path
        source = file.read_text("utf-8")  # of the copy: somebody may go on working meanwhile
        file.write_text(with_fault(source, each.fault), "utf-8")
        noticed = notices(folder, nearest.tests_for(each.path, each.fault.line))
        file.write_text(source, "utf-8")
        survived += not noticed
        print(
            f"{'killed  ' if noticed else 'SURVIVED'} {each.path}:{each.fault.line}: {each.fault.words}  {noticed}",
            flush=True,
        )
    killed = len(drawn) - survived
    print(f"{killed} of {len(drawn)} faults noticed")
    return 0 if killed * 100 >= at_least * len(drawn) else 1


if __name__ == "__main__":
    sys.exit(main())
