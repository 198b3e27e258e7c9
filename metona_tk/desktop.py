"""The program as a window: the core behind it, on its own thread. Counterpart: `app`, which joins the parts."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from metona_tk import i18n, logs, places, settings
from metona_tk.cli.core import Allowed, RunningEngine
from metona_tk.i18n import tr
from metona_tk.instance import HandOverFailed, Refused, TooLong, begin
from metona_tk.instance.listening import Instance
from metona_tk.protocol.events import EngineStopped, Event
from metona_tk.protocol.wishes import AskQuickly, IconChanged, ShowWindow, Wish
from metona_tk.settings import Settings

if TYPE_CHECKING:
    from metona_tk.ui.tray.client import Tray

TRAY_PATIENCE = 4.0  # s for an icon to be shown, or to be gone
MISSING = "PyGObject is missing"  # how the icon's process begins to say that something has to be installed


class Core(Protocol):
    """What the window needs of the program."""

    settings: Settings

    def engine(
        self, emit: Callable[[Event], None], host: str, answer_seconds: float, allowed: Allowed
    ) -> RunningEngine:
        """A new engine, as the command line's `Core` has it."""
        ...


def tell_not_taken(error: HandOverFailed) -> int:
    """Say that the program that runs did not take a wish; the exit code. No second one is opened beside it: two would
    write to the same files.
    """
    i18n.set_language(settings.load(places.settings_file())["language"])
    if sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison] # a program without a console has none
        sys.stderr.write(_why_not(error) + "\n")
    return 1


def _why_not(error: HandOverFailed) -> str:
    if isinstance(error, TooLong):
        return tr("The question is too long to be given to the Metona that is running: open a file there instead.")
    if isinstance(error, Refused):
        return tr("Metona is running already, but it is of another version: end it, then start it again.")
    return tr("Metona is running already, but it does not answer: end it, then start it again.")


def open_window(core: Core, wish: ShowWindow | AskQuickly, host: str = "", place: Instance | None = None) -> int:
    """Open the window, or the small one; the exit code, when the program ends. Without a `place` it finds one, unless
    it is to use another server than the window that may run.
    """
    try:
        place = place or (Instance() if host else begin(wish))
    except HandOverFailed as error:
        return tell_not_taken(error)
    if place is None:
        return 0
    if place.trouble:
        logs.log.warning("a later start opens a window of its own: %s", place.trouble)
    try:
        from metona_tk.ui.running import Surroundings, run
        from metona_tk.ui.window import StartOptions
    except ImportError as error:
        sys.stderr.write(tr("The window needs Tk, which is missing here ({reason}).", reason=error) + "\n")
        return 1
    events: queue.SimpleQueue[Event | Wish] = queue.SimpleQueue()
    engine = LateEngine(lambda: core.engine(events.put, host, 300.0, Allowed()), events.put)
    place.listen(events.put)
    options = StartOptions(wish.folder, wish.model, wish.question, isinstance(wish, AskQuickly))
    surroundings = Surroundings(engine.send, events, engine.begin, place.close, start_icon)
    return run(surroundings, dict(core.settings.values), options)


def start_icon(take: Callable[[Wish], object]) -> Tray:
    """Start the icon in the tray; `take` gets what is wished there."""
    from metona_tk.security.sandbox.launch import start_helper
    from metona_tk.ui.tray.client import Tray

    return Tray(lambda: start_helper(["tray-icon"]), take)


def tray_state() -> tuple[bool, str, str]:
    """(nothing is missing, in words, what to do): what an icon in the tray meets here, for `doctor`."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return True, tr("not asked, without a screen"), ""
    found: queue.SimpleQueue[Wish] = queue.SimpleQueue()
    tray = start_icon(found.put)
    works, reason = False, tr("no answer")
    end = time.monotonic() + TRAY_PATIENCE
    while not works and (left := end - time.monotonic()) > 0:
        try:
            wish = found.get(timeout=left)
        except queue.Empty:
            break
        if isinstance(wish, IconChanged):
            works, reason = wish.works, wish.reason
    tray.stop()
    tray.join(TRAY_PATIENCE)
    if works:
        return True, tr("an icon works"), ""
    words = tr("no icon ({reason}); closing the window only minimises it", reason=reason)
    return not reason.startswith(MISSING), words, reason


class LateEngine:
    """An engine that is built on its own thread once `begin` was called: Python runs one thread at a time, so what it
    loads would hold up the first window. Commands wait until then.
    """

    def __init__(self, build: Callable[[], RunningEngine], emit: Callable[[Event], None]) -> None:
        self._waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._build, self._emit = build, emit
        self._begun = False

    def begin(self) -> None:
        """Build it, if that was not begun yet."""
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._run, name="engine-start", daemon=True).start()

    def send(self, command: Any) -> None:
        """Give a command; it waits until the engine is there."""
        self._waiting.put(command)

    def _run(self) -> None:
        try:
            engine = self._build()
        except Exception:
            logs.log.exception("the engine could not be built")
            self._emit(EngineStopped())  # the window says so, instead of waiting for ever
            return
        engine.start()
        while True:
            engine.send(self._waiting.get())
