"""Which encoding a text has, or what a file is that is no text. In doubt it says so: never mojibake (SPEC 1.1).

UTF-8 and byte-order marks are certain; the rest is found by charset-normalizer and weighed by how common the resulting
characters are in the language that writes so (levels 1 of GB 2312, Big5 and JIS X 0208 are their common characters).
"""

from __future__ import annotations

import codecs
import unicodedata
from dataclasses import dataclass

SAMPLE = 1 << 16  # bytes that decide
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_TRIED = ["gb18030", "big5", "cp932", "euc_jp", "euc_kr", "cp1252", "cp1251", "cp1250", "cp1253", "koi8_r"]
_BEYOND = "\u3042\uac00\u4e2d\u00e9\u0436"
_WESTERN = set("àâäçèéêëîïôöùûüñßæœåøáíóúãõÀÂÄÇÈÉÊËÎÏÔÖÙÛÜÑÆŒÅØÁÍÓÚÃÕ¿¡€£“”‘’–—…«»°·§")
_CENTRAL = set("ąćęłńóśźżáčďéěíňřšťúůýžőűäöüăâîșțĄĆĘŁŃÓŚŹŻÁČĎÉĚÍŇŘŠŤÚŮÝŽŐŰÄÖÜß€“”„‘’–—…«»§°")
_NO_FILES = frozenset(
    [
        "utf-7",
        "unicode-escape",
        "raw-unicode-escape",
        "unicode_escape",
        "raw_unicode_escape",
        "punycode",
        "idna",
        "undefined",
    ]
)
_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an XZ archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\x7fELF", "a Linux program"),
    (b"MZ", "a Windows program"),
    (b"\xcf\xfa\xed\xfe", "a macOS program"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"RIFF", "a sound, video or WebP file"),
    (b"OggS", "an Ogg sound or video"),
    (b"ID3", "an MP3 sound"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"BM", "a BMP image"),
)


@dataclass(frozen=True, slots=True)
class Detected:
    """What a sample is: exactly one of `encoding`, `binary` (in words) and `candidates` says something.

    `broken` = UTF-8 with a few bytes that are none.
    """

    encoding: str | None = None
    binary: str | None = None
    candidates: tuple[str, ...] = ()
    broken: bool = False


def looks_like(sample: bytes) -> str:
    """What a binary file is, in words for the model."""
    for magic, words in _MAGIC:
        if sample.startswith(magic):
            return words
    if sample[4:8] == b"ftyp":
        return "a video or HEIC image"
    return "a binary file"


def _is_binary(sample: bytes) -> bool:
    if b"\0" in sample:
        return True
    control = sum(sample.count(byte) for byte in b"\x01\x02\x03\x04\x05\x06\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17")
    return control > len(sample) // 100 + 1 or sample.startswith(b"%PDF-")


def detect(sample: bytes, complete: bool, prefer: str = "") -> Detected:
    """Judge the first bytes of a file; `complete` = all of it. `prefer` settles a tie (by the user's language)."""
    for mark, encoding in _MARKS:
        if sample.startswith(mark):
            return Detected(encoding)
    if _is_binary(sample):
        return Detected(binary=looks_like(sample))
    if not complete:
        sample = _whole_characters(sample)
    try:
        sample.decode("utf-8")
        return Detected("utf-8")
    except UnicodeDecodeError:
        pass
    if _mostly_utf8(sample):
        return Detected("utf-8", broken=True)
    return _weigh(sample, prefer)


def _whole_characters(sample: bytes) -> bytes:
    """Leave off a last character that the end of the sample may have cut: end behind an ASCII control or blank."""
    end = max(sample.rfind(byte) for byte in (b"\n", b" ", b"\r", b"\t"))
    if end > len(sample) // 2:
        return sample[: end + 1]
    for cut in range(4):  # one long line: at most three bytes of a UTF-8 character are missing
        part = sample[: len(sample) - cut]
        try:
            part.decode("utf-8")
            return part
        except UnicodeDecodeError:
            continue
    return sample


