"""Tables: real columns by tab stops where they fit, else each row stacked as "head: value" lines. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from metona_tk.ui.chat.markdown.inline import Line
from metona_tk.ui.chat.markdown.look import SIDE, STEP, Look
from metona_tk.ui.chat.spans import Span, tagged

Align = Literal["left", "center", "right"]
LEAST_GAP, WIDEST_GAP = 16, 40  # px between columns
LEAST_LAST = 160  # px that a last column needs to be wrapped in its place
_FONTS = {"md-row-strong": "label", "md-row-both": "label", "md-row-mono": "path"}
TAB: Span = ("\t", ())


@dataclass(frozen=True, slots=True)
class Stops:
    """Where the columns stand, px from the page's left edge, as `tk.Text` takes them; `hang` is for wrapped lines."""

    hang: int
    tabs: tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Cells of one line each; `depth` is its level of nesting; `tag` stands on all of it."""

    tag: str
    head: list[Line]
    rows: list[list[Line]]
    aligns: list[Align]
    depth: int = 0

    def left(self, look: Look) -> int:
        """The px that it begins at."""
        return look.px(SIDE + STEP * self.depth)

    def stops(self, look: Look) -> Stops | None:
        """The columns at the width of `look`; None when they do not fit."""
        left = self.left(look)
        widths = self._widths(look)
        room, least = look.column - look.px(SIDE) - left, look.px(LEAST_GAP)
        gaps = len(widths) - 1
        if sum(widths) + gaps * least > room:
            last = room - sum(widths[:-1]) - gaps * least
            if self.aligns[-1] != "left" or last < look.px(LEAST_LAST) and gaps:
                return None
            widths[-1] = last
        gap = min(look.px(WIDEST_GAP), (room - sum(widths)) // gaps) if gaps else 0
        return self._stops(left, widths, gap)

    def _widths(self, look: Look) -> list[int]:
        widths = [_width(cell, "label", look) for cell in self.head]
        for row in self.rows:
            for at, cell in enumerate(row):
                widths[at] = max(widths[at], _width(cell, "ui", look))
        return widths

    def _stops(self, left: int, widths: list[int], gap: int) -> Stops:
        tabs: list[int | str] = []
        at = left
        for column, (width, align) in enumerate(zip(widths, self.aligns, strict=True)):
            if align != "left":
                tabs += [at + (width if align == "right" else width // 2), align]
            elif column:
                tabs.append(at)
            at += width + gap
        return Stops(at - gap - widths[-1] if self.aligns[-1] == "left" else left, tuple(tabs))

    def spans(self, look: Look) -> list[Span]:
        """The whole table, in the form that fits the width of `look`."""
        made = self._columns() if self.stops(look) else self._stacked()
        return tagged(made, self.tag)

    def _columns(self) -> list[Span]:
        out = [*self._row(self.head, "md-row-head"), ("\n", ("md-rule-head",))]
        for number, row in enumerate(self.rows):
            if number:
                out.append(("\n", ("md-rule",)))
            out += self._row(row, "md-row")
        return out

    def _row(self, cells: list[Line], kind: str) -> list[Span]:
        out: list[Span] = []
        for at, cell in enumerate(cells):
            if at or self.aligns[at] != "left":
                out.append(TAB)
            out += cell
        return tagged([*out, ("\n", ())], kind)

    def _stacked(self) -> list[Span]:
        """Without rows there is only the head to show."""
        out = tagged([*_joined(self.head), ("\n", ())], "md-row-head") if not self.rows else []
        for number, row in enumerate(self.rows):
            if number:
                out += [("\n", ("md-gap-item",)), ("\n", ("md-rule",))]
            out += tagged([*row[0], ("\n", ())], "md-row-head")
            for label, cell in zip(self.head[1:], row[1:], strict=True):
                if cell:
                    words = [*tagged(label, "md-label"), *([(": ", ("md-label",))] if label else [])]
                    out += tagged([*words, *cell, ("\n", ())], "md-stack")
        return out


def _joined(cells: list[Line]) -> Line:
    return [span for at, cell in enumerate(cells) for span in ([("  ", ())] if at else []) + cell]


def _width(cell: Line, font: str, look: Look) -> int:
    return sum(look.measure(next((_FONTS[tag] for tag in tags if tag in _FONTS), font), text) for text, tags in cell)
