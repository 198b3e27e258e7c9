"""Hides secrets and chat-template tokens in what a model, the screen and the log get, and puts them back into the file.

A placeholder (`⟨secret 1⟩`, `⟨mark 2 im_start⟩`) belongs to one file of one chat; in any other place it is an error, so
that no secret wanders and no file gets a placeholder for what it had. Counterpart: the gate of a chat.
"""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field

from metona_tk.security.key_blocks import is_lone_key_line
from metona_tk.security.linear import searchable, spans
from metona_tk.security.secrets import Span, find_secrets, merged

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
_CUT_WORD = re.compile(r"[A-Za-z0-9_+/=.~-]{8,400}\Z")


class MaskedContent(Exception):
    """New content holds a placeholder that stands for nothing in that file."""

    def __init__(self, placeholder: str) -> None:
        super().__init__(placeholder)
        self.placeholder = placeholder


def find_placeholders(text: str) -> list[tuple[int, int]]:
    """Where a text has placeholders, also somewhat bent ones."""
    return list(spans(_PLACEHOLDER, searchable(text)))


@dataclass(slots=True)
class Masker:
    """The placeholders of one chat. `path` is always the file's resolved path. Thread-safe."""

    _by_number: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    _numbers: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def mask(self, path: str, text: str) -> str:
        """The whole text of a file as it may be shown."""
        return self._replaced(path, text, _hidden_spans(text, path, False))

    def mask_window(self, path: str, window: str, before: str = "", inside_key: bool = False, cut: bool = False) -> str:
        """A piece of a file, of whole lines. `before`: some lines before it, or ""; `inside_key`: what `KeyScan` says
        of all before these; `cut`: its last line goes on, so that a secret may be cut at its end.
        """
        start = len(before)
        whole = before + window
        found = [
            Span(max(span.start, start) - start, span.end - start, span.kind)
            for span in _hidden_spans(whole, path, inside_key)
            if span.end > start
        ]
        if cut and (word := _CUT_WORD.search(window, max(0, len(window) - 401))):
            found = merged([*found, Span(word.start(), word.end(), "cut")])
        return self._replaced(path, window, found)

    def mask_line(self, path: str, line: str) -> str:
        """A single line out of a file, such as a search hit: one of a key is known by its look alone."""
        body = line.strip("\r\n")
        if is_lone_key_line(body):
            core = body.strip()
            start = line.index(core)
            return self._replaced(path, line, [Span(start, start + len(core), "private_key")])
        return self.mask(path, line)

    def unmask(self, path: str, text: str) -> str:
        """The text with the originals in place; MaskedContent for a placeholder that is not of this file."""
        out: list[str] = []
        done = 0
        for start, end in find_placeholders(text):
            out += [text[done:start], self._original(path, text[start:end])]
            done = end
        return "".join([*out, text[done:]]) if out else text

    def renamed(self, old: str, new: str) -> None:
        """The file `old` is `new` from now on."""
        with self._lock:
            self._by_number = [(new if path == old else path, text) for path, text in self._by_number]
            self._numbers = {place: number for number, place in enumerate(self._by_number, 1)}

    def _original(self, path: str, placeholder: str) -> str:
        number = _NUMBER.search(placeholder)
        with self._lock:
            place = int(number[0]) if number else 0
            if 0 < place <= len(self._by_number) and self._by_number[place - 1][0] == path:
                return self._by_number[place - 1][1]
        raise MaskedContent(placeholder)

    def _replaced(self, path: str, text: str, found: list[Span]) -> str:
        out: list[str] = []
        done = 0
        for span in found:
            original = text[span.start : span.end]
            out += [text[done : span.start], self._placeholder(path, original, span.kind)]
            done = span.end
        return "".join([*out, text[done:]]) if out else text

    def _placeholder(self, path: str, original: str, kind: str) -> str:
        with self._lock:
            number = self._numbers.get((path, original))
            if number is None:
                self._by_number.append((path, original))
                number = self._numbers[path, original] = len(self._by_number)
        if kind != "mark":
            return f"{_OPEN}secret {number}{_CLOSE}"
        word = "".join(char for char in original if char.isascii() and (char.isalnum() or char in "_/ ")).strip()
        return f"{_OPEN}mark {number} {word[:40]}".rstrip() + _CLOSE


def _hidden_spans(text: str, path: str, inside_key: bool) -> list[Span]:
    seen = searchable(text)
    marks = [Span(start, end, "mark") for start, end in spans(f"{_PLACEHOLDER}|{_TEMPLATE}", seen)]
    return merged([*find_secrets(seen, path, inside_key), *marks])


def mask_unknown(text: str) -> str:
    """Text of no file (arguments, command output, the log): secrets and template tokens are gone for good."""
    out: list[str] = []
    done = 0
    for span in _hidden_spans(text, "", False):
        out += [text[done : span.start], UNKNOWN if span.kind != "mark" else _spelt(text[span.start : span.end])]
        done = span.end
    return "".join([*out, text[done:]])


def _spelt(token: str) -> str:
    """A template token as a model reads it as plain text; a placeholder stays one."""
    if token[0] == _OPEN:
        return token
    return _OPEN + token.strip("<>[]|\uff5c").replace("|", "") + _CLOSE
