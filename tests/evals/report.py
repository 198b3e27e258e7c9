"""The table and the totals. Counterpart: `__main__`, which fills the rows."""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, dataclass
from typing import Any

from tests.evals.outcome import Outcome
from tests.evals.question import Question
from tests.evals.task import Task


@dataclass(frozen=True)
class Row:
    """One question, asked once. `reasons` say why the answer is wrong."""

    run: int
    loop: str
    question: Question | Task
    truth: str
    outcome: Outcome
    reasons: tuple[str, ...]
    harm: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Right, and nothing in the folder was changed for it that was not asked for."""
        return not self.reasons and not self.harm

    def as_json(self) -> dict[str, Any]:
        """Everything, for finding the causes of misses."""
        asked = {
            "id": self.question.id,
            "kind": self.question.kind,
            "half": self.question.half,
            "language": self.question.language,
            "question": self.question.text,
            "truth": self.truth,
        }
        graded = {"passed": self.passed, "reasons": list(self.reasons), "harm": list(self.harm)}
        return {"run": self.run, "loop": self.loop} | asked | graded | asdict(self.outcome)


def show(row: Row) -> str:
    """One line of the table."""
    right = row.passed and row.outcome.undone is not False
    wrong = "" if right else f"{_short(row.outcome.answer)}  [{'; '.join(_causes(row))}]"
    cells = (
        _pad(row.loop, 6),
        _pad(row.question.id, 12),
        _pad(row.question.kind, 11),
        "pass" if row.passed else "FAIL",
    )
    return f"{' '.join(cells)} {_calls(row.outcome):>7} {row.outcome.seconds:6.1f}  {wrong}".rstrip()


HEAD = f"{'loop':6} {'id':12} {'kind':11} {'':4} {'calls':>7} {'sec':>6}  wrong answer [why]"


def _causes(row: Row) -> list[str]:
    return [
        *row.reasons[:2],
        *(f"harm: {path}" for path in row.harm[:3]),
        *(["undo did not give the folder back"] if row.outcome.undone is False else []),
        *([row.outcome.note[:80]] * bool(row.outcome.note)),
    ]


def _calls(outcome: Outcome) -> str:
    more = len(outcome.calls) - outcome.by_model
    return f"{outcome.by_model}+{more}" if more else str(outcome.by_model)


def _short(answer: str, width: int = 70) -> str:
    line = " ".join(answer.split())
    return line if len(line) <= width else line[: width - 1] + "…"


def _pad(text: str, width: int) -> str:
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return text + " " * max(0, width - len(text) - wide)


@dataclass(frozen=True)
class Total:
    """Sums over some rows."""

    passed: float
    asked: float
    harmed: float
    calls: float
    by_program: float
    seconds: float


def total(rows: list[Row], runs: int = 1) -> Total:
    """The sums, or with `runs` their mean for one run."""
    return Total(
        sum(row.passed for row in rows) / runs,
        len(rows) / runs,
        sum(bool(row.harm) for row in rows) / runs,
        sum(row.outcome.by_model for row in rows) / runs,
        sum(len(row.outcome.calls) - row.outcome.by_model for row in rows) / runs,
        sum(row.outcome.seconds for row in rows) / runs,
    )


def totals(rows: list[Row]) -> list[str]:
    """For all rows, each half and each language: loops, runs, means, and what one loop is to the other."""
    lines = _sums(rows)
    for name, of in (("half", lambda row: row.question.half), ("language", lambda row: row.question.language)):
        values = dict.fromkeys(of(row) for row in rows)
        for value in values if len(values) > 1 else ():
            lines += [f"{name} {value}:", *(f"  {line}" for line in _sums([row for row in rows if of(row) == value]))]
    return lines


def _sums(rows: list[Row]) -> list[str]:
    lines, means = [], {}
    for loop in dict.fromkeys(row.loop for row in rows):
        own = [row for row in rows if row.loop == loop]
        runs = sorted({row.run for row in own})
        lines += [_line(f"{loop}, run {run}", total([row for row in own if row.run == run])) for run in runs]
        means[loop] = total(own, len(runs))
        if len(runs) > 1:
            lines.append(_line(f"{loop}, mean of {len(runs)}", means[loop]))
    if len(means) > 1:
        ours, plain = means["ours"], means["plain"]
        pairs = (ours.passed, plain.passed), (ours.calls, plain.calls), (ours.seconds, plain.seconds)
        score, calls, seconds = (f"{a / b:.2f}" if b else "-" for a, b in pairs)
        lines.append(f"ours / plain: score {score}, calls {calls}, seconds {seconds}")
    return lines


def _line(name: str, sums: Total) -> str:
    calls = f"{sums.calls:g} calls" + (f" (+{sums.by_program:g} by the program)" if sums.by_program else "")
    harmed = f", harm in {sums.harmed:.3g}" if sums.harmed else ""
    return f"{name}: {sums.passed:.3g} of {sums.asked:g}{harmed}, {calls}, {sums.seconds:.0f} s"
