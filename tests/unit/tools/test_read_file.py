from __future__ import annotations

import base64
import codecs
import os
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Result

RunTool = Callable[..., Result]

CHINESE = "今天的会议记录：请大家在周五之前提交报告。\n发票金额为一千二百元，客户是青山设计。\n"
TEXTS = [
    ("gb18030", CHINESE, "gb18030"),
    ("big5", "今天的會議記錄：請大家在週五之前提交報告。\n發票金額為一千二百元。\n", "big5"),
    ("shift_jis", "本日の会議の議事録です。金曜日までに報告書を提出してください。\n", "cp932"),
    ("euc_jp", "本日の会議の議事録です。金曜日までに報告書を提出してください。\n", "euc_jp"),
    ("cp1252", "Café crème à la française, déjà vu, où êtes-vous? L’été.\n", "cp1252"),
    ("cp1251", "Привет, как дела? Это обычный текст на русском языке.\n", "cp1251"),
    ("utf-8", CHINESE, "utf-8"),
    ("utf-8-sig", CHINESE, "utf-8-sig"),
    ("utf-16", CHINESE, "utf-16"),
]


@pytest.mark.parametrize(("codec", "text", "named"), TEXTS, ids=[entry[0] for entry in TEXTS])
def test_encodings_are_found_and_said(work: Path, run: RunTool, codec: str, text: str, named: str) -> None:
    (work / "a.txt").write_bytes(text.encode(codec))
    result = run("read_file", path="a.txt")
    assert result.success, result.error
    assert (result.data["content"], result.data["encoding"]) == (text, named)
    assert result.data["lines"] == text.count("\n")


def test_in_doubt_it_names_the_candidates_and_never_guesses(work: Path, run: RunTool) -> None:
    (work / "a.txt").write_bytes("端口=8080\n".encode("gb18030"))
    result = run("read_file", path="a.txt")
    assert result.code is Code.UNKNOWN_ENCODING
    assert result.error is not None
    assert "gb18030" in result.error
    assert "端口" in result.error
    assert run("read_file", path="a.txt", encoding="gb18030").data["content"] == "端口=8080\n"


def test_the_users_language_settles_a_tie(work: Path, run: RunTool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    (work / "a.txt").write_bytes("端口=8080\n".encode("gb18030"))
    result = run("read_file", path="a.txt")
    assert (result.data["content"], result.data["encoding"]) == ("端口=8080\n", "gb18030")


def test_a_few_broken_bytes_are_said(work: Path, run: RunTool) -> None:
    (work / "a.log").write_bytes((CHINESE * 20).encode() + b"broken \xff byte\n")
    result = run("read_file", path="a.log")
    assert result.success
    assert result.note is not None
    assert "UTF-8" in result.note
    assert result.data["content"].endswith("broken \ufffd byte\n")


def test_an_encoding_that_does_not_fit_is_refused(work: Path, run: RunTool) -> None:
    (work / "a.txt").write_bytes("déjà".encode("cp1252"))
    assert run("read_file", path="a.txt", encoding="utf-8").code is Code.UNKNOWN_ENCODING
    assert run("read_file", path="a.txt", encoding="latin1").data["content"] == "déjà"
    assert run("read_file", path="a.txt", encoding="klingon").code is Code.BAD_ARGUMENTS
    assert run("read_file", path="a.txt", encoding="rot13").code is Code.BAD_ARGUMENTS


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG image"),
        (b"%PDF-1.7\n%\xe2\xe3", "PDF"),
        (b"PK\x03\x04\x14\0\0\0", "ZIP"),
        (b"\x7fELF\x02\x01\x01\0", "Linux program"),
        (bytes(range(256)) * 4, "binary file"),
    ],
)
def test_what_is_no_text_says_what_it_is(work: Path, run: RunTool, data: bytes, words: str) -> None:
    (work / "a").write_bytes(data)
    result = run("read_file", path="a")
    assert result.code is Code.BINARY_FILE
    assert result.error is not None
    assert words in result.error
    raw = run("read_file", path="a", encoding="base64")
    assert base64.b64decode(raw.data["content"]) == data
    assert raw.data["truncated"] is False


def test_base64_gives_150_kb_at_most(work: Path, run: RunTool) -> None:
    (work / "a").write_bytes(os.urandom(200_000))
    result = run("read_file", path="a", encoding="base64")
    assert len(base64.b64decode(result.data["content"])) == 150_000
    assert result.data["truncated"]


def lines(count: int) -> str:
    return "".join(f"line {number}\n" for number in range(1, count + 1))


@pytest.mark.parametrize(
    ("count", "arguments", "first", "last", "truncated", "total"),
    [
        (10, {}, 1, 10, False, 10),
        (500, {}, 1, 500, False, 500),
        (501, {}, 1, 500, True, 501),
        (10, {"start_line": 3}, 3, 10, False, 10),
        (10, {"end_line": 3}, 1, 3, False, 10),
        (10, {"start_line": 3, "end_line": 3}, 3, 3, False, 10),
        (10, {"start_line": 3, "end_line": 99}, 3, 10, False, 10),
        (900, {"start_line": 100, "end_line": 800}, 100, 599, True, 900),
        (900, {"start_line": 600}, 600, 900, False, 900),
    ],
)
def test_ranges(
    work: Path,
    run: RunTool,
    count: int,
    arguments: dict[str, Any],
    first: int,
    last: int,
    truncated: bool,
    total: int,
) -> None:
    (work / "a.txt").write_text(lines(count))
    data = run("read_file", path="a.txt", **arguments).data
    assert data["content"] == "".join(f"line {number}\n" for number in range(first, last + 1))
    assert (data["line_range"], data["truncated"], data["lines"]) == ([first, last], truncated, total)
    assert data.get("next_start_line") == (last + 1 if truncated else None)


