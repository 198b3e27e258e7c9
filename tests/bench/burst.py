"""An answer of 1 MB that arrives at once: the latest tick of the event loop, against one insert into a bare tk.Text."""

from __future__ import annotations

import time

from metona_tk.protocol.events import TextAdded
from metona_tk.ui.chat.record import Turn
from tests.bench.figures import fields, spread, tell
from tests.bench.markdown import TEXTS
from tests.bench.screen import Desk, Ticks, bare_text
from tests.ui import scenes

SIZE, PIECE = 1_000_000, 40
MOST = 100  # ms; what still feels like an answer to a key


def main() -> None:
    """Print the figures."""
    desk = Desk()
    text = (TEXTS["mixed"] * (SIZE // len(TEXTS["mixed"]) + 1))[:SIZE]
    turn, shown = Turn("live", "All of it?"), desk.window.state.shown
    shown.record.turns.append(turn)
    shown.turn_id = turn.turn_id
    desk.window.transcript.begin(turn)
    desk.run(0.5)
    for event in scenes.started(turn.turn_id, shown.chat_id):
        desk.events.put(event)
    for at in range(0, SIZE, PIECE):
        desk.events.put(TextAdded(turn.turn_id, text[at : at + PIECE]))
    desk.events.put(scenes.finished(turn.turn_id))
    ticks, begun = Ticks(desk.root), time.perf_counter()
    while shown.running:
        desk.root.after(20, desk.root.quit)
        desk.root.mainloop()
    drawn = time.perf_counter() - begun
    desk.run(1)
    late = ticks.stop()
    assert turn.answer == text.strip()
    top, bare = bare_text(desk.root)
    ticks = Ticks(desk.root)
    desk.root.after(50, lambda: bare.insert("end", text))
    desk.run(1)
    yard = ticks.stop()
    top.destroy()
    figures = spread(late) | fields(until_drawn_s=drawn)
    ratio = round(max(late) / max(yard), 2)
    tell("burst", figures, spread(yard), ratio, f"late at most {MOST} ms (of our own)", max(late) <= MOST)
    desk.end()


if __name__ == "__main__":
    main()
