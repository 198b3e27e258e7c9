"""What can be said of a path by its text alone: unusable, protected, sensitive. Pure, for any platform.

Names are compared folded (NFKC, ignorable characters stripped, casefolded), because a deny may match too much but
never too little. Facts: SAFETY "Paths"; SPEC 2.2 and 2.3; the reserved names of Windows are from its documentation.
"""

from __future__ import annotations

import re
import unicodedata
from fnmatch import fnmatchcase
from functools import lru_cache

MAX_PATH = 4096  # bytes
MAX_COMPONENT = 255  # bytes
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|file:", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"]
    + [f"{port}{number}" for port in ("com", "lpt") for number in "123456789"]
)
# Default-ignorable code points that are not category Cf (Unicode 15, DerivedCoreProperties), and the blank U+2800.
_IGNORABLE = frozenset(
    [0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x2800, 0x3164, 0xFFA0]
    + [*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9)]
)

SENSITIVE = (
    ".env*",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.kdbx",
    "*.kdb",
    "*.jks",
    "*.keystore",
    "*.ppk",
    "*.ovpn",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    "credentials*",
    ".git-credentials*",
    "*password*",
    "*passwd*",
    "*secret*",
    "*密码*",
    "*口令*",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    ".dockercfg",
    ".vault_pass*",
    ".boto",
    ".s3cfg",
    "wallet.dat",
)


def is_ignorable(char: str) -> bool:
    """Whether a character is not drawn at all, by the rules of Unicode or in most fonts."""
    point = ord(char)
    return point in _IGNORABLE or 0xE0000 <= point <= 0xE0FFF or unicodedata.category(char) == "Cf"


@lru_cache(maxsize=8192)
def fold(name: str) -> str:
    """One path component as rules compare it."""
    if name.isascii():
        return name.lower()
    seen = "".join(char for char in unicodedata.normalize("NFKC", name) if not is_ignorable(char))
    return unicodedata.normalize("NFKC", seen.casefold())


@lru_cache(maxsize=8192)
def is_sensitive(name: str) -> bool:
    """Whether a file of this name may hold passwords or keys. Folders are never meant."""
    folded = fold(name).strip()
    return any(fnmatchcase(folded, pattern) for pattern in SENSITIVE)


def sensitive_globs() -> tuple[str, ...]:
    """The same patterns for a program that walks by itself; it compares them without case."""
    return SENSITIVE


def bad_path(text: str, platform: str) -> str | None:
    """Why `text` cannot be a path on `platform` (as sys.platform says), or None. No system call is made."""
    if not text.strip():
        return "it is empty"
    if "\0" in text:
        return "it holds a NUL character"
    if any(0xD800 <= ord(char) <= 0xDFFF for char in text):
        return "it holds half of a surrogate pair"
    if len(text.encode()) > MAX_PATH:
        return f"it is longer than {MAX_PATH} bytes"
    if _URL.match(text):
        return "it is an address, not a path"
    parts = re.split(r"[\\/]", text) if platform == "win32" else text.split("/")
    if any(len(part.encode()) > MAX_COMPONENT for part in parts):
        return f"a name in it is longer than {MAX_COMPONENT} bytes"
    return _bad_on_windows(text, parts) if platform == "win32" else None


def _bad_on_windows(text: str, parts: list[str]) -> str | None:
    if text[:2] in {"\\\\", "//", "\\/", "/\\"}:
        return "network and device paths are not used"
    if text[0] in "\\/":
        return "it begins at the root of no named drive"
    rest = text[2:] if _DRIVE.match(text) else text
    if ":" in rest:
        return "a colon stands where none may be"
    names = [part for part in parts if part and part not in {".", ".."}]
    if any(name[-1] in ". " for name in names):
        return "a name ends in a dot or blank"
    if any(_reserved(name) for name in names):
        return "it is the name of a device"
    if any(char in '<>"|?*' or ord(char) < 32 for name in names for char in name):
        return "it holds a character that no name may have"
    return None


def _reserved(name: str) -> bool:
    # NFKC makes COM¹ into com1; blanks before the dot do not save a name ("aux .md")
    return fold(name.partition(".")[0].rstrip()) in _RESERVED


def folded_parts(path: str) -> tuple[str, ...]:
    """The components of an absolute path, folded; both kinds of slash divide, so that no spelling is missed."""
    return tuple(fold(part).rstrip(". ") or part for part in re.split(r"[\\/]", path) if part)


def is_within(parts: tuple[str, ...], folder: tuple[str, ...]) -> bool:
    """Whether `parts` is `folder` or lies in it, by component."""
    return parts[: len(folder)] == folder
