"""Round boxes with soft edges, and an icon over them, as pictures: a Canvas would draw steps into their curves."""

from __future__ import annotations

import functools
import math
import tkinter as tk
from collections.abc import Iterable
from dataclasses import dataclass

from metona_tk.ui.icons import nearest, sheet
from metona_tk.ui.widgets.pictures import Rgb, coloured, pictures, rgb


@dataclass(frozen=True, slots=True)
class Box:
    """A filled round box in a token's colour, in real pixels; a circle when the corner is half its height."""

    x: int
    y: int
    width: int
    height: int
    corner: float
    token: str


@dataclass(frozen=True, slots=True)
class Stamp:
    """An icon in the middle of a picture; `scale` is that of the fonts."""

    name: str
    size: int
    scale: float
    token: str


def shape(widget: tk.Misc, width: int, height: int, *boxes: Box, stamp: Stamp | None = None) -> tk.PhotoImage:
    """The picture of `boxes`, the later over the earlier, on nothing, and of `stamp` over all."""

    def draw() -> bytes:
        pixels = bytearray(4 * width * height)
        for box in boxes:
            lines = _opacity(box.width, box.height, box.corner)
            _lay(pixels, 4 * width, 4 * (box.y * width + box.x), lines, box.token)
        if stamp is not None:
            lines, side = sheet(nearest(stamp.scale)).square(stamp.name, stamp.size)
            start = 4 * ((height - side) // 2 * width + (width - side) // 2)
            _lay(pixels, 4 * width, start, lines, stamp.token)
        return coloured(pixels, width, height)

    return pictures(widget).get(("shape", width, height, boxes, stamp), draw)


@functools.lru_cache(maxsize=64)
def _opacity(width: int, height: int, corner: float) -> list[bytes]:
    """How much of each pixel of a round box is covered; one quarter is reckoned, the others mirror it."""
    top: list[bytes] = []
    for row in range((height + 1) // 2):
        left = bytes(_covered(column, row, corner) for column in range((width + 1) // 2))
        top.append(left + left[: width // 2][::-1])
    return top + top[: height // 2][::-1]


def _covered(column: int, row: int, corner: float) -> int:
    right, down = corner - column - 0.5, corner - row - 0.5
    if right <= 0 or down <= 0:
        return 255
    return round(255 * min(1.0, max(0.0, corner - math.hypot(right, down) + 0.5)))


def _lay(pixels: bytearray, step: int, start: int, lines: Iterable[bytes], token: str) -> None:
    """Lay a colour over `pixels` from byte `start` on, as much as `lines` say; `step` bytes make a row."""
    colour = rgb(token)
    solid = bytes((*colour, 255))
    for row, line in enumerate(lines):
        for at, covered in enumerate(line):
            place = start + row * step + 4 * at
            if covered == 255:
                pixels[place : place + 4] = solid
            elif covered:
                pixels[place : place + 4] = _over(pixels[place : place + 4], colour, covered)


def _over(below: bytearray, colour: Rgb, covered: int) -> bytes:
    part = covered / 255
    whole = part + below[3] / 255 * (1 - part)
    mixed = [(new * part + old * below[3] / 255 * (1 - part)) / whole for new, old in zip(colour, below, strict=False)]
    return bytes((*(round(value) for value in mixed), round(255 * whole)))
