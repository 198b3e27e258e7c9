"""Lays a tool card out as bands of tagged text: one live line while the call runs, head, foot and folded body after."""

from __future__ import annotations

from metona_tk.i18n import tr
from metona_tk.protocol.events import ToolStarted
from metona_tk.ui.chat.card_text import Card, CardLine, acts_on
from metona_tk.ui.chat.folds import arrows, body_tag, head_tag
from metona_tk.ui.chat.spans import Span, escaping, tagged
from metona_tk.ui.chat.style import SIDE
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.visible import visible
from metona_tk.ui.wording import cut_middle, time_words

_PAD: Span = ("\n", ("card-pad",))


def live_tag(call_id: str) -> str:
    """The tag over everything that stands for a call that has not ended."""
    return f"live:{call_id}"


def live_spans(start: ToolStarted, waiting: bool, fonts: Fonts, column: int) -> list[Span]:
    """The line of a call that runs or waits for the user."""
    state, tone = (tr("◔ waiting for you"), "warn") if waiting else (tr("… running"), "busy")
    right: list[Span] = [(state, ("state", tone))]
    name = visible(start.name)[:60]
    head = _head(name, acts_on(start.name, start.arguments), right, fonts, column)
    return tagged([_PAD, *tagged(head, "card-head"), _PAD], live_tag(start.call_id))


def card_spans(card: Card, key: str, fonts: Fonts, column: int) -> list[Span]:
    """A finished card; its body is folded under the key until the user opens it."""
    right: list[Span] = [(card.state, ("state", card.tone)), (f"  {time_words(card.seconds)}  ", ("meta",))]
    if card.body:
        right.extend(arrows(key))
    head = tagged(_head(card.name, card.what, right, fonts, column), "card-head")
    if card.body:
        head = [(text, (*tags, "foldable", head_tag(key))) for text, tags in head]
    lines = [span for line in card.body for span in _line(line, body_tag(key))]
    return [_PAD, *head, *lines, *(span for line in card.foot for span in _line(line)), _PAD]


def _line(line: CardLine, *extra: str) -> list[Span]:
    tag = f"card-{line.kind}"
    return tagged([*line.spans, ("\n", ())], tag, *extra)


def _head(name: str, what: str, right: list[Span], fonts: Fonts, column: int) -> list[Span]:
    taken = fonts["label"].measure(name) + sum(fonts["small"].measure(text) for text, _ in right)
    room = column - fonts.px(2 * SIDE + 56) - taken
    shown = cut_middle(what, max(fonts.px(80), room), fonts["path"].measure)
    return [(name, ("name",)), ("  ", ()), *escaping(shown, "mono"), ("\t", ()), *right, ("\n", ())]
