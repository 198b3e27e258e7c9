"""Families and sizes of the type, and the scaling that plain tk widgets need (CustomTkinter scales its own)."""

from __future__ import annotations

import sys
import tkinter as tk
from dataclasses import dataclass
from tkinter import font as tkfont
from typing import Literal

from metona_tk.i18n import language

SANS = ("Segoe UI", ".AppleSystemUIFont", "Inter", "Noto Sans", "DejaVu Sans")
CHINESE = ("Microsoft YaHei UI", "PingFang SC", "Noto Sans CJK SC", "Noto Sans SC", "WenQuanYi Micro Hei")
MONO = ("JetBrains Mono", "Cascadia Mono", "Menlo", "Consolas", "DejaVu Sans Mono")

Weight = Literal["normal", "bold"]
_KINDS: dict[str, tuple[str, int, Weight, int]] = {  # name: (family, px, weight, height of a line)
    "heading": ("sans", 16, "bold", 24),
    "quick": ("sans", 16, "normal", 24),
    "body": ("sans", 14, "normal", 22),
    "ui": ("sans", 13, "normal", 20),
    "label": ("sans", 13, "bold", 20),
    "small": ("sans", 12, "normal", 20),
    "caption": ("sans", 11, "normal", 16),
    "code": ("mono", 13, "normal", 20),
    "path": ("mono", 12, "normal", 20),
}


@dataclass(frozen=True, slots=True)
class Spacing:
    """What a tk.Text needs around a font so that its line has the wanted height (the font is measured, not known)."""

    above: int
    between: int
    below: int


class Fonts:
    """The fonts of one window; `scale` multiplies every px of plain tk widgets."""

    def __init__(self, root: tk.Misc, scale: float) -> None:
        self.scale = scale
        found = set(tkfont.families(root))
        sans = CHINESE + SANS if language() == "zh_CN" else SANS
        self.families = {"sans": _first(sans, found, "TkDefaultFont"), "mono": _first(MONO, found, "TkFixedFont")}
        self._fonts = {name: self._make(root, kind) for name, kind in _KINDS.items()}

    def _make(self, root: tk.Misc, kind: tuple[str, int, Weight, int]) -> tkfont.Font:
        family, size, weight, _ = kind
        return tkfont.Font(root, family=self.families[family], size=-self.px(size), weight=weight)

    def __getitem__(self, name: str) -> tkfont.Font:
        return self._fonts[name]

    def px(self, size: float) -> int:
        """`size` at scaling 1 in real pixels."""
        return round(size * self.scale)

    def flat(self, name: str) -> tuple[str, int, Weight]:
        """The font as CustomTkinter takes it, which scales it itself."""
        family, size, weight, _ = _KINDS[name]
        return self.families[family], size, weight

    def spacing(self, name: str) -> Spacing:
        """The extra space that makes the line as high as the design says."""
        lack = max(0, self.px(_KINDS[name][3]) - int(self[name].metrics("linespace")))
        return Spacing((lack + 1) // 2, lack, lack // 2)


def _first(wanted: tuple[str, ...], found: set[str], otherwise: str) -> str:
    return next((name for name in wanted if name in found), otherwise)


def linux_scale(root: tk.Misc) -> float | None:
    """The desktop's scaling in quarters, from its dots per inch; None where the system tells CustomTkinter itself."""
    if not sys.platform.startswith("linux"):
        return None
    return min(3.0, max(1.0, round(root.winfo_fpixels("1i") / 96 * 4) / 4))
