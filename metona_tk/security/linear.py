"""Regular expressions that take no longer than their text is, whatever it holds: re2, loaded when first needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

_WIDE = {point: chr(point - 0xFEE0) for point in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF5F))}
_ANY_WIDE = re.compile("[\uff10-\uff19\uff21-\uff5e]")


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> Any:
    import importlib

    return importlib.import_module("re2").compile(pattern)


@lru_cache(maxsize=16)
def _asked(pattern: str) -> Any:
    """A pattern from outside, compiled; None for one that re2 does not take."""
    import importlib

    re2 = importlib.import_module("re2")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error:
        return None


def first_match(pattern: str, text: str) -> int | None:
    """Where a pattern from outside matches first; None also where it cannot be told."""
    compiled = _asked(pattern)
    match = compiled.search(searchable(text)) if compiled else None
    return match.start() if match else None


def searchable(text: str) -> str:
    """The text, one for one, without lone surrogates, which re2 cannot take, and with wide letters as plain ones."""
    if text.isascii():
        return text
    plain = text.encode("utf-8", "replace").decode("utf-8")
    return plain.translate(_WIDE) if _ANY_WIDE.search(plain) else plain


def spans(pattern: str, text: str) -> Iterator[tuple[int, int]]:
    """Where `pattern` matches in a searchable text, from left to right. Groups make it slow: use none."""
    for match in _compiled(pattern).finditer(text):
        yield match.span()
