"""The status line: the server, the speed, and in words what happens now."""

from __future__ import annotations

import tkinter as tk

from metona_tk.i18n import tr
from metona_tk.protocol.values import ServerState
from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.visible import visible
from metona_tk.ui.widgets.shapes import Box, shape
from metona_tk.ui.wording import cut_end

DOT = 8  # px


class StatusLine(tk.Frame):
    """One line. When it is too narrow, the speed and then the server's place give way to what happens now."""

    def __init__(self, master: tk.Misc, fonts: Fonts) -> None:
        super().__init__(master, borderwidth=0, height=fonts.px(28))
        theme.paint(self, background="surface-0")
        self.pack_propagate(False)
        self._fonts = fonts
        self._texts = {"server": tr("Looking for the server…"), "speed": "", "message": ""}
        self._dot = self._label("", "text-3")
        self._show_dot("idle")
        self._labels = {"server": self._label("", "text-3"), "speed": self._label("", "text-3")}
        self._labels["message"] = self._label("", "text-2")
        self._dot.pack(side="left", padx=(fonts.px(20), fonts.px(8)))
        for label in self._labels.values():
            label.pack(side="left", padx=(0, fonts.px(16)))
        self._keys = self._label(tr("F1 all keys"), "text-3")
        self.bind("<Configure>", lambda _event: self._show())

    def _label(self, text: str, token: str) -> tk.Label:
        label = tk.Label(self, text=text, font=self._fonts["small"], borderwidth=0, padx=0, anchor="w")
        theme.paint(label, background="surface-0", foreground=token)
        return label

    def server(self, state: ServerState) -> None:
        """Where the server is and whether it answers."""
        place = visible(state.address.removeprefix("http://"))
        if state.reachable:
            words = tr("Ollama {version} at {place}", version=visible(state.version), place=place).replace("  ", " ")
        else:
            words = tr("{place} not reachable", place=place)
        self._show_dot("ok" if state.reachable else "danger")
        self._set("server", words)

    def _show_dot(self, token: str) -> None:
        side = self._fonts.px(DOT)  # a picture: the dot of a font is as large as the font likes
        self._dot.configure(image=shape(self, side, side, Box(0, 0, side, side, side / 2, token)))

    def speed(self, tokens_per_second: float) -> None:
        """Of the last round; 0.0: not told."""
        number = f"{tokens_per_second:.0f}" if tokens_per_second >= 10 else f"{tokens_per_second:.1f}"
        self._set("speed", tr("{count} tokens/s", count=number) if tokens_per_second else "")

    def message(self, text: str, tone: str = "text-2") -> None:
        """What happens now, or why something does not; "" clears it."""
        theme.paint(self._labels["message"], foreground=tone)
        self._set("message", text.partition("\n")[0])

    @property
    def words(self) -> str:
        """All that it has to say, at whatever width."""
        return " | ".join(text for text in self._texts.values() if text)

    def _set(self, part: str, text: str) -> None:
        self._texts[part] = text
        self._show()

    def _show(self) -> None:
        shown, room = dict(self._texts), self.winfo_width() - self._fonts.px(48)
        alone = bool(shown["message"]) or self.winfo_width() < self._fonts.px(700)
        if alone and self._keys.winfo_manager():
            self._keys.pack_forget()
        elif not alone and not self._keys.winfo_manager():
            self._keys.pack(side="right", padx=(0, self._fonts.px(20)))
        for part in ("speed", "server"):
            if self.winfo_width() > 1 and shown["message"] and self._width(shown) > room:
                shown[part] = ""
        if self.winfo_width() > 1:
            left = room - self._width({**shown, "message": ""})
            shown["message"] = cut_end(shown["message"], left, self._fonts["small"].measure)
        for part, label in self._labels.items():
            label.configure(text=shown[part])
            label.pack_configure(padx=(0, self._fonts.px(16) if shown[part] else 0))

    def _width(self, texts: dict[str, str]) -> int:
        return sum(self._fonts["small"].measure(text) + self._fonts.px(16) for text in texts.values() if text)
