"""Takes leaked markup out of streamed content: `<think>` goes to the thinking, control tokens go nowhere."""

from __future__ import annotations

import re

# Only tokens that chat templates really use; text that merely looks alike stays.
_TOKENS = (
    "<|channel|>",
    "<|message|>",
    "<|start|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
)
_TOKEN = re.compile("|".join(map(re.escape, _TOKENS)))
_CHANNEL = re.compile(r"\w{0,40}<\|message\|>")
_CHANNEL_BEGUN = re.compile(r"\w{0,40}(<(\|(m(e(s(s(a(g(e(\|)?)?)?)?)?)?)?)?)?)?\Z")
_OPEN, _CLOSE = "<think>", "</think>"


class MarkupFilter:
    """Stateful over the pieces of one answer; `feed` and `finish` give (content, thinking)."""

    def __init__(self) -> None:
        self._kept = ""
        self._thinking = False
        self._begun = False  # some content has come: a later <think> is text
        self._trim = False  # line ends right behind the thinking are none of the answer's

    def feed(self, content: str) -> tuple[str, str]:
        """The text that is certain by now; a tail that may become markup is kept back."""
        return self._drain(content, final=False)

    def finish(self) -> tuple[str, str]:
        """What was kept back at the end of the answer."""
        return self._drain("", final=True)

    def _drain(self, more: str, final: bool) -> tuple[str, str]:
        self._kept += more
        told: list[str] = []
        thought: list[str] = []
        while self._kept and (self._think(thought, final) if self._thinking else self._tell(told, final)):
            pass
        return "".join(told), "".join(thought)

    def _think(self, thought: list[str], final: bool) -> bool:
        """Take thinking up to its end; whether to go on."""
        before, close, after = self._kept.partition(_CLOSE)
        if close:
            thought.append(before)
            self._thinking, self._trim, self._kept = False, True, after
            return True
        keep = 0 if final else _prefix_at_end(self._kept, _CLOSE)
        thought.append(self._kept[: len(self._kept) - keep])
        self._kept = self._kept[len(self._kept) - keep :]
        return False

    def _tell(self, told: list[str], final: bool) -> bool:
        """Take content up to the next markup, then the markup; whether to go on."""
        place = self._kept.find("<")
        self._say(told, self._kept if place < 0 else self._kept[:place])
        self._kept = "" if place < 0 else self._kept[place:]
        if not self._kept:
            return False
        if not self._begun and self._kept.startswith(_OPEN):
            self._thinking, self._kept = True, self._kept[len(_OPEN) :]
            return True
        token = _TOKEN.match(self._kept)
        if token:
            return self._drop(token.group(), final)
        possible = _TOKENS if self._begun else (*_TOKENS, _OPEN)
        if not final and any(each.startswith(self._kept) for each in possible):
            return False
        self._say(told, "<")
        self._kept = self._kept[1:]
        return True

    def _drop(self, token: str, final: bool) -> bool:
        rest = self._kept[len(token) :]
        if token == "<|channel|>":
            named = _CHANNEL.match(rest)
            if named:
                rest = rest[named.end() :]
            elif not final and _CHANNEL_BEGUN.match(rest):
                return False  # the channel's name goes with it, once it is known to be one
        self._kept = rest
        return True

    def _say(self, told: list[str], text: str) -> None:
        if self._trim:
            text = text.lstrip("\n")
            self._trim = not text
        told.append(text)
        self._begun = self._begun or bool(text.strip())


def _prefix_at_end(text: str, token: str) -> int:
    """How many characters at the end of `text` may be the beginning of `token`."""
    return next((size for size in range(min(len(text), len(token) - 1), 0, -1) if token.startswith(text[-size:])), 0)
