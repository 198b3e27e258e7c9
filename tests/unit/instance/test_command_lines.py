"""Which command lines wish for a window."""

from __future__ import annotations

import os

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metona_tk.cli.main import build_parser
from metona_tk.instance import wish_of
from metona_tk.protocol.handed import AskQuickly, ShowWindow


@pytest.mark.parametrize(
    ("arguments", "wish"),
    [
        ([], ShowWindow()),
        (["ask", "--window"], AskQuickly()),
        (["ask", "--window", "--window"], AskQuickly()),
        (["ask", "a b", "--window"], AskQuickly(None, "", "a b")),
        (["ask", " a\n", "--window"], AskQuickly(None, "", "a")),
        (["ask", "--window", "x=y"], AskQuickly(None, "", "x=y")),
        (["ask", "--window", "--folder", "/", "--model=m", "q"], AskQuickly("/", "m", "q")),
        (["ask", "--folder=.", "--window"], AskQuickly(os.getcwd(), "", "")),
        (["ask", "--window", "caf\udce9"], AskQuickly(None, "", "caf\ufffd")),
        (["ask", "--window", "--folder", "/nowhere/at/all"], None),
        (["ask", "--window", "--folder"], None),
        (["ask", "--folder", "--window", "/"], None),
        (["ask", "--model", "--window", "m"], None),
        (["ask", "--window", "--folder="], None),
        (["ask", "--window", "--host", "h"], None),
        (["ask", "--window", "-"], None),
        (["ask", "--window", "  "], None),
        (["ask", "--window", "a", "b"], None),
        (["ask", "--", "--window"], None),
        (["ask", "--window", "--", "q"], None),
        (["ask", "--window=1", "q"], None),
        (["ask", "--win", "q"], None),
        (["ask", "--window", "--model", "--json"], None),
        (["ask", "--window", "--help"], None),
        (["ask", "q"], None),
        (["ask"], None),
        (["--version"], None),
        (["tools", "list", "--window"], None),
        ([""], None),
    ],
    ids=repr,
)  # fmt: skip
def test_which_command_lines_wish_for_a_window(arguments, wish) -> None:
    assert wish_of(arguments) == wish


WORDS = ["--window", "--folder", "--folder=/", "--model", "--model=m", "--model=", "/", "q", "a b", "-", "--", "-1"]
WORDS += ["--json", "--host", "--win", "--mode", "all", "--yes", "x=y", "", " ", "-q", "--window=1", "--help"]


@given(st.lists(st.sampled_from(WORDS), max_size=6))
@example(["--folder", "--window", "/"])
@example(["--model", "--window", "q"])
@example(["--model", "m", "--window", "q"])
def test_the_parser_understands_every_such_line_alike(words) -> None:
    wish = wish_of(["ask", *words])
    if wish is None:
        return
    options = build_parser().parse_args(["ask", *words])
    assert options.window and not options.json and not options.host and not options.mode and not options.yes
    read = AskQuickly(options.folder, options.model, (options.question or "").strip())
    assert type(wish) is AskQuickly and wish == read


def test_a_folder_is_as_seen_from_here(tmp_path, monkeypatch) -> None:
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for words in ("docs", "./docs/", "~/docs"):
        assert wish_of(["ask", "--window", "--folder", words]) == AskQuickly(str(tmp_path / "docs"), "", "")
