"""What the parts of the generated folder share: people, articles, how a file is written down."""

from __future__ import annotations

import csv
import io
import json

Files = dict[str, bytes]

CUSTOMERS = [
    ("Halvorsen", "Ingrid", "Pier Road 4"),
    ("Okafor", "Chidi", "Mill Lane 19"),
    ("Lindqvist", "Maja", "Harbour View 7"),
    ("Santoro", "Paolo", "Chapel Street 31"),
    ("Brandt", "Jonas", "Station Road 2"),
    ("Ferreira", "Ana", "Quay Street 40"),
    ("Novak", "Petra", "Church Hill 11"),
    ("Sandvik", "Lars", "Pier Road 18"),
    ("Whitcombe", "George", "Old Market 5"),
    ("Dubois", "Claire", "Lighthouse Way 9"),
]
ARTICLES = [
    ("Rim tape", 210),
    ("Spoke set", 1890),
    ("Kickstand", 1150),
    ("Crank arm", 2780),
    ("Headset", 3320),
    ("Freewheel", 2440),
    ("Bar tape", 1360),
    ("Bottle cage", 640),
    ("Toe clip", 580),
    ("Fork crown", 4100),
    ("Chainring", 2960),
    ("Seat clamp", 790),
    ("Valve cap", 30),
    ("Hub gear", 15800),
]


def as_text(*lines: str) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def as_csv(rows: list[list[object]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def as_json(data: object) -> bytes:
    return json.dumps(data, indent=2, ensure_ascii=False).encode() + b"\n"
