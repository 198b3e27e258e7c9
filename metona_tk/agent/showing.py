"""What of an answer goes to the screen, and when: text that may still turn out to be a call is held back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from metona_tk.protocol.events import Event, TextAdded


@dataclass(slots=True)
class Showing:
    """The answer of one turn on the screen, over all its rounds. `begin` a round, `add` its pieces, `end` it."""

    turn_id: str
    send: Callable[[Event], None]
    _held: str = ""
    _shown: bool = False  # something of this round is on the screen
    _wrote: bool = False  # something of an earlier round is

    def begin(self) -> None:
        """A new round."""
        self._held, self._shown = "", False

    def add(self, text: str, hold: bool) -> None:
        """A piece of content; `hold` = it may still turn out to be no text for the user."""
        self._held += text
        if self._shown or not hold:
            self._show()

    def end(self, drop: bool = False) -> None:
        """The round is over, or broke off: what was held back is text after all, unless it is to be dropped."""
        if drop:
            self._held = ""
        self._show()

    def _show(self) -> None:
        text, self._held = self._held, ""
        if not text or (not self._shown and not text.strip()):
            return  # blanks before a call are nothing to show
        if not self._shown and self._wrote:
            text = "\n\n" + text.lstrip("\n")
        self._shown = self._wrote = True
        self.send(TextAdded(self.turn_id, text))
