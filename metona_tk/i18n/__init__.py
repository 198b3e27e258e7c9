"""The user's language, through gettext: English is in the code, Simplified Chinese in `locale/zh_CN`.

`tr` looks a sentence up when it is shown, so that a switch of language needs no restart; `N_` only marks one.
Counterpart: tests/unit/i18n, which compares catalogue and code. Model-facing text is English and never translated.
"""

from __future__ import annotations

import gettext
import locale
import os
from pathlib import Path
from typing import Any

DOMAIN = "metona_tk"
LANGUAGES = ("en", "zh_CN")
_state: dict[str, gettext.NullTranslations] = {}
_chosen = {"language": "en"}


def N_(message: str) -> str:
    """Mark a sentence for the catalogue without translating it now."""
    return message


def system_language() -> str:
    """The language that the desktop asks for: "zh_CN" for any Chinese, else "en"."""
    names = [os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG")]
    name = next((name for name in names if name), "") or (locale.getlocale()[0] or "")
    return "zh_CN" if name.lower().startswith(("zh", "chinese")) else "en"


def set_language(language: str) -> None:
    """Use "en", "zh_CN" or "system" from now on; anything else is a ValueError."""
    wanted = system_language() if language == "system" else language
    if wanted not in LANGUAGES:
        raise ValueError(language)
    _chosen["language"] = wanted


def language() -> str:
    """The language in use, "en" or "zh_CN"."""
    return _chosen["language"]


def _catalogue() -> gettext.NullTranslations:
    name = _chosen["language"]
    if name not in _state:
        folder = str(Path(__file__).parent / "locale")
        _state[name] = gettext.translation(DOMAIN, folder, [name], fallback=name == "en")
    return _state[name]


def tr(message: str, /, **values: Any) -> str:
    """The sentence in the user's language with `{name}` places filled from `values`."""
    text = _catalogue().gettext(message) if message else ""
    return text.format(**values) if values else text


def trn(one: str, many: str, count: int, /, **values: Any) -> str:
    """The sentence for `count` things; `{count}` is filled in."""
    return _catalogue().ngettext(one, many, count).format(count=count, **values)
