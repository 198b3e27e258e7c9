"""Small pictures drawn by ourselves: PNGs made in memory, one PhotoImage for each, coloured anew with the mode."""

from __future__ import annotations

import struct
import tkinter as tk
import zlib
from collections.abc import Callable, Hashable, Iterable

from metona_tk.ui import theme

Rgb = tuple[int, int, int]
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_ALPHAS = bytes(range(256))


def rgb(token: str) -> Rgb:
    """The token's colour in the mode in use, as three numbers up to 255."""
    number = int(theme.colour(token)[1:], 16)
    return number >> 16, number >> 8 & 255, number & 255


def tinted(rows: Iterable[bytes], width: int, token: str) -> bytes:
    """A PNG in one colour; `rows` hold the opacity of each pixel."""
    lines = [b"\0" + row for row in rows]
    parts = ((b"PLTE", bytes(rgb(token)) * 256), (b"tRNS", _ALPHAS), (b"IDAT", zlib.compress(b"".join(lines), 1)))
    return _png(width, len(lines), 3, parts)


def coloured(pixels: bytes | bytearray, width: int, height: int) -> bytes:
    """A PNG of `pixels`, four bytes each: red, green, blue, opacity."""
    step = 4 * width
    lines = b"".join(b"\0" + bytes(pixels[start : start + step]) for start in range(0, step * height, step))
    return _png(width, height, 6, ((b"IDAT", zlib.compress(lines, 1)),))


def _png(width: int, height: int, kind: int, parts: Iterable[tuple[bytes, bytes]]) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    chunks = ((b"IHDR", header), *parts, (b"IEND", b""))
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )


class Pictures:
    """The pictures of one root: the same key gives the same image, for as long as the root lives."""

    def __init__(self, root: tk.Misc) -> None:
        self._root = root
        self._images: dict[Hashable, tuple[tk.PhotoImage, Callable[[], bytes]]] = {}
        self._listener = theme.Listener(root, self._redraw)

    def get(self, key: Hashable, draw: Callable[[], bytes]) -> tk.PhotoImage:
        """The image that `draw` gives the PNG of; after each change of mode it is drawn again in place."""
        known = self._images.get(key)
        if known is None:
            known = tk.PhotoImage(master=self._root, data=draw()), draw
            self._images[key] = known
        return known[0]

    def _redraw(self) -> None:
        for image, draw in self._images.values():
            image.configure(data=draw())


_of_root: dict[tk.Misc, Pictures] = {}


def pictures(widget: tk.Misc) -> Pictures:
    """The pictures of the root that `widget` belongs to."""
    root = widget.nametowidget(".")
    if root not in _of_root:
        for other in [other for other in _of_root if not theme.alive(other)]:
            del _of_root[other]  # a root that is gone; its images went with it
        _of_root[root] = Pictures(root)
    return _of_root[root]
