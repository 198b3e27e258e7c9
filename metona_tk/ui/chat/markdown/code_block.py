"""A block of code: a band with a head (language, copy), lines and a pad. Pure."""

from __future__ import annotations

from metona_tk.i18n import tr
from metona_tk.ui.chat.markdown.highlight import highlighted
from metona_tk.ui.chat.markdown.inline import Line
from metona_tk.ui.chat.markdown.lines import Fence
from metona_tk.ui.chat.markdown.look import LONGEST, WRAP
from metona_tk.ui.chat.spans import Span, tagged
from metona_tk.ui.visible import visible_line

PAD: Span = ("\n", ("md-code-pad",))


def language_of(info: str) -> str:
    """The first word of what stands behind the fence."""
    words = info.split(maxsplit=1)
    return visible_line(words[0].strip("{}."))[:40] if words else ""


def head(language: str, copy_tag: str, *indent: str) -> list[Span]:
    """The line that tells the language and offers to copy."""
    tags = ("md-code-head", *indent)
    return [(language + "\t", tags), (tr("copy"), (*tags, "md-copy", copy_tag)), ("\n", tags)]


def code_lines(lines: list[Line], *indent: str) -> list[Span]:
    """Lines of code that are not too long, each with its newline."""
    tags = ("md-code", *indent)
    out: list[Span] = []
    for line in lines:
        out += tagged([*line, ("\n", ())], *tags)
    return out


def broken(line: Line, start: int = 0) -> Line:
    """The part of a line that begins at character `start`, with WRAP where it is too long for one line of a tk.Text."""
    out: Line = []
    column = start
    for span, tags in line:
        text = span
        while text:
            if column and column % LONGEST == 0:
                out.append(WRAP)
            room = LONGEST - column % LONGEST
            out.append((text[:room], tags))
            column, text = column + len(text[:room]), text[room:]
    return out


def body(language: str, code: str, *indent: str) -> list[Span]:
    """All lines of `code`, which ends with a newline unless it is empty."""
    lines = highlighted(language, code.removesuffix("\n")) if code else []
    return code_lines([broken(line) for line in lines], *indent)


def fenced(fence: Fence, source: str) -> str:
    """The code in the source of a fence at the margin, open or closed; it ends with a newline unless it is empty."""
    lines = source.split("\n")[1:]
    if lines and not lines[-1]:
        lines.pop()
    if lines and fence.closed_by(lines[-1]):
        lines.pop()
    return "".join(fence.content(line) + "\n" for line in lines)
