"""Finds values that stand near a secret key in ways that no grammar of settings has: on the next line, in a tag, an
array, a table's column. Only what looks random is taken there. Counterparts: `secrets`, `secret_values`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from metona_tk.security.linear import spans
from metona_tk.security.secret_values import KEY, Found, key_start
from metona_tk.security.secret_words import Says, Style, is_random, is_secret, what_it_says

# Blanks, line ends, signs, and the words that formats put between a key and its value.
_GLUE = re.compile(
    r"(?:&[a-z]{1,9}\b|=\"[a-z]{1,9}\"|[A-Za-z0-9]{1,12}(?:\\|[\"'])[ \t]*\r?\n|"
    r"\b(?:key|string|value|default|echo|CDATA|sensitive|true|type|literal|text|data|is|are|was)\b|"
    r"[\s\"'`:=<>\[\](){}|&*?!/\\,;$-]){1,60}+"
)
_VALUE = re.compile(r"[^\s\"'<>`,;()\[\]{}|\\&]{10,400}")
_ANOTHER = re.compile(r"[\"'][ \t]*,\s*[\"']")  # in an array
_DIVIDERS = ",;\t|"
_WIDEST = 4000  # characters of a row
_ROWS = 20_000  # of a table
_WORD = r"(?i)pass|pwd|token|secret|key|psk|\x{5bc6}\x{7801}|\x{53e3}\x{4ee4}"


def near_keys(text: str) -> Iterator[Found]:
    """Random-looking values behind a key and nothing but signs and such words."""
    for start, end in spans(KEY, text):
        name = text[key_start(text, start) : end]
        glue = _GLUE.match(text, end)
        says = (what_it_says(name) or what_it_says(name.removesuffix("s"))) if glue else None
        value = _VALUE.match(text, glue.end()) if says and glue else None
        while says and value and is_random(value[0]) and text[value.end() : value.end() + 1] != "(":
            yield value.start(), value.end(), says.value
            another = _ANOTHER.match(text, value.end())
            value = _VALUE.match(text, another.end()) if another else None


def columns(text: str) -> Iterator[Found]:
    """The cells below a head that says so, in a table of comma-separated values or of Markdown."""
    done = 0
    for word, _ in spans(_WORD, text):
        if word < done:
            continue
        start, end = text.rfind("\n", 0, word) + 1, text.find("\n", word)
        done = end = len(text) if end < 0 else end
        if end - start > _WIDEST:
            continue
        for divider in (each for each in _DIVIDERS if each in text[start:end]):
            cells = list(_cells(text, start, end, divider))
            said = {at: says for at, cell in enumerate(cells) if (says := _says(text, *cell))}
            if said and len(cells) > 1:
                for found in _below(text, end + 1, divider, len(cells), said):
                    done = max(done, found[1])
                    yield found
                break


def _says(text: str, start: int, end: int) -> Says | None:
    """What the head of a column says: a name, and nothing else."""
    name = text[start:end].strip("*_` \"'")
    return what_it_says(name) if 0 < len(name) <= 40 and not re.search(r"[:=().]", name) else None


def _cells(text: str, start: int, end: int, divider: str) -> Iterator[tuple[int, int]]:
    """The cells of a line, without blanks and quotes around them; a divider in quotes divides nothing."""
    if '"' not in text[start:end]:
        for cell in text[start:end].split(divider):
            yield _bare(text, start, start + len(cell))
            start += len(cell) + 1
        return
    begun, quoted = start, False
    for at in range(start, end + 1):
        char = text[at] if at < end else divider
        if char == '"' and at < end:
            quoted = not quoted
        elif char == divider and (not quoted or at == end):
            yield _bare(text, begun, at)
            begun = at + 1


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in " \r\"'`*":
        start += 1
    while end > start and text[end - 1] in " \r\"'`*":
        end -= 1
    return start, end


def _below(text: str, start: int, divider: str, width: int, said: dict[int, Says]) -> Iterator[Found]:
    for _ in range(_ROWS):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if start >= len(text) or end - start > _WIDEST:
            return
        cells = list(_cells(text, start, end, divider))
        if len(cells) != width:
            return
        for at, says in said.items():
            begun, stop = cells[at]
            value = text[begun:stop]
            if value.strip("-: ") and is_secret(value[:160], says, Style.CONFIG, True, True):
                yield begun, stop, says.value
        start = end + 1
