"""The window's side of the icon: starts its process, tells it things, and hears from it. Counterpart: `helper`.

Nothing here waits: what is to be told is kept, and written by a thread. A process that ends by itself is started again,
a few times; the window is told each time whether the icon works.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable
from typing import IO, Protocol

from metona_tk.protocol.values import Mode
from metona_tk.protocol.wishes import (
    AskQuickly,
    ChooseMode,
    HotkeyFailed,
    IconChanged,
    Quit,
    ShowWaiting,
    ToggleWindow,
    Wish,
)
from metona_tk.ui.tray import messages
from metona_tk.ui.tray.messages import (
    Chosen,
    Clicked,
    Entry,
    Hotkey,
    Menu,
    Message,
    NoHotkey,
    Notify,
    Pressed,
    Show,
    State,
    Stop,
    Withdraw,
    Works,
)

MOST_STARTS, PERIOD = 3, 300.0  # starts in so many s
PATIENCE = 1.0  # s for it to end by itself
log = logging.getLogger("metona_tk")


class Process(Protocol):
    """What `start` gives: the two ends of its line, and its end."""

    @property
    def stdin(self) -> IO[bytes] | None: ...
    @property
    def stdout(self) -> IO[bytes] | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def kill(self) -> None: ...


class Tray:
    """`start` starts the process (OSError where it cannot), `take` gets wishes, on another thread."""

    def __init__(self, start: Callable[[], Process], take: Callable[[Wish], object]) -> None:
        self._start, self._take = start, take
        self._show: Show | None = None
        self._menu: Menu | None = None
        self._hotkey: Hotkey | None = None
        self._said: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._starts: list[float] = []
        self._thread = threading.Thread(target=self._run, name="tray", daemon=True)
        self._thread.start()

    def show(self, state: State, tooltip: str) -> None:
        """Look so."""
        self._show = Show(state, tooltip)
        self._said.put(self._show)

    def menu(self, entries: tuple[Entry, ...]) -> None:
        """Offer this."""
        self._menu = Menu(entries)
        self._said.put(self._menu)

    def hotkey(self, keys: str) -> None:
        """Listen for these keys everywhere."""
        self._hotkey = Hotkey(keys)
        self._said.put(self._hotkey)

    def notify(self, key: str, title: str, body: str) -> None:
        """Tell the user something."""
        self._said.put(Notify(key, title, body))

    def withdraw(self, key: str) -> None:
        """It needs no telling any more."""
        self._said.put(Withdraw(key))

    def stop(self) -> None:
        """End the process; it is gone soon, also where it hangs."""
        self._stopped.set()
        self._said.put(Stop())

    def join(self, seconds: float) -> bool:
        """Wait for the end of its process; whether it came."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while not self._stopped.is_set():
            if not self._may_start():
                self._take(IconChanged(False, "its process ended again and again"))
                return
            try:
                process = self._start()
            except OSError as error:
                self._take(IconChanged(False, error.strerror or str(error)))
                return
            self._talk(process)
            if not self._stopped.is_set():
                log.warning("the process of the icon in the tray ended by itself")
                self._take(IconChanged(False, "its process ended"))

    def _may_start(self) -> bool:
        now = time.monotonic()
        self._starts = [*(at for at in self._starts if now - at < PERIOD), now]
        return len(self._starts) <= MOST_STARTS

    def _talk(self, process: Process) -> None:
        """Until it has ended."""
        for kept in (self._show, self._menu, self._hotkey):
            if kept is not None:
                self._said.put(kept)
        writer = threading.Thread(target=self._write, args=(process,), name="tray-writer", daemon=True)
        writer.start()
        threading.Thread(target=self._end_when_stopped, args=(process,), name="tray-end", daemon=True).start()
        try:
            self._read(process)
        finally:
            self._said.put(None)  # the writer ends, too
            with contextlib.suppress(Exception):
                process.wait(PATIENCE)
            process.kill()
            process.wait()
            writer.join(PATIENCE)

    def _end_when_stopped(self, process: Process) -> None:
        self._stopped.wait()
        with contextlib.suppress(Exception):  # of its own kind for a wait that was too long
            process.wait(PATIENCE)
            return
        process.kill()

    def _write(self, process: Process) -> None:
        while (message := self._said.get()) is not None and process.stdin is not None:
            try:
                process.stdin.write(messages.encode(message))
                process.stdin.flush()
            except (OSError, ValueError):
                return  # it has ended; the reader knows as well
            if isinstance(message, Stop):
                with contextlib.suppress(OSError):
                    process.stdin.close()
                return

    def _read(self, process: Process) -> None:
        if process.stdout is None:
            return
        while line := process.stdout.readline(messages.MOST):
            message = messages.decode(line)
            if message is not None and (wish := wish_of(message)) is not None:
                self._take(wish)


def wish_of(message: Message) -> Wish | None:
    """What a message of the icon wishes; None for what is none."""
    match message:
        case Works(works, reason):
            return IconChanged(works, reason)
        case Clicked(key):
            return ShowWaiting(key)
        case Chosen(key):
            return _chosen(key)
        case Pressed():
            return AskQuickly()
        case NoHotkey(reason):
            return HotkeyFailed(reason)
        case _:
            return None


def _chosen(key: str) -> Wish | None:
    if key.startswith("mode:") and key[5:] in set(Mode):
        return ChooseMode(Mode(key[5:]))
    wishes: dict[str, Wish] = {"toggle": ToggleWindow(), "quick": AskQuickly(), "quit": Quit()}
    return wishes.get(key)
