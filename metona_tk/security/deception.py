"""Names that are not what they look like: hidden, reordering, look-alike characters. Pure, linear, for every language.

What people really write is left alone: accents, emoji (also joined ones), scripts side by side as in Chinese names
with Latin words, the joiners of Persian and of Indian scripts. Counterpart: `change_policy`; `ui.visible` draws it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from metona_tk.security.names import is_ignorable

_BIDI = frozenset([0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
# Format characters that are drawn: number signs and the like of Arabic, Syriac, Kaithi.
_DRAWN = frozenset([*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD])
_JOINERS = "\u200c\u200d"
_JOINING = frozenset(
    ["ARABIC", "SYRIAC", "MONGOLIAN", "NKO", "MANDAIC", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA"]
    + ["TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "KHMER", "MYANMAR", "TIBETAN"]
)
_FLAGS = ("gbeng", "gbsct", "gbwls")  # England, Scotland, Wales: the flags that are spelt with tag characters
_TAGGED = re.compile(
    "\U0001f3f4(?:" + "|".join("".join(chr(0xE0000 + ord(c)) for c in flag) for flag in _FLAGS) + ")\U000e007f"
)
_KEYCAP = re.compile("[0-9#*]\ufe0f?\u20e3")
_SCREENSHOT = re.compile("(?<=[0-9])\u202f(?=[AP]M)")  # as macOS writes the time
_BLANKS = re.compile(r"^ | $| {4}|  +\.\w{1,5}$")
_SLASHES = frozenset("\uff0f\u2044\u2215\u29f8\u2571\uff3c\u2216\u29f5\u29f9\ufe68")
_POINTS = frozenset("\uff0e\u2024\ufe52\ua4f8\u0701\u0702\uff1a\ufe55\ua789\u2236\u0589\u05c3\u02d0")
_WIDE = frozenset(["CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC"])
_ALPHABETS = frozenset(["LATIN", "CYRILLIC", "GREEK", "COPTIC", "ARMENIAN", "CHEROKEE", "DESERET", "LISU", "OSAGE"])
# Letters that are drawn as a Latin one is. A word of other letters with one Latin letter amid them is mixed anyway.
_GREEK_ALIKE = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγηικνορτυχϲϳϹϺ")
_CYRILLIC_ALIKE = frozenset("АВЕЅІЈКМНОРСТУХԚԜҮаеѕіјкмортсухԛԝһӏүԁѵ")
_LATIN_ALIKE = frozenset("\u0251\u0261\u026a\u0274\u0280\u1d04\u1d0f\u1d20\u1d21\u1d22\ua731")
_PILE = 4  # marks on one letter: no language of the alphabets writes so many; Burmese and Tibetan do
_PILE_ELSEWHERE = 7
_OVERLAYS = frozenset([*range(0x334, 0x339), *range(0x20D0, 0x20F1)])


@lru_cache(maxsize=8192)
def _script(char: str) -> str:
    """The first word of a character's name, which for letters is their script."""
    return unicodedata.name(char, "").partition(" ")[0].partition("-")[0]


def _is_pictograph(char: str) -> bool:
    if not char or char.isascii():
        return False
    if 0x1F000 <= ord(char) <= 0x1FAFF or char in "\u203c\u2049\u2139\u3030":
        return True
    return unicodedata.category(char) in {"So", "Sm"}


def _without_legible(name: str) -> str:
    """The name with sequences that hold odd characters for a good reason put as one plain sign each."""
    name = _TAGGED.sub("\U0001f3f4", name)
    return _SCREENSHOT.sub(" ", _KEYCAP.sub("0", name))


def _joins(before: str, after: str) -> bool:
    """Whether a joiner between these two belongs there."""
    if _is_pictograph(after) and (_is_pictograph(before) or before == "\ufe0f"):
        return True
    return bool(before and after) and _script(before) == _script(after) and _script(before) in _JOINING


