"""Hides secrets and chat-template tokens in what a model, the screen and the log get, and puts them back into the file.

A placeholder (`⟨secret 1⟩`, `⟨mark 2 im_start⟩`) belongs to one file of one chat; in any other place it is an error, so
that no secret wanders and no file gets a placeholder for what it had. A value that was hidden once stays hidden in the
whole chat, whatever stands before it then. Counterpart: the gate of a chat.
"""

from __future__ import annotations

import re
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from metona_tk.security.key_blocks import is_lone_key_line
from metona_tk.security.linear import searchable, spans
from metona_tk.security.remembered import Remembered, open_places
from metona_tk.security.secrets import Span, find_secrets, find_tokens, merged

UNKNOWN = "\u27e8secret\u27e9"
_OPEN, _CLOSE = "\u27e8", "\u27e9"
_OPENINGS = r"[\x{27e8}\x{2329}\x{3008}\x{300a}\x{2039}\x{276c}\x{276e}\x{ff1c}<\[]"
_CLOSINGS = r"[\x{27e9}\x{232a}\x{3009}\x{300b}\x{203a}\x{276d}\x{276f}\x{ff1e}>\]]"
# A placeholder as we write it, or as a model may have bent it: other brackets, other case, other blanks.
_PLACEHOLDER = (
    rf"(?i){_OPENINGS}[ \t\x{{a0}}]{{0,3}}(?:secret|mark)[ \t\x{{a0}}_#:-]{{0,3}}\d{{1,9}}"
    rf"(?:[ \t\x{{a0}}:_-][\w /.:|-]{{0,40}})?[ \t\x{{a0}}]{{0,3}}{_CLOSINGS}"
    rf"|\x{{27e8}}[ \t\x{{a0}}]{{0,3}}(?:secret|mark)[ \t\x{{a0}}]{{0,3}}\x{{27e9}}"
)
# Tokens with which chat templates divide roles, tools and thoughts.
_TEMPLATE = (
    r"(?i)<\|[^|<>\n]{1,60}\|>|<\x{ff5c}[^\x{ff5c}<>\n]{1,60}\x{ff5c}>|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|"
    r"TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|IMG|gMASK|THINK)\]|<</?SYS>>|</?(?:start|end)_(?:of_[a-z_]{1,20}|"
    r"(?:function|tool)_[a-z_]{1,30})>|</?(?:bos|eos|pad|unk|s|sop|eop|think|thinking|tools|arg_key|arg_value|"
    r"(?:antml:)?(?:function_calls?|function_results?|function_response|tool_calls?|tool_results?|tool_responses?|tool_use|"
    r"tool_outputs?|available_tools|invoke|parameter))(?:[ \t][^<>\n]{0,80})?>"
)
_NUMBER = re.compile(r"[0-9]+")
_APART = "\x1e\x1e\n"  # between lines that are no neighbours
_CUT_WORD = re.compile(r"[A-Za-z0-9_+/=.~-]{8,400}\Z")


class MaskedContent(Exception):
    """New content holds a placeholder that stands for nothing in that file."""

    def __init__(self, placeholder: str) -> None:
        super().__init__(placeholder)
        self.placeholder = placeholder


def find_placeholders(text: str) -> list[tuple[int, int]]:
    """Where a text has placeholders, also somewhat bent ones."""
    return list(spans(_PLACEHOLDER, searchable(text)))


@dataclass(frozen=True, slots=True)
class Hidden:
    """What a placeholder stands for: a text of one file (resolved path)."""

    path: str
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Veil:
    """A text as it may be seen, and where each part of it comes from. `parts`: for each placeholder its start and end
    in `shown`, and the start and end of what it hides, in order.
    """

    shown: str
    parts: tuple[tuple[int, int, int, int], ...] = ()

    def original(self, start: int, end: int) -> tuple[int, int] | None:
        """The range of the real text behind a range of `shown`; None where it ends within a placeholder."""
        places = self._real(start), self._real(end)
        return None if None in places else (places[0] or 0, places[1] or 0)

    def place(self, real: int) -> int:
        """Where a place of the real text is in `shown`; of what is hidden its placeholder's begin."""
        at = bisect_right(self.parts, real, key=lambda part: part[2]) - 1
        if at < 0:
            return real
        start, end, _, real_end = self.parts[at]
        return start if real < real_end else end + real - real_end

    def _real(self, place: int) -> int | None:
        at = bisect_right(self.parts, place, key=lambda part: part[0]) - 1
        if at < 0:
            return place
        start, end, _, real_end = self.parts[at]
        if start < place < end:
            return None
        return self.parts[at][2] if place == start else real_end + place - end


