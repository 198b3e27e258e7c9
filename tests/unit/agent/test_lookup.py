from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metona_tk.agent.lookup import (
    asks_for_sums,
    best_lines,
    named_folders,
    named_things,
    pair_pattern,
    question_words,
    rank,
    search_pattern,
)
from metona_tk.agent.named_files import named_files

NAMES = [
    "Letters/Lease Hill Road.txt",
    "Letters/Lease Old Mill.txt",
    "Letters/Bank.txt",
    "Photos/Italy 2024/list.txt",
    "config.json",
    "old/config.json",
    "readme.md",
    "房租/合同.txt",
    *(f"misc/{number}.txt" for number in range(20)),
]


def said(question: str) -> list[str]:
    return [word.said for word in question_words(question)]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Where is the lease for Hill Road?", ["lease", "hill", "road"]),
        ("What did I pay?", ["pay"]),
        ("When did the pump stop on 3 May?", ["3 may", "pump", "stop"]),
        ("", []),
        ("the of and", []),
        ("房租合同在哪里？", ["房租", "租合", "合同"]),
    ],
)
def test_the_telling_words(question: str, words: list[str]) -> None:
    assert said(question) == words


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("on 3 May", "2026-05-03 pump"),
        ("on May 3", "03.05.2026"),
        ("on the 3rd of May", "5月3日"),
        ("in May 2026", "list 2026-05.csv"),
        ("三月的会议", "3月会议"),
        ("十二月", "12月"),
        ("invoices", "an invoice"),
        ("stopped", "it stops"),
    ],
)
def test_words_count_as_files_write_them(question: str, text: str) -> None:
    assert any(word.is_in(text) for word in question_words(question))


def test_a_word_counts_from_its_beginning_only() -> None:
    (word,) = question_words("port")
    assert word.is_in("the ports")
    assert not word.is_in("import export")


def test_the_file_that_has_most_of_the_words_comes_first() -> None:
    words = question_words("Where is the lease for Hill Road?")
    fits, missing = rank(words, NAMES, {"Letters/Bank.txt": [(3, "the lease of Hill Road")]})
    by_path = {fit.path: fit for fit in fits}
    assert list(by_path)[:2] in (
        ["Letters/Lease Hill Road.txt", "Letters/Bank.txt"],
        ["Letters/Bank.txt", "Letters/Lease Hill Road.txt"],
    )
    assert missing == []
    assert by_path["Letters/Bank.txt"].lines == [3]


def test_words_that_nothing_has_are_told() -> None:
    words = question_words("the lease of Zanzibar")
    assert [word.said for word in rank(words, NAMES, {})[1]] == ["zanzibar"]


def test_what_many_files_have_tells_nothing() -> None:
    hits = {f"misc/{number}.txt": [(1, "a note")] for number in range(20)}
    assert rank(question_words("any note there?"), NAMES, hits)[0] == []


@given(st.text(max_size=80), st.lists(st.text(min_size=1, max_size=20), max_size=8))
def test_any_question_gives_a_pattern_and_a_ranking(question: str, names: list[str]) -> None:
    import re

    words = question_words(question)
    assert len(words) <= 14
    if words:
        re.compile(search_pattern(words))
        re.compile(pair_pattern(words) or "x")
    rank(words, names, {name: [(1, question)] for name in names})
    named_folders(question, names)
    named_files(question, names)
    named_things(question)


def test_the_line_with_most_words_is_best() -> None:
    words = question_words("the pump stopped on 3 May")
    lines = [(1, "2026-05-03 all well"), (2, "2026-05-04 pump stopped"), (3, "2026-05-03 pump stopped")]
    assert best_lines(words, lines)[0] == 3


@pytest.mark.parametrize(
    ("question", "folders"),
    [
        ("which letter is the newest?", ["Letters"]),
        ("how many pictures from Italy in 2024?", ["Photos/Italy 2024"]),
        ("how many files?", []),
    ],
)
def test_folders_that_a_question_names(question: str, folders: list[str]) -> None:
    assert named_folders(question, NAMES) == folders


@pytest.mark.parametrize(
    ("question", "sums"),
    [("Which is the newest?", True), ("how many are there", True), ("最大的文件是哪个", True), ("who wrote it", False)],
)
def test_questions_about_counts_dates_and_sizes(question: str, sums: bool) -> None:
    assert asks_for_sums(question) is sums


def test_names_of_things() -> None:
    assert named_things("Did Mr Sanders write to “Quick” about Rome?") == ["Quick", "Sanders", "Rome"]
    assert named_things("Where is it?") == []


@pytest.mark.parametrize(
    ("question", "files"),
    [
        ("what is in readme.md?", ["readme.md"]),
        ("is old/config.json right", ["old/config.json"]),
        ("the port in config.json", ["config.json"]),
        ("看看合同.txt写了什么", ["房租/合同.txt"]),
        ("read `Bank.txt`, please", ["Letters/Bank.txt"]),
        ("nothing.txt", []),
        ("e.g. this", []),
    ],
)
def test_files_that_a_question_names(question: str, files: list[str]) -> None:
    assert named_files(question, NAMES) == files
