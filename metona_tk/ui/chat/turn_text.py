"""What a turn looks like, piece by piece, as spans. Pure; `transcript` writes them, live or all at once."""

from __future__ import annotations

import time

from metona_tk.i18n import N_, tr, trn
from metona_tk.i18n.problems import problem_text
from metona_tk.i18n.quantities import time_words
from metona_tk.i18n.questions import answered_text
from metona_tk.protocol.values import TurnEnd
from metona_tk.ui.chat.folds import arrow, body_tag, head_tag
from metona_tk.ui.chat.record import Asked, Call, Thought, Trimmed, Turn
from metona_tk.ui.chat.spans import Icon, Span, tagged, wrapping
from metona_tk.ui.visible import drawable, visible

GAP: Span = ("\n", ("gap",))
_BETWEEN: Span = ("  ", ("meta",))


def action(kind: str, icon: str) -> Span:
    """An icon that does something when it is clicked; the tag names what, for the turn that it stands in."""
    return Icon(icon, "text-3", 16), ("action", f"act:{kind}")


_ACTIONS = {
    "edit": N_("Edit and ask again"),
    "copy-question": N_("Copy the question"),
    "copy": N_("Copy the answer"),
    "again": N_("Answer again"),
    "more": N_("More…"),
}


def action_words(kind: str) -> str:
    """What one of the icons does."""
    return tr(_ACTIONS[kind])


def question_spans(turn: Turn) -> list[Span]:
    """The user's question, or the command that ran a tool by hand, with its actions."""
    pad: Span = ("\n", ("user-pad",))
    clock = time.strftime("%H:%M", time.localtime(turn.asked_at))
    head: list[Span] = [(tr("You"), ("you",)), (f"  {clock}\t", ())]
    if not turn.by_hand:
        head += [action("edit", "pencil"), _BETWEEN]
    head += [action("copy-question", "copy"), _BETWEEN, action("more", "more"), ("\n", ())]
    words = wrapping(drawable(turn.question).strip("\n"), "user")
    return [pad, *tagged(head, "user-head", question_tag(turn.turn_id)), *words, ("\n", ("user",)), pad]


def question_tag(turn_id: str) -> str:
    """On the head of a question, which keys can pick."""
    return f"ask:{turn_id}"


def thought_head(item: Thought, key: str, shown: bool) -> list[Span]:
    """The line over a stretch of thinking."""
    if item.seconds is None:
        words = tr("Thinking…")
    elif item.seconds >= 1:
        words = tr("Thought for {time}", time=time_words(item.seconds))
    else:
        words = tr("Thought for a moment")
    head = tagged([arrow(key, shown), ("  ", ()), (words, (f"words:{key}",))], "think-head", "foldable", head_tag(key))
    return [*head, ("\n", ("think-head",))]


def thought_spans(item: Thought, key: str, shown: bool) -> list[Span]:
    """A whole stretch of thinking."""
    body = wrapping(drawable(item.text).rstrip("\n") + "\n", "think-body", body_tag(key))
    return [*thought_head(item, key, shown), *body]


def trimmed_spans(item: Trimmed) -> list[Span]:
    """What the model does not see any more."""
    parts: list[str] = []
    if item.dropped_turns:
        parts.append(trn("{count} earlier question", "{count} earlier questions", item.dropped_turns))
    if item.shrunk_results:
        parts.append(trn("the text of {count} result", "the text of {count} results", item.shrunk_results))
    what = tr(" and ").join(parts)
    words = tr("To save room the model no longer sees {what}; you still do.", what=what)
    return tagged([*wrapping(words), ("\n", ())], "trimmed")


def asked_spans(item: Asked) -> list[Span]:
    """A question of the program's that has been answered."""
    said = tr("You let it go on.") if item.answer == "go_on" else tr("It ended there.")
    return tagged([(f"{answered_text(item.event)} {said}\n", ())], "trimmed")


def end_spans(turn: Turn, retry: bool) -> list[Span]:
    """Why the turn ended, if not with an answer, and the way to go on; [] for a plain answer."""
    if turn.end is None:
        return []
    if turn.end.problem is not None:
        words = problem_text(turn.end.problem)
    elif turn.end.end is TurnEnd.STOPPED:
        words = tr("Stopped.")
    elif turn.end.can_retry or turn.end.end is TurnEnd.FAILED:
        words = tr("The answer could not be finished.")
    else:
        return []
    mark = {"danger": "cross", "warn": "warning", "idle": "ban"}[turn.tone]
    said = [(Icon(mark, turn.tone), ()), ("  ", ()), *wrapping(drawable(words), turn.tone), ("\n", ())]
    out = [GAP, *tagged(said, "said")]
    if retry:
        out += tagged([(tr("Retry"), ("link", "retry")), ("   Ctrl+R\n", ("meta",))], "said", "retry-line")
    return out


def foot_spans(turn: Turn) -> list[Span]:
    """Under an answer: what was done, from our own record, and the actions."""
    if turn.end is None or turn.by_hand:
        return []
    left = tr(" · ").join(_done(turn))
    icons = [("copy", "copy"), ("again", "refresh"), ("more", "more")] if turn.answer else [("again", "refresh")]
    right: list[Span] = []
    for kind, name in icons:
        right += [_BETWEEN, action(kind, name)]
    row: list[Span] = [(left, ()), ("\t", ()), *right, ("\n", ())]
    return [GAP, *tagged(row, "foot", answer_tag(turn.turn_id))]


def answer_tag(turn_id: str) -> str:
    """On the line under an answer, which keys can pick."""
    return f"foot:{turn_id}"


def _done(turn: Turn) -> list[str]:
    calls = [item for item in turn.items if isinstance(item, Call)]
    parts = [visible(turn.model)] if turn.model else []
    if turn.end and turn.end.usage.total_ns:
        parts.append(time_words(turn.end.usage.total_ns / 1e9))
    if calls:
        parts.append(trn("{count} tool call", "{count} tool calls", len(calls)))
        changes = sum(item.operation is not None for item in calls)
        made = trn("{count} change", "{count} changes", changes)
        parts.append(made if changes else tr("nothing was changed"))
    return parts
