"""The list of all keys (F1)."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.plain_dialog import PlainDialog
from metona_tk.ui.widgets.rounded import Rounded
from metona_tk.ui.widgets.scrolled import Scrolled

SIZE = (560, 600)  # px


@dataclass(frozen=True, slots=True)
class KeyLine:
    """What a key does. `keys` are as they are written on the keyboard, joined by +: "Ctrl+Shift+C"."""

    group: str
    keys: str
    what: str


class KeysDialog(PlainDialog):
    """Shows `lines` in their order, each group under its name."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        lines: Sequence[KeyLine],
        closed: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(master, fonts, tr("All keys"), tr("Esc closes this"), size=SIZE, closed=closed)
        self.page = Scrolled(self.body, fonts)
        self.page.pack(fill="both", expand=True)
        self.page.listen(self)
        group = ""
        for line in lines:
            if line.group != group:
                self._heading(line.group)
            group = line.group
            self._row(line)
        end = tk.Frame(self.page.inner, height=fonts.px(20), borderwidth=0)
        theme.paint(end, background="surface-1")
        end.pack()
        for key, way in {"<Up>": -1, "<Down>": 1}.items():
            self.bind(key, lambda _event, way=way: self.page.by(way * fonts.px(28)))
        self.appear(self.close_button)

    def _heading(self, words: str) -> None:
        px = self.fonts.px
        label = tk.Label(self.page.inner, text=words, font=self.fonts["label"], anchor="w", borderwidth=0)
        theme.paint(label, background="surface-1", foreground="text-1")
        label.pack(fill="x", padx=px(20), pady=(px(16), px(4)))

    def _row(self, line: KeyLine) -> None:
        px = self.fonts.px
        row = tk.Frame(self.page.inner, height=px(28), borderwidth=0)
        theme.paint(row, background="surface-1")
        row.pack(fill="x", padx=px(20))
        row.pack_propagate(False)
        what = tk.Label(row, text=line.what, font=self.fonts["ui"], anchor="w", borderwidth=0)
        theme.paint(what, background="surface-1", foreground="text-2")
        keys = tk.Frame(row, borderwidth=0)
        theme.paint(keys, background="surface-1")
        keys.pack(side="right")
        for key in _split(line.keys):
            self._cap(keys, key)
        what.pack(side="left", fill="x")

    def _cap(self, master: tk.Misc, key: str) -> None:
        px = self.fonts.px
        cap = Rounded(master, "surface-1", "surface-2", "line-2", corner=4)
        label = tk.Label(cap, text=key, font=self.fonts["caption"], borderwidth=0, padx=0, pady=0)
        theme.paint(label, background="surface-2", foreground="text-2")
        label.pack(padx=px(5), pady=px(2))
        cap.pack(side="left", padx=(px(4), 0))


def _split(keys: str) -> list[str]:
    """The single keys of "Ctrl++", "Ctrl+Shift+C" or "F1"."""
    head, plus, _ = keys.rpartition("++")
    return [*head.split("+"), "+"] if plus else keys.split("+")