def test_a_range_that_is_not_there(work: Path, run: RunTool) -> None:
    (work / "a.txt").write_text(lines(3))
    result = run("read_file", path="a.txt", start_line=4)
    assert (result.code, "3 lines" in str(result.error)) == (Code.OUT_OF_RANGE, True)
    assert run("read_file", path="a.txt", start_line=3, end_line=2).code is Code.OUT_OF_RANGE
    assert run("read_file", path="a.txt", start_line=0).code is Code.BAD_ARGUMENTS


def test_an_empty_file(work: Path, run: RunTool) -> None:
    (work / "a.txt").write_bytes(b"")
    result = run("read_file", path="a.txt")
    assert (result.data["content"], result.data["lines"], result.data["line_range"]) == ("", 0, [0, 0])
    assert "empty" in result.text


@pytest.mark.parametrize("ends", ["\r\n", "\n", "mixed\r\nand\n"])
def test_line_ends_are_given_as_they_are(work: Path, run: RunTool, ends: str) -> None:
    (work / "a.txt").write_bytes(f"a{ends}b".encode())
    assert run("read_file", path="a.txt").data["content"] == f"a{ends}b"


def test_a_very_long_line_is_cut_and_said(work: Path, run: RunTool) -> None:
    (work / "a.txt").write_text("中" * 300_000 + "\nnext\n")
    result = run("read_file", path="a.txt")
    assert result.data["truncated"]
    assert set(result.data["content"]) == {"中"}
    assert "long line" in str(result.note)
    after = run("read_file", path="a.txt", start_line=2)
    assert after.data["content"] == "next\n"


def test_a_range_of_a_huge_file_is_streamed(work: Path, run: RunTool) -> None:
    with open(work / "a.log", "wb") as out:
        out.write(lines(100).encode())
        out.truncate(1 << 40)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = run("read_file", path="a.log", start_line=1, end_line=10)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert result.data["content"] == lines(10)
    assert result.data["lines"] is None
    assert after - before < 20 << 10
    assert run("read_file", path="a.log").code is Code.FILE_TOO_LARGE


def test_utf16_ranges(work: Path, run: RunTool) -> None:
    (work / "a.txt").write_bytes(codecs.BOM_UTF16_BE + lines(700).encode("utf-16-be"))
    data = run("read_file", path="a.txt", start_line=650, end_line=651).data
    assert (data["content"], data["encoding"]) == ("line 650\nline 651\n", "utf-16")


def test_a_folder_is_no_file(work: Path, run: RunTool) -> None:
    (work / "d").mkdir()
    result = run("read_file", path="d")
    assert result.code is Code.IS_DIRECTORY
    assert "list_directory" in str(result.error)


def test_a_decorated_path_is_read_and_said(work: Path, run: RunTool) -> None:
    (work / "Pictures").mkdir()
    (work / "Pictures" / "cat.txt").write_text("meow")
    for typed in (
        "Pictures\\cat.txt",
        "cat.txt",
        "In Pictures/cat.txt",
        "C:\\Users\\You\\cat.txt",
        "/home/you/cat.txt",
    ):
        result = run("read_file", path=typed)
        assert result.success, (typed, result.error)
        assert result.data["content"] == "meow"
        assert result.note
    (work / "cat.txt").mkdir()
    assert not run("read_file", path="nowhere/cat2.txt").success


def test_a_missing_file_names_real_ones(work: Path, run: RunTool) -> None:
    (work / "invoice-march.txt").write_text("x")
    result = run("read_file", path="invoices-march.txt")
    assert result.code is Code.NOT_FOUND
    assert "invoice-march.txt" in str(result.error)


def test_a_range_in_the_middle_of_a_large_gb18030_file(work: Path, run: RunTool) -> None:
    line = "第{}行：今天的会议记录，请大家在周五之前提交报告。\n"
    (work / "a.txt").write_bytes("".join(line.format(n) for n in range(1, 3501)).encode("gb18030"))
    data = run("read_file", path="a.txt", start_line=3001, end_line=3001).data
    assert (data["content"], data["encoding"]) == (line.format(3001), "gb18030")


def test_chinese_takes_its_share_of_the_window(work: Path, run: RunTool) -> None:
    (work / "a.txt").write_text("今天的会议记录。\n" * 4000)
    result = run("read_file", path="a.txt", num_ctx=4096)
    assert len(result.text) <= 4096 // 4 + 200
    assert result.data["truncated"]
    after = run("read_file", path="a.txt", num_ctx=4096, start_line=result.data["next_start_line"])
    assert after.success


def test_bad_arguments_are_told_before_the_path_is_looked_at(run: RunTool) -> None:
    assert run("read_file", path="/etc/passwd", encoding="nope").code is Code.BAD_ARGUMENTS
    assert run("search_files", path="/etc", query=" ").code is Code.BAD_ARGUMENTS


def test_a_folder_is_a_folder_whatever_the_range(run: RunTool) -> None:
    assert run("read_file", path=".", start_line=5, end_line=2).code is Code.IS_DIRECTORY
