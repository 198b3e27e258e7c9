from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Result

RunTool = Callable[..., Result]
KEYS = ["query", "search_type", "results", "total_files", "total_matches", "truncated", "files_scanned", "skipped"]


def search(run: RunTool, query: str, path: str = ".", **arguments: Any) -> Result:
    result = run("search_files", path=path, query=query, **arguments)
    assert result.success, result.error
    assert list(result.data) == KEYS
    return result


def paths(result: Result) -> list[str]:
    return [entry["path"] for entry in result.data["results"]]


@pytest.fixture
def tree(work: Path) -> Path:
    (work / "src" / "deep").mkdir(parents=True)
    (work / "src" / "main.ts").write_text("first line\nconst Port = 1\nport again\n")
    (work / "src" / "deep" / "Menu.TS").write_text("nothing here\n")
    (work / "notes.txt").write_text("the port is 8421\n")
    (work / "port-list.md").write_text("a port\n")
    return work


def test_names_and_contents_without_case(tree: Path, run: RunTool) -> None:
    result = search(run, "PORT")
    assert paths(result) == ["notes.txt", "port-list.md", "src/main.ts"]
    by_path = {entry["path"]: entry["matches"] for entry in result.data["results"]}
    assert by_path["port-list.md"] == [{"line": 0, "text": "port-list.md", "column": 1}]
    assert by_path["src/main.ts"] == [
        {"line": 2, "text": "const Port = 1", "column": 7},
        {"line": 3, "text": "port again", "column": 1},
    ]
    assert (result.data["total_files"], result.data["total_matches"]) == (3, 4)
    assert (result.data["files_scanned"], result.data["truncated"]) == (4, False)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("*.ts", ["src/deep/Menu.TS", "src/main.ts"]),
        ("src/*.ts", ["src/deep/Menu.TS", "src/main.ts"]),
        ("m???.ts", ["src/deep/Menu.TS", "src/main.ts"]),
        ("[mn]*", ["notes.txt", "src/deep/Menu.TS", "src/main.ts"]),
        ("**/main.ts", ["src/main.ts"]),
    ],
)
def test_a_pattern_searches_names(tree: Path, run: RunTool, query: str, found: list[str]) -> None:
    result = search(run, query)
    assert paths(result) == found
    assert all(entry["matches"][0]["line"] == 0 for entry in result.data["results"])


def test_the_three_kinds(tree: Path, run: RunTool) -> None:
    assert paths(search(run, "port", search_type="filename")) == ["port-list.md"]
    assert paths(search(run, "port", search_type="content")) == ["notes.txt", "port-list.md", "src/main.ts"]
    assert paths(search(run, "Port", search_type="content", case_sensitive=True)) == ["src/main.ts"]


def test_a_path_may_be_a_file(tree: Path, run: RunTool) -> None:
    result = search(run, "port", path="src/main.ts")
    assert paths(result) == ["src/main.ts"]
    assert [match["line"] for match in result.data["results"][0]["matches"]] == [2, 3]


def test_paths_are_as_read_file_takes_them(tree: Path, run: RunTool) -> None:
    for path in paths(search(run, "port", path="src")):
        assert run("read_file", path=path).success


def test_file_extensions(tree: Path, run: RunTool) -> None:
    assert paths(search(run, "port", file_extensions=[".md", "TXT"])) == ["notes.txt", "port-list.md"]


def test_an_extension_filter_does_not_bring_back_what_is_ignored(tree: Path, run: RunTool) -> None:
    (tree / ".gitignore").write_text("notes.txt\n")
    assert paths(search(run, "port", file_extensions=["txt", "md"])) == ["port-list.md"]


def test_gitignore_is_respected_and_said(tree: Path, run: RunTool) -> None:
    (tree / ".gitignore").write_text("src/\n")
    result = search(run, "port")
    assert paths(result) == ["notes.txt", "port-list.md"]
    assert ".gitignore" in str(result.note)
    everything = search(run, "port", include_ignored=True)
    assert "src/main.ts" in paths(everything)
    assert ".gitignore" not in str(everything.note)


def test_the_workspaces_gitignore_holds_in_its_folders(tree: Path, run: RunTool) -> None:
    (tree / ".gitignore").write_text("*.ts\n")
    (tree / "src" / "b.txt").write_text("port\n")
    assert paths(search(run, "port", path="src")) == ["src/b.txt"]


def test_hidden_files_on_demand(tree: Path, run: RunTool) -> None:
    (tree / ".config").write_text("port\n")
    assert ".config" not in paths(search(run, "port"))
    assert ".config" in paths(search(run, "port", include_hidden=True))


