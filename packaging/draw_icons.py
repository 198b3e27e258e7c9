"""Draws the window's icons: `python packaging/draw_icons.py [--check]`, with the standard library alone.

Each icon is a few strokes on a grid of 24, written down below. A sheet for each scaling holds the coverage (0 to 255)
of every icon in three sizes as a grey PNG; metona_tk/ui/icons.py colours them when they are shown. The same input
gives the same files; `--check` writes nothing.
"""

import argparse
import math
import struct
import sys
import zlib
from pathlib import Path

SHEETS = Path(__file__).resolve().parents[1] / "metona_tk" / "ui" / "icon_sheets"
GRID = 24
SIZES = (14, 16, 18)
SCALES = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
STEPS = 10  # straight pieces that a curve is made of

Point = tuple[float, float]

_FOLDER = (
    "M3.5 17.5 V6.5 Q3.5 5 5 5 H8.6 Q9.4 5 9.9 5.6 L11.5 7.5 H19 Q20.5 7.5 20.5 9 V17.5 Q20.5 19 19 19 H5 "
    "Q3.5 19 3.5 17.5"
)
_FILE = "M5.5 5 Q5.5 3.5 7 3.5 H13.5 L18.5 8.5 V19 Q18.5 20.5 17 20.5 H7 Q5.5 20.5 5.5 19 Z M13.5 3.5 V8.5 H18.5"

