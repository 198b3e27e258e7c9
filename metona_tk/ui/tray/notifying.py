"""Notifications of the desktop, by desktop-notifier on an asyncio thread of its own. None can allow anything."""

from __future__ import annotations

import asyncio
import html
import logging
import sys
import threading
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desktop_notifier import DesktopNotifier

PATIENCE = 2.0  # s for the desktop
log = logging.getLogger("metona_tk.tray")


class Notifier:
    """`clicked` gets the key of a notification; `otherwise` tells it in another way where the desktop shows none."""

    def __init__(self, clicked: Callable[[str], object], otherwise: Callable[[str, str], object]) -> None:
        self._clicked, self._otherwise = clicked, otherwise
        self._loop = asyncio.new_event_loop()
        self._notifier: DesktopNotifier | None = None
        self._shown: dict[str, str] = {}  # the desktop's own id of a key
        threading.Thread(target=self._loop.run_forever, name="notifications", daemon=True).start()

    def notify(self, key: str, title: str, body: str) -> None:
        """Show it, in place of an earlier one with this key. Returns at once."""
        self._do(self._send(key, title, body))

    def withdraw(self, key: str) -> None:
        """Take it away, if it is still shown."""
        if key in self._shown:
            self._do(self._clear(key))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _send(self, key: str, title: str, body: str) -> None:
        try:
            await self._clear(key)
            self._shown[key] = await asyncio.wait_for(self._show(key, title, body), PATIENCE)
        except Exception as error:  # no bus, no daemon, one that went away: whatever it is, the icon can still tell it
            log.info("no notification by the desktop: %r", error)
            self._notifier = None
            self._otherwise(title, body)

    async def _show(self, key: str, title: str, body: str) -> str:
        from desktop_notifier import DesktopNotifier

        if self._notifier is None:
            self._notifier = DesktopNotifier(app_name="Metona", app_icon=None)
        # the desktops of Linux take markup in the body: names of files are no markup
        text = html.escape(body, quote=False) if sys.platform.startswith("linux") else body
        told: list[bool] = []
        shown = await self._notifier.send(
            title, text, on_dispatched=lambda: told.append(True), on_clicked=lambda: self._clicked(key)
        )
        if not told:  # it only logs why
            raise RuntimeError("the desktop took no notification")
        return str(shown)

    async def _clear(self, key: str) -> None:
        shown = self._shown.pop(key, None)
        if shown is not None and self._notifier is not None:
            try:
                await asyncio.wait_for(self._notifier.clear(shown), PATIENCE)
            except Exception as error:  # it is gone by itself, or its daemon is
                log.debug("not withdrawn: %r", error)
