"""Regular expressions that take no longer than their text is, whatever it holds: re2, loaded when first needed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any


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
    """The text with lone surrogates, which re2 cannot take, replaced one for one."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def spans(pattern: str, text: str) -> Iterator[tuple[int, int]]:
    """Where `pattern` matches in a searchable text, from left to right. Groups make it slow: use none."""
    for match in _compiled(pattern).finditer(text):
        yield match.span()
