from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Result

RunTool = Callable[..., Result]


def names(result: Result) -> list[str]:
    return [entry["name"] for entry in result.data["entries"]]


def test_folders_first_then_in_natural_order(work: Path, run: RunTool) -> None:
    for name in ("file10.txt", "file2.txt", "B.txt", "a.txt"):
        (work / name).write_text("x")
    (work / "zoo").mkdir()
    (work / "Area").mkdir()
    assert names(run("list_directory", path=".")) == ["Area", "zoo", "a.txt", "B.txt", "file2.txt", "file10.txt"]


def test_what_an_entry_tells(work: Path, run: RunTool) -> None:
    (work / "a.txt").write_text("12345")
    os.utime(work / "a.txt", (86400, 86400))
    (work / "d").mkdir()
    os.symlink("a.txt", work / "link")
    os.symlink("nowhere", work / "broken")
    os.mkfifo(work / "pipe")
    by_name = {entry["name"]: entry for entry in run("list_directory", path=".").data["entries"]}
    assert by_name["a.txt"] == {"name": "a.txt", "type": "file", "size": 5, "modified": "1970-01-02T00:00:00Z"}
    assert (by_name["d"]["type"], by_name["d"]["size"]) == ("directory", None)
    assert [by_name[name]["type"] for name in ("link", "broken", "pipe")] == ["symlink", "symlink", "other"]


def test_hidden_entries_are_counted_and_shown_on_demand(work: Path, run: RunTool) -> None:
    (work / ".hidden").write_text("x")
    (work / "a.txt").write_text("x")
    plain = run("list_directory", path=".")
    assert (names(plain), plain.data["total"]) == (["a.txt"], 1)
    assert "1 hidden entry" in str(plain.note)
    assert names(run("list_directory", path=".", include_hidden=True)) == [".hidden", "a.txt"]


@pytest.mark.parametrize("wanted", [".txt", "txt", "*.txt", ".TXT"])
def test_a_filter_works_recursively_too(work: Path, run: RunTool, wanted: str) -> None:
    (work / "d" / "e").mkdir(parents=True)
    for name in ("a.txt", "b.md", "d/c.TXT", "d/e/f.md"):
        (work / name).write_text("x")
    result = run("list_directory", path=".", recursive=True, filter_extension=wanted)
    assert (names(result), result.data["total"]) == (["d/c.TXT", "a.txt"], 2)
    assert names(run("list_directory", path=".", filter_extension=wanted)) == ["a.txt"]


def test_the_depth_holds_by_its_default(work: Path, run: RunTool) -> None:
    (work / "1" / "2" / "3" / "4").mkdir(parents=True)
    assert names(run("list_directory", path=".", recursive=True)) == ["1", "1/2", "1/2/3"]
    assert names(run("list_directory", path=".", recursive=True, max_depth=1)) == ["1"]


def test_500_entries_and_the_right_total(work: Path, run: RunTool) -> None:
    for number in range(700):
        (work / f"f{number}").touch()
    data = run("list_directory", path=".").data
    assert (len(data["entries"]), data["total"], data["truncated"]) == (500, 700, True)
    assert data["entries"][-1]["name"] == "f499"


def test_linked_folders_are_not_entered(work: Path, run: RunTool) -> None:
    (work / "d").mkdir()
    (work / "d" / "a.txt").write_text("x")
    os.symlink(".", work / "self")
    os.symlink("d", work / "other")
    assert names(run("list_directory", path=".", recursive=True)) == ["d", "d/a.txt", "other", "self"]


def test_sums_come_first_for_the_model(work: Path, run: RunTool) -> None:
    for name, moment in (("a.txt", 100), ("b.txt", 300), ("c.md", 200)):
        (work / name).write_text("x" * (5000 if name == "c.md" else 10))
        os.utime(work / name, (moment, moment))
    (work / "d").mkdir()
    text = run("list_directory", path=".").text
    assert text.startswith("In the workspace folder: 3 files, 1 folder, 4.9 KB.\nKinds: 2 .txt, 1 .md.\n")
    assert "Newest file: b.txt" in text
    assert "Largest file: c.md (4.9 KB)" in text


def test_a_file_where_a_folder_is_meant(work: Path, run: RunTool) -> None:
    (work / "d").mkdir()
    (work / "d" / "a.txt").write_text("x")
    result = run("list_directory", path="d/a.txt")
    assert (names(result), result.data["path"]) == (["a.txt"], str(work / "d"))
    assert "is a file" in str(result.note)


def test_names_that_are_not_utf8_are_shown_escaped(work: Path, run: RunTool) -> None:
    os.mkdir(os.path.join(os.fsencode(work), b"d"))
    with open(os.path.join(os.fsencode(work), b"caf\xe9.txt"), "wb"):
        pass
    result = run("list_directory", path=".", recursive=True)
    assert names(result) == ["d", "caf\\udce9.txt"]
    assert "not valid UTF-8" in str(result.note)
    assert str(result.as_json()).encode()


@pytest.mark.parametrize(
    ("path", "code"), [("nope", Code.NOT_FOUND), ("", Code.BAD_PATH), ("/proc", Code.PROTECTED_PATH)]
)
def test_what_cannot_be_listed(run: RunTool, path: str, code: Code) -> None:
    assert run("list_directory", path=path).code is code


def test_an_empty_folder_says_so(run: RunTool) -> None:
    result = run("list_directory", path=".")
    assert (result.data["total"], result.text) == (0, "the workspace folder is empty.")


def test_an_odd_time_is_no_failure(work: Path, run: RunTool) -> None:
    (work / "a").touch()
    os.utime(work / "a", (2**40, 2**40))
    entry: dict[str, Any] = run("list_directory", path=".").data["entries"][0]
    assert entry["modified"].endswith("Z")
