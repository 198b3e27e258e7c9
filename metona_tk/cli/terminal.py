"""Writing to the terminal and asking in it. What models and files say is shown with its control characters made
visible, so that it cannot steer the terminal.
"""

from __future__ import annotations

import contextlib
import json
import re
import sys
from typing import Any, TextIO

from metona_tk.i18n import tr
from metona_tk.i18n.questions import question_text
from metona_tk.i18n.unseen import blends, hidden, is_composed
from metona_tk.protocol.events import QuestionAsked
from metona_tk.protocol.values import Decision, OutsidePreview


def use_utf8() -> None:
    """Pipes get UTF-8 on every system; a character that a terminal cannot show is escaped, never an exception."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            encoding = None if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")  # pyright: ignore


def safe(text: str) -> str:
    """Text without control characters but for line ends and tabs; each appears as ⟨U+001B⟩."""
    if text.isprintable():
        return text
    return "".join(char if _is_plain(char) else f"⟨U+{ord(char):04X}⟩" for char in text)


def _is_plain(char: str) -> bool:
    point = ord(char)
    if char in "\n\t":
        return True
    steers = point < 32 or 0x7F <= point <= 0x9F or 0xD800 <= point <= 0xDFFF
    return not steers and not (0x202A <= point <= 0x202E or 0x2066 <= point <= 0x2069)


def exact(text: str) -> str:
    """One line of text so that different text never looks the same: what cannot be seen is written out."""
    composed = is_composed(text)
    shown = "".join(
        f"⟨U+{ord(char):04X}⟩" if hidden(char) or (char > "~" and blends(text, at, composed)) else char
        for at, char in enumerate(text)
    )
    shown = re.sub(r" {4,}", lambda run: f"⟨{len(run[0])} spaces⟩", shown)
    return re.sub(r"^ +| +\Z", lambda run: f"⟨{len(run[0])} spaces⟩", shown)


def out(text: str) -> None:
    """To standard output, at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def err(text: str) -> None:
    """A line to standard error; a reader that has gone is no reason to stop."""
    with contextlib.suppress(BrokenPipeError, ValueError):
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


def json_out(data: Any, indent: int | None = None) -> None:
    """One JSON value; control and direction characters in it are escaped as JSON escapes them, so it stays the same."""
    text = json.dumps(data, ensure_ascii=False, default=str, indent=indent)
    out("".join(char if _is_plain(char) else f"\\u{ord(char):04x}" for char in text) + "\n")


def can_ask() -> bool:
    """Whether somebody sits at a terminal who can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask_read_outside(preview: OutsidePreview, source: TextIO | None = None, by_hand: bool = False) -> Decision:
    """Ask in the terminal whether a path outside the workspace may be read; anything but a clear yes is a no."""
    err("")
    err(tr("This is outside the workspace:") if by_hand else tr("The model wants to read outside the workspace:"))
    err(f"  {safe(preview.typed)}  →  {safe(preview.resolved)}")
    scope = tr("{folder} and everything below it") if preview.deep else tr("only what lies directly in {folder}")
    err(tr("Allow reading {scope}, for this chat?", scope=scope.format(folder=safe(preview.scope))))
    yes = _says_yes(tr("Type yes to allow, anything else to deny: "), source)
    return Decision.ALLOW if yes else Decision.DENY


def ask_go_on(question: QuestionAsked, source: TextIO | None = None) -> bool:
    """Ask in the terminal whether the model may go on; anything but a clear yes is a no."""
    err("")
    err(question_text(question))
    return _says_yes(tr("Type yes to go on, anything else to end here: "), source)


def _says_yes(prompt: str, source: TextIO | None) -> bool:
    return is_yes(answer(prompt, source))


def answer(prompt: str, source: TextIO | None) -> str:
    """One typed line, without blanks around it; "" where none could be read."""
    sys.stderr.write(prompt)
    sys.stderr.flush()
    try:
        return (source or sys.stdin).readline().strip()
    except (OSError, ValueError, UnicodeDecodeError):
        return ""


def is_yes(said: str) -> bool:
    """Whether a typed answer is a clear yes."""
    return said.casefold() in {"yes", "y", "是", "好"}
