"""What the user can act on in the transcript: folds, opened by a click or a key, and stops, which keys can pick.

A fold is tags alone: `head:K` on its head, `body:K` on what is hidden, `more:K` on what is seen only while that is
hidden, `arrow:K` on its arrow's picture.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any

from metona_tk.ui.chat.spans import Icon, Span


def head_tag(key: str) -> str:
    """On the line that is clicked."""
    return f"head:{key}"


def body_tag(key: str) -> str:
    """On what is hidden while the fold is closed."""
    return f"body:{key}"


def more_tag(key: str) -> str:
    """On the words that offer to open it."""
    return f"more:{key}"


def arrow(key: str, shown: bool = False) -> Span:
    """The arrow of a fold."""
    return Icon("chevron-down" if shown else "chevron-right", "text-3", 14), (f"arrow:{key}",)


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
    """The folds and stops of one Text; `on_toggle` is called when a fold was opened or closed."""

    def __init__(
        self, text: tk.Text, on_toggle: Callable[[], object], picture: Callable[[bool], tk.PhotoImage]
    ) -> None:
        self._text, self._on_toggle, self._picture = text, on_toggle, picture
        self._open: dict[str, bool] = {}
        self._stops: dict[str, Callable[[], object]] = {}
        self._current: str | None = None
        self.clicks = Clicks(text)
        text.tag_bind("foldable", "<ButtonRelease-1>", self._click)
        text.tag_bind("foldable", "<Enter>", lambda _event: text.configure(cursor="hand2"))
        text.tag_bind("foldable", "<Leave>", lambda _event: text.configure(cursor=""))

    def add(self, key: str, shown: bool = False) -> None:
        """Know a new fold; its tags may already be in use."""
        self._stops[head_tag(key)] = lambda: self.toggle(key)
        self._set(key, shown)

    def add_stop(self, tag: str, action: Callable[[], object]) -> None:
        """Let keys pick what has the tag; Enter then does `action`."""
        self._stops[tag] = action

    def clear(self) -> None:
        """Forget all of them, with their tags."""
        for key in self._open:
            self._text.tag_delete(head_tag(key), body_tag(key), more_tag(key), f"arrow:{key}")
        self._open.clear()
        self._stops.clear()
        self._current = None

    def is_open(self, key: str) -> bool:
        """Whether its body is shown."""
        return self._open.get(key, False)

    def knows(self, key: str) -> bool:
        """Whether it was added."""
        return key in self._open

    def states(self) -> dict[str, bool]:
        """All folds, and whether their bodies are shown."""
        return dict(self._open)

    def toggle(self, key: str) -> None:
        """Open it if it is closed, else close it."""
        self._set(key, not self._open.get(key, False))
        self._on_toggle()

    def reveal(self, index: str) -> None:
        """Open the fold that hides this place, if one does."""
        for tag in self._text.tag_names(index):
            key = tag.removeprefix("body:")
            if tag.startswith("body:") and not self.is_open(key):
                self._set(key, True)

    def step(self, by: int) -> None:
        """Make the next stop (1) or the one before (-1) current, and bring it into view."""
        known = [tag for tag in self._stops if self._text.tag_ranges(tag)]
        known.sort(key=lambda tag: [int(part) for part in str(self._text.index(f"{tag}.first")).split(".")])
        if not known:
            return
        at = known.index(self._current) + by if self._current in known else (0 if by > 0 else len(known) - 1)
        self._mark(known[min(max(at, 0), len(known) - 1)])

    def act_on_current(self) -> bool:
        """Open or close the current one, or do what it stands for; False when there is none."""
        action = self._stops.get(self._current or "")
        if action is None:
            return False
        action()
        return True

    def current(self) -> str | None:
        """Where the current stop begins."""
        return str(self._text.index(f"{self._current}.first")) if self._current in self._stops else None

    def place_of_current(self) -> tuple[int, int] | None:
        """Where a menu for the current stop belongs, in px from the Text's corner."""
        box = self._text.bbox(f"{self._current}.first") if self._current in self._stops else None
        return (box[0], box[1] + box[3]) if box else None

    def leave(self) -> None:
        """Nothing is current any more."""
        self._text.tag_remove("current", "1.0", "end")
        self._current = None

    def _mark(self, tag: str) -> None:
        self.leave()
        self._current = tag
        ranges = self._text.tag_ranges(tag)
        self._text.tag_add("current", ranges[0], ranges[-1])
        self._text.see(ranges[0])

    def _set(self, key: str, shown: bool) -> None:
        self._open[key] = shown
        self._text.tag_configure(body_tag(key), elide=not shown)
        self._text.tag_configure(more_tag(key), elide=shown)
        place = self._text.tag_ranges(f"arrow:{key}")
        if place:
            self._text.image_configure(place[0], image=self._picture(shown))

    def _click(self, event: tk.Event[Any]) -> None:
        if not self.clicks.is_click(event):
            return
        for tag in self._text.tag_names(f"@{event.x},{event.y}"):
            if tag.startswith("head:"):
                self.toggle(tag.removeprefix("head:"))
