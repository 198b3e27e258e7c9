"""Takes the pictures of all scenes, or of some, in both languages and themes, and writes one page with all of them.

`python -m tests.gallery OUTDIR [SCENE...] [--size PERCENT] [--only LOOK]` under a DISPLAY with a window manager; LOOK
is like dark-en. Needs `import` of ImageMagick.
"""

from __future__ import annotations

import argparse
import html
import queue
import subprocess
import sys
import time
import tkinter as tk
from pathlib import Path
from typing import Any

from metona_tk import i18n
from metona_tk.protocol.events import ConversationOpened, Event
from metona_tk.settings import defaults
from metona_tk.ui.widgets.root import make_root
from metona_tk.ui.window import Window
from tests.gallery.scenes import FOLDER, SCENES

LOOKS = (("dark", "en"), ("light", "en"), ("dark", "zh_CN"), ("light", "zh_CN"))
PATIENCE = 10.0  # s for a scene to be shown


def shoot(root: tk.Tk, name: str, mode: str, size: int, target: Path) -> None:
    scene = SCENES[name]
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    top = tk.Toplevel(root)
    values: dict[str, Any] = defaults() | {"theme": mode, "recentWorkspaces": [FOLDER], "textSize": size}
    window = Window(top, lambda command: None, events, values)
    top.wm_geometry(f"{scene.size}+20+10")
    window.start()
    events.put(ConversationOpened(window.state.shown.chat_id, scene.folder))
    shown(root, lambda: events.empty() and top.winfo_viewable())
    for event in scene.events(window):
        events.put(event)
    shown(root, lambda: events.empty() and window.bridge._held is None)
    if scene.then:
        scene.then(window)
    run(root, 0.7)  # frames of running calls, dialogs, what is drawn while idle
    crop = f"{scene.size}+{top.winfo_rootx()}+{top.winfo_rooty()}"
    subprocess.run(["import", "-window", "root", "-crop", crop, "+repage", str(target)], check=True)
    window.extra.close()
    window.outside.close()
    window.approvals.clear()
    window.bridge.stop()
    window.watch.stop()
    window.transcript.show_nothing()
    top.destroy()
    root.update()


def shown(root: tk.Tk, condition: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "the scene is not shown"
        run(root, 0.02)


def run(root: tk.Tk, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        root.update()
        time.sleep(0.005)


def page(out: Path, names: list[str]) -> None:
    rows = []
    for name in names:
        looks = [f"{name}-{mode}-{language}.png" for mode, language in LOOKS]
        images = "".join(
            f'<a href="{file}"><img src="{file}" width="640" title="{file}"></a>'
            for file in looks
            if (out / file).exists()
        )
        rows.append(f"<h2>{html.escape(name)}</h2>\n<div>{images}</div>")
    body = "\n".join(rows)
    (out / "index.html").write_text(f"<!doctype html><meta charset=utf-8><title>Metona</title>\n{body}\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("scenes", nargs="*", choices=[[], *SCENES])
    parser.add_argument("--size", dest="percent", type=int, default=100)
    parser.add_argument("--only", metavar="LOOK", help="one of dark-en, light-en, dark-zh_CN, light-zh_CN")
    options = parser.parse_args()
    names = options.scenes or list(SCENES)
    options.out.mkdir(parents=True, exist_ok=True)
    if options.only:
        mode, language = options.only.split("-", 1)
        i18n.set_language(language)
        root = make_root()
        root.withdraw()
        for name in names:
            shoot(root, name, mode, options.percent, options.out / f"{name}-{mode}-{language}.png")
        root.destroy()
        return
    for mode, language in LOOKS:  # a process each, as a user has it
        command = [sys.executable, "-m", "tests.gallery", str(options.out), *names]
        subprocess.run([*command, "--size", str(options.percent), "--only", f"{mode}-{language}"], check=True)
    page(options.out, list(SCENES))


if __name__ == "__main__":
    main()