# M L H V: straight; Q C: curves; Z: back to the start; A x y r from to: an arc in degrees, clockwise from the right;
# N: what follows is not joined to what was before; O x y r: circle; R x y w h r: round box; D x y r: dot;
# F x y w h r: filled round box
ICONS: dict[str, str] = {
    "search": "O 11 11 6.5 M15.8 15.8 L20.3 20.3",
    "plus": "M12 5 V19 M5 12 H19",
    "minus": "M5 12 H19",
    "folder": _FOLDER,
    "folder-plus": _FOLDER + " M12 10.5 V16 M9.2 13.2 H14.8",
    "file": _FILE,
    "file-text": _FILE + " M8.8 12.5 H15.2 M8.8 16.3 H13.2",
    "list": "D 4.5 6 1.2 D 4.5 12 1.2 D 4.5 18 1.2 M9 6 H20 M9 12 H20 M9 18 H20",
    "pencil": "M4.2 19.8 L5.2 15.4 L15.6 5 Q16.8 3.8 18 5 L19 6 Q20.2 7.2 19 8.4 L8.6 18.8 Z M13.6 7 L17 10.4",
    "trash": (
        "M4 6.5 H20 M9 6.5 V5 Q9 3.8 10.2 3.8 H13.8 Q15 3.8 15 5 V6.5 M6.3 6.5 L7.1 18.8 Q7.2 20.3 8.7 20.3 H15.3 "
        "Q16.8 20.3 16.9 18.8 L17.7 6.5 M10.2 10.5 V16.2 M13.8 10.5 V16.2"
    ),
    "terminal": "M5 6.5 L10.5 12 L5 17.5 M12.5 18 H19.5",
    "copy": "R 8.8 8.8 11.7 11.7 2 M5.5 15.2 H5 Q3.5 15.2 3.5 13.7 V5 Q3.5 3.5 5 3.5 H13.7 Q15.2 3.5 15.2 5 V5.5",
    "check": "M4.5 12.5 L9.5 17.5 L19.5 7",
    "cross": "M6 6 L18 18 M18 6 L6 18",
    "hourglass": (
        "M6 3.5 H18 M6 20.5 H18 M7.5 3.5 V6 Q7.5 7.2 8.3 8 L12 12 L15.7 8 Q16.5 7.2 16.5 6 V3.5 "
        "M7.5 20.5 V18 Q7.5 16.8 8.3 16 L12 12 L15.7 16 Q16.5 16.8 16.5 18 V20.5"
    ),
    "clock-rewind": "M4 4.2 V9.3 H9.1 N A 12.2 12 8.3 199 518 M12.2 7.6 V12.3 L15.4 14.2",
    "clock": "O 12 12 8.5 M12 7.2 V12.3 L15.4 14.2",
    "sliders": "M3.5 7.5 H13 M18.2 7.5 H20.5 O 15.6 7.5 2.6 M3.5 16.5 H5.8 M11 16.5 H20.5 O 8.4 16.5 2.6",
    "chevron-down": "M6.5 9.5 L12 15 L17.5 9.5",
    "chevron-up": "M6.5 14.5 L12 9 L17.5 14.5",
    "chevron-right": "M9.5 6.5 L15 12 L9.5 17.5",
    "refresh": "N A 12 12 7.8 200 338 M19.5 4 V9 H14.5 N A 12 12 7.8 20 158 M4.5 20 V15 H9.5",
    "more": "D 5 12 1.5 D 12 12 1.5 D 19 12 1.5",
    "undo": "M8.7 4.2 L4 8.9 L8.7 13.6 M4 8.9 H14.3 A 14.3 14.2 5.3 -90 90 L10 19.5",
    "wrench": (
        "A 15.3 8.7 5.3 -17 116 L6.9 19.5 C6 20.4 4.6 20.3 3.9 19.6 C3.2 18.9 3.3 17.9 4.2 17 L10.54 11.02 "
        "A 15.3 8.7 5.3 154 287 L14.2 6.3 L17.7 9.8 Z"
    ),
    "eye": (
        "M2.5 12 C5 7.6 8.3 5.5 12 5.5 C15.7 5.5 19 7.6 21.5 12 C19 16.4 15.7 18.5 12 18.5 C8.3 18.5 5 16.4 2.5 12 "
        "O 12 12 2.9"
    ),
    "bulb": "A 12 9.6 6.1 126 414 L14.9 17 H9.1 Z M10 20.5 H14",
    "paperclip": (
        "M20 11.2 L11.7 19.5 C9.7 21.5 6.5 21.5 4.5 19.5 C2.5 17.5 2.5 14.3 4.5 12.3 L12.6 4.2 C13.9 2.9 16.1 2.9 "
        "17.4 4.2 C18.7 5.5 18.7 7.7 17.4 9 L9.4 17 C8.7 17.7 7.6 17.7 6.9 17 C6.2 16.3 6.2 15.2 6.9 14.5 L14.2 7.2"
    ),
    "send": "M12 19.5 V5 M5.8 11 L12 4.8 L18.2 11",
    "stop": "F 6.5 6.5 11 11 1.8",
    "shield": "M12 3.2 L19.2 5.9 V11.5 C19.2 16 16.2 19.2 12 20.9 C7.8 19.2 4.8 16 4.8 11.5 V5.9 Z",
    "lock": "R 5 10.5 14 9.8 2 M8 10.5 V7.8 C8 5.3 9.7 3.6 12 3.6 C14.3 3.6 16 5.3 16 7.8 V10.5",
    "ban": "O 12 12 8.3 M6.2 6.2 L17.8 17.8",
    "warning": ("M10.6 4.8 Q12 2.6 13.4 4.8 L21 17.8 Q22 20 19.6 20 H4.4 Q2 20 3 17.8 Z M12 9.2 V13.4 D 12 16.6 1.15"),
    "info": "O 12 12 8.5 M12 11.4 V16.4 D 12 7.9 1.15",
    "question": (
        "O 12 12 8.5 M9.4 9.7 C9.4 8 10.5 7 12 7 C13.5 7 14.6 8 14.6 9.5 C14.6 11.4 12 11.6 12 13.6 D 12 16.7 1.15"
    ),
    "cloud": (
        "M7 18.5 C4.5 18.5 2.8 16.8 2.8 14.6 C2.8 12.5 4.4 10.9 6.4 10.8 C6.9 7.7 9.2 5.5 12.2 5.5 C15.2 5.5 17.5 7.6 "
        "17.9 10.5 C19.9 10.7 21.3 12.3 21.3 14.4 C21.3 16.7 19.6 18.5 17.3 18.5 Z"
    ),
    "arrow-down": "M12 4.5 V19 M5.8 13 L12 19.2 L18.2 13",
    "arrow-left": "M19.5 12 H5 M11 5.8 L4.8 12 L11 18.2",
    "download": "M12 3.8 V14.6 M6.8 9.6 L12 14.8 L17.2 9.6 M4.5 19.8 H19.5",
    "keyboard": (
        "R 2.5 6 19 12.5 2 D 6.3 10 1 D 10.1 10 1 D 13.9 10 1 D 17.7 10 1 D 6.3 14.5 1 D 17.7 14.5 1 M9.6 14.5 H14.4"
    ),
    "pin": "M8.6 3.6 H15.4 M10 3.6 V9.4 L6.8 13 V14.8 H17.2 V13 L14 9.4 V3.6 M12 14.8 V20.8",
    "branch": (
        "O 6.5 5.8 2.4 O 6.5 18.2 2.4 O 17.5 5.8 2.4 M6.5 8.2 V15.8 M17.5 8.2 C17.5 11.6 15.5 12.2 12 12.2 "
        "C8.5 12.2 6.5 12.8 6.5 15.8"
    ),
    "chip": (
        "R 6.3 6.3 11.4 11.4 1.8 R 10 10 4 4 .6 M9.2 2.8 V6.3 M14.8 2.8 V6.3 M9.2 17.7 V21.2 M14.8 17.7 V21.2 "
        "M2.8 9.2 H6.3 M2.8 14.8 H6.3 M17.7 9.2 H21.2 M17.7 14.8 H21.2"
    ),
    **{f"spinner-{frame}": f"A 12 12 8 {frame * 45 - 90} {frame * 45 + 150}" for frame in range(8)},
}
# Icons of straight strokes through the middle: moved by half a pixel where that makes the strokes sharp, x and y.
SNAPPED = {
    "plus": (1, 1),
    "minus": (1, 1),
    "list": (0, 1),
    "send": (1, 0),
    "arrow-down": (1, 0),
    "download": (1, 0),
    "arrow-left": (0, 1),
    "pin": (1, 0),
}
_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "Q": 4, "C": 6, "Z": 0, "N": 0, "A": 5, "O": 3, "R": 5, "D": 3, "F": 5}


