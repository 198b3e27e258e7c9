"""Every colour of the program, by token, and nowhere else (source: the design's token table). Knows no toolkit."""

from __future__ import annotations

from typing import Literal

Mode = Literal["dark", "light"]

TOKENS: dict[str, tuple[str, str]] = {  # token: (dark, light)
    "surface-0": ("#0D1012", "#F1F4F4"),
    "surface-1": ("#121618", "#FFFFFF"),
    "surface-2": ("#191E21", "#F6F8F8"),
    "surface-3": ("#232A2E", "#E4EAEB"),
    "surface-4": ("#2D363B", "#D6DEE0"),
    "user-bg": ("#17212A", "#EAF2F8"),
    "code-bg": ("#0D1012", "#EDF1F2"),
    "line-1": ("#21282B", "#E1E7E8"),
    "line-2": ("#313A3F", "#CBD4D6"),
    "line-3": ("#6B787E", "#7C898E"),
    "text-1": ("#E9EEF0", "#14191B"),
    "text-2": ("#B0BABF", "#46525A"),
    "text-3": ("#8F9BA1", "#58656B"),
    "text-off": ("#5D686D", "#98A3A7"),
    "brand": ("#00F5D4", "#00F5D4"),
    "accent": ("#00F5D4", "#007868"),
    "accent-hover": ("#5CFBE4", "#006357"),
    "on-accent": ("#03241F", "#FFFFFF"),
    "accent-text": ("#00F5D4", "#006E60"),
    "accent-bg": ("#0E2A28", "#DDF5F0"),
    "accent-line": ("#146B60", "#86CFC3"),
    "focus": ("#00F5D4", "#007868"),
    "link": ("#7DBBFF", "#0A5CB8"),
    "ok": ("#56D08C", "#13703D"),
    "ok-bg": ("#11271B", "#E2F4E8"),
    "warn": ("#F5B14C", "#8A5300"),
    "warn-bg": ("#2C2211", "#FBF0DA"),
    "warn-line": ("#6B501F", "#E3C285"),
    "danger": ("#FF8080", "#B3261E"),
    "danger-bg": ("#321A1C", "#FCE8E7"),
    "danger-line": ("#7A3539", "#E9A9A5"),
    "idle": ("#98A4AA", "#58656B"),
    "diff-add-bg": ("#11291C", "#E3F5E9"),
    "diff-add-word": ("#1C5233", "#B4E4C5"),
    "diff-add-text": ("#B6EFCB", "#0B4A26"),
    "diff-del-bg": ("#33191C", "#FDEAE9"),
    "diff-del-word": ("#6A2A2F", "#F7C0BC"),
    "diff-del-text": ("#FFC9C9", "#7A1712"),
    "diff-gutter": ("#8F9BA1", "#58656B"),
    "diff-hunk": ("#8FB8E8", "#1F5F9E"),
    "syn-keyword": ("#C6A5F5", "#7A3EB8"),
    "syn-string": ("#A6D68B", "#2F6B1C"),
    "syn-number": ("#F0B27A", "#9A4A0B"),
    "syn-comment": ("#87939A", "#5F6C72"),
    "syn-func": ("#82BEFF", "#0A5CB8"),
    "syn-type": ("#5FD6C4", "#00695C"),
    "select-bg": ("#1D4A50", "#B5E3DC"),
    "select-text": ("#FFFFFF", "#14191B"),
    "find-bg": ("#5A4508", "#FFE08A"),
    "find-text": ("#FFE9B0", "#3B2C00"),
    "scroll": ("#3C464B", "#C3CCCE"),
    "scroll-hover": ("#5D686D", "#98A3A7"),
    "switch-on": ("#12907F", "#007868"),
    "switch-off": ("#6B787E", "#7C898E"),
    "switch-knob": ("#FFFFFF", "#FFFFFF"),
}


def colour(token: str, mode: Mode) -> str:
    """#RRGGBB."""
    return TOKENS[token][0 if mode == "dark" else 1]
