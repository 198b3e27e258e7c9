"""Whether the end of what is shown was seen: until then nothing of it is allowed."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from metona_tk.ui.widgets.soon import Soon


class EndWatch:
    """Calls `on_end` once the end of a Text was in view."""

    def __init__(self, text: tk.Text, on_end: Callable[[], object]) -> None:
        self._text, self._on_end = text, on_end
        self.seen, self._begun = False, False
        self.look = Soon(text, self._look)
        for event in ("<Expose>", "<Visibility>", "<Configure>"):
            text.bind(event, lambda _event: self.look(), add=True)

    def begin(self) -> None:
        """There is something written whose end counts."""
        self._begun = True
        self.look()

    def _look(self) -> None:
        """The last character has a place in the window only when it is in view."""
        if self._begun and not self.seen and self._text.winfo_viewable() and self._text.dlineinfo("end-1c") is not None:
            self.count()

    def count(self) -> None:
        """It was seen, here or elsewhere."""
        if not self.seen:
            self.seen = True
            self._on_end()
