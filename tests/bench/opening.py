"""A chat of 2,000 messages is opened, against the plain text of it in a bare tk.Text; and two such chats by turns."""

from __future__ import annotations

import statistics
import time

from metona_tk.ui.chat.record import Record
from tests.bench.chats import chat, plain
from tests.bench.figures import fields, in_turn, tell, took
from tests.bench.screen import Desk, Ticks, bare_text

ROUNDS, MESSAGES, MOST = 9, 2000, 150


def opened(desk: Desk, record: Record) -> float:
    """Until its end is drawn and seen."""

    def work() -> None:
        desk.show(record)
        desk.seen()
        assert desk.page.dlineinfo("end-1c")

    return took(work)


def main() -> None:
    """Print the figures."""
    desk = Desk()
    top, bare = bare_text(desk.root)
    top.withdraw()
    first, second = chat(MESSAGES), chat(MESSAGES, "u")
    words = plain(first)
    whole: list[float] = []
    late: list[float] = []

    def ours() -> float:
        ticks, begun = Ticks(desk.root), time.perf_counter()
        found = opened(desk, first)
        while not desk.window.transcript.settled:
            desk.root.after(5, desk.root.quit)
            desk.root.mainloop()
        whole.append((time.perf_counter() - begun) * 1000)
        late.append(max(ticks.stop(), default=0.0))
        return found

    def yardstick() -> float:
        top.deiconify()
        bare.delete("1.0", "end")
        desk.root.update()

        def work() -> None:
            bare.insert("end", words)
            bare.see("end")
            desk.seen()

        found = took(work)
        top.withdraw()
        desk.root.update()
        return found

    found = in_turn(ROUNDS, ours=ours, switch=lambda: opened(desk, second), yardstick=yardstick)
    seen, away, yard = (statistics.median(found[name]) for name in ("ours", "switch", "yardstick"))
    figures = fields(seen_ms=seen, settled_ms=statistics.median(whole), latest_tick_ms=statistics.median(late))
    tell("opening", figures, fields(ms=yard), round(seen / yard, 2), f"seen <= {MOST} ms", seen <= MOST)
    figures = fields(seen_ms=away)
    tell("switching", figures, fields(ms=yard), round(away / yard, 2), f"seen <= {MOST} ms", away <= MOST)
    desk.end()


if __name__ == "__main__":
    main()
