"""What shows icons here: asked of the desktop, since pystray only knows what can be imported.

Facts: StatusNotifierItem specification (the watcher on the session bus says whether anything shows items), and the
system tray protocol (a StatusIcon of GTK is embedded, or it is nowhere). pystray's own kind for X11 is never used: its
icon has neither clicks nor a menu.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from typing import Any, Literal

PATIENCE = 2000  # ms for an answer on the bus
Ground = Literal["dark", "light", "unknown"]
_DARK_BARS = ("gnome", "unity", "cinnamon", "budgie", "pantheon")  # desktops whose bar is dark under every theme
_WATCHER, _OBJECT = "org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher"


def host_of_items() -> bool:
    """Whether something on the session bus shows status notifier items."""
    gi: Any = importlib.import_module("gi")
    gi.require_version("Gio", "2.0")
    gio: Any = importlib.import_module("gi.repository.Gio")
    glib: Any = importlib.import_module("gi.repository.GLib")
    try:
        bus = gio.bus_get_sync(gio.BusType.SESSION, None)
        answer = bus.call_sync(
            _WATCHER,
            _OBJECT,
            "org.freedesktop.DBus.Properties",
            "Get",
            glib.Variant("(ss)", (_WATCHER, "IsStatusNotifierHostRegistered")),
            None,
            gio.DBusCallFlags.NO_AUTO_START,
            PATIENCE,
            None,
        )
    except glib.Error:  # no bus, or nobody who watches
        return False
    return bool(answer.unpack()[0])


def choose() -> str:
    """The kind of pystray's that has a chance here. ImportError where GTK is missing."""
    gi: Any = importlib.import_module("gi")
    try:
        gi.require_version("Gtk", "3.0")
    except ValueError as error:
        raise ImportError(str(error)) from error
    if host_of_items():
        for name in ("AppIndicator3", "AyatanaAppIndicator3"):
            try:
                gi.require_version(name, "0.1")
            except ValueError:
                continue
            return "appindicator"
    if not os.environ.get("DISPLAY"):
        raise ImportError("this desktop shows no icons (no StatusNotifierHost, and no X11 display)")
    os.environ["GDK_BACKEND"] = "x11"  # under Wayland a StatusIcon needs it
    return "gtk"


def watch(icon: Any, kind: str, tell: Callable[[bool, str], object]) -> None:
    """Call `tell` with whether the icon is really shown, now and whenever that changes; on GTK's thread."""
    if kind == "gtk":
        status = icon._status_icon  # pyright: ignore[reportPrivateUsage]  # nothing else tells it

        def embedded(*_: object) -> None:
            there = bool(status.is_embedded())
            tell(there, "" if there else "no panel shows it")

        status.connect("notify::embedded", embedded)
        embedded()
    else:
        indicator = icon._appindicator  # pyright: ignore[reportPrivateUsage]

        def connected(*_: object) -> None:
            there = bool(indicator.get_property("connected"))
            tell(there, "" if there else "the desktop's host of icons is gone")

        indicator.connect("connection-changed", connected)
        connected()


def ground() -> Ground:
    """What the panel is like, as far as the system tells."""
    if sys.platform == "win32":
        return _ground_of_windows()
    desktop = os.environ.get("XDG_CURRENT_DESKTOP", "").lower()
    if any(name in desktop for name in _DARK_BARS):
        return "dark"
    return "unknown"


def _ground_of_windows() -> Ground:
    if sys.platform != "win32":
        return "unknown"
    import winreg

    place = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"
    try:
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, place) as key:
            return "light" if winreg.QueryValueEx(key, "SystemUsesLightTheme")[0] else "dark"
    except OSError:
        return "dark"
