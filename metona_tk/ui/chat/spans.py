"""Pieces of text with their tags, as tk.Text takes them in one insert. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

Span = tuple[str, tuple[str, ...]]


class Icon(str):
    """An icon in place of a span's text. As text it is empty, so it is neither measured nor copied."""

    __slots__ = ("name", "size", "token")
    name: str
    token: str
    size: int

    def __new__(cls, name: str, token: str = "text-3", size: int = 16) -> Icon:
        made = super().__new__(cls, "")
        made.name, made.token, made.size = name, token, size
        return made


# From CJK radicals to the end of the ideographs and forms, with the wide punctuation between them.
_CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]+")
_ESCAPE = re.compile("⟨U\\+[0-9A-F]{4,6}(?: ×[0-9]+)?⟩")


def _split(pattern: re.Pattern[str], text: str, tags: tuple[str, ...], extra: str) -> Iterator[Span]:
    at = 0
    for match in pattern.finditer(text):
        if match.start() > at:
            yield text[at : match.start()], tags
        yield match.group(), (*tags, extra)
        at = match.end()
    if at < len(text):
        yield text[at:], tags


def wrapping(text: str, *tags: str) -> list[Span]:
    """Running text: its Chinese parts may break anywhere."""
    return [(text, tags)] if text.isascii() else list(_split(_CJK, text, tags, "cjk"))


def escaping(text: str, *tags: str) -> list[Span]:
    """Text that went through `visible`: its escapes stand out."""
    return list(_split(_ESCAPE, text, tags, "escape")) if "⟨" in text else [(text, tags)]


def tagged(spans: Iterable[Span], *tags: str) -> list[Span]:
    """The same pieces with `tags` before their own, so that the inline ones win."""
    return [(text, (*tags, *own)) for text, own in spans]


def flat(spans: Iterable[Span]) -> list[str | tuple[str, ...]]:
    """The arguments of one Text.insert."""
    return [part for span in spans if span[0] for part in span]


def pieces(spans: Iterable[Span]) -> Iterator[list[str | tuple[str, ...]] | tuple[Icon, tuple[str, ...]]]:
    """The same in the order of drawing: arguments of an insert, and icons between them."""
    run: list[str | tuple[str, ...]] = []
    for text, tags in spans:
        if isinstance(text, Icon):
            if run:
                yield run
                run = []
            yield text, tags
        elif text:
            run += [text, tags]
    if run:
        yield run
