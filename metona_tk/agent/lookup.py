"""Which files a question is probably about: its telling words, and how well each file fits them. Pure.

A small model searches badly, but it reads well what lies before it; so the program looks first, as MODELS 11 does for
files that are named. Words count by how rare they are (inverse document frequency), in paths more than in contents.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

_STOP = frozenset(
    [
        "a",
        "about",
        "after",
        "again",
        "all",
        "also",
        "am",
        "an",
        "and",
        "any",
        "are",
        "as",
        "ask",
        "at",
        "be",
        "become",
        "been",
        "before",
        "big",
        "but",
        "by",
        "called",
        "can",
        "change",
        "changed",
        "compare",
        "could",
        "current",
        "currently",
        "day",
        "did",
        "do",
        "does",
        "file",
        "files",
        "find",
        "first",
        "folder",
        "folders",
        "for",
        "from",
        "get",
        "give",
        "had",
        "has",
        "have",
        "he",
        "her",
        "here",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "just",
        "last",
        "latest",
        "let",
        "list",
        "long",
        "make",
        "many",
        "me",
        "mention",
        "moment",
        "more",
        "most",
        "much",
        "my",
        "name",
        "named",
        "names",
        "new",
        "no",
        "none",
        "not",
        "now",
        "number",
        "of",
        "off",
        "on",
        "one",
        "only",
        "open",
        "or",
        "other",
        "our",
        "out",
        "over",
        "own",
        "please",
        "put",
        "question",
        "said",
        "say",
        "says",
        "see",
        "set",
        "she",
        "should",
        "show",
        "single",
        "so",
        "some",
        "take",
        "takes",
        "tell",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "thing",
        "this",
        "those",
        "time",
        "to",
        "two",
        "under",
        "up",
        "us",
        "use",
        "used",
        "value",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "whether",
        "which",
        "who",
        "whose",
        "why",
        "will",
        "with",
        "without",
        "word",
        "words",
        "would",
        "yes",
        "yet",
        "you",
        "your",
    ]
)
_GREETINGS = frozenset(["hello", "hey", "thanks", "thank", "bye", "welcome", "morning", "evening"])
_STOP_ZH = "的了是在我你他她它们哪那这什么多少吗呢几谁由只说结果为和与请问你好谢个把被从到对就都也很有没家"
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_NUMERALS = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")
_SUMS = re.compile(
    r"\b(newest|latest|oldest|most recent\w*|last|largest|biggest|smallest|how many|how much space|most space|count)\b"
    r"|最新|最近|最后|最大|最小|最旧|多少个|几个|有多少",
    re.IGNORECASE,
)
_SIZES = re.compile(r"\b(largest|biggest|smallest|space|big|large|size|heavy)\b|最大|最小|多大|空间", re.IGNORECASE)
MOST_WORDS = 14


@cache
def _begins(form: str) -> re.Pattern[str]:
    return re.compile((r"(?<![a-z0-9])" if form[0].isascii() and form[0].isalnum() else "") + re.escape(form))


@dataclass(frozen=True, slots=True)
class Word:
    """A telling word of a question: as it stands there, and the texts that count as it."""

    said: str
    forms: tuple[str, ...]

    def is_in(self, text: str) -> bool:
        """Whether a casefolded text has it, as a word or the beginning of one."""
        return any(_begins(form).search(text) for form in self.forms)


@dataclass(slots=True)
class Fit:
    """How well one file fits; `lines` are the numbers of its matching lines, best first."""

    path: str
    score: float = 0.0
    words: set[str] = field(default_factory=set[str])
    lines: list[int] = field(default_factory=list[int])
    alone: set[str] = field(default_factory=set[str])  # words that no other file has


def asks_for_sums(question: str) -> bool:
    """Whether the answer may lie in counts, dates or sizes rather than in contents."""
    return _SUMS.search(question) is not None


def asks_for_sizes(question: str) -> bool:
    """Whether it is about how much space files take, rather than when they were changed."""
    return _SIZES.search(question) is not None


def _stem(word: str) -> str:
    for ending, least in (("ing", 7), ("ed", 6), ("es", 6), ("s", 5)):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            base = word[: -len(ending)]
            return base[:-1] if base[-1:] == base[-2:-1] and ending in {"ing", "ed"} else base
    return word


def question_words(question: str) -> list[Word]:
    """The telling words, in the order in which they stand; dates in the ways in which files write them."""
    text = question.casefold()
    found: dict[str, Word] = {}
    for word in _dates(text):
        found.setdefault(word.said, word)
    for part in re.findall(r"[a-z0-9][\w.-]*[a-z0-9]|[a-z0-9]", text, re.ASCII):
        plain = part.removesuffix("'s")
        if plain in _STOP or plain in _GREETINGS or plain in _MONTHS or len(plain) < 3 or plain in found:
            continue
        found[plain] = Word(plain, (_stem(plain),))
    for run in re.findall(r"[\u3400-\u9fff]+", text):
        for piece in re.split(f"[{_STOP_ZH}]", run):
            for start in range(len(piece) - 1):
                pair = piece[start : start + 2]
                found.setdefault(pair, Word(pair, (pair,)))
    return list(found.values())[:MOST_WORDS]


def _dates(text: str) -> list[Word]:
    years = re.findall(r"\b(?:19|20)\d\d\b", text)
    months = [(name, number) for number, name in enumerate(_MONTHS, 1) if re.search(rf"\b{name}\b", text)]
    months += [(f"{name}月", n) for n, name in enumerate(_NUMERALS, 1) if re.search(rf"(?<!十){name}月", text)]
    found: list[Word] = []
    for name, month in months:
        days = re.findall(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {name}\b|\b{name} (\d{{1,2}})\b", text)
        day = next((int(first or second) for first, second in days), 0)
        if day:
            forms = (f"{month:02}-{day:02}", f"{day:02}.{month:02}.", f"{day:02}/{month:02}", f"{month}月{day}日")
            forms += (f"{day} {name}", f"{name} {day}")
            found.append(Word(f"{day} {name}", forms))
        else:
            forms = (name, f"{month}月", *(f"{year}-{month:02}" for year in years))
            found.append(Word(name, forms if years else (*forms, f"-{month:02}-", f"-{month:02}.")))
    return found


def search_pattern(words: Sequence[Word]) -> str:
    """A regular expression that finds a line with any of the words."""
    forms = dict.fromkeys(form for word in words for form in word.forms)
    return "|".join(re.escape(form) if not re.fullmatch(r"[\w -]+", form) else form for form in forms)


def pair_pattern(words: Sequence[Word]) -> str:
    """A regular expression for a line that has two of the words, in any order."""
    either = ["(?:" + "|".join(map(re.escape, word.forms)) + ")" for word in words[:5]]
    return "|".join(f"{one}.*{other}" for one in either for other in either if one != other)


def count_words(words: Sequence[Word], line: str) -> int:
    """How many of the words a line has."""
    return sum(word.is_in(line.casefold()) for word in words)


def best_lines(words: Sequence[Word], lines: Sequence[tuple[int, str]]) -> list[int]:
    """The numbers of the lines that have most of the words, best first; among equals rare words count."""
    has = {word.said: {number for number, line in lines if word.is_in(line.casefold())} for word in words}

    def order(number: int) -> tuple[int, float, int]:
        found = [1 / len(numbers) for numbers in has.values() if number in numbers]
        return -len(found), -sum(found), number

    return sorted({number for number, _ in lines}, key=order)


def named_things(question: str) -> list[str]:
    """Words of a question that are written like names, by a capital inside a sentence or in quotes."""
    quoted = re.findall(r"[\"“「]([^\"”」\s]{3,40})[\"”」]", question)
    inside = re.findall(r"(?<=[a-z,;:] )[A-Z][\w-]{2,}", question)
    return list(dict.fromkeys([*quoted, *inside]))


def rank(
    words: Sequence[Word], names: Iterable[str], hits: Mapping[str, Sequence[tuple[int, str]]]
) -> tuple[list[Fit], list[Word]]:
    """(files that fit, best first; words that nothing has). `hits`: path -> [(line number, line)]."""
    paths = list(names)
    folded = {path: path.casefold() for path in paths}
    lines = {path: [(number, line.casefold()) for number, line in found] for path, found in hits.items()}
    in_path = {word.said: {path for path in paths if word.is_in(folded[path])} for word in words}
    in_text = {
        word.said: {path for path, found in lines.items() if any(word.is_in(line) for _, line in found)}
        for word in words
    }
    rarity = {said: math.log((len(paths) + 1) / (len(in_path[said] | in_text[said]) + 0.5)) for said in in_path}
    fits: list[Fit] = []
    for path in paths:
        fit = Fit(path)
        for word in words:
            has_path, has_text = path in in_path[word.said], path in in_text[word.said]
            if has_path or has_text:
                fit.words.add(word.said)
                if len(in_path[word.said] | in_text[word.said]) == 1 and has_text:
                    fit.alone.add(word.said)
                fit.score += max(rarity[word.said], 0.1) * (1.5 * has_path + has_text)
        best = [
            (sum(max(rarity[word.said], 0.1) for word in words if word.is_in(line)), number)
            for number, line in lines.get(path, [])
        ]
        best.sort(key=lambda each: (-each[0], each[1]))
        if best:
            fit.score += 0.7 * best[0][0]
            fit.lines = [number for score, number in best if score >= 0.6 * best[0][0]][:4]
        if fit.words:
            fits.append(fit)
    fits.sort(key=lambda fit: (-fit.score, fit.path))
    return _telling(fits, rarity, len(paths)), [word for word in words if not in_path[word.said] | in_text[word.said]]


def _telling(fits: list[Fit], rarity: Mapping[str, float], count: int) -> list[Fit]:
    """Only files that stand out: two words, or one that few files have; and none far behind the best."""
    rare = math.log((count + 1) / 4.5) if count > 8 else 0.0
    good = [fit for fit in fits if len(fit.words) > 1 or any(rarity[said] >= rare for said in fit.words)]
    return [fit for fit in good if fit.score >= 0.45 * good[0].score] if good else []


def folders_of(names: Iterable[str]) -> list[str]:
    """The folders of these files, those above them too."""
    found: dict[str, None] = {}
    for path in names:
        while "/" in path and (path := path.rpartition("/")[0]) not in found:
            found[path] = None
    return list(found)


def named_folders(question: str, names: Iterable[str]) -> list[str]:
    """Folders all of whose words the question has; the most telling first, none when many are meant."""
    said = set(re.findall(r"\w+", question.casefold()))
    said |= {_stem(word) for word in said}
    found: list[tuple[int, str]] = []
    for folder in folders_of(names):
        words = re.findall(r"\w+", folder.rsplit("/", 1)[-1].casefold())
        if words and all(word in said or _stem(word) in said for word in words):
            found.append((len(words), folder))
    found.sort(key=lambda each: (-each[0], each[1].count("/"), each[1]))
    best = [folder for count, folder in found if count == found[0][0]] if found else []
    return best[:1] if len(best) <= 3 else []
