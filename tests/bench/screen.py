"""A real window whose core is silent, bare ones to compare it with, and the lateness of the event loop."""

from __future__ import annotations

import os
import queue
import sys
import time
import tkinter as tk
from collections.abc import Callable
from pathlib import Path

import customtkinter as ctk

from metona_tk.protocol.events import ConversationOpened, Event
from metona_tk.ui.chat.record import Record
from metona_tk.ui.widgets.root import make_root
from metona_tk.ui.window import Window
from tests.ui import scenes

GEOMETRY = "1100x760+20+20"
TICK = 10  # ms
ROOT = Path(__file__).parents[2]


def installed(home: str) -> dict[str, str]:
    """The environment of a process that runs as an installed program does: its byte code is kept, here in `home`."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {
        "PYTHONPYCACHEPREFIX": f"{home}/byte-code",
        "PYTHONPATH": str(ROOT),
        "METONA_TK_HOME": f"{home}/data",
        "OLLAMA_HOST": "127.0.0.1:1",
    }


class Desk:
    """The window, and what a core would say to it in `events`."""

    def __init__(self) -> None:
        if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
            sys.exit("There is no DISPLAY to show a window on; try: xvfb-run -a, with a window manager.")
        self.root = make_root()
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.window = Window(self.root, lambda _command: None, self.events, {"theme": "dark", "recentWorkspaces": []})
        self.root.wm_geometry(GEOMETRY)
        self.window.start()
        for event in (ConversationOpened(self.window.state.shown.chat_id, "/tmp"), scenes.UP, scenes.LISTED):
            self.events.put(event)
        self.run(1.0)  # what is loaded after the start is loaded now

    @property
    def page(self) -> tk.Text:
        """The transcript."""
        return self.window.transcript.page.text

    def run(self, seconds: float) -> None:
        """Let the event loop run."""
        self.root.after(round(seconds * 1000), self.root.quit)
        self.root.mainloop()

    def run_until(self, done: Callable[[], object]) -> None:
        """Handle events until `done`."""
        while not done():
            self.root.update()
            time.sleep(0.0005)

    def seen(self) -> None:
        """What is due is drawn, and the X server has it."""
        self.root.update_idletasks()
        self.root.winfo_pointerxy()

    def show(self, record: Record) -> None:
        """Put a chat onto the screen, as opening it does."""
        self.window.state.shown.record = record
        self.window.shell.show_chat()

    def settle(self) -> None:
        """Until no more of the chat is drawn by itself."""
        self.run_until(lambda: self.window.transcript.settled)

    def end(self) -> None:
        """Close everything."""
        self.window.bridge.stop()
        self.root.destroy()


def bare_text(root: tk.Misc) -> tuple[tk.Toplevel, tk.Text]:
    """A window with a tk.Text and nothing else."""
    top = tk.Toplevel(root)
    top.wm_geometry(GEOMETRY)
    text = tk.Text(top, wrap="word", borderwidth=0, padx=20)
    text.pack(fill="both", expand=True)
    while not text.winfo_viewable():
        root.update()
    return top, text


def bare_label(root: tk.Misc) -> tuple[tk.Toplevel, ctk.CTkLabel]:
    """A window with a scrollable column of labels of CustomTkinter; the last one is to grow."""
    top = tk.Toplevel(root)
    top.wm_geometry(GEOMETRY)
    column = ctk.CTkScrollableFrame(top)
    column.pack(fill="both", expand=True)
    for number in range(200):
        ctk.CTkLabel(column, text=f"Message {number} of a chat", anchor="w").pack(fill="x")
    label = ctk.CTkLabel(column, text="", anchor="w", justify="left", wraplength=800)
    label.pack(fill="x")
    while not label.winfo_viewable():
        root.update()
    return top, label


class Ticks:
    """Ticks of 10 ms: how much later than due each came, in ms."""

    def __init__(self, root: tk.Misc) -> None:
        self._root = root
        self.late: list[float] = []
        self._due = time.perf_counter() + TICK / 1000
        self._timer = root.after(TICK, self._tick)

    def _tick(self) -> None:
        now = time.perf_counter()
        self.late.append(max(0.0, (now - self._due) * 1000))
        self._due = now + TICK / 1000
        self._timer = self._root.after(TICK, self._tick)

    def stop(self) -> list[float]:
        """All of them."""
        self._root.after_cancel(self._timer)
        return self.late
