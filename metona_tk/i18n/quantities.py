"""Sizes and times in words, alike in the window and in the terminal. Pure."""

from __future__ import annotations

from metona_tk.i18n import tr

_UNITS = ("KB", "MB", "GB", "TB")


def size_words(size: int) -> str:
    """A number of bytes, in steps of 1024."""
    if size < 1024:
        return tr("{size} B", size=size)
    value, unit = size / 1024, 0
    while value >= 1024 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    return f"{value:.1f} {_UNITS[unit]}" if value < 100 else f"{value:.0f} {_UNITS[unit]}"


def time_words(seconds: float) -> str:
    """A duration: "4 ms", "1.2 s", "2 min 5 s"."""
    if seconds < 0.0995:
        return tr("{count} ms", count=max(1, round(seconds * 1000)))
    if seconds < 60:
        return tr("{count} s", count=f"{seconds:.1f}" if seconds < 10 else f"{seconds:.0f}")
    return tr("{minutes} min {seconds} s", minutes=int(seconds // 60), seconds=int(seconds % 60))
