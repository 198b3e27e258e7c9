"""Finds values of keys whose words say that they are secret: `KEY=value`, YAML, JSON, XML, options, headers, addresses.

re2 finds the keys; what follows is read once, from left to right. Counterpart: `secrets`.
"""

from __future__ import annotations

import base64
import binascii
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass, field

from metona_tk.security.linear import spans
from metona_tk.security.secret_formats import LEADS
from metona_tk.security.secret_words import Says, Style, is_no_value, is_secret, is_strong, what_it_says

Found = tuple[int, int, str]

_FOREIGN = (
    "contrase\u00f1a|has\u0142o|\u043f\u0430\u0440\u043e\u043b\u044c|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|"
    "\u5bc6\u94a5|\u5bc6\u9470|\u4ee4\u724c|\u79c1\u94a5|\u91d1\u9470|\u52a9\u8bb0\u8bcd|"
    "\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638"
)
KEY = (
    r"(?i)(?:pass|passw(?:or)?[dt]|pwd|kennwort|passphrase|secret|token|auth|authorization|credentials?|bearer|psk|"
    r"mnemonic|(?:seed|recovery)[ _-]?(?:phrase|words)|contrasena|senha|wachtwoord|(?:api|access|private|secret|"
    r"encryption|decryption|signing|master|account|shared|preshared|storage|session|service|app|application|auth|ssh|deploy|"
    r"subscription|consumer|webhook|hmac|jwt|aes|crypto|admin|server|client|user|license|root|kms|cipher|host)"
    rf"[ _.-]?key|key[ _-]?(?:data|base)|secret[ _-]?id|{_FOREIGN})[A-Za-z0-9_-]*"
)
# What may stand between a key and its value, or its value's quote.
_BETWEEN = (
    "(?:\\\\*[\"'`\\]\u300d]{0,2}[ \t]{0,40}(?::=|=>|[:=\uff1a\uff1d\u662f\u4e3a])|"
    # name="KEY" value="...", {"name": "KEY", "value": "..."}, and the same over two lines
    r"""["'][ \t]{0,9},[ \t]{0,9}["']?value["']?[ \t]{0,9}[:=]|["'][ \t]{1,9}value[ \t]{0,9}=|"""
    r"""["']?\r?\n[ \t]{0,60}["']?value["']?[ \t]{0,9}[:=]|"""
    r"""["'],[ \t]{0,9}["']|\([ \t]{0,9}["']|[ \t]{1,9}is[ \t]{1,9}|[ \t]{1,40})"""
)
_ELEMENT = rf"<[\w:.-]*{KEY}[^<>\n]{{0,200}}>"
_KEY_AGAIN = re.compile(KEY)
_PATTERN = KEY + _BETWEEN
_NAME = string.ascii_letters + string.digits + "_.-"  # what may stand before the word in a key
_TAG = re.compile(r"<([\w:.-]+)")
_SPACE, _LINE_END = re.compile(r"\s"), re.compile("\n")
_HINT = re.compile(r"[ \t]*(?:[A-Za-z_][\w.\[\]<>|, ?&]{0,60})=(?![=>])[ \t]*(?=[fFrRbBuUL@]{0,2}\\*[\"'`])")
_OPENING = re.compile(r"(?:[fFrRbBuUL@]{0,2})(\\*[\"'`])")
_COMMENT = re.compile(r"[ \t]+(?:#|//|;|--|/\*)[^\n]*$|[ \t\r]+$")
_BLOCK = re.compile(r"[|>][+-]?\d?[ \t]*\r?\n")
_BEHIND = frozenset(",)+;%.]}:")  # what code goes on with behind a string
_FAR = 16_384  # a quote that far away belongs to something else
_MOST_BLOCK_LINES = 100_000
_LOOKED_AT = 160  # characters of a value that decide


def key_start(text: str, start: int) -> int:
    """Where the name begins whose secret word begins at `start`."""
    before = text[max(0, start - 80) : start]
    own = before[len(before.rstrip(_NAME)) :].lstrip("-.")
    return start - len(own)


