"""Lays a finished tool card out as bands of tagged text: head, body folded after its first lines, foot. Pure."""

from __future__ import annotations

from metona_tk.i18n import tr
from metona_tk.i18n.quantities import time_words
from metona_tk.ui.chat.card_text import Card, CardLine
from metona_tk.ui.chat.folds import arrow, body_tag, head_tag, more_tag
from metona_tk.ui.chat.spans import Icon, Span, escaping, tagged
from metona_tk.ui.chat.style import NAME, SIDE
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.wording import cut_middle

_PAD: Span = ("\n", ("card-pad",))


def card_spans(card: Card, key: str, fonts: Fonts, column: int, shown: bool = False) -> list[Span]:
    """A finished card; what is beyond its preview is hidden under the key until the user opens it."""
    hidden = card.body[card.preview :]
    head = tagged(_head(card, key if hidden else "", fonts, column, shown), "card-head")
    if hidden:
        head = [(text, (*tags, "foldable", head_tag(key))) for text, tags in head]
    lines = [span for line in card.body[: card.preview] for span in _line(line)]
    lines += [span for line in hidden for span in _line(line, body_tag(key))]
    foot = [span for line in _foot(card, key if hidden else "") for span in _line(line)]
    return tagged([_PAD, *head, *lines, *foot, _PAD], card_tag(key))


def card_tag(key: str) -> str:
    """On all of a card, so that it can be drawn anew."""
    return f"card:{key}"


def _foot(card: Card, key: str) -> list[CardLine]:
    """The lines under the body; the first one also has the offer to see all, and what is at its right end."""
    if not card.foot and not card.right:
        return []
    first, *rest = card.foot or [CardLine("foot", [])]
    spans = list(first.spans)
    if key and card.preview and card.tone in ("ok", "idle") and card.foot:
        spans += tagged([(tr(" · "), ()), (tr("show all"), ("link", "foldable", head_tag(key)))], more_tag(key))
    if card.right:
        spans += [("\t", ()), *card.right]
    return [CardLine(first.kind, spans), *rest]


def _line(line: CardLine, *extra: str) -> list[Span]:
    tag = f"card-{line.kind}"
    spans = tagged([*line.spans, ("\n", ())], tag, *extra)
    return [("\n", ("hit-pad", *extra)), *spans] if line.kind == "hit" else spans


def _head(card: Card, key: str, fonts: Fonts, column: int, shown: bool) -> list[Span]:
    time = f"  {time_words(card.seconds)}"
    words: list[Span] = [(f" {card.state}", ("state", card.tone)), (time, ("meta",))]
    right: list[Span] = [(Icon(card.mark, card.tone, 14), ()), *words]
    right += [("\t", ()), arrow(key, shown)] if key else []
    taken = fonts["label"].measure(card.name) + sum(fonts["small"].measure(text) for text, _ in words)
    room = column - fonts.px(NAME + SIDE + 90) - taken
    what = cut_middle(card.what, max(fonts.px(80), room), fonts["path"].measure)
    left: list[Span] = [(Icon(card.icon), ()), ("\t", ()), (card.name, ("name",)), (" ", ())]
    return [*left, *escaping(what, "mono"), ("\t", ()), *right, ("\n", ())]
