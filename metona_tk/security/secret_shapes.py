"""Finds values that stand near a secret key in ways that no grammar of settings has: on the next line, in a tag, an
array, a table's column. Only what looks random is taken there. Counterparts: `secrets`, `secret_values`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from metona_tk.security.linear import spans
from metona_tk.security.secret_values import KEY, Found, key_start
from metona_tk.security.secret_words import Says, Style, is_random, is_secret, is_strong, what_it_says

# Blanks, line ends, signs, and the words that formats put between a key and its value.
_GLUE = re.compile(
    r"(?:&[a-z]{1,9}\b|=\"[a-z]{1,9}\"|[A-Za-z0-9]{1,12}(?:\\|[\"'])[ \t]*\r?\n|"
    r"\b(?:key|string|value|default|echo|CDATA|sensitive|true|type|literal|text|data|is|are|was)\b|"
    r"[\s\"'`:=<>\[\](){}|&*?!/\\,;$-]){1,60}+"
)
_VALUE = re.compile(r"[^\s\"'<>`,;()\[\]{}|\\&]{10,400}")
_ANOTHER = re.compile(r"[\"'][ \t]*,\s*[\"']")  # in an array
_DIVIDERS = ",;\t|"
_OF_TESTS = frozenset(["fail", "failed", "fails", "failures", "skip", "skipped"])
_SHORTEST_KEY = 10  # characters of a key in a column: "token" may head a list of words
_WIDEST = 4000  # characters of a row
_WORD = r"(?i)pass|pwd|token|secret|key|psk|\x{5bc6}\x{7801}|\x{53e3}\x{4ee4}"


def near_keys(text: str) -> Iterator[Found]:
    """Random-looking values behind a key and nothing but signs and such words."""
    for start, end in spans(KEY, text):
        glue = _GLUE.match(text, end)
        value = _VALUE.match(text, glue.end()) if glue else None
        if value is None or not (is_random(value[0]) or is_strong(value[0])):
            continue  # before more is looked at: nearly every word of this kind is one in a sentence
        begin = key_start(text, start)
        name = text[begin:end]
        in_address = text[begin - 1 : begin] in {"?", "&"}  # there it ends at the next "&", which `secret_values` knows
        says = None if in_address else what_it_says(name) or what_it_says(name.removesuffix("s"))
        in_array = False
        while says and value and text[value.end() : value.end() + 1] != "(":
            another = _ANOTHER.match(text, value.end())
            in_array = in_array or another is not None
            if is_random(value[0]) or (in_array and says is Says.PASSWORD and is_strong(value[0])):
                yield value.start(), value.end(), says.value
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
            if any(text[slice(*cell)].lower() in _OF_TESTS for cell in cells):
                continue  # "pass" is what passed there
            if said and len(cells) > 1:
                table = _Table(text, divider, len(cells), said, end + 1)
                yield from table.found()
                done = max(done, table.place)  # its rows are no heads: each is looked at once
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
        if char == '"':
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


@dataclass(slots=True)
class _Table:
    """The rows below a head, up to `place`."""

    text: str
    divider: str
    width: int
    said: dict[int, Says]
    place: int

    def found(self) -> Iterator[Found]:
        """The secret cells."""
        while True:
            start, end = self.place, self.text.find("\n", self.place)
            end = len(self.text) if end < 0 else end
            cells = list(_cells(self.text, start, end, self.divider)) if end - start <= _WIDEST else []
            if len(cells) != self.width:
                return
            self.place = end + 1
            yield from self._secrets(cells)

    def _secrets(self, cells: list[tuple[int, int]]) -> Iterator[Found]:
        for at, says in self.said.items():
            begun, stop = cells[at]
            value = self.text[begun:stop]
            if says is Says.KEY and len(value) < _SHORTEST_KEY:
                continue
            if is_secret(value[:160], says, Style.CONFIG, True):
                yield begun, stop, says.value
