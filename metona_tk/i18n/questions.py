"""The sentences of the program's own questions to the user, for window and terminal alike."""

from __future__ import annotations

from metona_tk.i18n import N_, tr
from metona_tk.protocol.events import QuestionAsked
from metona_tk.protocol.values import QuestionKind

# (as a question, as a fact once it has been answered)
_WORDS = {
    QuestionKind.GO_ON: (
        N_("The model has used its tools {rounds} times in a row without an answer. Let it go on?"),
        N_("{rounds} rounds were used."),
    ),
    QuestionKind.AFTER_DENIALS: (
        N_("You have refused {tool} {count} times in a row. Let the model go on?"),
        N_("{tool} was refused {count} times in a row."),
    ),
}


def question_text(event: QuestionAsked) -> str:
    """What is asked."""
    return tr(_WORDS[event.kind][0], **event.details)


def answered_text(event: QuestionAsked) -> str:
    """What it was about, to be followed by the answer."""
    return tr(_WORDS[event.kind][1], **event.details)