def test_sensitive_files_do_not_show_up(tree: Path, run: RunTool) -> None:
    for name in (".env", "id_rsa", "my-Passwords.txt", "server.KEY", "secret.txt"):
        (tree / name).write_text("port hunter2\n")
    for arguments in ({}, {"include_hidden": True, "include_ignored": True}):
        result = search(run, "port", **arguments)
        assert paths(result) == ["notes.txt", "port-list.md", "src/main.ts"]
        assert result.data["skipped"]["sensitive"] >= 4
    assert search(run, "hunter2").data["results"] == []
    assert search(run, "id_rsa").data["results"] == []


def test_ten_lines_a_file_and_right_sums(work: Path, run: RunTool) -> None:
    (work / "a.log").write_text("".join(f"ERROR {n}\n" for n in range(37)))
    result = search(run, "error")
    assert len(result.data["results"][0]["matches"]) == 10
    assert (result.data["total_matches"], result.data["truncated"]) == (37, True)
    assert "37 matches" in result.text


def test_max_results_counts_matches(tree: Path, run: RunTool) -> None:
    result = search(run, "port", max_results=3)
    assert sum(len(entry["matches"]) for entry in result.data["results"]) == 3
    assert (result.data["total_matches"], result.data["truncated"]) == (4, True)


def test_columns_are_in_characters(work: Path, run: RunTool) -> None:
    (work / "a.txt").write_text("第三行 😀 中文 port\n")
    assert search(run, "中文").data["results"][0]["matches"] == [
        {"line": 1, "text": "第三行 😀 中文 port", "column": 7}
    ]
    assert search(run, "port").data["results"][0]["matches"][0]["column"] == 10


def test_long_lines_are_cut_around_the_match(work: Path, run: RunTool) -> None:
    (work / "a.txt").write_text("x" * 5000 + " needle " + "y" * 5000 + "\n")
    match = search(run, "needle").data["results"][0]["matches"][0]
    assert match["column"] == 5002
    assert "needle" in match["text"]
    assert len(match["text"]) < 300


@pytest.mark.parametrize("codec", ["gb18030", "utf-8-sig", "utf-16"])
def test_chinese_in_other_encodings_is_found(work: Path, run: RunTool, codec: str) -> None:
    text = "第一行是普通的文字说明。\n这一行里有发票号码和金额。\n"
    (work / "a.txt").write_bytes(text.encode(codec))
    result = search(run, "发票")
    assert result.data["results"] == [
        {"path": "a.txt", "matches": [{"line": 2, "text": "这一行里有发票号码和金额。", "column": 6}]}
    ]


def test_big5_and_shift_jis_are_found(work: Path, run: RunTool) -> None:
    (work / "tw.txt").write_bytes("今天的會議記錄，請大家提交報告與發票。\n".encode("big5"))
    (work / "jp.txt").write_bytes("本日の会議の議事録です。報告書を提出してください。\n".encode("shift_jis"))
    assert paths(search(run, "會議")) == ["tw.txt"]
    assert paths(search(run, "議事録")) == ["jp.txt"]


def test_a_chinese_query_in_a_binary_file_is_no_hit(work: Path, run: RunTool) -> None:
    (work / "a.bin").write_bytes(b"\0\1\2" + "发票".encode() + b"\n\0")
    assert search(run, "发票").data["results"] == []


def test_a_chinese_name_is_found(work: Path, run: RunTool) -> None:
    (work / "发票 三月.txt").write_text("x\n")
    assert paths(search(run, "三月")) == ["发票 三月.txt"]
    assert paths(search(run, "*三月*")) == ["发票 三月.txt"]


@pytest.mark.parametrize(
    ("query", "path", "note"),
    [
        ("8421", "src", "whole workspace"),
        ("list port", ".", "however joined"),
        ("ports", ".", '"port"'),
        ("the harbour port", ".", 'the word "port"'),
    ],
)
def test_an_empty_answer_widens_and_says_so(tree: Path, run: RunTool, query: str, path: str, note: str) -> None:
    (tree / "list-port.md").write_text("x\n")
    result = search(run, query, path=path)
    assert result.data["results"], result.note
    assert note in str(result.note)
    assert result.data["query"] == query


def test_nothing_anywhere_names_what_is_near(work: Path, run: RunTool) -> None:
    (work / "budget-2026.txt").write_text("x\n")
    result = search(run, "bugdet")
    assert result.data["results"] == []
    assert "budget-2026.txt" in str(result.note)
    assert "budget-2026.txt" in result.text


def test_queries_with_odd_characters(work: Path, run: RunTool) -> None:
    (work / "a.txt").write_text("--pre=evil\n-e x\n$HOME (a+b)\nback\\slash\n{brace}\n")
    for query in ("--pre=evil", "-e x", "$HOME (a+b)", "back\\slash", "{brace}"):
        assert paths(search(run, query, search_type="content")) == ["a.txt"], query


