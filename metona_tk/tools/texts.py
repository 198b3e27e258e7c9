"""The text of a file that is to be changed, and its bytes again: whatever is not touched stays, byte for byte.

Counterparts: `edit_file`, `append_file`, `write_file`. Encodings are found as `read_file` finds them.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from metona_tk.protocol.problems import Code
from metona_tk.tools.base import ToolFailed, size_text
from metona_tk.tools.changing import MAX_CONTENT
from metona_tk.tools.decoding import SAMPLE, canonical, detect

_MARKS: dict[str, tuple[tuple[bytes, str], ...]] = {
    "utf-8-sig": ((codecs.BOM_UTF8, "utf-8"),),
    "utf-16": ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")),
    "utf-32": ((codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be")),
}
LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class FileText:
    """`raw` = `mark` + the bytes of `text` in `codec`. `encoding` is the name that people know."""

    raw: bytes
    text: str
    codec: str
    mark: bytes
    encoding: str
    errors: str = "strict"

    def encode(self, text: str) -> bytes:
        """Bytes of a piece of text, without a mark. ToolFailed(unknown_encoding) where the encoding cannot hold it."""
        return encoded(text, self.codec, self.encoding)

    def replaced(self, ranges: list[tuple[int, int]], new: list[str]) -> bytes:
        """The file with each character range (in order, apart) replaced; every other byte stays as it is."""
        marks = [place for pair in ranges for place in pair]
        places = self._byte_places(marks)
        out, done = [self.raw[: len(self.mark)]], len(self.mark)
        for (start, end), text in zip(zip(places[::2], places[1::2], strict=True), new, strict=True):
            out += [self.raw[done:start], self.encode(text)]
            done = end
        out.append(self.raw[done:])
        return b"".join(out)

    def _byte_places(self, marks: list[int]) -> list[int]:
        """Where characters lie in `raw`. Quick where the text encodes to the very bytes it came from."""
        at, done, found = len(self.mark), 0, list[int]()
        for mark in marks:
            piece = self.text[done:mark].encode(self.codec, self.errors)
            if self.raw[at : at + len(piece)] != piece:
                return self._slow_places(marks)
            at, done = at + len(piece), mark
            found.append(at)
        return found

    def _slow_places(self, marks: list[int]) -> list[int]:
        """The same byte by byte, for encodings that write one character in several ways."""
        decoder = codecs.getincrementaldecoder(self.codec)(self.errors)
        found, wanted, seen = list[int](), sorted(set(marks)), 0
        for at in range(len(self.mark), len(self.raw) + 1):
            while wanted and seen >= wanted[0]:
                found.append(at)
                wanted.pop(0)
            if at < len(self.raw):
                seen += len(decoder.decode(self.raw[at : at + 1]))
        by_mark = dict(zip(sorted(set(marks)), found, strict=False))
        if len(by_mark) != len(set(marks)):
            raise ToolFailed(Code.UNKNOWN_ENCODING, f"The text cannot be placed in its {self.encoding} bytes.")
        return [by_mark[mark] for mark in marks]


def file_text(raw: bytes, name: str, known: str, prefer: str, plain: bool) -> FileText:
    """Decode a whole file for a change. `known`: the encoding it was read in, "" to find it; `plain`: only ASCII is to
    be found and written, so that any encoding which holds ASCII as it is will do.

    ToolFailed: binary_file, or unknown_encoding with the way out.
    """
    if known and known != "base64":
        return _decoded(raw, canonical(known), name)
    found = detect(raw[:SAMPLE], len(raw) <= SAMPLE, prefer)
    if found.binary:
        raise ToolFailed(Code.BINARY_FILE, f"{name} is no text: it looks like {found.binary}. It is left alone.")
    if found.encoding and found.broken:
        return FileText(raw, raw.decode("utf-8", "surrogateescape"), "utf-8", b"", "utf-8", "surrogateescape")
    if found.encoding:
        return _decoded(raw, found.encoding, name)
    if plain:
        return FileText(raw, raw.decode("latin-1"), "latin-1", b"", "")
    names = ", ".join(found.candidates[:4]) or "latin1"
    raise ToolFailed(
        Code.UNKNOWN_ENCODING,
        f"The encoding of {name} is not certain ({names}), and nothing was changed. Call read_file with encoding set "
        "to the one that reads well, then make this call again.",
    )


def _decoded(raw: bytes, encoding: str, name: str) -> FileText:
    mark, codec = b"", encoding
    for each, exact in _MARKS.get(encoding, ()):
        if raw.startswith(each):
            mark, codec = each, exact
            break
    try:
        return FileText(raw, raw[len(mark) :].decode(codec), codec, mark, encoding)
    except UnicodeError as error:
        if codec == "utf-8":
            text = raw[len(mark) :].decode(codec, "surrogateescape")
            return FileText(raw, text, codec, mark, encoding, "surrogateescape")
        raise ToolFailed(
            Code.UNKNOWN_ENCODING,
            f"{name} is not {encoding} throughout, and nothing was changed. Call read_file to see what it is.",
        ) from error


def encoded(text: str, codec: str, encoding: str = "") -> bytes:
    """Bytes of text; ToolFailed(unknown_encoding) that names what the encoding cannot hold, and the way out."""
    try:
        return text.encode(codec)
    except UnicodeEncodeError as error:
        char = text[error.start]
        if 0xD800 <= ord(char) <= 0xDFFF:
            raise ToolFailed(Code.BAD_ARGUMENTS, "The text holds half of a character. Send it again whole.") from error
        raise ToolFailed(
            Code.UNKNOWN_ENCODING,
            f"The encoding {encoding or codec} has no {char!r} (character {error.start + 1} of the text), and nothing "
            'was changed. Leave that character out, or write the whole file with write_file and encoding="utf-8".',
        ) from error


def limited(content: bytes, done: str, advice: str) -> bytes:
    """New bytes as they are. ToolFailed(content_too_large) where they are too many to be `done` ("written") at once."""
    if len(content) > MAX_CONTENT:
        size = size_text(len(content))
        said = f"The content has {size}; at most 5 MB can be {done} at once. {advice}"
        raise ToolFailed(Code.CONTENT_TOO_LARGE, said)
    return content


def line_ends(text: str) -> str:
    """The line end of a text: "\\n", "\\r\\n", "\\r", "mixed", or "" where it has none."""
    both = text.count("\r\n")
    kinds = {"\r\n": both, "\n": text.count("\n") - both, "\r": text.count("\r") - both}
    there = [end for end, count in kinds.items() if count]
    return there[0] if len(there) == 1 else "mixed" if there else ""


def commonest_end(text: str) -> str:
    """The line end that a text uses most, "\\n" where it has none."""
    both = text.count("\r\n")
    kinds = {"\n": text.count("\n") - both, "\r\n": both, "\r": text.count("\r") - both}
    return max(kinds, key=lambda end: kinds[end]) if any(kinds.values()) else "\n"


def with_line_ends(text: str, end: str) -> str:
    r"""New text with the file's line ends; one that holds any `\r` says itself what it wants."""
    return text if "\r" in text or end == "\n" else text.replace("\n", end)
