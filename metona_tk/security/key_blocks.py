"""Private keys in text form: which lines of a text lie between BEGIN and END, also when only a piece of it is seen.

Lines are found one by one, so that a text keeps its lines. Counterpart: `secrets`; who reads a file in pieces feeds
`KeyScan` with what comes before its piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from metona_tk.security.linear import spans

_MARK = re.compile(r"(?i)-{4,5} ?(BEGIN|END) ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?) ?-{4,5}")
_LONGEST_MARK = 80
_WIDEST = 1200  # characters of a line of a key, with what stands before it
_FIELD = (
    r'"(?:d|p|q|dp|dq|qi|k)"[ \t\r\n]{0,20}:[ \t\r\n]{0,20}"[A-Za-z0-9_-]{20,}={0,2}"'
    r"|<(?:D|P|Q|DP|DQ|InverseQ)>[A-Za-z0-9+/= \t]{20,}</"
)
# What stands before a line of a key in a quote, a comment, a listing with numbers or the lines of a program.
_LEAD = r"(?:\d{1,6}[:.)|]?(?=\s))?[\s\"'+\\,|>#*/;-]*"
_BODY = re.compile(_LEAD + r"(?:[A-Za-z0-9+/=_-]{1,1000}|[A-Za-z-]{3,30}: .*)?(?:\\[nr])*[\s\"'+\\,]*\Z")
_PUTTY = re.compile(r"Private-Lines: (\d{1,4})\s*\Z")
_LONE = re.compile(_LEAD + r"[A-Za-z0-9+/]{60,80}={0,2}(?:\\[nr])*[\s\"',+\\]*\Z")


def is_lone_key_line(line: str) -> bool:
    """Whether a line by itself may be one of a key: base64, as wide as keys are written."""
    return len(line) <= _WIDEST and bool(_LONE.match(line))


def key_fields(text: str) -> Iterator[tuple[int, int]]:
    """The private numbers of keys in JSON (RFC 7517) and in the XML of .NET; of a searchable text."""
    for start, end in spans(_FIELD, text):
        opened = max(text.rfind('"', start, end - 1), text.rfind(">", start, end))
        yield opened + 1, end - (1 if text[end - 1] == '"' else 2)


def _is_body(text: str, begin: int, end: int) -> bool:
    return end - begin <= _WIDEST and bool(_BODY.match(text, begin, end))


class KeyScan:
    """Tells whether the text fed so far ends inside a private key. Bytes of any encoding that has ASCII in it do."""

    def __init__(self, inside: bool = False) -> None:
        self.inside = inside
        self._tail = ""

    def feed(self, data: str | bytes) -> None:
        """The next piece, of any length; marks that are cut between two pieces are seen."""
        text = self._tail + (data.decode("latin-1") if isinstance(data, bytes) else data)
        place = 0
        for mark in _MARK.finditer(text) if _has_mark(text) else ():
            self.inside = mark[1].upper() == "BEGIN"
            place = mark.end()
        self._tail = text[max(place, len(text) - _LONGEST_MARK) :]


def _has_mark(text: str) -> bool:
    """Whether to look closer; nearly always it is written in capitals."""
    return "PRIVATE KEY" in text or ("----" in text and "private key" in text.lower())


def key_lines(text: str, inside: bool = False) -> Iterator[tuple[int, int]]:
    """The parts of `text` that lie in a private key, line by line without blanks. `inside`: it begins in one."""
    if inside or _has_mark(text):
        yield from _between_marks(text, inside)
    if "Private-Lines: " in text:
        yield from _putty_lines(text)


def _between_marks(text: str, inside: bool) -> Iterator[tuple[int, int]]:
    open_at, last = (0 if inside else None), 0
    for mark in _MARK.finditer(text):
        if mark[1].upper() == "BEGIN":
            if open_at is not None:
                yield from _body_after(text, open_at, mark.start())
            open_at = mark.end()
        elif open_at is not None:
            yield from _pieces(text, open_at, mark.start())
            open_at = None
        else:
            yield from _body_before(text, last, mark.start())
        last = mark.end()
    if open_at is not None:
        yield from _body_after(text, open_at, len(text))


def _lines(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    while start < stop:
        end = text.find("\n", start, stop)
        end = stop if end < 0 else end
        yield start, end
        start = end + 1


def _pieces(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Every line between the marks, whatever it is."""
    for begin, end in _lines(text, start, stop):
        line = text[begin:end]
        core = line.strip(" \t\r\"'+,")
        if core:
            offset = begin + line.index(core)
            yield offset, offset + len(core)


def _body_after(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """The lines behind BEGIN, or behind the start of a piece, as long as they look like a key."""
    first = True
    for begin, end in _lines(text, start, stop):
        if not _is_body(text, begin, end):
            if not first:
                return
            if len(text[begin:end].split()) > 1:
                return
        first = False
        yield from _pieces(text, begin, end)


def _body_before(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """The lines right before an END that has no BEGIN."""
    lines = list(_lines(text, start, stop))
    for place in range(len(lines) - 1, -1, -1):
        begin, end = lines[place]
        if not _is_body(text, begin, end):
            return
        yield from _pieces(text, begin, end)


def _putty_lines(text: str) -> Iterator[tuple[int, int]]:
    left = 0
    for begin, end in _lines(text, 0, len(text)):
        line = text[begin:end]
        if left:
            left -= 1
            yield from _pieces(text, begin, end)
        elif line.startswith("Private-MAC: "):
            yield from _pieces(text, begin + len("Private-MAC: "), end)
        elif found := _PUTTY.match(line):
            left = int(found[1])
