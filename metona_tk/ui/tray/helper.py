"""The process of the icon. It ends with its standard input, so that it never outlives the window.

The main thread belongs to the icon, since macOS wants it there; another one reads what the window says.
"""

from __future__ import annotations

import importlib
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from metona_tk.ui.tray import messages, panels, system_gi
from metona_tk.ui.tray.hotkey import Hotkey as Listener
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
from metona_tk.ui.tray.notifying import Notifier

AGAIN = 15.0  # s until a desktop that had no place for an icon is asked again
SIZE = 64  # px; the panel makes it smaller
log = logging.getLogger("metona_tk.tray")


class Helper:
    """`said` and `heard` are the two ends of the line to the window."""

    def __init__(self, said: BinaryIO, heard: BinaryIO) -> None:
        self._said, self._heard = said, heard
        self._lock = threading.Lock()
        self._icon: Any = None
        self._show = Show(State.IDLE, "Metona")
        self._entries: tuple[Entry, ...] = ()
        self._ended = threading.Event()
        self._works: bool | None = None
        self._hotkey = Listener(lambda: self.say(Pressed()))
        self._notifier = Notifier(lambda key: self.say(Clicked(key)), self._notify_by_icon)

    def say(self, message: Message) -> None:
        """Tell the window; from any thread."""
        with self._lock:
            try:
                self._said.write(messages.encode(message))
                self._said.flush()
            except OSError:  # it is gone
                self._ended.set()

    def tell_works(self, works: bool, reason: str = "") -> None:
        """Tell the window whether the icon is there, when that is new."""
        if works is not self._works:
            self._works = works
            self.say(Works(works, reason))

    # What the window says

    def listen(self) -> None:
        """Until the window is gone or says stop."""
        for line in self._heard:
            message = messages.decode(line)
            if isinstance(message, Stop):
                break
            if message is not None:
                self._take(message)
        self._ended.set()
        self._hotkey.stop()
        if self._icon is not None:
            self._icon.stop()

    def _take(self, message: Message) -> None:
        match message:
            case Show():
                self._show = message
                self._draw()
            case Menu():
                self._entries = message.entries
                if self._icon is not None:
                    self._icon.update_menu()
            case Notify():
                self._notifier.notify(message.key, message.title, message.body)
            case Withdraw():
                self._notifier.withdraw(message.key)
            case Hotkey():
                if reason := self._hotkey.listen(message.keys):
                    self.say(NoHotkey(reason))
            case _:
                return

    def _draw(self) -> None:
        if self._icon is not None:
            self._icon.icon = self._picture()
            self._icon.title = self._show.tooltip

    def _picture(self) -> Any:
        from metona_tk.ui.tray.mark import tray_icon

        return tray_icon(self._show.state, SIZE, panels.ground())

    def _notify_by_icon(self, title: str, body: str) -> None:
        icon = self._icon
        if icon is not None and self._works and icon.HAS_NOTIFICATION:
            try:
                icon.notify(body, title)
            except (NotImplementedError, OSError) as error:
                log.info("no notification by the icon: %r", error)

    # The icon

    def run(self) -> None:
        """Show the icon until the end; where it cannot be shown, try again now and then."""
        threading.Thread(target=self._listen_to_the_end, name="window", daemon=True).start()
        while not self._ended.is_set():
            try:
                self._run_icon()
            except Exception as error:  # of GTK, of the desktop, of pystray: the window has to know, whatever it is
                log.warning("the icon ended: %r", error)
                self.tell_works(False, str(error) or type(error).__name__)
            self._ended.wait(AGAIN)

    def _listen_to_the_end(self) -> None:
        try:
            self.listen()
        finally:
            self._ended.set()
            threading.Timer(2.0, os._exit, (0,)).start()  # a desktop that hangs must not keep the process

    def _run_icon(self) -> None:
        kind = self._prepare()
        pystray: Any = importlib.import_module("pystray")
        # by its own name: pystray chooses once, and another panel may come later
        made: Any = importlib.import_module(f"pystray._{kind}").Icon if kind else pystray.Icon
        _no_notifier_of_its_own(kind)
        icon = made("metona-tk", self._picture(), self._show.tooltip, pystray.Menu(lambda: self._items(pystray)))
        self._icon = icon

        def ready(icon: Any) -> None:
            icon.visible = True
            if kind in {"gtk", "appindicator"}:
                glib: Any = importlib.import_module("gi.repository.GLib")
                glib.idle_add(lambda: panels.watch(icon, kind, self.tell_works))
                glib.timeout_add_seconds(round(AGAIN), lambda: self._look_for_better(icon, kind))
            else:
                self.tell_works(True)

        try:
            icon.run(ready)
        finally:
            self._icon = None

    def _look_for_better(self, icon: Any, kind: str) -> bool:
        """While no panel shows the icon: end it when another kind would be shown by now, as after a slow log-in."""
        if not self._works and panels.choose() != kind:
            icon.stop()
            return False
        return icon is self._icon  # look again later

    def _prepare(self) -> str:
        """The kind of icon, "" for the only one that a system has; ImportError with what is missing."""
        if not sys.platform.startswith("linux"):
            return ""
        folder = system_gi.find()
        if folder is None:
            raise ImportError("PyGObject is missing: apt install python3-gi gir1.2-gtk-3.0")
        if folder and folder not in sys.path:
            sys.path.append(folder)
        kind = panels.choose()
        os.environ["PYSTRAY_BACKEND"] = kind
        return kind

    def _choosing(self, key: str) -> Callable[[Any, Any], None]:
        return lambda _icon, _item: self.say(Chosen(key))

    def _items(self, pystray: Any) -> Iterator[Any]:
        for entry in self._entries:
            if entry.kind == "separator":
                yield pystray.Menu.SEPARATOR
            else:
                radio = entry.kind == "radio"
                checked: Callable[[Any], bool] | None = (lambda _item, on=entry.checked: on) if radio else None
                yield pystray.MenuItem(
                    entry.label,
                    self._choosing(entry.key),
                    checked=checked,
                    radio=radio,
                    default=entry.default,
                )


def _no_notifier_of_its_own(kind: str) -> None:
    """pystray's Linux icon asks for a session bus and for a notification daemon, and ends where one is missing."""
    if kind not in {"gtk", "appindicator"}:
        return
    module: Any = importlib.import_module("pystray._util.notify_dbus")

    class Guarded:
        def __init__(self, made: Any = module.Notifier) -> None:
            try:
                self._notifier = made()
            except Exception as error:  # GLib's own kinds of errors
                log.info("pystray has no notifications: %r", error)
                self._notifier = None

        def notify(self, *arguments: Any) -> None:
            self._do("notify", *arguments)

        def hide(self) -> None:
            self._do("hide")

        def _do(self, name: str, *arguments: Any) -> None:
            if self._notifier is not None:
                try:
                    getattr(self._notifier, name)(*arguments)
                except Exception as error:  # as above: the daemon went away
                    log.info("pystray could not %s: %r", name, error)

    if not getattr(module.Notifier, "guarded", False):
        Guarded.guarded = True  # type: ignore[attr-defined]
        module.Notifier = Guarded


def main() -> int:
    """The process; the exit code."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(name)s: %(message)s")
    said, heard = sys.stdout.buffer, sys.stdin.buffer
    sys.stdout = sys.stderr  # what a library prints is no message
    Helper(said, heard).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
