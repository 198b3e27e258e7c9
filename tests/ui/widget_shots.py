"""Pictures of the icons, the widgets and the dialogs, under a DISPLAY with a window manager.

`python tests/ui/widget_shots.py OUTDIR dark|light en|zh_CN SCALE widgets|settings|keys [SIZE]`
"""

# ruff: noqa: E402  (it is run as a script, from anywhere)

from __future__ import annotations

import subprocess
import sys
import time
import tkinter as tk
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from metona_tk import i18n
from metona_tk.settings import SCHEMA, defaults
from metona_tk.ui import icons, theme
from metona_tk.ui.dialogs.keys import KeyLine, KeysDialog
from metona_tk.ui.dialogs.settings.dialog import SettingsDialog, ToolLine
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.badge import Badge
from metona_tk.ui.widgets.choice import Choice
from metona_tk.ui.widgets.entry import Entry
from metona_tk.ui.widgets.focus_button import FocusButton
from metona_tk.ui.widgets.icon_button import IconButton
from metona_tk.ui.widgets.number_entry import Bounds, NumberEntry
from metona_tk.ui.widgets.root import apply_mode, make_root, set_scaling
from metona_tk.ui.widgets.spinner import Spinner
from metona_tk.ui.widgets.switch import Switch


def frame(master: tk.Misc) -> tk.Frame:
    made = tk.Frame(master, borderwidth=0)
    theme.paint(made, background="surface-1")
    made.pack(anchor="w", padx=16, pady=8)
    return made


def icon_rows(root: tk.Misc, fonts: Fonts) -> None:
    for size in icons.SIZES:
        box = frame(root)
        for number, name in enumerate(icons.sheet(icons.nearest(fonts.scale)).columns):
            token = "text-3" if size == 14 else ("text-1", "warn", "ok", "danger", "accent-text", "link")[number % 6]
            label = tk.Label(box, image=icons.icon(root, fonts, name, size, token), borderwidth=0)
            theme.paint(label, background="surface-1")
            label.grid(row=number // 26, column=number % 26, padx=fonts.px(6), pady=fonts.px(5))


def buttons(root: tk.Misc, fonts: Fonts) -> None:
    box = frame(root)
    for kind in ("primary", "default", "outline", "ghost", "danger"):
        FocusButton(box, fonts, kind.title(), print, kind=kind, icon="plus" if kind != "primary" else "").pack(
            side="left", padx=2
        )
    off = FocusButton(box, fonts, "Off", print, icon="plus")
    off.set_enabled(False)
    off.pack(side="left", padx=2)
    focused = FocusButton(box, fonts, "Focused", print)
    focused.pack(side="left", padx=2)
    root.after(300, lambda: focused.event_generate("<FocusIn>"))
    FocusButton(box, fonts, "Small", print, height=24, font="small", icon="folder").pack(side="left", padx=2)


def small_ones(root: tk.Misc, fonts: Fonts) -> None:
    box = frame(root)
    for on, enabled, focused in ((True, True, False), (False, True, False), (True, True, True), (False, False, False)):
        switch = Switch(box, fonts, print, on=on, ground="surface-1")
        switch.focused = focused
        switch.set_enabled(enabled)
        switch.pack(side="left", padx=6)
    for kind, focused, hover in (("ghost", False, False), ("ghost", False, True), ("ghost", True, False)):
        button = IconButton(box, fonts, "copy", "Copy", print, kind=kind)
        button.focused, button.hover = focused, hover
        button.draw()
        button.pack(side="left", padx=4)
    for kind, name, token, focused in (
        ("primary", "send", "on-accent", False),
        ("primary", "send", "on-accent", True),
        ("solid", "stop", "text-1", False),
        ("solid", "stop", "text-1", True),
    ):
        button = IconButton(box, fonts, name, "Send", print, kind=kind, token=token)
        button.focused = focused
        button.draw()
        button.pack(side="left", padx=4)
    for name, word in (("wrench", "tools"), ("eye", "vision"), ("bulb", "thinking 思考")):
        Badge(box, fonts, name, word).pack(side="left", padx=3)
    short = Badge(box, fonts, "eye", "vision")
    short.show_word(False)
    short.pack(side="left", padx=3)
    spinner = tk.Label(box, borderwidth=0)
    theme.paint(spinner, background="surface-1")
    spinner.pack(side="left", padx=8)
    Spinner(spinner, fonts, lambda image: spinner.configure(image=image))


def entries(root: tk.Misc, fonts: Fonts) -> None:
    box = frame(root)
    Entry(box, fonts, placeholder="Search settings 搜索设置", name="search", width=220).pack(side="left", padx=4)
    filled = Entry(box, fonts, width=160)
    filled.set("http://127.0.0.1:11434")
    filled.pack(side="left", padx=4)
    number = NumberEntry(box, fonts, Bounds(2048, 1 << 20, 1024), print, value=24576, ground="surface-1")
    number.say(number.bounds.expected)
    number.pack(side="left", padx=4)
    Choice(box, fonts, {"a": "Dark", "b": "Light"}, print, value="a", ground="surface-1").pack(side="left", padx=4)
    root.after(300, lambda: filled.entry.event_generate("<FocusIn>"))


TOOLS = (
    ToolLine("read_file", "Reads text files, in parts where they are long.", "file-text"),
    ToolLine("list_directory", "Lists what is in a folder.", "list"),
    ToolLine("search_files", "Searches names and contents.", "search"),
)
KEYS = (
    KeyLine("Writing", "Enter", "Send"),
    KeyLine("Writing", "Shift+Enter", "New line"),
    KeyLine("Everywhere", "Ctrl+Shift+C", "Copy the last answer"),
    KeyLine("Everywhere", "Ctrl++", "Larger text"),
    KeyLine("Everywhere", "F1", "All keys"),
)


def settings(root: tk.Misc, fonts: Fonts, size: str) -> SettingsDialog:
    values = defaults() | {"allowedDirs": [str(Path.home() / "Documents" / "Invoices"), "/srv/projects"]}
    dialog = SettingsDialog(root, fonts, SCHEMA, values, lambda: TOOLS, print)
    if size:
        dialog.geometry(size)
    return dialog


def run(root: tk.Misc, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        root.update()
        time.sleep(0.01)


def shoot(target: Path) -> None:
    subprocess.run(["import", "-window", "root", str(target)], check=True)


def main() -> None:
    out, mode, language, scale, what = Path(sys.argv[1]), *sys.argv[2:6]
    size = sys.argv[6] if len(sys.argv) > 6 else ""
    out.mkdir(parents=True, exist_ok=True)
    i18n.set_language(language)
    root = make_root()
    root.tk.call("tk", "scaling", float(scale) * 96 / 72)
    fonts = Fonts(root, set_scaling(root))
    apply_mode("light" if mode == "dark" else "dark")
    name = f"{what}-{mode}-{language}-{scale}{size and '-' + size}"
    if what == "widgets":
        root.wm_geometry("+20+10")
        for part in (icon_rows, buttons, small_ones, entries):
            part(root, fonts)
    else:
        root.wm_geometry("1240x860+10+10")
        run(root, 0.3)
        dialog = settings(root, fonts, size) if what == "settings" else KeysDialog(root, fonts, KEYS)
    run(root, 0.5)
    apply_mode(mode)  # everything was built in the other mode
    run(root, 0.5)
    shoot(out / f"{name}.png")
    if what == "settings":
        dialog.page.to(100000)
        dialog.rows["numCtx"].control.set(1)
        run(root, 0.3)
        shoot(out / f"{name}-end.png")
    root.destroy()


if __name__ == "__main__":
    main()
