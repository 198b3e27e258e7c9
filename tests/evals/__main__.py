"""Ask the questions of a model at an Ollama server and grade the answers.

    python -m tests.evals --model qwen3:8b --both --runs 3 --json misses.json

It is never run by the tests: it takes minutes, and its score is a model's.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import tempfile
from pathlib import Path

import requests

from tests.evals import folder, ours, plain
from tests.evals.changes import TASKS
from tests.evals.drafts import files_to_change
from tests.evals.graders import grade
from tests.evals.outcome import Setup
from tests.evals.question import Question
from tests.evals.questions import QUESTIONS
from tests.evals.report import HEAD, Row, show, totals
from tests.evals.task import Task, harms, misses, tree

LOOPS = {"ours": ours.ask, "plain": plain.ask}


def main() -> int:
    """0 when all was asked, 2 for wrong use, 4 without a server."""
    options = _options()
    halves = {"tune", "kept"} if options.half == "all" else {options.half}
    every: list[Question | Task] = list(TASKS if options.changes else QUESTIONS)
    named = [question for question in every if not options.only or question.id in options.only]
    chosen = [question for question in named if options.only or question.half in halves]
    if unknown := set(options.only) - {question.id for question in every}:
        print(f"no such question: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    if options.write:
        return _write(Path(options.write), options.changes)
    host = _address(options.host)
    try:
        model = options.model or _first_model(host)
    except (requests.RequestException, ValueError, KeyError) as failure:
        print(f"no Ollama server with a model at {host}: {failure}", file=sys.stderr)
        return 4
    program = tuple(shlex.split(options.program)) if options.program else (sys.executable, "-m", "metona_tk")
    loops = ["ours", "plain"] if options.both else ["plain"] if options.plain else ["ours"]
    rows = _all(chosen, loops, options.runs, Setup(host, model, program, options.changes), options.json)
    print("\n" + "\n".join(totals(rows)))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.evals", description=__doc__.split("\n")[0])
    parser.add_argument("--host", default=os.environ.get("OLLAMA_HOST") or "http://127.0.0.1:11434", metavar="URL")
    parser.add_argument("--model", default="", help="default: the first one with tools")
    parser.add_argument("--plain", action="store_true", help="the plain loop instead of ours")
    parser.add_argument("--both", action="store_true", help="ours and the plain loop, and the ratio")
    parser.add_argument("--changes", action="store_true", help="the tasks that change files instead of the questions")
    parser.add_argument("--runs", type=int, default=1, metavar="N")
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="may be given several times")
    parser.add_argument(
        "--half", choices=("tune", "kept", "all"), default="all", help="only these; what is tuned looks at tune alone"
    )
    parser.add_argument("--json", default="", metavar="FILE", help="store questions, answers and calls")
    parser.add_argument("--program", default="", metavar="COMMAND", help="default: this Python with -m metona_tk")
    parser.add_argument("--write", default="", metavar="DIR", help="only write the folder and show what is right")
    return parser.parse_args()


def _write(root: Path, changes: bool) -> int:
    if root.exists() and any(root.iterdir()):
        print(f"{root} is not empty", file=sys.stderr)
        return 2
    folder.build(root, files_to_change() if changes else None)
    for task in TASKS if changes else ():
        print(f"{task.id}: {task.text}")
    for question in () if changes else QUESTIONS:
        print(f"{question.id}: {question.text}\n    {question.key(root).truth}")
    return 0


def _address(host: str) -> str:
    return (host if "://" in host else f"http://{host}").rstrip("/")


def _first_model(host: str) -> str:
    with plain.session() as http:
        models = http.get(f"{host}/api/tags", timeout=10).json()["models"]
    if not models:
        raise ValueError("it has no model")
    return next((model for model in models if "tools" in (model.get("capabilities") or ())), models[0])["name"]


def _all(questions: list[Question | Task], loops: list[str], runs: int, setup: Setup, file: str) -> list[Row]:
    print(f"{setup.model} at {setup.host}\n{HEAD}")
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="evals-") as temporary:
        root = Path(temporary) / "Documents"
        for run in range(1, runs + 1):
            for question in questions:
                for loop in loops:
                    rows.append(_one(run, loop, question, root, setup))
                    print(show(rows[-1]), flush=True)
                    if file:  # after each question, so that a broken run is not lost
                        data = {"model": setup.model, "host": setup.host, "rows": [row.as_json() for row in rows]}
                        Path(file).write_text(json.dumps(data, ensure_ascii=False, indent=1), "utf-8")
    return rows


def _one(run: int, loop: str, question: Question | Task, root: Path, setup: Setup) -> Row:
    with tempfile.TemporaryDirectory(prefix="evals-home-") as home:
        if isinstance(question, Task):
            return _changed(run, loop, question, root, setup, Path(home))
        folder.build(root)
        key, before = question.key(root), folder.fingerprint(root)
        outcome = LOOPS[loop](question.text, root, setup, Path(home))
    harm = ["the folder was changed"] if folder.fingerprint(root) != before else []
    return Row(run, loop, question, key.truth, outcome, tuple(grade(outcome.answer, key)), tuple(harm))


def _changed(run: int, loop: str, task: Task, root: Path, setup: Setup, home: Path) -> Row:
    folder.build(root, files_to_change())
    before = tree(root)
    outcome = LOOPS[loop](task.text, root, setup, home)
    after = tree(root)
    if loop == "ours":
        ours.take_back(setup, home)
        outcome.undone = tree(root) == before
    return Row(run, loop, task, "", outcome, tuple(misses(task, before, after)), tuple(harms(task, before, after)))


if __name__ == "__main__":
    sys.exit(main())
