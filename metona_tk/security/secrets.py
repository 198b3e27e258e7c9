"""Finds secrets in text, whole ones: by their form, by what their key says, and private keys over many lines.

Linear in the length of the text. Counterpart: `masking`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from metona_tk.security.key_blocks import key_fields, key_lines
from metona_tk.security.linear import searchable, spans
from metona_tk.security.secret_formats import FORMATS
from metona_tk.security.secret_shapes import columns, near_keys
from metona_tk.security.secret_values import Values
from metona_tk.security.secret_words import Style, style_of

_ANY_FORMAT = "|".join(f"(?:{pattern})" for pattern in FORMATS.values())
_LIKE_WORDS = ("sk-", "fw", "dop", "sl.")  # such tokens can be names of things: they need a piece with digits


@dataclass(frozen=True, slots=True)
class Span:
    """A secret in a text: characters `start` to `end`. Spans of one text do not overlap."""

    start: int
    end: int
    kind: str


def find_secrets(text: str, name: str = "", inside_key: bool = False) -> list[Span]:
    """All secrets of a text, from left to right.

    `name`: the file's name or path; it helps to tell code, where literals are quoted, from settings. `inside_key`: the
    text is a piece of a file that begins within a private key.
    """
    seen = searchable(text)
    found = [Span(start, end, "private_key") for start, end in key_lines(seen, inside_key)]
    found += [Span(start, end, "private_key") for start, end in key_fields(seen)]
    found += [Span(start, end, "token") for start, end in _formats(seen)]
    found += [Span(*value) for value in Values(seen, style_of(name)).found()]
    found += [Span(*value) for value in near_keys(seen)]
    found += [Span(*value) for value in columns(seen)] if style_of(name) is not Style.CODE else []
    return merged(found)


def find_tokens(text: str) -> list[Span]:
    """Only the secrets that are known by their form alone, in any text: also in a name."""
    return merged(Span(start, end, "token") for start, end in _formats(searchable(text)))


def _formats(text: str) -> Iterator[tuple[int, int]]:
    for start, end in spans(_ANY_FORMAT, text):
        token = text[start:end]
        if token.startswith(_LIKE_WORDS) and not _is_mixed(token):
            continue
        yield (start + token.index("=") + 1 if token[0] in "?&" else start), end


def _is_mixed(token: str) -> bool:
    """Whether it is no row of words: one piece of it has letters and digits, and is long."""
    return any(
        len(piece) >= 8 and any(c.isdigit() for c in piece) and any(c.isalpha() for c in piece)
        for piece in token.replace("_", "-").split("-")
    )


def merged(found: Iterable[Span]) -> list[Span]:
    """The spans in order; those that overlap become one."""
    out: list[Span] = []
    for span in sorted(found, key=lambda each: (each.start, -each.end)):
        if out and span.start < out[-1].end:
            last = out[-1]
            out[-1] = Span(last.start, max(last.end, span.end), last.kind)
        elif span.end > span.start:
            out.append(span)
    return out
