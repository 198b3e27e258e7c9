"""What can be folded in the transcript: opened and closed by a click, or picked and opened by keys.

A fold is tags alone: `head:K` on its head, `body:K` on what is hidden, `shut:K` and `open:K` on its two arrows.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any

from metona_tk.ui.chat.spans import Span


def head_tag(key: str) -> str:
    """On the line that is clicked."""
    return f"head:{key}"


def body_tag(key: str) -> str:
    """On what is hidden while the fold is closed."""
    return f"body:{key}"


def arrows(key: str) -> list[Span]:
    """The two arrows, of which one is hidden at a time."""
    return [("▸", ("meta", f"shut:{key}")), ("▾", ("meta", f"open:{key}"))]


class Clicks:
    """Tells a click from the end of a selection by whether the pointer moved."""

    def __init__(self, text: tk.Text) -> None:
        self._text = text
        self._pressed = (0, 0)
        text.bind("<Button-1>", self._press, add=True)

    def _press(self, event: tk.Event[Any]) -> None:
        self._pressed = (event.x, event.y)

    def is_click(self, event: tk.Event[Any]) -> bool:
        """For a button's release. A click leaves nothing selected, not even the word of a double one."""
        near = abs(event.x - self._pressed[0]) + abs(event.y - self._pressed[1]) <= 4
        if near:
            self._text.tag_remove("sel", "1.0", "end")
        return near


class Folds:
    """The folds of one Text; `on_toggle` is called when one was opened or closed."""

    def __init__(self, text: tk.Text, on_toggle: Callable[[], object]) -> None:
        self._text, self._on_toggle = text, on_toggle
        self._open: dict[str, bool] = {}
        self._current: str | None = None
        self.clicks = Clicks(text)
        text.tag_bind("foldable", "<ButtonRelease-1>", self._click)
        text.tag_bind("foldable", "<Enter>", lambda _event: text.configure(cursor="hand2"))
        text.tag_bind("foldable", "<Leave>", lambda _event: text.configure(cursor=""))

    def add(self, key: str) -> None:
        """Know a new fold, closed; its tags may already be in use."""
        self._set(key, False)

    def clear(self) -> None:
        """Forget all of them, with their tags."""
        for key in self._open:
            self._text.tag_delete(head_tag(key), body_tag(key), f"shut:{key}", f"open:{key}")
        self._open.clear()
        self._current = None

    def is_open(self, key: str) -> bool:
        """Whether its body is shown."""
        return self._open.get(key, False)

    def keys(self) -> list[str]:
        """All folds."""
        return list(self._open)

    def toggle(self, key: str) -> None:
        """Open it if it is closed, else close it."""
        self._set(key, not self._open.get(key, False))
        self._on_toggle()

    def step(self, by: int) -> None:
        """Make the next (1) or the one before (-1) current, and bring it into view."""
        known = [key for key in self._open if self._text.tag_ranges(head_tag(key))]
        known.sort(key=lambda key: [int(part) for part in str(self._text.index(f"{head_tag(key)}.first")).split(".")])
        if not known:
            return
        at = known.index(self._current) + by if self._current in known else (0 if by > 0 else len(known) - 1)
        self._mark(known[min(max(at, 0), len(known) - 1)])

    def toggle_current(self) -> bool:
        """Open or close the current one; False when there is none."""
        if self._current is None:
            return False
        self.toggle(self._current)
        return True

    def leave(self) -> None:
        """No fold is current any more."""
        self._text.tag_remove("current", "1.0", "end")
        self._current = None

    def _mark(self, key: str) -> None:
        self.leave()
        self._current = key
        ranges = self._text.tag_ranges(head_tag(key))
        self._text.tag_add("current", ranges[0], ranges[-1])
        self._text.see(ranges[0])

    def _set(self, key: str, shown: bool) -> None:
        self._open[key] = shown
        self._text.tag_configure(body_tag(key), elide=not shown)
        self._text.tag_configure(f"shut:{key}", elide=shown)
        self._text.tag_configure(f"open:{key}", elide=not shown)

    def _click(self, event: tk.Event[Any]) -> None:
        if not self.clicks.is_click(event):
            return
        for tag in self._text.tag_names(f"@{event.x},{event.y}"):
            if tag.startswith("head:"):
                self.toggle(tag.removeprefix("head:"))