def _mostly_utf8(sample: bytes) -> bool:
    text = sample.decode("utf-8", "replace")
    good = sum(1 for char in text if char > "\x7f" and char != "\ufffd")
    return good >= 9 * text.count("\ufffd")


def _weigh(sample: bytes, prefer: str) -> Detected:
    from charset_normalizer import from_bytes

    found = [match for match in from_bytes(sample, cp_isolation=_TRIED)]
    if not found:
        return Detected(candidates=())
    best = min(match.chaos for match in found)
    scored: list[tuple[float, str, str]] = []
    for match in found:
        if match.chaos <= best + 0.1:
            text = sample.decode(match.encoding, "replace")
            scored.append((_common(text, match.encoding) - match.chaos, match.encoding, text))
    top = max(score for score, _, _ in scored)
    near = [(encoding, text) for score, encoding, text in scored if score > top - 0.15]
    names = tuple(encoding for encoding, _ in near)
    if len({text for _, text in near}) == 1:  # they all read it alike
        return Detected(min(names, key=_TRIED.index)) if top > 0.5 else Detected(candidates=names)
    if prefer in names:
        return Detected(prefer)
    return Detected(candidates=names)


def _common(text: str, encoding: str) -> float:
    """The share of the characters beyond ASCII that this encoding's users write every day, 0 to 1."""
    chars = [char for char in text if char > "\x7f"]
    if not chars:
        return 1.0
    return sum(_is_common(char, encoding) for char in chars) / len(chars)


def _is_common(char: str, encoding: str) -> bool:
    if encoding == "cp1252":
        return char in _WESTERN
    if encoding == "cp1250":
        return char in _CENTRAL
    name = unicodedata.name(char, "")
    if encoding in {"cp1251", "koi8_r"}:
        return name.startswith("CYRILLIC") and "UKRAINIAN" not in name
    if encoding == "cp1253":
        return name.startswith("GREEK")
    if encoding == "euc_kr":
        return name.startswith("HANGUL SYLLABLE")
    if encoding in {"cp932", "euc_jp"} and name.startswith(("HIRAGANA", "KATAKANA LETTER", "IDEOGRAPHIC")):
        return True
    return _is_level_one(char, encoding)


_LEVELS = {
    "gb18030": ("gb2312", 0xA1, 0xD7),
    "big5": ("big5", 0xA1, 0xC6),
    "cp932": ("shift_jis", 0x81, 0x97),
    "euc_jp": ("shift_jis", 0x81, 0x97),
}


def _is_level_one(char: str, encoding: str) -> bool:
    codec, low, high = _LEVELS[encoding]
    try:
        coded = char.encode(codec)
    except UnicodeEncodeError:
        return False
    # rows A4 and A5 of GB 2312 are Japanese kana, which Chinese text does not have
    return len(coded) == 2 and low <= coded[0] <= high and not (codec == "gb2312" and coded[0] in {0xA4, 0xA5})


def is_text_codec(name: str) -> bool:
    """Whether `name` is an encoding in which files are written; Python knows some that are tricks of its own."""
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return False
    return bool(getattr(info, "_is_text_encoding", True)) and info.name not in _NO_FILES


def is_common_codec(name: str) -> bool:
    """Whether text in it is ASCII where that will do and only there, or has a mark before it that says that it is wide:
    no other is written, for what one reads as strange signs, another program would take for commands.
    """
    if canonical(name) in {"utf-16", "utf-32"}:
        return True
    ascii_text, beyond = bytes(range(32, 127)), _BEYOND.encode(name, "ignore")
    return ascii_text.decode(name, "replace") == ascii_text.decode() and not (beyond and beyond.isascii())


def canonical(name: str) -> str:
    """The one name of an encoding that has several ("UTF16" -> "utf-16")."""
    return codecs.lookup(name).name
