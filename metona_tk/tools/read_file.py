"""read_file: the text of a file, whole or by a range of lines, in whatever encoding its user's system writes."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from metona_tk.i18n import N_
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Effects, Result
from metona_tk.tools.base import (
    NO_LINE,
    WHOLE,
    FileHandle,
    Part,
    Tool,
    ToolArgs,
    ToolContext,
    ToolFailed,
    fitting,
    one_line,
    plural,
    size_text,
)
from metona_tk.tools.decoding import SAMPLE, canonical, detect, is_text_codec
from metona_tk.tools.lines import LineWindow

_LARGE = 1 << 20  # bytes: a larger file needs a range
MAX_LINES = 500
MAX_TEXT = 200_000  # bytes of the file a call
MAX_BASE64 = 150_000  # bytes of the file
_KNOWN_BEFORE = 1 << 20  # bytes before a range that help to tell what is a secret in it
_CHUNK = 1 << 16
_WIDE = ("utf-16", "utf-32")  # a line end has zero bytes in it


class ReadFile(Tool):
    """Read a text file."""

    name = "read_file"
    title = N_("Read {path}")
    description = (
        "Read a text file of the user. Returns its text. For a long file use start_line and end_line; at most "
        "500 lines come at once."
    )
    reading_only = True

    class Args(ToolArgs):
        path: Annotated[str, Field(description="The file, relative to the workspace folder.")]
        encoding: Annotated[
            str | None,
            Field(description="Only when the text was unreadable without: utf-8, latin1, gb18030, base64 ..."),
        ] = None
        start_line: Annotated[int | None, Field(ge=1, description="First line to read, from 1.")] = None
        end_line: Annotated[int | None, Field(ge=1, description="Last line to read.")] = None

    def effects(self, args: Args) -> Effects:
        return Effects(reads=(args.path,), returns_contents=True)

    def check(self, args: Args) -> None:
        codec = (args.encoding or "").lower()
        if codec not in {"", "base64"} and not is_text_codec(codec):
            raise ToolFailed(Code.BAD_ARGUMENTS, f"There is no encoding {codec[:40]!r}. Call again without encoding.")

    def run(self, args: Args, context: ToolContext) -> Result:
        codec = (args.encoding or "").lower()
        codec = canonical(codec) if codec not in {"", "base64"} else codec
        with context.open_file(args.path) as file:
            name = one_line(context.shown(file.path))
            if args.start_line and args.end_line and args.end_line < args.start_line:
                said = f"end_line {args.end_line} is before start_line {args.start_line}."
                raise ToolFailed(Code.OUT_OF_RANGE, said)
            if codec == "base64":
                result = _as_base64(file, name, context)
            else:
                result = _Reader(file, name, args, context).result(codec)
            context.was_read(file, codec if codec != "base64" else "", _part(result.data or {}))
            return result


def _part(data: dict[str, Any]) -> Part:
    """What of the file the model gets; of a line that is cut nothing."""
    first, last = data["line_range"]
    if data["encoding"] == "base64":
        return NO_LINE if data["truncated"] else WHOLE
    return Part(
        max(1, first), last if data["content"].endswith("\n") or not data["truncated"] else last - 1, data["lines"]
    )


def _blocks(file: FileHandle, limit: int | None = None) -> Iterator[bytes]:
    left = limit if limit is not None else 1 << 62
    while left > 0 and (block := file.read(min(_CHUNK, left))):
        left -= len(block)
        yield block


def _as_base64(file: FileHandle, name: str, context: ToolContext) -> Result:
    raw = b"".join(_blocks(file, MAX_BASE64))
    size, budget = file.stat.st_size, context.text_budget
    more = size > len(raw)
    raw = _masked_bytes(raw, file.path, name, context)
    data = _data(file, base64.b64encode(raw).decode(), "base64", None, (0, 0), more)
    note = f"these are the first {size_text(len(raw))} of {size_text(size)}" if more else None
    text = data["content"][:budget] + (" ... (cut)" if len(data["content"]) > budget else "")
    return Result(True, data, note, f"{name} ({size_text(size)}) as base64:\n{text}")


def _masked_bytes(raw: bytes, path: str, name: str, context: ToolContext) -> bytes:
    """The bytes with their secrets masked: placeholders among bytes that are otherwise as they are, so that they can be
    given back. ToolFailed(unknown_encoding) for text in another encoding with secrets in it.
    """
    shown = context.mask_bytes(path, raw)
    if context.betrays(path, raw, shown, raw.decode("utf-8", "surrogateescape")):
        raise ToolFailed(
            Code.UNKNOWN_ENCODING, f"{name} has a masked secret in it, so it is not given as base64. Read it as text."
        )
    return shown


class _Reader:
    """One reading of one open file."""

    def __init__(self, file: FileHandle, name: str, args: ReadFile.Args, context: ToolContext) -> None:
        self.file, self.name, self.context = file, name, context
        self.size = file.stat.st_size
        self.keys = context.key_scan()
        self.first, self.last = args.start_line or 1, args.end_line
        self.named = False  # whether the call says the encoding
        self.ranged = args.start_line is not None or args.end_line is not None

    def result(self, codec: str) -> Result:
        self.named = codec != ""
        sample = b"".join(_blocks(self.file, SAMPLE))
        if self.size > _LARGE and not self.ranged:
            binary = detect(sample, False).binary
            hint = f"It looks like {binary}." if binary else "Or find the place with search_files first."
            raise ToolFailed(
                Code.FILE_TOO_LARGE,
                f"{self.name} has {size_text(self.size)}, which is too large to read whole. Read a part with "
                f"start_line=1 and end_line=500. {hint}",
            )
        self.file.rewind()
        wide = codec or detect(sample[:4], False).encoding or ""
        if not wide.startswith(_WIDE):
            window = self._collect(_blocks(self.file))
            # the whole text where it is small, else what was collected: lines before a binary part stay readable
            judged = sample if self.size <= SAMPLE else b"".join(window.raw)
            encoding, broken = (codec, False) if codec else self._find_encoding(judged, sample)
            return self._finish(window, encoding, encoding, broken)
        return self._finish(self._collect(self._as_utf8(wide)), wide, "utf-8", False)

    def _as_utf8(self, codec: str) -> Iterator[bytes]:
        decoder = codecs.getincrementaldecoder(codec)("replace")
        try:
            for block in _blocks(self.file):
                yield decoder.decode(block).encode("utf-8", "replace")
        except UnicodeError as error:
            raise self._undecodable(codec) from error

    def _collect(self, blocks: Iterator[bytes]) -> LineWindow:
        window = LineWindow(
            self.first, self.last, MAX_LINES, MAX_TEXT, skipped=self.keys.feed, keep_before=_KNOWN_BEFORE
        )
        context = self.context
        if not window.feed_all(blocks, self.size <= _LARGE, lambda: not context.stopped() and context.remaining() > 0):
            code = Code.STOPPED if context.stopped() else Code.TIMEOUT
            raise ToolFailed(code, f"Reading {self.name} took too long. Ask for lines nearer to its start.")
        if not window.raw and self.first > 1 and window.total is not None:
            raise ToolFailed(
                Code.OUT_OF_RANGE,
                f"{self.name} has {plural(window.total, 'line')}; there is no line {self.first}.",
            )
        return window

    def _refuse_binary(self, sample: bytes) -> None:
        found = detect(sample, False)
        if found.binary:
            raise ToolFailed(
                Code.BINARY_FILE,
                f"{self.name} is no text: it looks like {found.binary} of {size_text(self.size)}. Tell the user so; "
                'encoding "base64" would give its first 150 KB.',
            )

    def _find_encoding(self, judged: bytes, sample: bytes) -> tuple[str, bool]:
        """The encoding, and whether a few bytes are broken UTF-8. In doubt the file's beginning helps to tell."""
        prefer = self.context.preferred_encoding
        found = detect(judged, len(judged) >= self.size, prefer)
        if not found.encoding and not found.binary and judged != sample:
            first = sample[: sample.rfind(b"\n") + 1]
            found = detect(first + judged, False, prefer) if first else found
        if found.binary:
            self._refuse_binary(judged)
        if found.encoding:
            return found.encoding, found.broken
        shown = self._glimpses(judged, found.candidates)
        raise ToolFailed(
            Code.UNKNOWN_ENCODING,
            f"The encoding of {self.name} is not certain: {shown or 'nothing fits'}. Call read_file again with "
            "encoding set to the one that reads well (latin1 reads anything).",
            "candidates: " + ", ".join(found.candidates) if found.candidates else None,
        )

    def _glimpses(self, judged: bytes, candidates: tuple[str, ...]) -> str:
        """What it is like in each encoding, by a line in which that matters and that has no secret in any of them."""
        readings = {each: judged.decode(each, "replace") for each in candidates}
        masked = {
            each: self.context.mask_window(self.file.path, text, "", False, False) for each, text in readings.items()
        }
        rows = {
            each: list(zip(readings[each].split("\n"), masked[each].split("\n"), strict=False)) for each in candidates
        }
        closed = {at for each in rows.values() for at, (line, seen) in enumerate(each) if line != seen}
        told: list[str] = []
        for each in candidates[:4]:
            lines = [line for at, (line, _) in enumerate(rows[each]) if at not in closed and not line.isascii()]
            if lines:
                place = next(at for at, char in enumerate(lines[0]) if char > "\x7f")
                told.append(f"{each} reads {lines[0][max(0, place - 10) : place + 20]!r}")
        return "; ".join(told) or ", ".join(candidates[:4])

    def _undecodable(self, codec: str) -> ToolFailed:
        return ToolFailed(
            Code.UNKNOWN_ENCODING,
            f"{self.name} is not {codec} throughout. Call read_file again without encoding to have it found; latin1 "
            "reads anything.",
        )

    def _finish(self, window: LineWindow, encoding: str, codec: str, broken: bool) -> Result:
        raw = b"".join(window.raw)
        try:
            decoder = codecs.getincrementaldecoder(codec)("replace" if broken else "strict")
            text = decoder.decode(raw, final=not window.cut)
        except UnicodeError as error:
            raise self._undecodable(encoding) from error
        masked = self._masked(text, window, codec)
        if self.named and self._betrays(text, masked, encoding):
            raise ToolFailed(
                Code.UNKNOWN_ENCODING,
                f"{self.name} is not {encoding}: read so, it would show a masked secret. Call read_file again without "
                "encoding.",
            )
        text, end, cut = _fit(masked, window.end, self.first, self.context.text_budget)
        cut = cut or window.cut
        complete = end == self.last or (window.total is not None and end >= window.total)
        shown = (self.first, end) if raw else (0, 0)
        data = _data(self.file, text, encoding, window.total, shown, cut or not complete)
        if data["truncated"]:
            data["next_start_line"] = end + 1
        return Result(True, data, self._note(broken, cut), _text_for_model(self.name, data))

    def _betrays(self, text: str, masked: str, encoding: str) -> bool:
        """Whether the encoding that the call names would show what the right one hides."""
        raw, shown = (each.encode(encoding, "replace") for each in (text, masked))
        return self.context.betrays(self.file.path, raw, shown, text)

    def _masked(self, text: str, window: LineWindow, codec: str) -> str:
        """The lines with secrets masked, judged with what stands before them in the file."""
        before = window.before.decode(codec, "replace")
        inside = self.keys.inside and not window.all_before
        after = "" if window.cut else window.after.decode(codec, "replace")
        return self.context.mask_window(self.file.path, text, before, inside, window.cut, after)

    def _note(self, broken: bool, cut: bool) -> str | None:
        told = [
            "some bytes are no valid UTF-8 and appear as \ufffd" if broken else "",
            "a very long line was cut" if cut else "",
            "the file has another name elsewhere (hard link)" if self.file.stat.st_nlink > 1 else "",
        ]
        return "; ".join(filter(None, told)) or None


