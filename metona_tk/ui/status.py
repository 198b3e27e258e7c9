"""The status line: the server, the speed, and in words what happens now."""

from __future__ import annotations

import tkinter as tk

from metona_tk.i18n import tr
from metona_tk.protocol.values import ServerState
from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.visible import visible


class StatusLine(tk.Frame):
    """One line; what is longer than it is told elsewhere too."""

    def __init__(self, master: tk.Misc, fonts: Fonts) -> None:
        super().__init__(master, borderwidth=0, height=fonts.px(28))
        theme.paint(self, background="surface-0")
        self.pack_propagate(False)
        self._dot = self._label(fonts, "●", "idle")
        self._server = self._label(fonts, tr("Looking for the server…"), "text-3")
        self._speed = self._label(fonts, "", "text-3")
        self._message = self._label(fonts, "", "text-2")
        self._dot.pack(side="left", padx=(fonts.px(20), fonts.px(6)))
        self._server.pack(side="left")
        self._speed.pack(side="left", padx=(fonts.px(16), 0))
        self._message.pack(side="left", padx=(fonts.px(16), fonts.px(20)))

    def _label(self, fonts: Fonts, text: str, token: str) -> tk.Label:
        label = tk.Label(self, text=text, font=fonts["small"], borderwidth=0, anchor="w")
        theme.paint(label, background="surface-0", foreground=token)
        return label

    def server(self, state: ServerState) -> None:
        """Where the server is and whether it answers."""
        place = visible(state.address.removeprefix("http://"))
        if state.reachable:
            words = tr("Ollama {version} at {place}", version=visible(state.version), place=place).replace("  ", " ")
        else:
            words = tr("{place} not reachable", place=place)
        self._server.configure(text=words)
        theme.paint(self._dot, foreground="ok" if state.reachable else "danger")

    def speed(self, tokens_per_second: float) -> None:
        """Of the last round; 0.0: not told."""
        number = f"{tokens_per_second:.0f}" if tokens_per_second >= 10 else f"{tokens_per_second:.1f}"
        self._speed.configure(text=tr("{count} tokens/s", count=number) if tokens_per_second else "")

    def message(self, text: str, tone: str = "text-2") -> None:
        """What happens now, or why something does not; "" clears it."""
        self._message.configure(text=text.partition("\n")[0])
        theme.paint(self._message, foreground=tone)

    @property
    def words(self) -> str:
        """All that it says."""
        labels = (self._server, self._speed, self._message)
        return " | ".join(str(label.cget("text")) for label in labels if label.cget("text"))
