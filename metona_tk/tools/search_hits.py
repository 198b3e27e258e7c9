"""Reads what ripgrep prints and checks each hit against the file itself, through its checked handle.

While a folder is swapped for a link, a plain walk reports lines from outside; so no line is believed before the same
line was read from the handle. What is not there is dropped.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from metona_tk.tools.base import FileHandle, KeyScan, ToolContext
from metona_tk.tools.decoding import SAMPLE, detect
from metona_tk.tools.search_query import Query

LINES_A_FILE = 10
_LINE_SHOWN = 240  # characters
_LINES_BEFORE = 20  # that help to tell what a line is
_SMALL = 1 << 18  # bytes of a file that is looked at whole
_HURRY = 3.0  # seconds
_AT_ONCE = 500  # lines of a file that are masked together
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


def parse_hit(record: bytes) -> tuple[str, Hit, bytes] | None:
    """A record of `rg --json` as (path below the searched folder, hit, its line); None for what is no match."""
    if not record.startswith(b'{"type":"match"'):
        return None
    data: dict[str, Any] = json.loads(record)["data"]
    line = _bytes_of(data["lines"])
    path = os.fsdecode(_bytes_of(data["path"])) if data.get("path") else ""
    start = data["submatches"][0]["start"] if data["submatches"] else 0
    path = path.removeprefix("./")
    hit = Hit(data["line_number"] or 1, _digest(line), start)
    return path.replace("\\", "/") if os.sep == "\\" else path, hit, line


@dataclass(slots=True)
class Reported:
    """What ripgrep reports, by file. A line that matches only by what is masked in it is as if it were not there: the
    number of hits would tell a secret letter by letter.
    """

    context: ToolContext
    query: Query
    folder: str  # that the paths are below; for a file that came as input, the file itself
    files: dict[str, FileHits] = field(default_factory=dict[str, FileHits])
    _path: str = ""
    _waiting: list[tuple[Hit, bytes]] = field(default_factory=list[tuple[Hit, bytes]])

    def add(self, path: str, hit: Hit, line: bytes) -> None:
        """One more; those of a file come together."""
        if path != self._path or len(self._waiting) >= _AT_ONCE:
            self.finish()
        self._path = path
        self._waiting.append((hit, line))

    def finish(self) -> dict[str, FileHits]:
        """All that is left, by path."""
        path = os.path.join(self.folder, self._path) if os.path.isdir(self.folder) else self.folder
        texts = [line.decode("utf-8", "replace").rstrip("\r\n") for _, line in self._waiting]
        seen = self.context.mask_lines(path, texts) if texts else []
        for (hit, _), text, masked in zip(self._waiting, texts, seen, strict=True):
            if masked == text or self.context.first_match(self.query.pattern, masked) is not None:
                hits = self.files.setdefault(self._path, FileHits())
                hits.count += 1
                if len(hits.kept) < LINES_A_FILE:
                    hits.kept.append(hit)
        self._waiting.clear()
        return self.files


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


@dataclass(slots=True)
class _Before:
    """What stands before a line in its file: the last few lines, and whether they begin inside a private key."""

    keys: KeyScan
    lines: deque[bytes] = field(default_factory=deque[bytes])

    def add(self, line: bytes) -> None:
        """The next line of the file."""
        self.lines.append(line)
        if len(self.lines) > _LINES_BEFORE:
            self.keys.feed(self.lines.popleft() + b"\n")


def checked_matches(
    file: FileHandle, hits: FileHits, query: Query, go_on: Callable[[], bool], context: ToolContext
) -> list[dict[str, Any]]:
    """The hits that stand in the file, as {line, text, column}; columns in characters, from 1. What is masked in a line
    does not count as a match, and is not counted in `hits` either.
    """
    wanted = {hit.line: hit for hit in hits.kept}
    whole = _Whole.of(file, hits, go_on, context)
    found: list[dict[str, Any]] = []
    encodings: list[str] | None = None
    before = _Before(context.key_scan())
    picked: list[tuple[int, bytes, bool, bytes]] = []
    for number, line in enumerate(_raw_lines(file, max(wanted, default=0), go_on), 1):
        if number in wanted:
            picked.append((number, line, before.keys.inside, b"".join(each + b"\n" for each in before.lines)))
        before.add(line)
    for number, raw, inside, lines in picked:
        hit = wanted[number]
        marked = number == 1 and raw.startswith(b"\xef\xbb\xbf") and _digest(raw) != hit.digest
        line = raw[3:] if marked else raw
        if _digest(line) != hit.digest:
            continue
        encodings = _encodings(file) if encodings is None else encodings
        decoded = _decode(line.rstrip(b"\r"), encodings, query)
        if decoded is None:
            continue
        text, encoding = decoded
        masked = context.mask_line(file.path, text, lines.decode(encoding, "replace"), inside)
        if masked == text and whole is not None:
            masked = whole.lines[number - 1] if number <= len(whole.lines) else ""
        if masked == text and _hidden_elsewhere(line, text, encodings, file.path, context):
            masked = ""
        start = context.first_match(query.pattern, masked) if masked != text else 0
        if start is None:
            hits.count -= 1
        else:
            place = start if masked != text else len(line[: hit.start].decode(encoding, "replace"))
            found.append(_match(number, masked, place))
    if whole is not None and whole.hides and hits.count > len(hits.kept):
        hits.count = min(hits.count, sum(context.first_match(query.pattern, line) is not None for line in whole.lines))
    return found


@dataclass(slots=True)
class _Whole:
    """All lines of a small file as they may be seen: what a line is may be told far above it, as in a table."""

    lines: list[str]
    hides: bool

    @classmethod
    def of(cls, file: FileHandle, hits: FileHits, go_on: Callable[[], bool], context: ToolContext) -> _Whole | None:
        """None for a file that is not small, or where little time is left: then some lines before a hit have to do."""
        if not hits.kept or file.stat.st_size > _SMALL or context.remaining() < _HURRY:
            return None
        encodings = _encodings(file) or ["utf-8"]
        file.rewind()
        raw = _raw_lines(file, 1 << 62, go_on)
        lines = [line.removesuffix(b"\r").decode(encodings[0], "replace") for line in raw]
        file.rewind()
        places, place = list[tuple[int, int]](), 0
        for line in lines:
            places.append((place, place + len(line)))
            place += len(line) + 1
        seen = context.mask_places(file.path, "\n".join(lines), places)
        return cls(seen, seen != lines)


def _hidden_elsewhere(line: bytes, text: str, encodings: list[str], path: str, context: ToolContext) -> bool:
    """Whether a line has a secret in another of the encodings that it may be in."""
    readings = {line.decode(each, "replace") for each in encodings[1:] or encodings} - {text}
    return any(context.mask_line(path, reading, "", False) != reading for reading in readings)


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


def _match(number: int, text: str, place: int) -> dict[str, Any]:
    """A line as it is shown: the part around the match, where it is long."""
    column = place + 1
    if len(text) > _LINE_SHOWN:
        begin = max(0, min(place - _LINE_SHOWN // 3, len(text) - _LINE_SHOWN))
        end = begin + _LINE_SHOWN
        text = ("\u2026" if begin else "") + text[begin:end] + ("\u2026" if end < len(text) else "")
    return {"line": number, "text": text, "column": column}
