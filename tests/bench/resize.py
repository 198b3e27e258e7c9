"""The window with a chat of 2,000 messages gets another size, and another language; against a bare tk.Text."""

from __future__ import annotations

import statistics
import tkinter as tk

from metona_tk import i18n
from metona_tk.protocol.events import SettingsChanged
from tests.bench.chats import chat, plain
from tests.bench.figures import fields, in_turn, tell, took
from tests.bench.screen import Desk, Ticks, bare_text

ROUNDS, MESSAGES, LATE, BUILT = 9, 2000, 50, 250
SIZES = ("1100x760", "900x700")


def resized(desk: Desk, top: tk.Misc, size: str) -> float:
    """Until it has that size and is drawn in it."""

    def work() -> None:
        top.tk.call("wm", "geometry", str(top), size)
        wanted = tuple(map(int, size.split("x")))
        desk.run_until(lambda: (top.winfo_width(), top.winfo_height()) == wanted)
        desk.seen()

    return took(work)


def dragged(desk: Desk) -> float:
    """The latest tick while an edge is dragged to and fro, and until all is drawn again."""
    ticks = Ticks(desk.root)
    for step in [*range(0, 200, 8), *range(200, 0, -8)]:
        desk.root.wm_geometry(f"{1100 - step}x760")
        desk.run(0.016)
    desk.run(0.3)
    while not desk.window.transcript.settled:
        desk.run(0.02)
    return max(ticks.stop())


def translated(desk: Desk, language: str) -> float:
    """Until the window is there in another language."""
    i18n.set_language(language)

    def work() -> None:
        desk.window._settings_changed(SettingsChanged(dict(desk.window.desk.settings)))
        desk.seen()
        assert desk.page.dlineinfo("end-1c")

    found = took(work)
    desk.settle()
    return found


def main() -> None:
    """Print the figures."""
    desk = Desk()
    record = chat(MESSAGES)
    desk.show(record)
    desk.settle()
    top, bare = bare_text(desk.root)
    bare.insert("end", plain(record))
    bare.see("end")
    desk.run(1)
    sizes = {id(each): 0 for each in (desk.root, top)}

    def step(each: tk.Misc) -> float:
        sizes[id(each)] += 1
        found = resized(desk, each, SIZES[sizes[id(each)] % 2])
        desk.run(0.4)
        desk.settle()
        return found

    found = in_turn(ROUNDS, ours=lambda: step(desk.root), yardstick=lambda: step(top))
    top.destroy()
    ours, yard = statistics.median(found["ours"]), statistics.median(found["yardstick"])
    late = statistics.median(dragged(desk) for _ in range(3))
    figures = fields(drawn_ms=ours, latest_tick_of_a_drag_ms=late)
    tell("resize", figures, fields(drawn_ms=yard), round(ours / yard, 2), f"late <= {LATE} ms (our own)", late <= LATE)
    found = in_turn(5, zh=lambda: translated(desk, "zh_CN"), en=lambda: translated(desk, "en"))
    slow = max(statistics.median(values) for values in found.values())
    tell("language", fields(drawn_ms=slow), {}, None, f"<= {BUILT} ms (our own)", slow <= BUILT)
    desk.end()


if __name__ == "__main__":
    main()
