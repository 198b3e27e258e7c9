"""Whether a text shows a secret that only another reading of the same bytes hides: `password = x` read as EBCDIC or
UTF-16 gives characters that no rule knows, and all of them can be turned back. Counterparts: `masks`, `tools.decoding`.
"""

from __future__ import annotations

from collections.abc import Iterator

from metona_tk.security.secrets import find_secrets
from metona_tk.tools.decoding import SAMPLE, detect

_WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
_EBCDIC = "cp037"
_EBCDIC_TEXT = bytes(
    [0x40, *range(0x81, 0x8A), *range(0x91, 0x9A), *range(0xA2, 0xAA), *range(0xC1, 0xEA), *range(0xF0, 0xFA)]
)
_MOST = 0.6  # of the bytes, for text in EBCDIC


def betrays(path: str, raw: bytes, shown: bytes, text: str) -> bool:
    """Whether bytes that are to be shown hold a secret of `raw` in any reading but the one that gave `text`."""
    for codec, reading in _readings(raw):
        if reading == text:
            continue  # what that one hides is hidden
        for span in find_secrets(reading, path):
            secret = reading[span.start : span.end].encode(codec, _errors(codec))
            if secret in shown:
                return True
    return False


def _errors(codec: str) -> str:
    return "surrogateescape" if codec == "utf-8" else "replace"


def _readings(raw: bytes) -> Iterator[tuple[str, str]]:
    found = detect(raw[:SAMPLE], len(raw) <= SAMPLE)
    likely = [found.encoding] if found.encoding else list(found.candidates)
    if raw.count(0) * 8 > len(raw):
        likely += _WIDE
    if len(raw) - len(raw.translate(None, _EBCDIC_TEXT)) > _MOST * len(raw):
        likely.append(_EBCDIC)
    for codec in dict.fromkeys(["utf-8", *likely]):
        # from an odd place on, wide characters are cut otherwise
        for start in (0, 1, 2, 3) if codec in _WIDE else (0,):
            yield codec, raw[start:].decode(codec, _errors(codec))
