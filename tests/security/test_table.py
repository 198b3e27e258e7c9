"""No row of the table of cases is left out, and none is claimed that is not there."""

from __future__ import annotations

import itertools

from tests.security import table, test_cases, test_change_cases, test_change_links
from tests.security.gate_cases import SHOWN as CHANGES

SHOWN = {
    "reading": set(test_cases.CASES),
    "changes": set(CHANGES),
    "elsewhere": table.ELSEWHERE,
    "not here": set(table.NOT_HERE),
    "commands": table.COMMANDS,
    "injection": table.INJECTION,
}


def test_every_row_is_shown_or_has_a_reason() -> None:
    claimed = set().union(*SHOWN.values())
    assert set(table.ROWS) - claimed == set()
    assert claimed - set(table.ROWS) == set()


def test_a_row_is_shown_in_one_place() -> None:
    for one, other in itertools.combinations(SHOWN, 2):
        assert SHOWN[one] & SHOWN[other] == set(), (one, other)


def test_rows_of_changes_are_tests() -> None:
    modules = (test_change_cases, test_change_links)
    tests = {name for module in modules for name in vars(module) if name.startswith("test_")}
    shown = [function.__name__ for function in CHANGES.values()]
    assert set(shown) <= tests
    assert len(set(shown)) == len(shown)