@dataclass(slots=True)
class Masker:
    """The placeholders of one chat. `path` is always the file's resolved path. Thread-safe."""

    _by_number: list[Hidden] = field(default_factory=list[Hidden])
    _numbers: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    _remembered: Remembered = field(default_factory=Remembered)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def mask(self, path: str, text: str) -> str:
        """The whole text of a file as it may be shown."""
        return self.veil(path, text).shown

    def veil(self, path: str, text: str, told: str = "") -> Veil:
        """The same with the places of what is hidden. `told`: what the user has said, which may stay as it is."""
        found = self._hidden_spans(text, path, False)
        return self._veiled(path, text, [span for span in found if not told or text[span.start : span.end] not in told])

    def uncovers(self, path: str, text: str, new_path: str, new_text: str, told: str = "") -> bool:
        """Whether a value that is hidden in `text` stands somewhere in the new one where its look does not tell what
        it is, so that another chat would see it. `told`: what the user has said, which is no secret.
        """
        hidden = [span for span in _spans_by_look(text, path, False) if span.kind != "mark"]
        values = {value for span in hidden if (value := text[span.start : span.end]) not in told}
        if not values:
            return False
        after = open_places(values, new_text, _spans_by_look(new_text, new_path, False))
        return bool(after - open_places(values, text, hidden)) if after else False

    def mask_window(
        self, path: str, window: str, before: str = "", inside_key: bool = False, cut: bool = False, after: str = ""
    ) -> str:
        """A piece of a file, of whole lines. `before`: some lines before it, or ""; `inside_key`: what `KeyScan` says
        of all before these; `cut`: its last line goes on, so that a secret may be cut at its end; `after`: some of what
        follows.
        """
        start, end = len(before), len(before) + len(window)
        found = [
            Span(max(span.start, start) - start, min(span.end, end) - start, span.kind)
            for span in self._hidden_spans(before + window + after, path, inside_key)
            if span.end > start and span.start < end
        ]
        if cut and (word := _CUT_WORD.search(window, max(0, len(window) - 401))):
            # perhaps no secret, so it is not remembered
            found = merged([*found, Span(word.start(), word.end(), "cut")])
        return self._veiled(path, window, found).shown

    def mask_line(self, path: str, line: str, before: str = "", inside_key: bool = False) -> str:
        """A single line out of a file, such as a search hit: one of a key is known by its look alone. `before`: the
        lines before it, or ""; `inside_key`: what `KeyScan` says of all before these.
        """
        body = line.strip("\r\n")
        if is_lone_key_line(body):
            core = body.strip()
            start = line.index(core)
            return self._veiled(path, line, [Span(start, start + len(core), "private_key")]).shown
        return self.mask_window(path, line, before, inside_key)

    def mask_places(self, path: str, text: str, places: list[tuple[int, int]]) -> list[str]:
        """Parts of a whole text, judged with all that stands around them."""
        veil = self.veil(path, text)
        return [veil.shown[veil.place(start) : veil.place(end)] for start, end in places]

    def mask_lines(self, path: str, lines: list[str]) -> list[str]:
        """Lines from anywhere in a file, each by itself; many at once cost little more than one."""
        ended = [line.rstrip("\r\n").replace("\n", " ") + "\n" for line in lines]
        keys = [is_lone_key_line(line) for line in ended]
        whole = f"{_APART}".join("" if key else line for key, line in zip(keys, ended, strict=True))
        masked = self.mask(path, whole).split(_APART)
        rows = zip(lines, masked, keys, strict=True)
        return [self.mask_line(path, line) if key else seen.rstrip("\n") for line, seen, key in rows]

    def mask_bytes(self, path: str, raw: bytes) -> bytes:
        """Bytes with the secrets in them masked, placeholders as UTF-8. Template tokens stay: nobody reads them there,
        and any bytes may look like `<s>`.
        """
        text = raw.decode("utf-8", "surrogateescape")
        found = [span for span in self._hidden_spans(text, path, False) if span.kind != "mark"]
        return self._veiled(path, text, found).shown.encode("utf-8", "surrogateescape")

    def unmask(self, path: str, text: str) -> str:
        """The text with the originals in place; MaskedContent for a placeholder that is not of this file."""
        return self._each(path, text, lambda _, hidden: hidden.text)

    def canonical(self, path: str, text: str) -> str:
        """The text with bent placeholders as this chat writes them; MaskedContent for one that is not of this file."""
        return self._each(path, text, _placeholder)

    def mask_known(self, text: str) -> str:
        """Text of no file with what this chat has hidden, and tokens known by their form, gone for good."""
        marks = (Span(start, end, "mark") for start, end in spans(_TEMPLATE, searchable(text)))
        return _without(text, merged([*self._remembered.found(text), *find_tokens(text), *marks]))

    def renamed(self, old: str, new: str) -> None:
        """The file `old` is `new` from now on."""
        with self._lock:
            self._by_number = [
                replace(hidden, path=new) if hidden.path == old else hidden for hidden in self._by_number
            ]
            self._numbers = {(hidden.path, hidden.text): number for number, hidden in enumerate(self._by_number, 1)}

    def _each(self, path: str, text: str, put: Callable[[int, Hidden], str]) -> str:
        """The text with every placeholder of this file replaced; MaskedContent for any other."""
        out: list[str] = []
        done = 0
        for start, end in find_placeholders(text):
            out += [text[done:start], put(*self._kept(path, text[start:end]))]
            done = end
        return "".join([*out, text[done:]]) if out else text

    def _kept(self, path: str, placeholder: str) -> tuple[int, Hidden]:
        found = _NUMBER.search(placeholder)
        with self._lock:
            number = int(found[0]) if found else 0
            if 0 < number <= len(self._by_number) and self._by_number[number - 1].path == path:
                return number, self._by_number[number - 1]
        raise MaskedContent(placeholder)

    def _veiled(self, path: str, text: str, found: list[Span]) -> Veil:
        out: list[str] = []
        parts: list[tuple[int, int, int, int]] = []
        done = length = 0
        for span in found:
            placeholder = self._placeholder(path, text[span.start : span.end], span.kind)
            length += span.start - done
            out += [text[done : span.start], placeholder]
            parts.append((length, length + len(placeholder), span.start, span.end))
            length += len(placeholder)
            done = span.end
        return Veil("".join([*out, text[done:]]), tuple(parts)) if out else Veil(text)

    def _placeholder(self, path: str, original: str, kind: str) -> str:
        with self._lock:
            number = self._numbers.get((path, original))
            if number is None:
                self._by_number.append(Hidden(path, original, kind))
                number = self._numbers[path, original] = len(self._by_number)
            return _placeholder(number, self._by_number[number - 1])

    def _hidden_spans(self, text: str, path: str, inside_key: bool) -> list[Span]:
        found = _spans_by_look(text, path, inside_key)
        self._remembered.add({text[span.start : span.end]: span.kind for span in found if span.kind != "mark"})
        return merged([*found, *self._remembered.found(text)])


