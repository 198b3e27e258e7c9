"""search_files in 50,000 files, by content and by name, against ripgrep alone. Both read what is in memory already."""

from __future__ import annotations

import random
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from metona_tk.security.sandbox.launch import ripgrep
from tests.bench.figures import fields, in_turn, tell, took
from tests.bench.workspace import Workspace

FILES, FOLDERS, ROUNDS = 50_000, 800, 9
_WORDS = ("invoice", "bank", "customer", "letter", "number", "month", "payment", "manual", "remark", "folder", "report")


def plant(root: Path) -> None:
    """The tree: texts of some 100 to 3,000 bytes; one in 2,500 names the pelican, one in 5,000 is named after it."""
    chance = random.Random(7)
    folders = [root / f"year-{n % 20}" / f"part-{n // 20 % 8}" / f"box-{n}" for n in range(FOLDERS)]
    for folder in folders:
        folder.mkdir(parents=True)
    for number in range(FILES):
        lines = [" ".join(chance.choices(_WORDS, k=9)) for _ in range(chance.randint(2, 40))]
        if number % 2500 == 0:
            lines.insert(1, "the pelican eats fish")
        name = f"pelican-{number}.txt" if number % 5000 == 1 else f"note-{number}.txt"
        (folders[number % FOLDERS] / name).write_text("\n".join(lines) + "\n", "utf-8")


def alone(root: Path, *options: str) -> str:
    """ripgrep by itself."""
    program = ripgrep()
    assert program, "ripgrep is not installed"
    return subprocess.run([program, "--no-config", *options, "./"], cwd=root, capture_output=True, text=True).stdout


def main() -> None:
    """Print the figures."""
    root = Path(tempfile.mkdtemp(prefix="bench-search-"))
    try:
        plant(root)
        work = Workspace(root)
        content = {"path": ".", "query": "pelican eats", "search_type": "content"}
        name = {"path": ".", "query": "pelican", "search_type": "filename"}
        assert work.call("search_files", content).data["total_files"] == FILES // 2500
        assert work.call("search_files", name).data["total_files"] == FILES // 5000
        assert alone(root, "-in", "-F", "pelican eats").count("\n") == FILES // 2500
        found = in_turn(
            ROUNDS,
            content=lambda: took(lambda: work.call("search_files", content)),
            rg=lambda: took(lambda: alone(root, "-in", "-F", "pelican eats")),
            name=lambda: took(lambda: work.call("search_files", name)),
            rg_files=lambda: took(lambda: [line for line in alone(root, "--files").splitlines() if "pelican" in line]),
        )
    finally:
        shutil.rmtree(root)
    half = {key: statistics.median(values) for key, values in found.items()}
    for kind, yard, most in (("content", "rg", 1.3), ("name", "rg_files", 2.0)):
        ratio = round(half[kind] / half[yard], 2)
        tell(f"search by {kind}", fields(ms=half[kind]), fields(ms=half[yard]), ratio, f"<= {most} x", ratio <= most)


if __name__ == "__main__":
    main()
