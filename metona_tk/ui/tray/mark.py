"""The program's mark, drawn by Pillow: an M, and a dot under its middle like the point that ends an answer.

Drawn large and made smaller, so that it is smooth at every size. What an icon in the tray says, it says by form too:
three dots for work, a large one in the corner for a question that waits, a stroke across for a server that is away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metona_tk.ui.palette import colour
from metona_tk.ui.tray.messages import State
from metona_tk.ui.tray.panels import Ground

if TYPE_CHECKING:
    from PIL.Image import Image

FINE = 512  # px, about, of an icon while it is drawn
GRID = 32  # units of the drawing
DARK, LIGHT = colour("surface-0", "dark"), colour("surface-0", "light")


def app_icon(size: int) -> Image:
    """The mark on its ground, for windows and programs: `size` px square."""
    from PIL import Image, ImageDraw

    side = size * max(4, FINE // size)
    image = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    unit = side / GRID
    draw.rounded_rectangle((0.5 * unit, 0.5 * unit, side - 0.5 * unit, side - 0.5 * unit), 7 * unit, fill=DARK)
    _sign(
        draw,
        unit * 0.72,
        (GRID * 0.14 * unit, GRID * 0.14 * unit),
        LIGHT,
        colour("brand", "dark"),
        3.0 if size > 24 else 3.8,
    )
    return image.resize((size, size), Image.Resampling.LANCZOS)


def tray_icon(state: State, size: int, ground: Ground) -> Image:
    """The icon of a state, for a dark, a light or an unknown panel, where it has an edge: `size` px square."""
    from PIL import Image, ImageDraw, ImageFilter

    side = size * max(4, FINE // size)
    image = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    unit, ink = side / GRID, DARK if ground == "light" else LIGHT
    mode = "light" if ground == "light" else "dark"
    dot = colour("accent", mode) if state is not State.OFFLINE else ink
    _sign(draw, unit, (0, 0), ink, dot, 3.2, hollow=state is State.OFFLINE, three=state is State.WORKING)
    if state is State.OFFLINE:
        _stroke(draw, unit, ink)
    elif state is State.WAITING:
        _badge(draw, unit, colour("warn", mode))
    image = image.resize((size, size), Image.Resampling.LANCZOS)
    if ground != "unknown":
        return image
    edge = image.getchannel("A").filter(ImageFilter.MaxFilter(2 * max(1, size // 20) + 1))
    under = Image.new("RGBA", image.size, DARK)
    under.putalpha(edge.point([value * 3 // 4 for value in range(256)]))
    return Image.alpha_composite(under, image)


def _sign(
    draw: object,
    unit: float,
    at: tuple[float, float],
    ink: str,
    dot: str,
    wide: float,
    *,
    hollow: bool = False,
    three: bool = False,
) -> None:
    """The M with round ends, and its dot: filled, `hollow`, or `three` of them."""
    from PIL import ImageDraw

    assert isinstance(draw, ImageDraw.ImageDraw)
    left, top = at

    def points(*pairs: tuple[float, float]) -> list[tuple[float, float]]:
        return [(left + x * unit, top + y * unit) for x, y in pairs]

    line = round(wide * unit)
    letter = points((5.5, 26), (5.5, 7.5), (16, 19.5), (26.5, 7.5), (26.5, 26))
    draw.line(letter, fill=ink, width=line, joint="curve")
    for x, y in letter:
        draw.ellipse((x - line / 2, y - line / 2, x + line / 2, y + line / 2), fill=ink)
    for x, y in points(*((11.5, 25), (16, 25), (20.5, 25)) if three else ((16, 25),)):
        radius = (1.8 if three else 2.6) * unit
        box = (x - radius, y - radius, x + radius, y + radius)
        if hollow:
            draw.ellipse(box, outline=dot, width=round(1.4 * unit))
        else:
            draw.ellipse(box, fill=dot)


def _stroke(draw: object, unit: float, ink: str) -> None:
    """Struck through, with a gap on both sides of the stroke."""
    from PIL import ImageDraw

    assert isinstance(draw, ImageDraw.ImageDraw)
    ends = (3.5 * unit, 28.5 * unit, 28.5 * unit, 3.5 * unit)
    draw.line(ends, fill=(0, 0, 0, 0), width=round(7 * unit))
    draw.line(ends, fill=ink, width=round(2.8 * unit))


def _badge(draw: object, unit: float, colour: str) -> None:
    """A dot in the upper right corner, with a gap around it."""
    from PIL import ImageDraw

    assert isinstance(draw, ImageDraw.ImageDraw)
    x, y = 25 * unit, 7.5 * unit
    for radius, fill in ((9.5 * unit, (0, 0, 0, 0)), (7 * unit, colour)):
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill)
