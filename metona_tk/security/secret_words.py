"""Whether a key says that its value is secret, and whether the value can be one: no reference, call, type or prose.

Pure; only short pieces of text come here. Counterpart: `secret_values`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache


class Says(StrEnum):
    """What a key says of its value."""

    PASSWORD = "password"  # a word that a person chose: any word may be it
    KEY = "key"  # a token or key that a machine made: it looks like one
    PHRASE = "phrase"  # several words


class Style(StrEnum):
    """What kind of text it is; it decides what a bare word may mean."""

    CODE = "code"  # literals are quoted
    CONFIG = "config"  # the rest of the line is the value
    TEXT = "text"


_CODE = frozenset(
    ["py", "pyi", "pyw", "ipynb", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "java", "kt", "kts", "scala", "groovy"]
    + ["c", "h", "cc", "cpp", "cxx", "hpp", "m", "mm", "cs", "vb", "fs", "go", "rs", "rb", "php", "swift", "dart"]
    + ["lua", "pl", "pm", "r", "jl", "ex", "exs", "erl", "hs", "clj", "vue", "svelte", "zig", "css", "scss", "html"]
)
_CONFIG = frozenset(
    ["env", "ini", "cfg", "conf", "cnf", "config", "properties", "yaml", "yml", "toml", "tfvars", "hcl", "tf", "json"]
    + ["json5", "jsonc", "xml", "plist", "service", "reg", "ovpn", "rc", "local", "secrets", "ps1", "sh", "bash", "zsh"]
)


def style_of(name: str) -> Style:
    """The kind of text by its file name or path."""
    base = name.replace("\\", "/").rpartition("/")[2].lower()
    ending = base.rpartition(".")[2] if "." in base else ""
    if ending in _CODE:
        return Style.CODE
    dotfile = base.startswith(".") and base.count(".") == 1
    if ending in _CONFIG or base.startswith((".env", "dockerfile")) or dotfile:
        return Style.CONFIG
    return Style.TEXT


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_PASSWORDS = _words(
    "password passwd passwort kennwort passcode pwd psk contrasena contrase\u00f1a senha has\u0142o motdepasse "
    "wachtwoord \u043f\u0430\u0440\u043e\u043b\u044c \u5bc6\u7801 \u5bc6\u78bc \u53e3\u4ee4 "
    "\u30d1\u30b9\u30ef\u30fc\u30c9 \ube44\ubc00\ubc88\ud638 passw userpw dbpw rootpw requirepass masterauth"
)
_KEYS = _words(
    "secret token apikey accesskey privatekey secretkey encryptionkey decryptionkey signingkey masterkey "
    "accountkey sharedkey sharedaccesskey presharedkey storagekey sessionkey servicekey appkey authkey sshkey "
    "deploykey subscriptionkey consumerkey webhookkey hmackey jwtkey aeskey cryptokey adminkey serverkey "
    "clientkey userkey applicationkey licensekey rootkey kmskey cipherkey hostkey clientkeydata secretkeybase "
    "secretaccesskey secretid auth authorization credential credentials bearer \u5bc6\u94a5 \u5bc6\u9470 "
    "\u4ee4\u724c \u79c1\u94a5 \u91d1\u9470"
)
_PHRASES = _words("passphrase mnemonic seedphrase recoveryphrase seedwords \u52a9\u8bb0\u8bcd")
# What may follow the word and says no other thing: TOKEN_2, PASSWORD_PROD.
_TAILS = re.compile(
    r"(?:_?(?:\d+|value|val|prod|production|dev|test|testing|staging|live|old|new|default|main|primary|secondary|base64|"
    r"b64|string|str|plain|plaintext|admin|root|db|raw|current|previous|base))+$"
)
# Tokens that are none to keep: of paging, of parsers and language models.
_NO_SECRET = re.compile(
    r"(?:next|page|pagination|continuation|cancel|cancellation|sync|eos|bos|pad|unk|sep|cls|mask|start|end|begin|stop|"
    r"special|first|last|current|prev|previous|this|num|per|max|min|by|is|has|no|a|the)_?token$|"
    r"(?:is|has|no|needs?|requires?|show|hide|use|with|without|reset|forgot|change|confirm|enable|disable|invalid|"
    r"wrong|empty|missing|basic|digest|http|proxy|no|web|two_?factor)_?auth(?:orization)?$|public_?(?:access)?_?key"
)
_SPLIT = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^\w\u00ff-\uffff]+|_+")


@lru_cache(maxsize=4096)
def what_it_says(key: str) -> Says | None:
    """What a key such as `DB_PASSWORD`, `apiKey` or `x-auth-token` says of its value."""
    words = [word.lower() for word in _SPLIT.split(key) if word]
    joined = "_".join(words)
    if not words or _NO_SECRET.search(joined):
        return None
    bare = _TAILS.sub("", joined) or joined
    flat = bare.replace("_", "")
    if flat.endswith(tuple(_PHRASES)):
        return Says.PHRASE
    if flat.endswith(tuple(_PASSWORDS)) or bare == "pass" or bare.endswith(("_pass", "_pw")):
        return Says.PASSWORD
    return Says.KEY if flat.endswith(tuple(_KEYS)) else None


_REFERENCE = re.compile(
    r"(?s)\$\w+(?:(?:\[|->|\.\w).*)?[;,)]*$|\$[{(\[].*|%\w+%.*|%\(?\w*\)?[sd].*|[#{]?\{.*|<.*|\[.*|\*{1,2}[A-Za-z_]\w*$|&[A-Za-z_\w]*[;,]?$|"
    r"!\w+.*|@[A-Za-z_]\w*[({].*|\\+[nrt]?$|//.*|/\*.*|[-=>|&+,.;:?!)\]}].{0,2}$|=.*|\|\|.*|&&.*|\?\?.*"
)
_VERSION = re.compile(
    r"[\^~<>=v ]{0,4}\d{1,5}(?:\.[\dx*]+){1,3}[\w.+-]*$|\d{4}-\d\d-\d\d\S*$|\d+(?:\.\d+)?(?:ms|[smhd%kKMG]B?)?$"
)
_CALL = re.compile(r"(?:new |await |!|&|\*|\()*[A-Za-z_][\w.:>?\-]*!?(?:\(|\[|<[A-Z])")
_CHAIN = re.compile(r"(?:self|this|[A-Za-z_]\w*)(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*)*[!?,;:)\]}]*$")
_PLACE = re.compile(
    r"(?:~|\.\.?)[\\/]|[A-Za-z]:\\|/(?:home|users|etc|run|var|usr|opt|tmp|mnt|srv|root|proc|dev|path|app)/", re.I
)
_ADDRESS = re.compile(r"[A-Za-z][\w+.-]{1,12}://")
_STAND_IN = re.compile(
    r"(?i)(?:your.*(?:pass|pwd|token|key|secret|here|cred|value).*|(?:my|the|some|insert|enter|put|replace|paste|add|"
    r"use)[^\d!@#$%^&*]*(?:pass|pwd|token|key|secret|here|cred|value)[^\d!@#$%^&*]*$|.*[_ -]here$|example.*|"
    r"required[|,].*|.*placeholder.*|.*redacted.*|.*not[-_ ]?set.*|dummy.*|sample.*|todo.*|fixme.*|"
    r"n/?a$|tbd$|(?:.)\W*$)"
)
_PLAIN = frozenset(
    _words(
        "none null nil true false undefined void str string bytes int integer bool boolean object any number "
        "float char text required optional yes no on off enabled disabled auto default empty missing invalid "
        "unset prompt ask see is are was md5 sha1 sha256 sha512 base64 utf8 utf-8 bcrypt pbkdf2 argon2 argon2id "
        "scrypt hs256 rs256 es256 oauth oauth1 oauth2 basic bearer digest plain ntlm kerberos cram-md5 x509 win32 "
        "python3 http https ssl tls mtls"
    )
)
_SECRET_WORD = re.compile(r"(?i)pass(?:word|wd|phrase|code)?|pwd|token|secret|cred|auth|api_?key|_key\b|\bkey\b")
_PROSE = re.compile(
    r"(?i)\b(?:the|a|an|is|are|was|be|of|to|in|for|with|and|or|not|your|you|must|please|enter|see|from|by|at|on|this|that|"
    r"it|will|can|should|has|have|no|use|using|if|when|here|incorrect|forgot|invalid|wrong|required)\b"
)


_LETTER, _DIGIT, _SIGN = re.compile(r"[^\W\d_]"), re.compile(r"\d"), re.compile(r"[!@#$%^&*+=~?|]")


def is_strong(value: str) -> bool:
    """Whether it looks made up: letters with digits or signs in them, as names of things have not."""
    core = value.strip("\"'`.,;:()")
    if len(core) < 4 or core.lower() in _PLAIN:
        return False
    letters, digits = _LETTER.search(core), _DIGIT.search(core)
    if letters and digits:
        return True
    if _SIGN.search(core):
        return bool(letters or digits)
    return len(core) >= 20 and "." not in core and not core.islower() and not core.isupper()


def is_random(value: str) -> bool:
    """Whether only a machine writes such a value: capitals, small letters and digits change all the time in it."""
    if value.islower() or value.isupper():
        return False  # told at once: this is asked of all that stands behind a word like "token"
    kinds = [0 if char.islower() else 1 if char.isupper() else 2 if char.isdigit() else 3 for char in value]
    if min(kinds.count(kind) for kind in (0, 1, 2)) < 2:
        return False
    changes = sum(one != other for one, other in zip(kinds, kinds[1:], strict=False))
    return len(value) >= 10 and changes * 3 >= len(value)


def is_no_value(value: str, quoted: bool) -> bool:
    """Whether it stands for something else: a variable, a version, a path, an address, a word like `your-token`."""
    core = value.strip()
    low = core.lower().strip("\"'`.,;:()[]{}")
    if not low or low in _PLAIN or len(set(core)) == 1:
        return True
    if _PLACE.match(core) or _ADDRESS.match(core) or _STAND_IN.match(low):
        return True
    if _SECRET_WORD.fullmatch(low) or low.replace("-", "_") in {"api_key", "new_password", "old_password"}:
        return True
    if quoted and not re.match(r"(?s)[$#%]?[{(<\[%].*[})>\]s]$|\$\w+$|%\w+%$|%s|\{\w*\}", core):
        return False
    return bool(_REFERENCE.match(core))


def is_secret(value: str, says: Says, style: Style, quoted: bool, alone: bool = True) -> bool:
    """Whether `value` of a key that `says` so is a secret. `alone`: it is all there is on its line behind the key; for
    one in quotes that is no matter.
    """
    if is_no_value(value, quoted):
        return False
    if says is not Says.PASSWORD and _VERSION.match(value.strip()) and not value.strip().isdigit():
        return False
    words = value.split()
    if len(words) > 1:
        return _is_secret_phrase(words, value, says, style, quoted)
    if quoted:
        return _is_quoted_secret(value, says)
    return _is_bare_secret(value, says, style, alone)


def _is_secret_phrase(words: list[str], value: str, says: Says, style: Style, quoted: bool) -> bool:
    if quoted and any(is_random(word) for word in words):
        return True
    if says is Says.KEY:
        if not quoted or "%s" in value or "{" in value:
            return False
        return is_strong(value) and not _PROSE.search(value) and not _SECRET_WORD.search(value)
    prose = bool(_PROSE.search(value) or _SECRET_WORD.search(value))
    if says is Says.PHRASE:
        return not prose and (quoted or style is not Style.CODE)
    return not prose and len(words) <= 8 and (quoted or (style is Style.CONFIG and "(" not in value))


def _is_quoted_secret(value: str, says: Says) -> bool:
    if says is Says.PASSWORD:
        return not (value.isidentifier() and _SECRET_WORD.search(value) and not any(c.isdigit() for c in value))
    return len(value) >= 6 and (is_strong(value) or says is Says.PHRASE)


def _is_call(value: str, style: Style) -> bool:
    head = _CALL.match(value)
    if not head:
        return False
    closed = value.rstrip(";,").endswith((")", "]", ">"))
    plain = not any(char.isdigit() for char in head[0]) or bool(re.match(r"[\"')]", value[head.end() :]))
    return closed or (style is Style.TEXT and plain)


def _is_bare_secret(value: str, says: Says, style: Style, alone: bool) -> bool:
    if style is Style.CODE:
        return False
    if _is_call(value, style):
        return False
    strong = is_strong(value)
    if _CHAIN.match(value) and (_SECRET_WORD.search(value) or "->" in value or "::" in value):
        return strong and "." not in value and (style is Style.CONFIG or (alone and says is Says.PASSWORD))
    if _CHAIN.match(value) and "." in value.rstrip(",;:)]}.!?") and style is Style.TEXT:
        return False
    if says is Says.PASSWORD:
        return strong or (len(value) >= 4 and alone)
    if style is Style.CONFIG and alone:
        return (strong and len(value) >= 6) or (len(value) >= 16 and value.isalnum())
    return strong and len(value) >= 8
