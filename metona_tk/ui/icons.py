"""The window's icons: taken from sheets of coverage (drawn by packaging/draw_icons.py) and coloured by token."""

from __future__ import annotations

import functools
import struct
import tkinter as tk
import zlib
from dataclasses import dataclass
from pathlib import Path

from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.pictures import pictures, tinted

SIZES = (14, 16, 18)  # px at scaling 1
SCALES = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
_FOLDER = Path(__file__).parent / "icon_sheets"


@dataclass(frozen=True, slots=True)
class Sheet:
    """All icons at one scaling: a row of squares for each size, one byte for each pixel."""

    scale: float
    columns: dict[str, int]
    rows: list[bytes]

    def square(self, name: str, size: int) -> tuple[list[bytes], int]:
        """The rows of one icon and its width in real pixels; KeyError for a name or a size that is not there."""
        if size not in SIZES:
            raise KeyError(size)
        px = round(size * self.scale)
        top = sum(round(other * self.scale) for other in SIZES if other < size)
        left = self.columns[name] * px
        return [row[left : left + px] for row in self.rows[top : top + px]], px


@functools.cache
def sheet(scale: float) -> Sheet:
    """Read the sheet of one of SCALES. It is our own file: grey, 8 bits, no filter."""
    data = (_FOLDER / f"{round(scale * 100)}.png").read_bytes()
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        chunks[data[at + 4 : at + 8]] = data[at + 8 : at + 8 + length]
        at += 12 + length
    width, height = struct.unpack_from(">II", chunks[b"IHDR"])
    pixels, step = zlib.decompress(chunks[b"IDAT"]), width + 1
    names = chunks[b"tEXt"].partition(b"\0")[2].decode("ascii").split()
    rows = [pixels[row * step + 1 : (row + 1) * step] for row in range(height)]
    return Sheet(scale, {name: column for column, name in enumerate(names)}, rows)


def nearest(scale: float) -> float:
    """The one of SCALES that is closest."""
    return min(SCALES, key=lambda known: abs(known - scale))


def icon(widget: tk.Misc, fonts: Fonts, name: str, size: int = 16, token: str = "text-3") -> tk.PhotoImage:
    """The icon in a token's colour, at the scaling of `fonts`; in use it changes colour with the mode by itself."""
    scale = nearest(fonts.scale)

    def draw() -> bytes:
        return tinted(*sheet(scale).square(name, size), token)

    return pictures(widget).get(("icon", name, size, scale, token), draw)
