"""The rows of a difference: numbers, sign, changed words, line ends, with all that cannot be seen written out. Pure.

Previews of different texts never have the same rows (a property test holds it). `tags` has the colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from metona_tk.i18n import tr
from metona_tk.protocol.changes import DiffLine
from metona_tk.ui.chat.spans import Span
from metona_tk.ui.previews.exact import Piece, exact, exact_text

LONGEST = 1000  # characters in a row; Tk is slow with longer ones, so a line goes on in the next row
RowKind = Literal["same", "add", "del", "hunk", "note", "fact", "item", "tree", "more"]
_KINDS: dict[str, RowKind] = {" ": "same", "-": "del", "+": "add"}
_END_MARKS = {"\r\n": "⟨CR LF⟩", "\r": "⟨CR⟩"}


@dataclass(frozen=True, slots=True)
class Row:
    """One row, without its newline; its kind names the tag of its ground."""

    kind: RowKind
    spans: tuple[Span, ...]

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(text for text, _ in self.spans)


def diff_rows(lines: Sequence[DiffLine]) -> list[Row]:
    """All rows of a difference."""
    marked = one_end(lines) is None
    return [row for line in lines for row in _line(line, marked)]


def one_end(lines: Iterable[DiffLine]) -> str | None:
    """The line end that all lines have, "" where none has any, None where they have several."""
    ends = {line.end for line in lines if line.sign != "@" and line.end}
    return None if len(ends) > 1 else next(iter(ends), "")


def end_words(lines: Sequence[DiffLine]) -> str:
    """What line ends there are, where they are not those that everyone expects."""
    end = one_end(lines)
    if end is None:
        return tr("line ends differ and are marked")
    return {"\r\n": tr("line ends CR LF (Windows)"), "\r": tr("line ends CR (old Mac)")}.get(end, "")


def _line(line: DiffLine, marked: bool) -> Iterator[Row]:
    if line.sign == "@":
        yield Row("hunk", (("\t\t\t@@ ", ()), (exact_text(line.text), ())))
        return
    kind = _KINDS[line.sign]
    spans = list(_words(exact(line.text), line.words, f"{kind}-word"))
    if marked and line.end in _END_MARKS:
        spans.append((_END_MARKS[line.end], ("escape",)))
    head: Span = (f"\t{line.old or ''}\t{line.new or ''}\t", ("gutter",))
    for at, part in enumerate(_parts(spans)):
        first: Span = head if at == 0 else ("\t\t\t", ("gutter",))
        yield Row(kind, (first, (f"{line.sign} " if at == 0 else "… ", ("sign",)), *part))
    if not line.end:
        yield Row(
            kind, (("\t\t\t", ("gutter",)), ("\\ ", ("sign",)), (tr("no line end at the end of the file"), ("quiet",)))
        )


def _words(pieces: Iterable[Piece], words: tuple[tuple[int, int], ...], tag: str) -> Iterator[Span]:
    """The pieces, cut where a changed word begins or ends; an escape is never cut."""
    for piece in pieces:
        if piece.escaped:
            changed = any(start < piece.end and piece.start < end for start, end in words)
            yield piece.shown, (tag, "escape") if changed else ("escape",)
            continue
        cuts = {edge for word in words for edge in word if piece.start < edge < piece.end}
        edges = sorted({piece.start, piece.end} | cuts)
        for start, end in zip(edges, edges[1:], strict=False):
            shown = piece.shown[start - piece.start : end - piece.start]
            yield shown, (tag,) if any(first <= start < last for first, last in words) else ()


def _parts(spans: list[Span]) -> Iterator[list[Span]]:
    """The spans of a line for each of its rows; at least one."""
    part: list[Span] = []
    room = LONGEST
    for text, tags in spans:
        rest = text
        while len(rest) > room:
            keep = room if "escape" not in tags else 0
            part.append((rest[:keep], tags))
            yield part
            part, room, rest = [], LONGEST, rest[keep:]
        part.append((rest, tags))
        room -= len(rest)
    yield part
