"""Which settings stand in which section, in which steps numbers change, and what the choices are called."""

from __future__ import annotations

from dataclasses import dataclass

from metona_tk.i18n import N_, tr


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the dialog; `keys` are those of the schema, in the order shown."""

    title: str
    icon: str
    keys: tuple[str, ...]


SECTIONS = (
    Section(N_("General"), "sliders", ("language", "theme", "textSize", "tray", "notifications", "hotkey")),
    Section(N_("Model and server"), "chip", ("server", "numCtx", "temperature", "think", "maxRounds")),
    Section(N_("Tool calls"), "wrench", ("enabled", "enabledTools", "allowedDirs", "blockedDirs")),
)
LEFT_OUT = ("confirmationMode", "runCommandEnabled", "model", "workspace", "recentWorkspaces")
STEPS = {"textSize": 10, "numCtx": 1024, "temperature": 0.1, "maxRounds": 1}
_LANGUAGES = {"en": "English", "zh_CN": "简体中文"}  # each in its own language
_WORDS = {
    ("language", "system"): N_("System"),
    ("theme", "dark"): N_("Dark"),
    ("theme", "light"): N_("Light"),
    ("theme", "system"): N_("As the system"),
    ("think", "off"): N_("Off"),
    ("think", "on"): N_("On"),
    ("think", "low"): N_("A little"),
    ("think", "medium"): N_("Medium"),
    ("think", "high"): N_("Much"),
    ("think", "max"): N_("As much as it can"),
}


def choice_words(key: str, value: str) -> str:
    """What a choice is called in the user's language."""
    known = _WORDS.get((key, value))
    return tr(known) if known else _LANGUAGES.get(value, value)
