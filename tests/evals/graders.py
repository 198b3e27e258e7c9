"""Grading by machine: which facts an answer must hold and which it must not. Counterpart: `questions`, which name them.

An answer that names the right value beside a wrong one is wrong, and so is one that lists everything.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

LONGEST = 1500  # no answer to these questions needs more; what is longer is a listing
DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
QUOTES = {ord(a): b for a, b in zip("\u2018\u2019\u201c\u201d", "''\"\"", strict=True)}
NUMBERS = {
    word: number
    for number, word in enumerate(
        ["zero", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
        + ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"]
    )
    if word
}
NUMBERS_ZH = {sign: value for value, sign in enumerate("零一二三四五六七八九十")} | {"两": 2}


def normalise(answer: str) -> str:
    """Lower case, ASCII digits, no thousands separators, no markdown, `/` in paths, single blanks, lines kept."""
    text = unicodedata.normalize("NFKC", answer).casefold().translate(DASHES | QUOTES)
    text = re.sub(r"\\([^\w\s]|_)", r"\1", text).replace("\\", "/").replace("%20", " ")
    text = re.sub(r"[*`|~]+|^\s*#+\s|(?<!\w)__|__(?!\w)", " ", text, flags=re.MULTILINE)
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    return "\n".join(" ".join(line.split()) for line in text.splitlines() if line.strip())


@dataclass(frozen=True)
class Fact:
    """Something that an answer says in one of several ways; `name` is for the report."""

    name: str
    test: Callable[[str], bool]


def says(*ways: str) -> Fact:
    """One of these words or phrases; where it begins or ends with a letter or digit, the word does too."""
    return Fact(ways[0], matches(*(_bounded(normalise(way)) for way in ways)).test)


def matches(*patterns: str) -> Fact:
    """One of these regular expressions, on the normalised text."""
    whole = re.compile("|".join(patterns))
    return Fact(patterns[0], lambda text: whole.search(text) is not None)


def number(value: int | str) -> Fact:
    """This number, not as a part of another one."""
    return Fact(str(value), matches(rf"(?<![\d.\-]){re.escape(str(value))}(?!\d|[.]\d)").test)


def digits(value: str) -> Fact:
    """This telephone number, however it is grouped."""
    wanted = re.sub(r"\D", "", value)

    def test(text: str) -> bool:
        return re.search(rf"(?<!\d){wanted}(?!\d)", re.sub(r"(?<=\d)[ \-()./]+(?=\d)", "", text)) is not None

    return Fact(value, test)


def _bounded(way: str) -> str:
    before = r"(?<![a-z0-9])" if re.match(r"[a-z0-9]", way) else ""
    after = r"(?![a-z0-9])" if re.search(r"[a-z0-9]$", way) else ""
    return before + re.escape(way) + after


@dataclass(frozen=True)
class Key:
    """What is right, in words, and by which facts it is told. `checks` give a reason for what is wrong, or None."""

    truth: str
    required: tuple[Fact, ...] = ()
    forbidden: tuple[Fact, ...] = ()
    checks: tuple[Callable[[str], str | None], ...] = ()


def grade(answer: str, key: Key) -> list[str]:
    """Why the answer is wrong; nothing when it is right."""
    text = normalise(answer)
    if not text:
        return ["no answer"]
    reasons = [f"does not say {fact.name}" for fact in key.required if not fact.test(text)]
    reasons += [f"says {fact.name}" for fact in key.forbidden if fact.test(text)]
    reasons += [reason for check in key.checks if (reason := check(text))]
    if len(text) > LONGEST:
        reasons.append(f"a listing of {len(text)} characters")
    return reasons


def integers(text: str) -> set[int]:
    """The counts that a text names, in digits or words: no list numbers, years, dates, document numbers or money."""
    for pattern in (
        r"^\s*\d+[.)]\s",
        r"[a-z]+-\d[\w\-]*",
        r"\d{4}-\d+(-\d+)?",
        r"(?<![\d.])(19|20)\d\d(?!\d)",
        r"\d+[.]\d+",
        r"[€$]\s*\d+|\d+\s*(€|eur\b)",
        r"(\d+|[a-z]+)\s+(days|weeks|months|years)\b",
        r"\d+\s*[年月日号元天]|[二三四五六七八九十]+\s*[年月日号元天]|第[一二三四五六七八九十\d]+",
    ):
        text = re.sub(pattern, " ", text, flags=re.MULTILINE)
    words = {NUMBERS[word] for word in re.findall(r"[a-z]+", text) if word in NUMBERS}
    words |= {_chinese(signs) for signs in re.findall(r"([两二三四五六七八九十]+)\s*[张份个笔条件位家种]", text)}
    return words | {int(found) for found in re.findall(r"(?<![a-z0-9_.\-])\d+(?![a-z0-9_])", text)}


def _chinese(signs: str) -> int:
    """A number below 100, as 五, 十二 and 三十四 are."""
    tens, ten, ones = signs.rpartition("十")
    value = NUMBERS_ZH.get(tens, 1) * 10 if ten else 0
    return value + NUMBERS_ZH.get(ones, 0)


def only(counted: int, *, also: Iterable[int] = ()) -> Callable[[str], str | None]:
    """The count and no other, but for those that may be told beside it."""

    def check(text: str) -> str | None:
        found = integers(text)
        if counted not in found:
            return f"does not count {counted}"
        others = found - {counted, *also}
        return f"counts {sorted(others)} too" if others else None

    return check


def about(value: int, *, tolerance: float = 0.03) -> Callable[[str], str | None]:
    """A size in bytes, told in any unit (of 1000 or 1024), and no other size."""
    units = {"": (1, 1), "k": (1000, 1024), "m": (1000**2, 1024**2)}

    def near(amount: float, unit: str) -> bool:
        return any(abs(amount * factor / value - 1) <= tolerance for factor in units[unit])

    def check(text: str) -> str | None:
        found = re.findall(r"(\d+(?:\.\d+)?)\s*(k|m)?(?:i?b\b|ilobytes?\b|egabytes?\b|bytes?\b)", text)
        if not found:
            return "tells no size"
        wrong = [f"{amount} {unit}B" for amount, unit in found if not near(float(amount), unit)]
        return f"tells a size of {', '.join(wrong)}" if wrong else None

    return check


def told_as(subject: str, right: str, wrong: str) -> Callable[[str], str | None]:
    """`right` is said of `subject`, and not `wrong` (patterns): after it in its sentence, else before it."""

    def check(text: str) -> str | None:
        at = re.search(_bounded(normalise(subject)), text)
        if at is None:
            return None
        both = re.compile(f"(?P<right>{right})|(?P<wrong>{wrong})")
        sentence = re.split(r"[.;\n]", text[at.end() :])[0]
        after = both.search(sentence)
        before = list(both.finditer(text[: at.start()]))
        if (after and after["right"]) or (before and before[-1]["right"] and not after):
            return None
        return f"does not say of {subject} what is right"

    return check
