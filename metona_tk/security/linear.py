"""Regular expressions that take no longer than their text is, whatever it holds: re2, loaded when first needed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> Any:
    import importlib

    return importlib.import_module("re2").compile(pattern)


def searchable(text: str) -> str:
    """The text with lone surrogates, which re2 cannot take, replaced one for one."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def spans(pattern: str, text: str) -> Iterator[tuple[int, int]]:
    """Where `pattern` matches in a searchable text, from left to right. Groups make it slow: use none."""
    for match in _compiled(pattern).finditer(text):
        yield match.span()
