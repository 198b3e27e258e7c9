"""The round boxes that rows stand in, with a heading above, and the lists of folders."""

from __future__ import annotations

import os
import tkinter as tk
from collections.abc import Callable, Sequence
from typing import Any

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.dialogs.settings.rows import GROUND, Row
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon
from metona_tk.ui.visible import visible
from metona_tk.ui.widgets.focus_button import FocusButton
from metona_tk.ui.widgets.icon_button import IconButton
from metona_tk.ui.widgets.rounded import Rounded
from metona_tk.ui.wording import cut_middle, home_path


class Group(tk.Frame):
    """A heading and a box of rows; `filter` leaves only those rows that hold the words."""

    def __init__(self, master: tk.Misc, fonts: Fonts, title: str, *, words: str = "", strong: bool = False) -> None:
        super().__init__(master, borderwidth=0, highlightthickness=0)
        theme.paint(self, background="surface-1")
        px = fonts.px
        self.fonts, self.rows = fonts, list[Row]()
        self.search_words = f"{title}\n{words}".casefold()
        self.head = tk.Frame(self, borderwidth=0)
        theme.paint(self.head, background="surface-1")
        self.head.pack(fill="x", pady=(0, px(4)))
        texts = tk.Frame(self.head, borderwidth=0)
        theme.paint(texts, background="surface-1")
        texts.pack(side="left")
        for text, font, token in ((title, "heading" if strong else "label", "text-1"), (words, "small", "text-3")):
            if text:
                label = tk.Label(texts, text=text, font=fonts[font], anchor="w", borderwidth=0)
                theme.paint(label, background="surface-1", foreground=token)
                label.pack(anchor="w", ipady=px(2) if font != "small" else 0)
        box = Rounded(self, "surface-1", GROUND, "line-2")
        box.pack(fill="x")
        self.box = tk.Frame(box, borderwidth=0)
        theme.paint(self.box, background=GROUND)
        self.box.pack(fill="x", padx=px(3), pady=px(3))
        self._lines: list[tk.Frame] = []

    def filter(self, words: Sequence[str]) -> bool:
        """Show the rows that hold every one of `words`, or all when the heading does; whether anything is left."""
        whole = all(word in self.search_words for word in words)
        shown = [row for row in self.rows if whole or all(word in row.search_words for word in words)]
        self.lay_out(shown)
        return bool(shown)

    def lay_out(self, shown: Sequence[tk.Widget]) -> None:
        """Put these rows into the box, with a hairline between each two."""
        for line in self._lines:
            line.destroy()
        self._lines.clear()
        for child in self.box.pack_slaves():
            child.pack_forget()
        for number, row in enumerate(shown):
            if number:
                line = tk.Frame(self.box, height=1, borderwidth=0)
                theme.paint(line, background="line-1")
                line.pack(fill="x")
                self._lines.append(line)
            row.pack(fill="x")


class FolderList(Group):
    """Folders that can be added and taken away; `command` gets the new list."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        title: str,
        words: str,
        folders: Sequence[str],
        command: Callable[[list[str]], object],
        browse: Callable[[], str],
    ) -> None:
        super().__init__(master, fonts, title, words=words)
        self._command, self._browse = command, browse
        self.folders: list[str] = []
        self.add_button = FocusButton(
            self.head, fonts, tr("Add folder…"), self._add, kind="outline", height=24, font="small", icon="plus"
        )
        self.add_button.pack(side="right")
        self.removers: list[IconButton] = []
        self._entries: list[tk.Frame] = []
        self.set(folders, first=True)

    def set(self, folders: Sequence[str], first: bool = False) -> None:
        """Show these folders."""
        if not first and list(folders) == self.folders:
            return
        self.folders = list(folders)
        for entry in self._entries:
            entry.destroy()
        self.removers.clear()
        self._entries = [self._entry(path) for path in self.folders] or [self._nothing()]
        self.lay_out(self._entries)

    def filter(self, words: Sequence[str]) -> bool:
        """A list is shown or hidden as a whole."""
        text = "\n".join((self.search_words, *self.folders)).casefold()
        return all(word in text for word in words)

    def _frame(self) -> tk.Frame:
        frame = tk.Frame(self.box, borderwidth=0, height=self.fonts.px(36))
        theme.paint(frame, background=GROUND)
        frame.pack_propagate(False)
        return frame

    def _nothing(self) -> tk.Frame:
        frame = self._frame()
        label = tk.Label(frame, text=tr("None"), font=self.fonts["small"], borderwidth=0)
        theme.paint(label, background=GROUND, foreground="text-3")
        label.pack(side="left", padx=self.fonts.px(14))
        return frame

    def _entry(self, path: str) -> tk.Frame:
        px, frame = self.fonts.px, self._frame()
        image = tk.Label(frame, image=icon(self, self.fonts, "folder", 16, "text-3"), borderwidth=0)
        theme.paint(image, background=GROUND)
        image.pack(side="left", padx=(px(14), px(10)))
        remove = IconButton(
            frame, self.fonts, "cross", tr("Take it off the list"), lambda: self._remove(path), ground=GROUND
        )
        remove.pack(side="right", padx=(px(8), px(8)))
        self.removers.append(remove)
        label = tk.Label(frame, font=self.fonts["path"], anchor="w", borderwidth=0, width=1)
        theme.paint(label, background=GROUND, foreground="text-1")
        label.pack(side="left", fill="x", expand=True)
        words = visible(home_path(path))
        label.bind("<Configure>", lambda event: self._fit(event, label, words))
        return frame

    def _fit(self, event: tk.Event[Any], label: tk.Label, words: str) -> None:
        label.configure(text=cut_middle(words, event.width - 4, self.fonts["path"].measure))

    def _add(self) -> None:
        chosen = self._browse()
        path = os.path.abspath(chosen) if chosen else ""
        if path and path not in self.folders:
            self._take([*self.folders, path])

    def _remove(self, path: str) -> None:
        place = self.folders.index(path)
        self._take([other for other in self.folders if other != path])
        # The button that had the focus is gone: the next one gets it, so that Tab does not begin anew.
        (self.removers[min(place, len(self.removers) - 1)] if self.removers else self.add_button).focus_set()

    def _take(self, folders: list[str]) -> None:
        self.set(folders)
        self._command(folders)