class Drawing:
    """An icon taken apart: straight pieces to be stroked, and round boxes (x, y, w, h, r) to be filled."""

    def __init__(self, text: str, snap: tuple[int, int] = (0, 0)) -> None:
        self.snap = snap
        self.pieces: list[tuple[Point, Point]] = []
        self.filled: list[tuple[float, ...]] = []
        self._path: list[Point] = []
        words = "".join(f" {char} " if char.isalpha() else char for char in text).split()
        while words:
            command = words.pop(0)
            count = _NUMBERS[command]
            self._add(command, [float(word) for word in words[:count]])
            del words[:count]
        self._end()

    def _end(self) -> None:
        self.pieces += zip(self._path, self._path[1:], strict=False)
        self._path = []

    def _add(self, command: str, n: list[float]) -> None:
        if command in "MNORDF":
            self._end()
        if command in "ML":
            self._path.append((n[0], n[1]))
        elif command == "H":
            self._path.append((n[0], self._path[-1][1]))
        elif command == "V":
            self._path.append((self._path[-1][0], n[0]))
        elif command == "Z":
            self._path.append(self._path[0])
        elif command in "QC":
            self._path += curve([self._path[-1], *zip(n[::2], n[1::2], strict=True)])
        elif command == "A":
            self._path += arc(*n)
        else:
            self._add_shape(command, n)

    def _add_shape(self, command: str, n: list[float]) -> None:
        if command == "D":
            self.filled.append((n[0] - n[2], n[1] - n[2], 2 * n[2], 2 * n[2], n[2]))
        elif command == "F":
            self.filled.append(tuple(n))
        elif command == "O":
            self._path = arc(n[0], n[1], n[2], 0, 360)
            self._end()
        elif command == "R":
            x, y, w, h, r = n
            corners = ((x + w - r, y + r, -90), (x + w - r, y + h - r, 0), (x + r, y + h - r, 90), (x + r, y + r, 180))
            self._path = [point for cx, cy, at in corners for point in arc(cx, cy, r, at, at + 90)]
            self._path.append(self._path[0])
            self._end()


def curve(points: list[Point]) -> list[Point]:
    """A Bezier curve of any order as points, without its first."""
    return [_between(points, step / STEPS) for step in range(1, STEPS + 1)]