def test_regular_expressions(tree: Path, run: RunTool) -> None:
    assert paths(search(run, r"port\s+is\s+\d+", regex=True)) == ["notes.txt"]
    assert paths(search(run, r"^port-.*\.md$", regex=True, search_type="filename")) == ["port-list.md"]
    result = run("search_files", path=".", query="(", regex=True)
    assert result.code is Code.BAD_REGEX


def test_a_hostile_expression_is_not_slow(work: Path, run: RunTool) -> None:
    (work / "a.txt").write_text("a" * 1_000_000 + "b\n")
    search(run, "(a+)+$", regex=True)


def test_a_query_of_several_lines_uses_the_first(work: Path, run: RunTool) -> None:
    (work / "a.txt").write_text("alpha\nbeta\n")
    result = search(run, "alpha\nbeta")
    assert paths(result) == ["a.txt"]
    assert "first line" in str(result.note)
    assert run("search_files", path=".", query="\n").code is Code.BAD_ARGUMENTS


def test_names_that_are_not_utf8_are_counted(work: Path, run: RunTool) -> None:
    with open(os.path.join(os.fsencode(work), b"caf\xe9.txt"), "wb") as out:
        out.write(b"needle\n")
    (work / "ok.txt").write_text("needle\n")
    result = search(run, "needle")
    assert paths(result) == ["ok.txt"]
    assert result.data["skipped"]["name_not_utf8"] == 1


def test_links_are_not_followed(work: Path, run: RunTool, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "s.txt").write_text("needle\n")
    os.symlink(tmp_path / "out", work / "d")
    os.symlink(tmp_path / "out" / "s.txt", work / "l.txt")
    assert search(run, "needle").data["results"] == []


def test_a_missing_folder_is_told_with_the_call_that_works(run: RunTool) -> None:
    result = run("search_files", path="nope", query="x")
    assert result.code is Code.NOT_FOUND
    assert 'search_files(path="."' in str(result.error)


def test_a_folder_that_is_searched_for_is_told_with_the_call_that_lists_it(work: Path, run: RunTool) -> None:
    (work / "a" / "Letters").mkdir(parents=True)
    (work / "a" / "Letters" / "bank.txt").write_text("x\n")
    said = search(run, "letters", search_type="filename").text
    assert 'list_directory(path="a/Letters", recursive=true)' in said


@pytest.mark.parametrize("typed", ["letters", "LETTERS", "docs/Letters/"])
def test_a_folder_in_other_letters_is_searched(work: Path, run: RunTool, typed: str) -> None:
    (work / "a" / "Letters").mkdir(parents=True)
    (work / "a" / "Letters" / "bank.txt").write_text("needle\n")
    (work / "needle.txt").write_text("needle\n")
    result = run("search_files", path=typed, query="needle")
    assert paths(result) == ["a/Letters/bank.txt"]
    assert "the only folder of that name" in str(result.note)


def test_of_two_folders_of_a_name_none_is_guessed(work: Path, run: RunTool) -> None:
    for above in ("a", "b"):
        (work / above / "Letters").mkdir(parents=True)
        (work / above / "Letters" / "bank.txt").write_text("needle\n")
    assert run("search_files", path="letters", query="needle").code is Code.NOT_FOUND


def test_columns_of_names_are_in_characters(work: Path, run: RunTool) -> None:
    (work / "中文a.txt").write_text("x\n")
    assert search(run, r"a\.t", regex=True).data["results"][0]["matches"][0]["column"] == 3


@pytest.mark.parametrize(("query", "found"), [("[http]", "conf.ini"), ("where is the pelican?", "birds.txt")])
def test_a_pattern_without_a_name_is_looked_for_in_contents(work: Path, run: RunTool, query: str, found: str) -> None:
    (work / "conf.ini").write_text("[http]\nport = 1\n")
    (work / "birds.txt").write_text("hello pelican\n")
    assert paths(search(run, query)) == [found]


def test_extensions_in_one_text_are_understood_and_nonsense_is_told(tree: Path, run: RunTool) -> None:
    assert paths(search(run, "port", file_extensions=["md, txt"])) == ["notes.txt", "port-list.md"]
    assert run("search_files", path=".", query="port", file_extensions=["*"]).code is Code.BAD_ARGUMENTS


def test_a_name_cannot_forge_a_row(work: Path, run: RunTool) -> None:
    (work / "a\nb.txt").write_text("needle\n")
    assert "a\nb" not in search(run, "needle").text
    assert "a\nb" not in run("list_directory", path=".").text
