"""What a question is, and what the questions of both halves share. Counterparts: `tune` and `kept`, which ask them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.evals.graders import Key, about, matches, says

Half = Literal["tune", "kept"]
Language = Literal["en", "zh"]


@dataclass(frozen=True)
class Question:
    """`key` computes what is right from the folder at a path."""

    id: str
    kind: str
    text: str
    key: Callable[[Path], Key]
    language: Language = "en"
    half: Half = "tune"


def files(root: Path, pattern: str = "*") -> list[Path]:
    """The files below a folder."""
    return sorted(path for path in root.rglob(pattern) if path.is_file())


def read(path: Path) -> str:
    """A file's text, in one of the encodings that `folder` writes."""
    data = path.read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("gb18030")


def stem(path: Path) -> str:
    """A file's name without its ending, as people write it."""
    return path.stem


def asked_size(root: Path, folder: Path) -> Key:
    """The largest file of a folder, and its size."""
    by_size = sorted(files(folder), key=lambda path: path.stat().st_size, reverse=True)
    size = by_size[0].stat().st_size
    larger = [path for path in files(root) if path.stat().st_size > size]
    return Key(
        truth=f"{by_size[0].relative_to(root).as_posix()}, {size} bytes",
        required=(says(stem(by_size[0])),),
        forbidden=tuple(says(stem(path)) for path in [*by_size[1:6], *larger]),
        checks=(about(size),),
    )


def asked_newest(root: Path, folder: Path) -> Key:
    """The file of a folder that was changed last."""
    by_time = sorted(files(folder), key=lambda path: path.stat().st_mtime, reverse=True)
    later = [path for path in files(root) if path.stat().st_mtime > by_time[0].stat().st_mtime]
    return Key(
        truth=by_time[0].relative_to(root).as_posix(),
        required=(says(stem(by_time[0])),),
        forbidden=tuple(says(stem(path)) for path in by_time[1:]) + tuple(says(path.name) for path in later),
    )


def not_there(root: Path, name: str, ways: tuple[str, ...], near: str) -> Key:
    """No file has `name`, so no period may be told of it; of what is `near` it may (a pattern)."""
    folded = name.lower()
    if any(folded in (read(path) + path.name).lower() for path in files(root)):
        raise ValueError(f"the folder has {name}")
    things = (
        r"(record|mention|invoice|customer|information|entr(y|ie)|file|document|trace|result|match(e)?|note|detail)s?"
    )
    found = r"(find|found|see|locate|list|listed|mention|mentioned|appear|exist|contain|include|show|identify|in|among)"
    nothing = (
        rf"\b(no|any|such)( [\w']+){{0,4}} ({things}|reference|data|one|{folded})\b",
        rf"(\bnot|n't|unable to|never|failed to)( [\w']+){{0,3}} {found}\b",
        r"\bnothing (about|on|for|under|mentions|with|is)\b|\bnone of (the|your)\b",
    )
    period = r"(\d+|an?|one|two|three|five|ten|twelve|twenty-four)[ \-](full )?(months?|years?|weeks?|days?)\b|lifetime"

    def claims(text: str) -> str | None:
        claim = re.search(period, text)
        return f"tells a period, {claim[0]}" if claim and not re.search(rf"{near}|washing machine", text) else None

    return Key(
        truth=f"there is no {name}",
        required=(matches(*nothing), says(name, *ways)),
        forbidden=(
            matches(r"(cannot|can't|unable to|not able to|don't have) (\w+ )?access"),
            matches(r"(gave|give|given|offer(ed)?|has|had) (him |mr sandoval )?no warranty"),
        ),
        checks=(claims,),
    )
