"""The `/` commands that what is typed may become, over the composer; Tab or Enter completes the first one."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.slash import Command, matching, usage
from metona_tk.ui.widgets.popup import Popup


class SlashHints:
    """`write` puts a completed command into the composer."""

    def __init__(self, box: tk.Misc, fonts: Fonts, write: Callable[[str], object]) -> None:
        self._box, self._fonts, self._write = box, fonts, write
        self._found: list[Command] = []
        self._popup: Popup | None = None

    def show(self, text: str) -> None:
        """Show what `text` may become; nothing for what is no command."""
        found = matching(text)
        if found == self._found and (self._popup is not None or not found):
            return
        self.hide()
        self._found = found
        if not found:
            return
        self._popup = Popup(self._box, self._fonts)
        for command in found:
            self._row(self._popup.inside, command)
        self._popup.show_above(self._box)

    def hide(self) -> bool:
        """No hints; False when there were none."""
        self._found = []
        popup, self._popup = self._popup, None
        if popup is not None:
            popup.destroy()
        return popup is not None

    def complete(self) -> bool:
        """Write the first command out, with a blank where it takes something; False when there is nothing to do."""
        typed, found = self._typed(), self._found
        if not found or typed == f"/{found[0].word}":
            return False
        self._choose(found[0])
        return True

    def _typed(self) -> str:
        focus = self._box.focus_get()
        return focus.get("1.0", "end-1c") if isinstance(focus, tk.Text) else ""

    def _choose(self, command: Command) -> None:
        self.hide()
        self._write(f"/{command.word} " if command.takes else f"/{command.word}")

    def _row(self, master: tk.Frame, command: Command) -> None:
        px = self._fonts.px
        row = tk.Frame(master, borderwidth=0)
        words = tk.Label(row, text=usage(command), font=self._fonts["path"], borderwidth=0, anchor="w", width=24)
        help_words = tk.Label(row, text=tr(command.help), font=self._fonts["small"], borderwidth=0, anchor="w")
        parts: tuple[tuple[tk.Misc, str], ...] = ((row, "text-1"), (words, "text-1"), (help_words, "text-3"))
        for part, token in parts:
            theme.paint(part, background="surface-2")
            if isinstance(part, tk.Label):
                theme.paint(part, foreground=token)
            part.bind("<Button-1>", lambda _event: self._choose(command))  # it takes the focus, which ends the hints
            part.bind("<Enter>", lambda _event: self._ground(row, "surface-3"))
            part.bind("<Leave>", lambda _event: self._ground(row, "surface-2"))
        words.pack(side="left", padx=(px(12), px(8)), pady=px(4))
        help_words.pack(side="left", padx=(0, px(16)))
        row.pack(fill="x")

    def _ground(self, row: tk.Frame, token: str) -> None:
        for part in (row, *row.winfo_children()):
            theme.paint(part, background=token)
