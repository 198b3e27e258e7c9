"""A file that the question names is read for the model: the cheapest help of all for a small one (MODELS 11)."""

from __future__ import annotations

import re

from metona_tk.agent.lookup import named_folders

MOST = 3
_WORD = re.compile(r"[^\s\"'“”‘’《》「」`<>|,，。；：;:()（）?？!！]+\.[A-Za-z0-9]{1,8}(?![A-Za-z0-9])")
_KIND = re.compile(r"(?<![\w*./-])(?:\*)?(\.[A-Za-z0-9]{1,8})(?![\w.])")
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
    for name, same in by_name.items():
        # Chinese runs up to a name, and away from it, without a blank; other names have blanks in them
        if len(same) == 1 and "." in name and (not name.isascii() or " " in name) and name in text:
            found[same[0]] = None
    whole = [path for path in names if "/" in path and path.casefold() in text]
    return [*whole, *(path for path in found if path not in whole)][:MOST]


def named_kinds(question: str, names: list[str]) -> list[tuple[str, list[str]]]:
    """Files that are named by their kind and folder ("all .csv files in Downloads"): [(pattern, paths)]."""
    kinds = dict.fromkeys(kind.casefold() for kind in _KIND.findall(question))
    folders = named_folders(question, names)
    found: list[tuple[str, list[str]]] = []
    for kind in kinds:
        for folder in folders:
            inside = [name for name in names if name.rpartition("/")[0] == folder and name.casefold().endswith(kind)]
            found += [(f"{folder}/*{kind}", inside)] if inside else []
    return found


def _candidates(question: str) -> list[str]:
    """Words with an extension; where Chinese runs up to the name without a blank, its ASCII end too."""
    found: list[str] = []
    for word in _WORD.findall(question):
        found.append(word)
        tail = re.search(r"[A-Za-z0-9._/\\-]+$", word)
        if tail and tail.group() != word:
            found.append(tail.group())
    return found