@dataclass(slots=True)
class Values:
    """One text being read."""

    text: str
    style: Style
    _ends: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    _block_lines: int = 0  # of YAML blocks, looked at so far

    def found(self) -> Iterator[Found]:
        """Every secret value as (start, end, kind)."""
        done = 0
        for start, end in spans(_PATTERN, self.text):
            if end <= done:
                continue
            for value in self._of_key(start, end):
                done = max(done, value[1])
                yield value
        for start, end in spans(_ELEMENT, self.text):
            yield from self._element(start, end)
        for kind, lead in LEADS.items():
            for start, end in spans(lead, self.text):
                yield from self._behind(kind, start, end)

    # --- ends, each looked for once ---------------------------------------------------------------------------------

    def _end(self, kind: str, pattern: re.Pattern[str], place: int) -> int:
        """The next place at or after `place` where `pattern` is; remembered, so that many keys cost one search."""
        start, end = self._ends.get(kind, (0, -1))
        if not start <= place <= end:
            match = pattern.search(self.text, place)
            end = match.start() if match else len(self.text)
            self._ends[kind] = (place, end)
        return end

    def _line_end(self, place: int) -> int:
        return self._end("line", _LINE_END, place)

    def _word_end(self, place: int) -> int:
        return self._end("word", _SPACE, place)

    # --- keys ---------------------------------------------------------------------------------------------------------

    def _of_key(self, start: int, end: int) -> Iterator[Found]:
        begin = key_start(self.text, start)
        word = _KEY_AGAIN.match(self.text, start)
        name_end = min(end, word.end()) if word else start
        says = what_it_says(self.text[begin:name_end])
        between = self.text[name_end:end]
        compared = self.text[end : end + 1] in {"=", "~"}
        if says and not compared:
            yield from self._value(begin, end, between.strip(" \t"), says)

    def _value(self, begin: int, end: int, shape: str, says: Says) -> Iterator[Found]:
        if not shape or shape == "is":
            yield from self._after_blank(begin, end, says, shape)
        elif shape[-1] in "\"'" and shape[0] in "\"'(":
            head = self.text[max(0, begin - 2) : begin]
            option = "(" not in shape and (head in {"('", '("'} or head.endswith("-"))  # set("password", "x")
            if option or ("(" in shape and says is Says.PASSWORD):
                yield from self._quoted(end, shape[-1], says, True)
        elif says is Says.PASSWORD or shape[-1] not in "\u662f\u4e3a":
            yield from self._assigned(begin, end, says)

    def _element(self, start: int, end: int) -> Iterator[Found]:
        """`<password>value</`: a tag of that name with nothing but text in it."""
        tag = _TAG.match(self.text, start)
        says = what_it_says(tag[1]) if tag else None
        close = self.text.find("<", end, end + _FAR)
        if says and close >= 0 and self.text.startswith("</", close):
            begun, stop = self._trimmed(end, close)
            if is_secret(self.text[begun : min(stop, begun + _LOOKED_AT)], says, Style.CONFIG, True):
                yield begun, stop, says.value

    def _after_blank(self, begin: int, end: int, says: Says, shape: str) -> Iterator[Found]:
        """`--password x`, `#define KEY "x"`, `PASSWORD 'x'`, `the password is x`."""
        opening = self.text[end : end + 1]
        line = self.text[max(0, begin - 40) : begin]
        if (
            opening
            and opening in "\"'"
            and (re.search(r"#define\s+$|(?i:with|by|identified|set|encrypted)\s+$", line) or line.endswith("-"))
        ):
            yield from self._quoted(end + 1, opening, says, False)
            return
        stop = self._word_end(end)
        value = self.text[end : min(stop, end + _LOOKED_AT)]
        option = line.endswith("-") and not shape
        stated = shape == "is" and says is Says.PASSWORD
        if (option or stated) and value[:1] not in "-<[$({" and is_strong(value) and not is_no_value(value, False):
            yield end, stop, says.value

    def _assigned(self, begin: int, end: int, says: Says) -> Iterator[Found]:
        text, place = self.text, end
        place = self._skip_blanks(place)
        if hint := _HINT.match(text, place):  # `token: str = "..."`
            place = hint.end()
        if opening := _OPENING.match(text, place):
            yield from self._quoted(opening.end(), opening[1], says, False)
        elif block := _BLOCK.match(text, place):
            yield from self._indented(begin, block.end(), says)
        else:
            yield from self._bare(begin, place, says)

    def _skip_blanks(self, place: int) -> int:
        limit = min(len(self.text), place + 200)
        while place < limit and self.text[place] in " \t\u3000":
            place += 1
        return place

    def _quoted(self, start: int, quote: str, says: Says, needs_strong: bool) -> Iterator[Found]:
        stop = self._closing(start, quote)
        if stop < 0:
            stop = min(self._line_end(start), self._word_end(start))
        value = self.text[start : min(stop, start + _LOOKED_AT)]
        if (needs_strong and not is_strong(value)) or (value.lstrip()[:1] in _BEHIND and self._closes(start, quote)):
            return
        if stop > start and "\n" not in value and is_secret(value, says, self.style, True):
            yield start, stop, says.value

    def _closes(self, start: int, quote: str) -> bool:
        """Whether the quote before `start` ends a string, as in `print("Password: ", end="")`."""
        line_start = self.text.rfind("\n", max(0, start - 400), start) + 1
        return self.text.count(quote, max(line_start, start - 400), start) % 2 == 0

    def _closing(self, start: int, quote: str) -> int:
        """Where the string ends: backslashes escape, and two single quotes are one where they stand together."""
        place = start
        while (place := self.text.find(quote, place, start + _FAR)) >= 0:
            before = len(self.text[max(start, place - 64) : place]) - len(
                self.text[max(start, place - 64) : place].rstrip("\\")
            )
            doubled = quote == "'" and self.text.startswith("''", place) and place > start
            if before % 2 == 0 and not doubled:
                return place
            place += 2 if doubled else 1
        return -1

    def _indented(self, begin: int, start: int, says: Says) -> Iterator[Found]:
        """The lines of a YAML block, each by itself."""
        line_start = self.text.rfind("\n", 0, begin) + 1
        indent = len(self.text[line_start:begin]) - len(self.text[line_start:begin].lstrip(" -"))
        for _ in range(200):
            self._block_lines += 1
            if self._block_lines > _MOST_BLOCK_LINES:  # far more than a text has where no block lies in another
                return
            stop = self._line_end(start)
            line = self.text[start:stop]
            if not line.strip() or len(line) - len(line.lstrip(" ")) <= indent:
                return
            begun, ended = self._trimmed(start, stop)
            if not self.text.startswith("-----", begun) and is_secret(
                line.strip()[:_LOOKED_AT], says, Style.CONFIG, True
            ):
                yield begun, ended, says.value
            start = stop + 1

    def _trimmed(self, start: int, stop: int) -> tuple[int, int]:
        while start < stop and self.text[start].isspace():
            start += 1
        while stop > start and self.text[stop - 1].isspace():
            stop -= 1
        return start, stop

    def _bare(self, begin: int, start: int, says: Says) -> Iterator[Found]:
        text = self.text
        line_end, word_end = self._line_end(start), self._word_end(start)
        before = text[begin - 1 : begin]
        style = self._style_here(begin, start)
        stop = word_end
        rest = text[word_end : min(line_end, word_end + _LOOKED_AT)]
        if style is Style.CONFIG or says is Says.PHRASE:
            comment = _COMMENT.search(rest)
            stop = (
                word_end + (comment.start() if comment else len(rest))
                if line_end - word_end <= _LOOKED_AT
                else word_end
            )
        stop = self._cut_at_divider(begin, before, start, stop)
        value = text[start : min(stop, start + _LOOKED_AT)]
        alone = not rest.strip() or bool(_COMMENT.match(rest)) or stop > word_end
        if is_secret(value, says, style, False, alone):
            yield start, stop, says.value
        elif stop > word_end and is_secret(
            text[start : min(word_end, start + _LOOKED_AT)], says, Style.TEXT, False, False
        ):
            yield start, word_end, says.value

    def _style_here(self, begin: int, start: int) -> Style:
        """A line of code is code, a comment in it is text; `NAME=value` alone on its line is a setting elsewhere."""
        line_start = max(self.text.rfind("\n", max(0, begin - 200), begin) + 1, begin - 200)
        head = self.text[line_start:begin].strip()
        if self.style is Style.CODE:
            inner = self.text[begin - 1 : begin] == ";" or head.startswith(("#", "//", "*", "/*", "--"))
            return Style.TEXT if inner else Style.CODE
        bare = (
            head in {"", "export", "set", "-", "- export", "ENV", "setx", "-e", "env"} and self.text[start - 1] == "="
        )
        return Style.CONFIG if bare else self.style

    def _cut_at_divider(self, begin: int, before: str, start: int, stop: int) -> int:
        """In an address the value ends at `&`, in a connection string at `;`, in a list of settings at `,`."""
        divider = "&" if before in {"?", "&"} else ";" if before == ";" else ""
        if not divider:
            piece = self.text[start : min(stop, start + _LOOKED_AT)]
            match = re.search(r";(?=\s*[A-Za-z][A-Za-z ]{1,30}=)", piece)
            return start + match.start() if match else stop
        cut = self.text.find(divider, start, stop)
        stop = stop if cut < 0 else cut
        quote = re.search(r"[\"'<>`]", self.text[start : min(stop, start + _LOOKED_AT)])
        return start + quote.start() if quote else stop

    # --- values behind something that is no key -----------------------------------------------------------------------

    def _behind(self, kind: str, start: int, end: int) -> Iterator[Found]:
        quoted = kind in {"sshpass", "curl", "mysql", "sql"} and self.text[end : end + 1] in {"'", '"'}
        if quoted:
            stop = self._closing(end + 1, self.text[end])
            if stop > end + 1 and not is_no_value(self.text[end + 1 : stop], True):
                yield end + 1, stop, kind
            return
        if kind == "sql":
            return
        stop = self._word_end(end)
        piece = self.text[end : min(stop, end + _LOOKED_AT * 8)]
        if kind == "address":
            last = re.split(r"[\"'`<>\\/?#]", piece, maxsplit=1)[0].rfind("@")
            if last > 0 and not is_no_value(piece[:last], False):
                yield end, end + last, kind
            return
        cut = re.search(r"[\"'`<>,\\]", piece)
        value = piece[: cut.start()] if cut else piece
        stop = end + len(value) if cut else stop
        ticket = kind != "authorization" or self._is_ticket(self.text[start:end], value)
        if value and ticket and not is_no_value(value, False):
            yield end, stop, kind

    @staticmethod
    def _is_ticket(scheme: str, value: str) -> bool:
        """Whether what follows `Bearer` or `Basic` is a ticket and no word."""
        value = value.rstrip(".,;:)]}")
        if scheme.lower().startswith("basic"):
            try:
                return ":" in base64.b64decode(value, validate=True).decode("utf-8")
            except (binascii.Error, ValueError):
                return False
        if scheme.lower().startswith("bot"):
            return len(value) >= 50 and is_strong(value)
        return len(value) >= 12 and is_strong(value) and not is_no_value(value, False)
