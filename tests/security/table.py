"""The table of safety cases, and which of its rows are shown elsewhere than by a test of that very row."""

from __future__ import annotations

from pathlib import Path

import yaml

TABLE: dict[str, list[dict[str, str]]] = yaml.safe_load(
    (Path(__file__).parents[1] / "data" / "safety_cases.yaml").read_text(encoding="utf-8")
)
ROWS = {entry["do"]: entry["expect"] for section in TABLE.values() for entry in section}

# shown by tests of their own: at the end of test_cases, in test_spellings and in test_bounds
ELSEWHERE = {
    "read a.txt::$DATA",
    "read NUL, con.txt, COM1",
    "read \\\\evil\\share\\x",
    "read C:a.txt",
    "read lines 1-10 of 100 text lines followed by a 1 TiB hole",
    "list a folder of 100,000 entries",
    "search_files regex (a+)+$ over 1 MB of a",
    "unknown tool",
    "missing or extra key; null path",
    '{"path":"a","path":"/etc/x"}',
    "nesting of 200,000",
    '{"path":{"description":"File path","type":"string"}}',
}
NOT_HERE = {"read through a junction to O": "a junction needs Windows; the link rows are its kin"}
# no tool runs commands yet
COMMANDS = {entry["do"] for entry in TABLE["commands"]}
# a model that obeys what it has read: whole turns, with taint and what a dialog says of it
INJECTION = {entry["do"] for entry in TABLE["injection"]}


def expectation(row: str) -> str:
    """What the table demands."""
    return ROWS[row]


def code_of(row: str) -> str:
    """The code of a row that demands a refusal."""
    return ROWS[row].removeprefix("refuse(").removesuffix(")")
