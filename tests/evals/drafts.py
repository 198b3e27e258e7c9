"""The files that only the tasks of changing have beside them. Counterpart: `changes`, which sets those tasks."""

from __future__ import annotations

from tests.evals.formats import Files, as_text


def files_to_change() -> Files:
    """All of them by their path in the folder."""
    trips = [
        f"2026-03-{day:02d};{km};{why}" for day, km, why in ((2, 31, "supplier"), (9, 12, "bank"), (23, 44, "fair"))
    ]
    return {
        "Till/counter.ini": _with_crlf(
            "; counter 1", "[line]", "baud = 9600", "timeout = 30", "retries = 3", "", "[paper]", "width = 42"
        ),
        "Website/templates/about.html": as_text(
            "<h1>About Marlow Cycles</h1>", "<p>Marlow Cycles has been in Quay Street since 2016.</p>"
        ),
        "Website/templates/repairs.html": as_text(
            "<h1>Repairs</h1>", "<p>Every bicycle at Marlow Cycles is test-ridden.</p>"
        ),
        "Downloads/trips.txt": _with_crlf(*trips),
        "Downloads/bank 2026-02.csv": as_text("day,amount", "2026-02-03,118.00"),
        "Downloads/bank 2026-03.csv": as_text("day,amount", "2026-03-05,64.50", "2026-03-19,-12.00"),
        "Downloads/members.csv": as_text("name,since", "Novak,2019"),
        "Downloads/manual.txt": as_text("Charge the light for two hours.", "Do not open it."),
        "Downloads/invitation.html": as_text("<p>Fair on 23 March</p>"),
        "Downloads/~part1.tmp": b"\x00\x01half of a download",
        "Downloads/~part2.tmp": b"\x00\x02the other half",
    }


def _with_crlf(*lines: str) -> bytes:
    return as_text(*lines).replace(b"\n", b"\r\n")
