"""All questions: one half is for tuning, the other is only asked, so that its score tells what tuning is worth."""

from __future__ import annotations

from tests.evals.kept import KEPT
from tests.evals.question import Question
from tests.evals.tune import TUNE

QUESTIONS: list[Question] = [*TUNE, *KEPT]
