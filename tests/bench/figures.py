"""What a benchmark tells, as one line of JSON, and the few sums it is made of. Times are in ms."""

from __future__ import annotations

import gc
import json
import statistics
import time
from collections.abc import Callable, Iterable
from typing import Any


def tell(
    name: str,
    figures: dict[str, float],
    yardstick: dict[str, float],
    ratio: float | None,
    target: str,
    met: bool | None,
) -> None:
    """Print a benchmark's line. `target` in words, "" where SPEC 7 has none; `met` None then."""
    line = {"name": name, "figures": figures, "yardstick": yardstick, "ratio": ratio, "target": target, "met": met}
    print(json.dumps(line, ensure_ascii=False), flush=True)


def share(values: Iterable[float], part: float) -> float:
    """The value that `part` (0 to 1) of all do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def spread(values: list[float], digits: int = 2) -> dict[str, float]:
    """p50, p99 and max."""
    found = {"p50": share(values, 0.5), "p99": share(values, 0.99), "max": max(values)}
    return {name: round(value, digits) for name, value in found.items()}


def took(work: Callable[[], object]) -> float:
    """How long one call takes."""
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


def in_turn(rounds: int, **works: Callable[[], float]) -> dict[str, list[float]]:
    """Each work once a round, after one round that does not count: what disturbs one disturbs the others too."""
    found: dict[str, list[float]] = {name: [] for name in works}
    for number in range(rounds + 1):
        for name, work in works.items():
            gc.collect()
            value = work()
            if number:
                found[name].append(value)
    return found


def medians(found: dict[str, list[float]], digits: int = 2) -> dict[str, float]:
    """The median of each work."""
    return {name: round(statistics.median(values), digits) for name, values in found.items()}


def fields(**values: Any) -> dict[str, float]:
    """Figures, rounded."""
    return {name: round(value, 3) if isinstance(value, float) else value for name, value in values.items()}
