"""The foot of the small window: model and folder, or what happens now, and its two keys."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from metona_tk.i18n import tr
from metona_tk.protocol.values import ServerState
from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.keys import CTRL
from metona_tk.ui.visible import visible
from metona_tk.ui.wording import cut_middle, home_path

HEIGHT = 36


class QuickFoot(tk.Frame):
    """`make_chat` and `close` are what the two keys do, for the mouse."""

    def __init__(
        self, master: tk.Misc, fonts: Fonts, make_chat: Callable[[], object], close: Callable[[], object]
    ) -> None:
        super().__init__(master, borderwidth=0, height=fonts.px(HEIGHT))
        theme.paint(self, background="surface-0")
        self.pack_propagate(False)
        self._fonts = fonts
        self._model = self._folder = self._message = ""
        self._tone = "text-2"
        px = fonts.px
        self._esc = self._key("Esc", tr("stop, then hide"), close, px(16))
        self._chat = self._key(f"{CTRL} Enter", tr("make it a chat"), make_chat, px(14))
        self._words = tk.Label(self, font=fonts["small"], borderwidth=0, padx=0, anchor="w")
        theme.paint(self._words, background="surface-0", foreground="text-2")
        self._words.pack(side="left", fill="x", expand=True, padx=(px(16), px(12)))
        self.bind("<Configure>", lambda _event: self._show())

    def _key(self, key: str, what: str, act: Callable[[], object], after: int) -> tk.Label:
        """A cap with the key on it and what it does."""
        px = self._fonts.px
        words = tk.Label(self, text=what, font=self._fonts["small"], borderwidth=0, padx=0)
        theme.paint(words, background="surface-0", foreground="text-2")
        words.pack(side="right", padx=(px(6), after))
        edge = tk.Frame(self, borderwidth=0)
        theme.paint(edge, background="line-2")
        cap = tk.Label(edge, text=key, font=self._fonts["caption"], borderwidth=0, padx=px(5), pady=0)
        theme.paint(cap, background="surface-1", foreground="text-2")
        cap.pack(padx=1, pady=1)
        edge.pack(side="right")
        for part in (words, cap):
            part.configure(cursor="hand2")
            part.bind("<ButtonRelease-1>", lambda _event: act())
        return words

    def where(self, model: str, folder: str | None) -> None:
        """Which model is asked about which folder."""
        self._model, self._folder = model, folder or ""
        self._show()

    def message(self, text: str, tone: str = "text-2") -> None:
        """What happens now, in place of model and folder; "" brings them back."""
        self._message, self._tone = text.partition("\n")[0], tone
        self._show()

    def server(self, state: ServerState) -> None:
        """The notice says it when the server is not there; nothing else is worth the room."""

    def speed(self, tokens_per_second: float) -> None:
        """Not shown here."""

    @property
    def words(self) -> str:
        """What stands there now."""
        return str(self._words.cget("text"))

    def _show(self) -> None:
        folder = visible(home_path(self._folder)) if self._folder else tr("no folder")
        said = self._message or "   ".join(part for part in (visible(self._model), folder) if part)
        room = self._words.winfo_width()
        self._words.configure(text=cut_middle(said, room, self._fonts["small"].measure) if room > 1 else said)
        theme.paint(self._words, foreground=self._tone if self._message else "text-3")
