"""Which command lines wish for a window, without the parser, whose import takes longer than all the rest here.

Counterpart: `cli.main`, which stays the one truth: what is not plainly such a line is left to it.
"""

from __future__ import annotations

import os

from metona_tk.protocol.handed import AskQuickly, Handed, ShowWindow


def wish_of(arguments: list[str]) -> Handed | None:
    """The wish of the line without arguments and of `ask --window` in its plain forms; None for all others, which the
    command line itself understands or refuses.
    """
    if not arguments:
        return ShowWindow()
    given = _plain(arguments[1:]) if arguments[0] == "ask" else {}
    if "--window" not in given:
        return None
    folder = os.path.abspath(os.path.expanduser(given["--folder"])) if "--folder" in given else None
    if folder is not None and not os.path.isdir(folder):
        return None
    return AskQuickly(folder, _text(given.get("--model", "")), _text(given.get("question", "")).strip())


def _plain(words: list[str]) -> dict[str, str]:
    """The options and the question, empty where there is anything else."""
    given: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, assigned, value = word.partition("=")
        if word == "--window":
            value = "yes"
            given.pop(name, None)
        elif name in {"--folder", "--model"}:
            value = value if assigned else _next(rest)
        elif word.startswith("-"):
            return {}
        else:
            name, value = "question", word
        if not value.strip() or name in given:
            return {}
        given[name] = value
    return given


def _next(rest: list[str]) -> str:
    return rest.pop(0) if rest and not rest[0].startswith("-") else ""


def _text(argument: str) -> str:
    """An argument without the bytes that are no text."""
    return argument.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
