"""What reaches the window from outside it: a second start, the icon in the tray, a notification, a global key.

None of them allows anything: at most a window comes to the front. Counterparts: `instance`, `ui.tray`, `ui.outside`.
"""

from __future__ import annotations

from dataclasses import dataclass

from metona_tk.protocol.handed import AskQuickly, ShowWindow
from metona_tk.protocol.values import Mode

__all__ = ["AskQuickly", "ChooseMode", "IconChanged", "Quit", "ShowWaiting", "ShowWindow", "ToggleWindow", "Wish"]


@dataclass(frozen=True, slots=True)
class ToggleWindow:
    """Hide the window where it is shown, else show it."""


@dataclass(frozen=True, slots=True)
class ShowWaiting:
    """Show the window of the chat that a notification was about. It answers nothing."""

    chat_id: str


@dataclass(frozen=True, slots=True)
class ChooseMode:
    """Another confirmation mode for the shown chat; the automatic one is asked about in the window first."""

    mode: Mode


@dataclass(frozen=True, slots=True)
class IconChanged:
    """The icon in the tray was proven to work, or does not: `reason` says why in the system's own words."""

    works: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class HotkeyFailed:
    """The keys for the quick question cannot be listened for; why, in the system's own words."""

    reason: str


@dataclass(frozen=True, slots=True)
class Quit:
    """End the program."""


Wish = ShowWindow | AskQuickly | ToggleWindow | ShowWaiting | ChooseMode | IconChanged | HotkeyFailed | Quit
