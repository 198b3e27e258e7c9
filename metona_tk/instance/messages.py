"""What passes between a second start and the program that runs: one line of JSON there, one back, nothing else.

A line can wish for no more than a window. Counterparts: `handing` sends, `listening` reads.
"""

from __future__ import annotations

import json
import os

from metona_tk.protocol.handed import AskQuickly, Handed, ShowWindow

VERSION = 1
MOST = 64 * 1024  # bytes of a line
PATIENCE = 2.0  # s for one exchange, and for a first start that is just beginning
_KINDS: dict[str, type[ShowWindow] | type[AskQuickly]] = {"show": ShowWindow, "quick": AskQuickly}
_TAKEN = json.dumps({"v": VERSION, "answer": "taken"}).encode() + b"\n"
_REFUSED = json.dumps({"v": VERSION, "answer": "refused"}).encode() + b"\n"


class HandOverFailed(Exception):
    """A program runs and did not take the wish."""


class TooLong(HandOverFailed):
    """The question is longer than a message may be."""


class Silent(HandOverFailed):
    """It does not answer."""


class Refused(HandOverFailed):
    """It did not understand the wish: it may be of another version."""


def encode(wish: Handed, token: str = "") -> bytes:
    """The line of a wish."""
    kind = next(name for name, made in _KINDS.items() if isinstance(wish, made))
    message = {"v": VERSION, "kind": kind, "folder": wish.folder, "model": wish.model, "question": wish.question}
    # a folder's name may hold bytes that are no text
    text = json.dumps(message | ({"token": token} if token else {}), ensure_ascii=False)
    line = text.encode("utf-8", "surrogatepass") + b"\n"
    if len(line) > MOST:
        raise TooLong
    return line


def decode(line: bytes, token: str = "") -> Handed | None:
    """The wish of a line, None for anything that is not one."""
    message = _parsed(line)
    if message.get("v") != VERSION or not _is_token(message.get("token", ""), token):
        return None
    kind, folder, model, question = (message.get(key) for key in ("kind", "folder", "model", "question"))
    if not isinstance(kind, str) or kind not in _KINDS:
        return None
    if not isinstance(model, str) or not isinstance(question, str) or not _is_text(model + question):
        return None
    if folder is not None and not (isinstance(folder, str) and _is_path(folder)):
        return None
    return _KINDS[kind](folder, model, question)


def answer(taken: bool) -> bytes:
    """The line that goes back."""
    return _TAKEN if taken else _REFUSED


def is_taken(line: bytes) -> bool:
    """Whether an answer says that the wish was taken."""
    message = _parsed(line)
    return message.get("v") == VERSION and message.get("answer") == "taken"


def _parsed(line: bytes) -> dict[str, object]:
    try:
        parsed: dict[str, object] = json.loads(line.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return {}
    return parsed if type(parsed) is dict else {}


def _is_token(given: object, token: str) -> bool:
    if not token:
        return given == ""
    import hmac

    return isinstance(given, str) and hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())


def _is_text(words: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in words)


def _is_path(folder: str) -> bool:
    try:
        return os.path.isabs(folder) and b"\0" not in os.fsencode(folder)
    except UnicodeEncodeError:
        return False
