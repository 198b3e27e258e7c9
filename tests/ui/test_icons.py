"""Icons: every one that the code names is there, they look as they are drawn, and follow the mode."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from metona_tk.ui import icons, theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.pictures import rgb
from metona_tk.ui.widgets.root import apply_mode

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("draw_icons", ROOT / "packaging" / "draw_icons.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def fonts(root):
    apply_mode("dark")
    yield Fonts(root, 1.0)
    apply_mode("dark")


PLACES = {
    **{"Icon": 0, "Stamp": 0, "image": 0, "Section": 1},
    **{"icon": 2, "icon_image": 2, "NavRow": 2, "action": 2, "IconButton": 2, "Badge": 2, "ToolLine": 2},
}


def names_in(tree: ast.AST) -> set[str]:
    """The icons that are named outright: at their place in a call, or as icon=."""
    found: set[str] = set()
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        place = 0 if called in ("set_icon", "show_icon") else PLACES.get(called)
        wanted = [keyword.value for keyword in call.keywords if keyword.arg == "icon"]
        wanted += call.args[place : place + 1] if place is not None else []
        found |= {node.value for node in wanted if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return found - {""}


def test_every_icon_that_the_code_names_is_in_every_sheet():
    named: set[str] = set()
    for path in (ROOT / "metona_tk" / "ui").rglob("*.py"):
        named |= names_in(ast.parse(path.read_text("utf-8")))
    assert {"cross", "folder", "plus", "wrench", "chevron-down"} <= named
    for scale in icons.SCALES:
        assert named <= set(icons.sheet(scale).columns)


def test_every_icon_has_something_in_every_size_and_is_not_cut_off():
    for scale in icons.SCALES:
        sheet = icons.sheet(scale)
        for name in sheet.columns:
            for size in icons.SIZES:
                rows, px = sheet.square(name, size)
                assert px == round(size * scale)
                assert [len(row) for row in rows] == [px] * px
                assert max(max(row) for row in rows) > 150, (name, size, scale)
                edge = [*rows[0], *rows[-1], *(row[0] for row in rows), *(row[-1] for row in rows)]
                assert max(edge) < 200, (name, size, scale)


def test_the_sheets_are_what_the_script_draws_each_time(script):
    assert script.sheet(1.0) == script.sheet(1.0)
    assert (script.SIZES, script.SCALES) == (icons.SIZES, icons.SCALES)
    for scale in icons.SCALES:
        sheet = icons.sheet(scale)
        assert list(sheet.columns) == list(script.ICONS)
        for name, text in script.ICONS.items():
            drawn = script.coverage(script.Drawing(text, script.SNAPPED.get(name, (0, 0))), 16, round(16 * scale))
            assert [bytes(row) for row in drawn] == sheet.square(name, 16)[0], (name, scale)


def test_an_icon_has_its_tokens_colour_and_changes_in_place_with_the_mode(root, fonts):
    image = icons.icon(root, fonts, "stop", 16, "warn")
    assert (image.width(), image.height()) == (16, 16)
    assert image.get(8, 8) == rgb("warn")
    assert image.transparency_get(0, 0)
    dark = rgb("warn")
    theme.set_mode("light")
    assert rgb("warn") != dark
    assert image.get(8, 8) == rgb("warn")


def test_an_icon_is_made_once(root, fonts):
    assert icons.icon(root, fonts, "pin") is icons.icon(root, fonts, "pin")
    assert icons.icon(root, fonts, "pin") is not icons.icon(root, fonts, "pin", 16, "text-1")


@pytest.mark.parametrize(("scale", "px"), [(0.8, 16), (1.0, 16), (1.3, 20), (2.0, 32), (2.2, 32), (4.0, 48)])
def test_the_nearest_sheet_serves_every_scaling(root, scale, px):
    assert icons.icon(root, Fonts(root, scale), "search").width() == px


def test_what_is_not_there_is_an_error(root, fonts):
    with pytest.raises(KeyError):
        icons.icon(root, fonts, "no-such-icon")
    with pytest.raises(KeyError):
        icons.icon(root, fonts, "search", 15)


def test_twenty_icons_cost_little_at_start(root, fonts):
    icons.sheet.cache_clear()
    names = list(icons.sheet(1.0).columns)[:20]
    icons.sheet.cache_clear()
    began = time.perf_counter()
    for name in names:
        icons.icon(root, fonts, name, 18, "diff-hunk")  # a colour that nothing else has asked for
    assert time.perf_counter() - began < 0.1


def test_the_mark_is_as_its_script_draws_it():
    done = subprocess.run(
        [sys.executable, "packaging/draw_mark.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "")
