"""Links are told apart by their order: two that touch must not become one on the page."""

from __future__ import annotations

from metona_tk.ui.chat.markdown.targets import runs, without_keys
from metona_tk.ui.chat.spans import Span

SPANS: list[Span] = [
    ("a", ("md-link", "href:1")),
    ("b", ("md-link", "href:1", "md-target")),
    ("", ("md-wrap",)),
    ("c", ("md-link", "href:2")),
    (" ", ()),
    ("d", ("md-link", "href:2")),
    ("copy", ("md-copy", "copy:1")),
]


def test_runs_are_what_stands_together() -> None:
    assert runs(SPANS) == ["href:1", "href:2", "href:2", "copy:1"]


def test_runs_that_touch_have_different_tags() -> None:
    assert [tags for _text, tags in without_keys(SPANS)] == [
        ("md-link",),
        ("md-link", "md-target"),
        ("md-wrap",),
        ("md-link-2",),
        (),
        ("md-link-2",),
        ("md-copy",),
    ]
