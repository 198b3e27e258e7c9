"""Running text of one block as lines of spans: bold, italic, code, strike, links. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from metona_tk.ui.chat.markdown import parser
from metona_tk.ui.chat.markdown.look import WRAP
from metona_tk.ui.chat.spans import Span, wrapping
from metona_tk.ui.visible import visible

if TYPE_CHECKING:
    from markdown_it.token import Token

Line = list[Span]
BROKEN: Span = ("", WRAP[1])  # at the end of a line that goes on in the next
_CLICKABLE = re.compile(r"(?:https?://[^/?#]|mailto:.)", re.IGNORECASE)
# A plain address ends where Chinese text goes on, and before the punctuation of the sentence it stands in.
_ADDRESS = re.compile(r"(?<![A-Za-z0-9])https?://[!#-;=?-~]+", re.IGNORECASE)
_STYLES = {"strong_open": 0, "strong_close": 0, "em_open": 1, "em_close": 1, "s_open": 2, "s_close": 2}


@dataclass(frozen=True, slots=True)
class Face:
    """The tags of a kind of line for bold, italic, both, and code; "" where it has no such form."""

    strong: str = ""
    em: str = ""
    both: str = ""
    code: str = "md-mono"


BODY = Face("md-strong", "md-em", "md-both")
ROW = Face("md-row-strong", "md-row-em", "md-row-both", "md-row-mono")
HEADING = Face()


class Inline:
    """Turns running text into lines; `links` gets the targets that may be clicked, by the tag that stands on them."""

    def __init__(self, name: str, links: dict[str, str]) -> None:
        self._name, self._links = name, links
        self._out: Line = []
        self._face = BODY
        self._depth = [0, 0, 0]  # strong, em, strike
        self._targets: list[tuple[str, str, int]] = []  # target, its tag, where its text begins

    def lines(self, text: str, face: Face) -> list[Line]:
        """At least one line; none has a newline or a tab in it. Where a long one is broken, it ends with WRAP's tag."""
        self._out, self._face, self._depth, self._targets = [], face, [0, 0, 0], []
        for number, run in enumerate(parser.runs(text)):
            if number:
                self._out += [BROKEN, ("\n", ())]
            for token in run:
                self._token(token)
        while self._targets:
            self._close_link()
        return list(split_lines(self._out))

    def _token(self, token: Token) -> None:
        kind = token.type
        if kind in _STYLES:
            self._depth[_STYLES[kind]] += token.nesting
        elif kind == "link_open":
            self._open_link(str(token.attrs.get("href", "")))
        elif kind == "link_close":
            self._close_link()
        elif kind == "image":
            self._open_link(str(token.attrs.get("src", "")))
            self._write(_alt(token.children or ()))
            self._close_link()
        elif kind in ("softbreak", "hardbreak"):
            self._write("\n")
        elif kind == "code_inline":
            self._write(token.content, self._face.code)
        else:
            self._text(token.content)

    def _text(self, text: str) -> None:
        at = 0
        for found in () if self._targets else _ADDRESS.finditer(text):
            address = _without_end(found.group())
            if not _CLICKABLE.match(address):
                continue
            self._write(text[at : found.start()])
            at = found.start() + len(address)
            self._write(address, "md-link", self._new_link(address))
        self._write(text[at:])

    def _write(self, text: str, *tags: str) -> None:
        text = text.replace("\t", " ")
        linked = ("md-link", self._targets[-1][1]) if self._targets and self._targets[-1][1] else ()
        strike = ("md-strike",) if self._depth[2] > 0 else ()
        strong, em = self._depth[0] > 0, self._depth[1] > 0
        face = self._face
        for part, own in wrapping(text):
            if tags and tags[0] == face.code:
                style = ""
            elif "cjk" in own:
                style = face.strong if strong or em else ""  # Chinese has no italics
            else:
                style = face.both if strong and em else face.strong if strong else face.em if em else ""
            self._out.append((part, (*((style,) if style else ()), *strike, *linked, *tags, *own)))

    def _new_link(self, target: str) -> str:
        tag = f"href:{self._name}.{len(self._links)}"
        self._links[tag] = target
        return tag

    def _open_link(self, target: str) -> None:
        tag = self._new_link(target) if _CLICKABLE.match(target) else ""
        self._targets.append((target, tag, len(self._out)))

    def _close_link(self) -> None:
        if not self._targets:
            return
        target, _tag, start = self._targets[-1]
        label = "".join(text for text, _tags in self._out[start:])
        shown = _shown(target)
        if shown and label not in (shown, shown.removeprefix("mailto:"), shown.removesuffix("/")):
            self._write(f" ({shown})" if label.strip() else shown, "md-target")
        self._targets.pop()


def split_lines(spans: Iterable[Span]) -> Iterator[Line]:
    """The spans of each line, without the newlines."""
    line: Line = []
    for text, tags in spans:
        first, *others = text.split("\n")
        line.append((first, tags))
        for other in others:
            yield [span for span in line if span[0] or span == BROKEN]
            line = [(other, tags)]
    yield [span for span in line if span[0]]


def ended(line: Line) -> Line:
    """The line with its newline, which is no part of the text where a long line is broken."""
    return [*line[:-1], WRAP] if line and line[-1] == BROKEN else [*line, ("\n", ())]


def _alt(tokens: Iterable[Token]) -> str:
    parts = (_alt(token.children) if token.children else token.content or _break(token) for token in tokens)
    return "".join(parts)


def _break(token: Token) -> str:
    return " " if token.type in ("softbreak", "hardbreak") else ""


def _shown(target: str) -> str:
    """The target as it can be read: percent signs decoded except in the host, and nothing that hides or reorders."""
    head, slashes, path = target.partition("://")
    host, slash, rest = path.partition("/")
    decoded = unquote(rest) if slashes else unquote(target)
    if "\N{REPLACEMENT CHARACTER}" in decoded:
        return visible(target)
    return visible(head + slashes + host + slash + decoded) if slashes else visible(decoded)


def _without_end(address: str) -> str:
    while address:
        last = address[-1]
        unmatched = last in ")]" and address.count(last) > address.count("(["[")]".index(last)])
        if last not in ".,;:!?'*_~|`" and not unmatched:
            return address
        address = address[:-1]
    return address