def _placeholder(number: int, hidden: Hidden) -> str:
    if hidden.kind != "mark":
        return f"{_OPEN}secret {number}{_CLOSE}"
    word = "".join(char for char in hidden.text if char.isascii() and (char.isalnum() or char in "_/ ")).strip()
    return f"{_OPEN}mark {number} {word[:40]}".rstrip() + _CLOSE


def _spans_by_look(text: str, path: str, inside_key: bool) -> list[Span]:
    seen = searchable(text)
    marks = [Span(start, end, "mark") for start, end in spans(f"{_PLACEHOLDER}|{_TEMPLATE}", seen)]
    return merged([*find_secrets(seen, path, inside_key), *marks])


def mask_unknown(text: str) -> str:
    """Text of no file (arguments, command output, the log): secrets and template tokens are gone for good."""
    return _without(text, _spans_by_look(text, "", False))


def _without(text: str, found: Iterable[Span]) -> str:
    out: list[str] = []
    done = 0
    for span in found:
        out += [text[done : span.start], UNKNOWN if span.kind != "mark" else _spelt(text[span.start : span.end])]
        done = span.end
    return "".join([*out, text[done:]])


def _spelt(token: str) -> str:
    """A template token as a model reads it as plain text; a placeholder stays one."""
    if token[0] == _OPEN:
        return token
    return _OPEN + token.strip("<>[]|\uff5c").replace("|", "") + _CLOSE
