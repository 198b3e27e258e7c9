"""A file that the question names is read for the model: the cheapest help of all for a small one (MODELS 11)."""

from __future__ import annotations

import re

MOST = 3
_WORD = re.compile(r"[^\s\"'“”‘’《》「」`<>|,，。；：;:()（）?？!！]+\.[A-Za-z0-9]{1,8}(?![A-Za-z0-9])")
_QUOTED = re.compile(r"[\"“「《`']([^\"”」》`'\n]{2,120})[\"”」》`']")


def named_files(question: str, names: list[str]) -> list[str]:
    """The workspace's files that `question` names: by their path, or by a name that only one file has."""
    by_name: dict[str, list[str]] = {}
    for path in names:
        by_name.setdefault(path.rsplit("/", 1)[-1].casefold(), []).append(path)
    known = set(names)
    found: dict[str, None] = {}
    for word in [*_QUOTED.findall(question), *_candidates(question)]:
        plain = word.strip().replace("\\", "/").removeprefix("./").rstrip(".")
        if plain in known:
            found[plain] = None
            continue
        same = by_name.get(plain.rsplit("/", 1)[-1].casefold(), [])
        if len(same) == 1:
            found[same[0]] = None
        elif 1 < len(same) <= MOST and "/" not in plain:
            found.update(dict.fromkeys(same))
    text = question.casefold()
    for name, same in by_name.items():  # Chinese runs up to a name, and away from it, without a blank
        if len(same) == 1 and not name.isascii() and "." in name and name in text:
            found[same[0]] = None
    return list(found)[:MOST]


def _candidates(question: str) -> list[str]:
    """Words with an extension; where Chinese runs up to the name without a blank, its ASCII end too."""
    found: list[str] = []
    for word in _WORD.findall(question):
        found.append(word)
        tail = re.search(r"[A-Za-z0-9._/\\-]+$", word)
        if tail and tail.group() != word:
            found.append(tail.group())
    return found
