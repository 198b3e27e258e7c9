"""What a search looks for, as text alone: in names, in content, and in wider forms when nothing is found. Pure."""

from __future__ import annotations

import contextlib
import fnmatch
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

SearchType = Literal["filename", "content", "both"]
_SEPARATORS = r"[\s_./-]*"
_WORD_LIST = re.compile(r"[\w -]+(\|[\w -]+)*")
# words that are in any text, so that finding them means nothing
_EVERYWHERE = frozenset(
    ["the", "and", "for", "with", "from", "that", "this", "what", "where", "which", "file", "files"]
)
_LEGACY = ("gb18030", "big5", "cp932")


@dataclass(frozen=True, slots=True)
class Query:
    """One way to look. `said` is how the note names it."""

    text: str
    search_type: SearchType
    case_sensitive: bool = False
    regex: bool = False

    @property
    def is_glob(self) -> bool:
        """A pattern of names. Where the content alone was asked for, `*`, `?` and `[` are plain characters."""
        return not self.regex and self.search_type != "content" and any(char in self.text for char in "*?[")

    @property
    def in_names(self) -> bool:
        return self.search_type != "content"

    @property
    def in_content(self) -> bool:
        return self.search_type != "filename" and not self.is_glob

    @property
    def literals(self) -> tuple[str, ...]:
        """The plain texts that are looked for: the query, or the parts of a regex that only lists words (a|b)."""
        if not self.regex:
            return (self.text,)
        return tuple(self.text.split("|")) if _WORD_LIST.fullmatch(self.text) else ()

    @property
    def legacy(self) -> bool:
        """Whether text in older encodings has to be looked for by its bytes."""
        return bool(self.literals) and not self.text.isascii()

    def name_column(self, path: str) -> int | None:
        """Where the name (or, for a query with a slash, the path) is hit, from 1; None when it is not."""
        name = path.rsplit("/", 1)[-1]
        where = path if "/" in self.text else name
        offset = len(name) - len(where)  # <= 0: a hit is given as a place in the name where it can be
        if self.is_glob:
            return 1 if self._glob_hits(path, name) else None
        wanted = self.text if self.case_sensitive else self.text.casefold()
        found = (where if self.case_sensitive else where.casefold()).find(wanted)
        return None if found < 0 else max(1, found + 1 + offset)

    def _glob_hits(self, path: str, name: str) -> bool:
        pattern = self.text.removeprefix("./")
        if not self.case_sensitive:
            pattern, path, name = pattern.casefold(), path.casefold(), name.casefold()
        if "/" not in pattern:
            return fnmatch.fnmatchcase(name, pattern)
        return fnmatch.fnmatchcase(path, pattern) or fnmatch.fnmatchcase(path, pattern.replace("**/", "", 1))

    def ripgrep_options(self) -> list[str]:
        """How ripgrep is told to look for it in content."""
        options = [] if self.case_sensitive else ["-i"]
        if not self.legacy:
            return [*options, *([] if self.regex else ["-F"]), "-e", self.text]
        # one pass: the UTF-8 text, or the same text as older systems wrote it; `-a` because such bytes look binary
        return [*options, "-a", "-e", "|".join([*map(re.escape, self.literals), *self._legacy_bytes()])]

    def _legacy_bytes(self) -> list[str]:
        found: dict[bytes, None] = {}
        for text in self.literals:
            for encoding in _LEGACY if not text.isascii() else ():
                with contextlib.suppress(UnicodeEncodeError):  # that encoding cannot have it
                    found[text.encode(encoding)] = None
        return ["(?-u:" + "".join(f"\\x{byte:02X}" for byte in coded) + ")" for coded in found]

    @property
    def pattern(self) -> str:
        """What ripgrep is told, as one regular expression for decoded text."""
        plain = "|".join(map(re.escape, self.literals)) if self.literals else self.text
        return plain if self.case_sensitive else f"(?i:{plain})"

    def hits(self, line: str) -> bool:
        """Whether a decoded line holds a literal query."""
        if self.case_sensitive:
            return any(text in line for text in self.literals)
        return any(text.casefold() in line.casefold() for text in self.literals)


def words(text: str) -> list[str]:
    """The words of a query that can be looked for alone, most telling (longest) first; Chinese in pairs."""
    plain = re.findall(r"[^\W_]+", text)
    found: list[str] = []
    for word in plain:
        if re.search(r"[\u3400-\u9fff]", word) and len(word) > 2:
            found += [word[place : place + 2] for place in range(len(word) - 1)]
        elif len(word) > 2 or not word.isascii():
            found.append(word)
            found += [word[:-1]] if word.lower().endswith("s") and len(word) > 4 else []
    unique = dict.fromkeys(word for word in found if word.lower() not in _EVERYWHERE)
    return sorted(unique, key=lambda word: -len(word))[:6]


def wider(query: Query) -> Iterator[tuple[Query, str]]:
    """Other ways to look when nothing was found, nearest first, each with its words for the note."""
    if query.case_sensitive:
        query = replace(query, case_sensitive=False)
        yield query, "without regard to case"
    if query.is_glob:
        yield Query(query.text, "content"), "for exactly this text in contents"
        plain = query.text.strip("*?. ")
        if plain and not any(char in plain for char in "*?["):
            yield Query(plain, "both"), f'for "{plain}" in names and contents'
        return
    if query.search_type != "both":
        query = replace(query, search_type="both")
        yield query, "in names and contents"
    if query.regex:
        return
    parts = re.findall(r"[^\W_]+", query.text)
    if len(parts) > 1:
        yield (
            Query(_SEPARATORS.join(map(re.escape, parts)), "both", regex=True),
            f'for "{" ".join(parts)}", however joined',
        )


def plain_extensions(extensions: list[str]) -> list[str]:
    """Extensions without dots and stars, also from one text that lists several ("txt, md", "*.{ts,js}")."""
    parts = [part for text in extensions for part in re.split(r"[,;|{}\s]+", text)]
    plain = [part.strip().lstrip("*").lstrip(".") for part in parts]
    return [part for part in plain if re.fullmatch(r"[\w+#.-]+", part)]


def glob_with_extensions(extensions: list[str]) -> str | None:
    """A ripgrep type glob for file extensions, without case: {".ts", "js"} -> "*.{[tT][sS],[jJ][sS]}"."""
    plain = plain_extensions(extensions)
    if not plain:
        return None
    either = ["".join(f"[{char.lower()}{char.upper()}]" if char.isalpha() else char for char in word) for word in plain]
    return "*.{" + ",".join(either) + "}" if len(either) > 1 else "*." + either[0]
