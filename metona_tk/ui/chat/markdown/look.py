"""What rendering needs to know of the window, and what it gives back. Pure. Counterpart: `tags`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from metona_tk.ui.chat.spans import Span

if TYPE_CHECKING:
    from metona_tk.ui.chat.markdown.tables import Table

SIDE, STEP, DEEPEST = 12, 24, 8  # px of the margin, px a level of nesting, levels that are drawn
# Lines and words that belong to the drawing alone. They are no part of the text and are not copied.
FILLERS = frozenset(
    {"md-gap", "md-gap-item", "md-gap-head", "md-rule", "md-rule-head", "md-code-pad", "md-code-head", "md-wrap"}
)
LONGEST = 2000  # characters of one line: a tk.Text lays out a line anew as a whole, so longer ones are broken
WRAP: Span = ("\n", ("md-wrap",))  # ... by this, which is no part of the text


@dataclass(frozen=True, slots=True)
class Look:
    """`column` in px; `measure(font, text)` gives px for a font of `ui.fonts`; `scale` multiplies px of the design."""

    column: int
    measure: Callable[[str, str], int]
    scale: float = 1.0

    def px(self, size: float) -> int:
        """`size` at scaling 1 in real pixels."""
        return round(size * self.scale)


@dataclass(slots=True)
class Rendered:
    """Spans, and what their own tags stand for: `href:K` a target, `copy:K` a block of code, `table:K`."""

    spans: list[Span] = field(default_factory=list[Span])
    links: dict[str, str] = field(default_factory=dict[str, str])
    codes: dict[str, str] = field(default_factory=dict[str, str])
    tables: dict[str, Table] = field(default_factory=dict[str, "Table"])
