from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metona_tk.agent.alike import asks_for_counts, asks_to_compare, difference, family, pair, tally

NAMES = ["a/1.txt", "a/2.txt", "a/3.md", "a/b/4.txt", "5.txt", "6"]


@pytest.mark.parametrize(("path", "files"), [("a/1.txt", ["a/1.txt", "a/2.txt"]), ("5.txt", ["5.txt"]), ("6", ["6"])])
def test_the_files_beside_one(path: str, files: list[str]) -> None:
    assert family(path, NAMES) == files


@pytest.mark.parametrize(
    ("paths", "wanted"),
    [
        (["p/list 03.csv", "p/terms.txt", "p/other.csv", "p/list 01.csv"], ("p/list 01.csv", "p/list 03.csv")),
        (["p/b.csv", "q/a.csv"], ("p/b.csv", "q/a.csv")),
        (["p/10.csv", "p/9.csv"], ("p/9.csv", "p/10.csv")),
        (["p/b.csv", "p/b.txt"], None),
        ([], None),
    ],
)
def test_the_two_that_are_compared(paths: list[str], wanted: tuple[str, str] | None) -> None:
    assert pair(paths) == wanted


@pytest.mark.parametrize(
    ("question", "compares", "counts"),
    [
        ("Compare the two lists.", True, False),
        ("How do they differ?", True, False),
        ("How many are open?", False, True),
        ("两份报价单有什么区别？", True, False),
        ("有几张没有付款？", False, True),
        ("Where is the lease?", False, False),
    ],
)
def test_what_is_asked_for(question: str, compares: bool, counts: bool) -> None:
    assert (asks_to_compare(question), asks_for_counts(question)) == (compares, counts)


def test_what_does_not_belong_together_is_not_compared() -> None:
    assert difference(("a.txt", "one\ntwo\n"), ("b.txt", "three\n")) == ""


def _loans(*states: str) -> dict[str, list[str]]:
    return {f"x/{at}.txt": [f"Number: {at}", f"State: {state}"] for at, state in enumerate(states)}


def test_a_tally_counts_what_a_label_says() -> None:
    lines = _loans("back 2026-01-02", "back 2026-02-03", "back 2026-02-04, late", "out, since May", "out")
    told = tally(lines, "x")
    assert told.splitlines() == [
        "Counted by the program over all 5 files in x:",
        'State: "back" in 3 files; "out" in 2 files (3, 4)',
    ]


def test_a_tally_in_chinese() -> None:
    lines = {
        f"x/{at}.txt": ["状态：待付款" if at in (2, 5) else f"状态：已付款（2026-0{at}-01）"] for at in range(1, 7)
    }
    assert tally(lines, "x").splitlines()[1:] == ['状态: "已付款" in 4 files; "待付款" in 2 files (2, 5)']


@pytest.mark.parametrize(
    "lines",
    [
        {},
        _loans("a", "b"),  # few: they are read
        _loans("a", "a", "a", "a"),  # says nothing
        _loans("a", "b", "c", "d", "e"),  # no kinds, but names
        {f"{at}": ["no label"] for at in range(9)},
        _loans("a", "b", "a", "b") | {f"y{at}": [] for at in range(5)},  # not a label of most of them
    ],
)
def test_nothing_worth_a_count(lines: dict[str, list[str]]) -> None:
    assert tally(lines, "x") == ""


def test_two_lists_differ() -> None:
    before = "article,price\nBell,3.50\nLock,20.00\nPump,9.00\nRack,7.00\n"
    after = "article,price\nRack,7.00\nLock,18.00\nBell,4.10\nHorn,2.00\n"
    assert difference(("p/01.csv", before), ("p/02.csv", after)).splitlines() == [
        "Compared by the program: what changed from p/01.csv to p/02.csv.",
        "price higher now: Bell (3.50 -> 4.10)",
        "price lower now: Lock (20.00 -> 18.00)",
        "No longer there: Pump, 9.00",
        "New there: Horn, 2.00",
        "Rows that are the same in both: 1.",
    ]


def test_of_two_other_lists_none_is_the_later() -> None:
    told = difference(("p/{a}.csv", "article,price\nBell,3.50\n"), ("p/b.csv", "article,price\nBell,4.10\n"))
    assert told.splitlines()[1] == "price higher in b.csv than in {a}.csv: Bell (3.50 -> 4.10)"


def test_two_texts_differ() -> None:
    told = difference(("a/n.txt", "one\ntwo\n"), ("b/m.txt", "two\nthree\n"))
    assert "Only in n.txt, not in m.txt: one\n" in told
    assert "Only in m.txt, not in n.txt: three\n" in told


@given(st.text(), st.sampled_from(["a.csv", "a.txt"]))
def test_a_file_does_not_differ_from_itself(text: str, name: str) -> None:
    held = (name, "1\n" + text)
    assert difference(held, held).endswith("They are the same.")


@example("1;\r;", ";\r;1\r1")  # only one of them has a head
@given(st.text(alphabet='ab1,;"\n\r', max_size=60), st.text(alphabet='ab1,;"\n\r', max_size=60))
def test_the_order_of_two_files_does_not_matter(one: str, two: str) -> None:
    there, back = difference(("1.csv", one), ("2.csv", two)), difference(("2.csv", two), ("1.csv", one))
    assert sorted(line.count(";") for line in there.splitlines()) == sorted(
        line.count(";") for line in back.splitlines()
    )
    assert len(there.splitlines()) == len(back.splitlines())
