"""Links and code blocks on the page are told apart by their order, not by tags of their own. Pure.

A tk.Text becomes slower with every tag that it knows, so a tag for each link would slow down a long chat. A run is what
stands on the page for one link without a break; two that touch have different tags, so that Tk keeps them apart.
"""

from __future__ import annotations

from collections.abc import Iterable

from metona_tk.ui.chat.spans import Span

LINKS = ("md-link", "md-link-2")
COPIES = ("md-copy",)
_KINDS = ("href:", "copy:")


def runs(spans: Iterable[Span]) -> list[str]:
    """The keys (`href:K`, `copy:K`) of the runs in rendered spans, in their order."""
    found: list[str] = []
    before = ""
    for text, tags in spans:
        if text:
            key = _key(tags)
            if key and key != before:
                found.append(key)
            before = key
    return found


def without_keys(spans: Iterable[Span]) -> list[Span]:
    """The spans as they are written onto the page."""
    out: list[Span] = []
    before, turn = "", 0
    for text, tags in spans:
        key = _key(tags)
        if text:
            turn = 1 - turn if key and before and key != before else turn
            before = key
        out.append((text, tuple(_drawn(tag, turn) for tag in tags if tag != key)) if key else (text, tags))
    return out


def _key(tags: tuple[str, ...]) -> str:
    return next((tag for tag in tags if tag.startswith(_KINDS)), "")


def _drawn(tag: str, turn: int) -> str:
    return LINKS[turn] if tag == LINKS[0] else tag
