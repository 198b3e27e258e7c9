"""Reads what ripgrep prints and checks each hit against the file itself, through its checked handle.

While a folder is swapped for a link, a plain walk reports lines from outside; so no line is believed before the same
line was read from the handle. What is not there is dropped.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from metona_tk.tools.base import FileHandle
from metona_tk.tools.decoding import SAMPLE, detect
from metona_tk.tools.search_query import Query

LINES_A_FILE = 10
_LINE_SHOWN = 240  # characters
_CHUNK = 1 << 16
_LINE_CAP = 1 << 21  # bytes; no longer line is ever reported


@dataclass(slots=True)
class Hit:
    """A line that ripgrep reported: its number, a digest of its bytes, where the match begins in them."""

    line: int
    digest: bytes
    start: int


@dataclass(slots=True)
class FileHits:
    """The reported lines of one file: the first few, and how many there are."""

    count: int = 0
    kept: list[Hit] = field(default_factory=list[Hit])


def _digest(line: bytes) -> bytes:
    return hashlib.blake2b(line.rstrip(b"\r\n"), digest_size=16).digest()


def _bytes_of(value: dict[str, str]) -> bytes:
    return base64.b64decode(value["bytes"]) if "bytes" in value else value["text"].encode("utf-8", "surrogatepass")


def parse_hit(record: bytes) -> tuple[str, Hit] | None:
    """A record of `rg --json` as (path below the searched folder, hit); None for what is no match."""
    if not record.startswith(b'{"type":"match"'):
        return None
    data: dict[str, Any] = json.loads(record)["data"]
    line = _bytes_of(data["lines"])
    path = os.fsdecode(_bytes_of(data["path"])) if data.get("path") else ""
    start = data["submatches"][0]["start"] if data["submatches"] else 0
    return path.removeprefix("./").replace("\\", "/") if os.sep == "\\" else path.removeprefix("./"), Hit(
        data["line_number"] or 1, _digest(line), start
    )


def _raw_lines(file: FileHandle, last: int, go_on: Callable[[], bool]) -> Iterator[bytes]:
    """The lines up to number `last` as ripgrep counts them; text with a UTF-16 mark comes as UTF-8.

    A line that is too long to have been reported comes cut, so memory stays flat; `go_on` False ends it.
    """
    import codecs

    head = file.read(4)
    file.rewind()
    wide = (detect(head, False).encoding or "").startswith("utf-16")
    decoder = codecs.getincrementaldecoder("utf-16")("replace") if wide else None
    rest, number = b"", 0
    while go_on() and (block := file.read(_CHUNK)):
        block = decoder.decode(block).encode("utf-8", "replace") if decoder else block
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            yield line
            number += 1
            if number >= last:
                return
        if len(rest) > _LINE_CAP:
            rest = rest[: _LINE_CAP // 2]
    if rest:
        yield rest


def checked_matches(
    file: FileHandle, hits: FileHits, query: Query, go_on: Callable[[], bool], mask: Callable[[str, str], str]
) -> list[dict[str, Any]]:
    """The hits that stand in the file, as {line, text, column}; columns in characters, from 1."""
    wanted = {hit.line: hit for hit in hits.kept}
    found: list[dict[str, Any]] = []
    encodings: list[str] | None = None
    lines = enumerate(_raw_lines(file, max(wanted, default=0), go_on), 1)
    picked = [(number, line) for number, line in lines if number in wanted]
    for number, raw in picked:
        hit = wanted[number]
        marked = number == 1 and raw.startswith(b"\xef\xbb\xbf") and _digest(raw) != hit.digest
        line = raw[3:] if marked else raw
        if _digest(line) != hit.digest:
            continue
        encodings = _encodings(file) if encodings is None else encodings
        decoded = _decode(line.rstrip(b"\r"), encodings, query)
        if decoded is not None:
            found.append(_match(number, *decoded, line, hit.start, mask(file.path, decoded[0])))
    return found


def _encodings(file: FileHandle) -> list[str]:
    """What the file may be written in, likeliest first; empty for a binary file."""
    file.rewind()
    sample = file.read(SAMPLE)
    judged = detect(sample, file.stat.st_size <= len(sample))
    if judged.binary:
        return []
    first = judged.encoding or ""
    known = ["utf-8" if first.startswith("utf") else first] if first else list(judged.candidates)
    return known or ["gb18030", "big5", "cp932"]


def _decode(line: bytes, encodings: list[str], query: Query) -> tuple[str, str] | None:
    """(text, encoding) of a line; for text in older encodings the reading that holds the query."""
    if line.isascii():
        return (line.decode("ascii"), "utf-8") if encodings else None
    for encoding in encodings:
        try:
            text = line.decode(encoding)
        except UnicodeError:
            continue
        if not query.legacy or query.hits(text):
            return text, encoding
    if encodings and not query.legacy:
        return line.decode("utf-8", "replace"), "utf-8"
    return None


def _match(number: int, text: str, encoding: str, line: bytes, start: int, masked: str) -> dict[str, Any]:
    place = len(line[:start].decode(encoding, "replace"))
    column = place + 1
    if masked != text:
        text, place = masked, 0
    if len(text) > _LINE_SHOWN:
        begin = max(0, min(place - _LINE_SHOWN // 3, len(text) - _LINE_SHOWN))
        end = begin + _LINE_SHOWN
        text = ("…" if begin else "") + text[begin:end] + ("…" if end < len(text) else "")
    return {"line": number, "text": text, "column": column}
