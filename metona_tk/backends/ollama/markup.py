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
_CHANNEL = re.compile(r"<\|channel\|>\w*(?=<\|message\|>)")
_TOKEN = re.compile("|".join(map(re.escape, _TOKENS)))
_LONGEST = max(map(len, _TOKENS))
_OPEN, _CLOSE = "<think>", "</think>"


class MarkupFilter:
    """Stateful over the pieces of one answer; `feed` and `finish` give (content, thinking)."""

    def __init__(self) -> None:
        self._kept = ""
        self._thinking = False
        self._begun = False  # some content has come: a later <think> is text

    def feed(self, content: str) -> tuple[str, str]:
        """The text that is certain by now; a tail that may become markup is kept back."""
        self._kept += content
        return self._drain(final=False)

    def finish(self) -> tuple[str, str]:
        """What was kept back at the end of the answer."""
        return self._drain(final=True)

    def _drain(self, final: bool) -> tuple[str, str]:
        told: list[str] = []
        thought: list[str] = []
        if not self._begun and not self._thinking:
            start = self._kept.lstrip()
            if start.startswith(_OPEN):
                self._thinking, self._kept = True, start[len(_OPEN) :]
            elif not final and _OPEN.startswith(start):
                return "", ""
        if self._thinking:
            before, close, after = self._kept.partition(_CLOSE)
            if close:
                thought.append(before)
                self._thinking, self._kept = False, after.lstrip("\n")
            else:
                keep = 0 if final else _tail(self._kept, (_CLOSE,))
                thought.append(self._kept[: len(self._kept) - keep])
                self._kept = self._kept[len(self._kept) - keep :]
                return "", "".join(thought)
        keep = 0 if final else self._unsure()
        told.append(_TOKEN.sub("", _CHANNEL.sub("", self._kept[: len(self._kept) - keep])))
        self._kept = self._kept[len(self._kept) - keep :]
        text = "".join(told)
        self._begun = self._begun or bool(text.strip())
        return text, "".join(thought)

    def _unsure(self) -> int:
        """How many characters at the end may still become a token (or a channel's name before its message)."""
        place = self._kept.rfind("<|channel|>")
        if place >= 0 and "<|message|>" not in self._kept[place:] and len(self._kept) - place < 60:
            return len(self._kept) - place
        return _tail(self._kept, _TOKENS)


def _tail(text: str, tokens: tuple[str, ...]) -> int:
    for length in range(min(len(text), max(_LONGEST, len(_CLOSE)) - 1), 0, -1):
        if any(token.startswith(text[-length:]) for token in tokens):
            return length
    return 0