def _hidden(char: str, before: str, after: str) -> str | None:
    """What a single character hides, given its neighbours."""
    point, category = ord(char), unicodedata.category(char)
    if category in {"Cc", "Cs", "Zl", "Zp"}:
        return "control"
    if point in _BIDI:
        return "bidi"
    if char in _JOINERS:
        return None if _joins(before, after) else "invisible"
    if char in "\ufe0e\ufe0f":
        return None if before and _is_pictograph(before) else "invisible"
    if 0x180B <= point <= 0x180F and before and _script(before) == "MONGOLIAN":
        return None
    if (is_ignorable(char) and point not in _DRAWN) or category == "Co":
        return "invisible"
    if category == "Cn" and not (0x1F000 <= point <= 0x1FAFF or 0x20000 <= point <= 0x3FFFD):
        return "invisible"
    if category == "Zs" and char != " ":
        return None if char == "\u3000" and (_is_wide(before) or _is_wide(after)) and before and after else "blanks"
    return None


def _is_wide(char: str) -> bool:
    return bool(char) and char != "\u3000" and _script(char) in _WIDE


def _looks_like_other(char: str, before: str, after: str) -> bool:
    if char in _SLASHES or 0x1D400 <= ord(char) <= 0x1D7FF:
        return True
    if char in _POINTS:
        full = any(side and ("\uff10" <= side <= "\uff19" or _is_wide(side)) for side in (before, after))
        return not (full and char in "\uff0e\uff1a")
    return False


def _words(name: str) -> Iterator[str]:
    """Runs of letters, with the marks on them."""
    start = None
    for place, char in enumerate(name):
        category = unicodedata.category(char)
        inside = category[0] in "LM" or category == "Nl"
        if inside and start is None:
            start = place
        elif not inside and start is not None:
            yield name[start:place]
            start = None
    if start is not None:
        yield name[start:]


def _is_mixed(word: str) -> bool:
    """Whether one word has letters of alphabets that look alike (Greek ones only where they do: not in `ΔT`)."""
    found: set[str] = set()
    for char in word:
        script = _script(char)
        if script in _ALPHABETS and (script != "GREEK" or char in _GREEK_ALIKE):
            found.add(script)
    if len(found) > 1:
        return True
    plain = any(char.isascii() for char in word)
    return plain and any(char in _LATIN_ALIKE or _script(char) in {"FULLWIDTH", "SMALL"} for char in word)


def _imitates(name: str) -> bool:
    """Whether letters drawn as Latin ones stand with Latin ones, digits between them, or as the ending."""
    alike = _CYRILLIC_ALIKE | _GREEK_ALIKE
    for token in re.findall(r"[^\W_]+", name):
        letters = [char for char in token if char.isalpha()]
        foreign = [char for char in letters if not char.isascii()]
        if foreign and len(foreign) < len(letters) and all(char in alike for char in foreign):
            return True
    ending = name.rpartition(".")[2] if "." in name.strip(".") else ""
    return bool(ending) and all(char in alike for char in ending)


def _piled(name: str) -> bool:
    """Whether marks are piled up, strike letters through, or stand on what is no letter."""
    marks, base = 0, ""
    for char in name:
        if unicodedata.category(char) not in {"Mn", "Me"} or char in "\ufe0e\ufe0f":  # how a sign is drawn
            marks, base = 0, char
            continue
        marks += 1
        if not base or ord(char) in _OVERLAYS or unicodedata.category(base)[0] not in "LMNC":
            return True
        if marks >= (_PILE if base.isascii() or _script(base) in _ALPHABETS else _PILE_ELSEWHERE):
            return True
    return False


def _in_part(name: str) -> str | None:
    if _BLANKS.search(name):
        return "blanks"
    if name.isascii():
        return "control" if not name.isprintable() else None
    name = _without_legible(name)
    for before, char, after in zip(" " + name, name, name[1:] + " ", strict=False):
        if not char.isascii() or not char.isprintable():
            if kind := _hidden(char, before.strip(" "), after.strip(" ")):
                return kind
            if _looks_like_other(char, before, after):
                return "look_alike"
    if _piled(name):
        return "marks"
    if any(_is_mixed(word) for word in _words(name)):
        return "mixed_scripts"
    return "look_alike" if _imitates(name) else None


def deceptive(path: str) -> str | None:
    """What is deceptive in a name or in a component of a path, or None.

    One of "control", "bidi", "invisible", "blanks", "look_alike", "marks", "mixed_scripts".
    """
    return next((kind for part in re.split(r"[\\/]", path) if (kind := _in_part(part))), None)