def _between(points: list[Point], t: float) -> Point:
    while len(points) > 1:
        points = [
            (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in zip(points, points[1:], strict=False)
        ]
    return points[0]


def arc(x: float, y: float, r: float, start: float, end: float) -> list[Point]:
    """Part of a circle as points, in degrees clockwise from the right."""
    steps = max(4, round(abs(end - start) / 12))
    angles = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return [(x + r * math.cos(angle), y + r * math.sin(angle)) for angle in angles]


def coverage(drawing: Drawing, size: int, px: int) -> list[bytearray]:
    """How much of each of `px` times `px` pixels is covered, 0 to 255; `size` is the nominal one."""
    unit = px / GRID
    half = (2.0 if size < 16 else 1.75) * unit / 2
    near = [[half + 1.0] * px for _ in range(px)]  # distance from the middle of the pixel to the nearest stroke
    off = 0.5 if (px % 2 == 0) == (round(2 * half) % 2 == 1) else 0.0
    right, down = (part * off for part in drawing.snap)
    for a, b in drawing.pieces:
        start, end = ((x * unit + right, y * unit + down) for x, y in (a, b))
        _approach(near, start, end, half + 1.0)
    rows = [bytearray(_level(half - distance) for distance in row) for row in near]
    for box in drawing.filled:
        x, y, *rest = (part * unit for part in box)
        _fill(rows, [x + right, y + down, *rest])
    return rows


def _level(inside: float) -> int:
    return round(255 * min(1.0, max(0.0, inside + 0.5)))


def _span(low: float, high: float, count: int) -> range:
    return range(max(0, math.floor(low)), min(count, math.ceil(high)))


def _approach(near: list[list[float]], a: Point, b: Point, reach: float) -> None:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy or 1.0
    for row in _span(min(a[1], b[1]) - reach, max(a[1], b[1]) + reach, len(near)):
        for column in _span(min(a[0], b[0]) - reach, max(a[0], b[0]) + reach, len(near)):
            x, y = column + 0.5 - a[0], row + 0.5 - a[1]
            t = min(1.0, max(0.0, (x * dx + y * dy) / length))
            near[row][column] = min(near[row][column], math.hypot(x - t * dx, y - t * dy))


def _fill(rows: list[bytearray], box: list[float]) -> None:
    x, y, w, h, r = box
    for row in _span(y - 1, y + h + 1, len(rows)):
        for column in _span(x - 1, x + w + 1, len(rows)):
            qx = abs(column + 0.5 - x - w / 2) - w / 2 + r
            qy = abs(row + 0.5 - y - h / 2) - h / 2 + r
            outside = math.hypot(max(qx, 0.0), max(qy, 0.0)) + min(max(qx, qy), 0.0) - r
            rows[row][column] = max(rows[row][column], _level(-outside))


def sheet(scale: float) -> bytes:
    """The PNG of all icons at one scaling: a row for each size, a square for each icon, the names in a text chunk."""
    drawings = [Drawing(text, SNAPPED.get(name, (0, 0))) for name, text in ICONS.items()]
    wide = round(SIZES[-1] * scale) * len(drawings)
    lines: list[bytes] = []
    for size in SIZES:
        px = round(size * scale)
        squares = [coverage(drawing, size, px) for drawing in drawings]
        lines += [b"".join(bytes(square[row]) for square in squares).ljust(wide, b"\0") for row in range(px)]
    header = struct.pack(">IIBBBBB", wide, len(lines), 8, 0, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + line for line in lines), 9)
    names = b"icons\0" + " ".join(ICONS).encode("ascii")
    chunks = ((b"IHDR", header), (b"tEXt", names), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main() -> int:
    """Write the sheets, or say which differ."""
    parser = argparse.ArgumentParser(description="Draw the icons of the window.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a sheet is not up to date")
    check = parser.parse_args().check
    SHEETS.mkdir(exist_ok=True)
    stale = 0
    for scale in SCALES:
        path = SHEETS / f"{round(scale * 100)}.png"
        drawn = sheet(scale)
        if not path.exists() or path.read_bytes() != drawn:
            stale += 1
            sys.stdout.write(f"{path.name}: {len(drawn)} bytes\n")
            if not check:
                path.write_bytes(drawn)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