def _fit(text: str, end: int, first: int, budget: int) -> tuple[str, int, bool]:
    """Fewer lines where the text would not fit the model's share: (text, its last line, whether a line was cut)."""
    room = fitting(text, max(500, budget - 400))  # 400 for the head and the words about how to go on
    if room == len(text):
        return text, end, False
    kept = text.rfind("\n", 0, room) + 1
    if not kept:
        return text[:room], first, True
    return text[:kept], first + text.count("\n", 0, kept) - 1, False


def _data(
    file: FileHandle, content: str, encoding: str, lines: int | None, shown: tuple[int, int], more: bool
) -> dict[str, Any]:
    return {
        "path": file.path,
        "content": content,
        "encoding": encoding,
        "size": file.stat.st_size,
        "lines": lines,
        "truncated": more,
        "line_range": list(shown),
    }


def _text_for_model(name: str, data: dict[str, Any]) -> str:
    first, end = data["line_range"]
    total, size = data["lines"], size_text(data["size"])
    if not data["content"]:
        return f"{name} is empty."
    if first == 1 and end == total and not data["truncated"]:
        head = f"{name}, whole ({plural(total, 'line')}, {size}):"
    else:
        head = f"{name}, lines {first} to {end} of {total or 'many'} ({size}):"
    more = f"\n(There is more. Go on with start_line={data['next_start_line']}.)" if data["truncated"] else ""
    return f"{head}\n{data['content']}{more}"
