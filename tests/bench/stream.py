"""1,000 tokens a second for 6 s into a chat of 2,000 messages, against a CTkLabel that grows by the same text."""

from __future__ import annotations

import threading
import time
import tkinter as tk
from collections.abc import Callable

from metona_tk.protocol.events import TextAdded
from metona_tk.ui.chat.record import Turn
from tests.bench.chats import chat
from tests.bench.figures import fields, spread, tell
from tests.bench.markdown import TEXTS
from tests.bench.screen import Desk, Ticks, bare_label
from tests.ui import scenes

SECONDS, RATE, MESSAGES, PAUSE = 6, 1000, 2000, 33
TEXT = TEXTS["mixed"]
TOKENS = [TEXT[at : at + 4] for at in range(0, 4 * SECONDS * RATE, 4)]


def give(put: Callable[[str], object]) -> threading.Thread:
    """Give every token at its time, from a thread as the core does."""

    def run() -> None:
        begun = time.perf_counter()
        for number, token in enumerate(TOKENS):
            wait = begun + number / RATE - time.perf_counter()
            if wait > 0:
                time.sleep(wait)
            put(token)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def watch(root: tk.Misc, put: Callable[[str], object]) -> tuple[list[float], float]:
    """The lateness of the ticks meanwhile, and the share of a core that the process took."""
    ticks, spent, begun = Ticks(root), time.process_time(), time.perf_counter()
    thread = give(put)
    while thread.is_alive():
        root.after(100, root.quit)
        root.mainloop()
    cpu = (time.process_time() - spent) / (time.perf_counter() - begun)
    return ticks.stop(), cpu


def ours(desk: Desk) -> tuple[list[float], float]:
    """Into the real window."""
    desk.show(chat(MESSAGES))
    desk.settle()
    desk.run(2)
    turn = Turn("live", "And now?")
    shown = desk.window.state.shown
    shown.record.turns.append(turn)
    shown.turn_id = turn.turn_id
    desk.window.transcript.begin(turn)
    for event in scenes.started(turn.turn_id, shown.chat_id):
        desk.events.put(event)
    found = watch(desk.root, lambda token: desk.events.put(TextAdded(turn.turn_id, token)))
    desk.events.put(scenes.finished(turn.turn_id))
    desk.run_until(lambda: not shown.running)
    assert turn.answer.strip() == "".join(TOKENS).strip()
    return found


def labelled(root: tk.Misc) -> tuple[list[float], float]:
    """Into a label, as many a chat of CustomTkinter does it."""
    top, label = bare_label(root)
    come: list[str] = []
    text = ""

    def drain() -> None:
        nonlocal text, timer
        count = len(come)
        text += "".join(come[:count])
        del come[:count]
        label.configure(text=text)
        timer = root.after(PAUSE, drain)

    timer = root.after(PAUSE, drain)
    found = watch(root, come.append)
    root.after_cancel(timer)
    top.destroy()
    return found


def main() -> None:
    """Print the figures."""
    desk = Desk()
    late, cpu = ours(desk)
    yard_late, yard_cpu = labelled(desk.root)
    figures, yard = spread(late) | fields(cpu=cpu), spread(yard_late) | fields(cpu=yard_cpu)
    met = figures["p50"] <= 1 and figures["p99"] <= 20 and cpu <= 0.25
    ratio = round(figures["p99"] / yard["p99"], 3)
    tell("stream", figures, yard, ratio, "late p50 <= 1 ms, p99 <= 20 ms, cpu <= 0.25", met)
    desk.end()


if __name__ == "__main__":
    main()
