"""Draws the program's mark into assets/icons: `python packaging/draw_mark.py [--check]`, with Pillow.

For windows and programs (.png, .ico of Windows, .icns of macOS), each state of the icon in the tray for dark and light
panels, and the two that the window itself wears (metona_tk/ui/icon_sheets). `--check` writes nothing and fails when a
picture is another one; it compares pixels, since another version of Pillow packs them in another way.
"""

import argparse
import io
import sys
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageChops

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from metona_tk.ui.tray.mark import app_icon, tray_icon  # noqa: E402
from metona_tk.ui.tray.messages import State  # noqa: E402

ICONS, WORN = ROOT / "assets" / "icons", ROOT / "metona_tk" / "ui" / "icon_sheets"
SIZES = (16, 24, 32, 48, 64, 128, 256, 512, 1024)
TRAY_SIZES = (16, 22, 24, 32, 48)
WORN_SIZES = (32, 128)
ALIKE = 24  # of 255: how far a pixel may be from what it was, by the rounding of another Pillow


def pictures() -> Iterator[tuple[Path, bytes]]:
    """(place, contents) of every file."""
    drawn = {size: app_icon(size) for size in SIZES}
    for size, image in drawn.items():
        yield ICONS / f"metona-{size}.png", packed(image, "PNG")
    small = [drawn[size] for size in SIZES if size <= 256]
    yield ICONS / "metona.ico", packed(small[-1], "ICO", sizes=[each.size for each in small], append_images=small[:-1])
    yield ICONS / "metona.icns", packed(drawn[1024], "ICNS", append_images=[drawn[size] for size in SIZES[:-1]])
    for state in State:
        for ground in ("dark", "light"):
            for size in TRAY_SIZES:
                yield ICONS / "tray" / f"{state}-{ground}-{size}.png", packed(tray_icon(state, size, ground), "PNG")
    for size in WORN_SIZES:
        yield WORN / f"mark-{size}.png", packed(app_icon(size), "PNG")


def packed(image: Image.Image, kind: str, **options: object) -> bytes:
    """The bytes of a file."""
    target = io.BytesIO()
    image.save(target, kind, **options)
    return target.getvalue()


def is_alike(path: Path, content: bytes) -> bool:
    """Whether a file shows the same, as far as an eye can tell."""
    if not path.exists():
        return False
    kept, drawn = (Image.open(io.BytesIO(data)).convert("RGBA") for data in (path.read_bytes(), content))
    if kept.size != drawn.size:
        return False
    far = ImageChops.difference(kept, drawn).getextrema()
    return all(most <= ALIKE for _, most in far)


def main() -> int:
    """Write them, or say which differ."""
    parser = argparse.ArgumentParser(description="Draw the program's mark.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a picture is not up to date")
    check = parser.parse_args().check
    stale = 0
    for path, content in pictures():
        if not is_alike(path, content):
            stale += 1
            sys.stdout.write(f"{path.relative_to(ROOT)}\n")
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
