"""The line of the small window: Enter asks, Up brings earlier questions back, a button asks or stops."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from typing import Any

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon
from metona_tk.ui.widgets.icon_button import IconButton

HEIGHT = 56
MOST = 20_000  # characters; what is longer belongs into the large window's composer


class QuickLine(tk.Frame):
    """`ask` gets the question, `stop` ends the answer, `history` gives earlier questions, the newest last."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        ask: Callable[[str], object],
        stop: Callable[[], object],
        history: Callable[[], Sequence[str]],
    ) -> None:
        super().__init__(master, borderwidth=0, height=fonts.px(HEIGHT))
        theme.paint(self, background="surface-1")
        self.pack_propagate(False)
        self._ask, self._stop, self._history = ask, stop, history
        self._running, self._back = False, 0
        self._own = ""  # what was written before going back
        self._asked = ""
        px = fonts.px
        mark = tk.Label(self, image=icon(self, fonts, "search", 18, "text-3"), borderwidth=0)
        theme.paint(mark, background="surface-1")
        mark.pack(side="left", padx=(px(16), px(10)))
        self.button = IconButton(self, fonts, "send", tr("Ask"), self._press, kind="solid", token="text-1")
        self.button.pack(side="right", padx=(px(8), px(16)))
        self.entry = self._make_entry(fonts)
        self.entry.pack(side="left", fill="both", expand=True)
        self._placeholder = tk.Label(self.entry, text=tr("Ask about your files…"), font=fonts["quick"], borderwidth=0)
        self._placeholder.configure(padx=0)
        theme.paint(self._placeholder, background="surface-1", foreground="text-3")
        self._placeholder.bind("<Button-1>", lambda _event: self.entry.focus_set())
        self.set_running(False)
        self._hint("")

    def _make_entry(self, fonts: Fonts) -> tk.Entry:
        entry = tk.Entry(self, font=fonts["quick"], borderwidth=0, highlightthickness=0, width=1, relief="flat")
        theme.paint(entry, background="surface-1", foreground="text-1", insertbackground="accent")
        theme.paint(entry, selectbackground="select-bg", selectforeground="select-text")
        # Also called for what an input method or the mouse inserts; always true, only to hear of the new text.
        entry.configure(validate="key", validatecommand=(entry.register(self._edited), "%P"))
        for key in ("<Return>", "<KP_Enter>"):
            entry.bind(key, self._enter)
        for key, by in {"<Up>": 1, "<Down>": -1}.items():
            entry.bind(key, lambda _event, by=by: self._recall(by))
        entry.bind("<Control-a>", self._select_all)
        entry.bind("<<Paste>>", self._paste)
        return entry

    @property
    def text(self) -> tk.Entry:
        """What takes the focus."""
        return self.entry

    def content(self) -> str:
        """What is written."""
        return self.entry.get()

    def set_content(self, text: str) -> None:
        """Write `text`, in one line, in place of what is there."""
        self.entry.delete(0, "end")
        self.entry.insert(0, " ".join(text.split("\n"))[:MOST])
        self._hint(self.entry.get())

    def select(self) -> None:
        """Select all of it, so that typing takes its place."""
        self.entry.selection_range(0, "end")
        self.entry.icursor("end")

    def set_running(self, running: bool) -> None:
        """While an answer is made the button stops it; then the next question may take the place of this one."""
        if self._running and not running and self.content().strip() == self._asked:
            self.select()
        self._running = running
        self.button.show("stop" if running else "send", tr("Stop") if running else tr("Ask"))

    def _press(self) -> None:
        if self._running:
            self._stop()
        else:
            self.submit()
        self.entry.focus_set()

    def submit(self) -> None:
        """Ask what is written, unless it is blank."""
        words = self.content().strip()
        if words:
            self._back, self._own, self._asked = 0, "", words
            self._ask(words)

    def _enter(self, _event: tk.Event[Any]) -> str:
        self.submit()
        return "break"

    def _recall(self, by: int) -> str:
        """An earlier question (1), or a later one (-1), down to what the user had written."""
        known = self._history()
        back = min(max(self._back + by, 0), len(known))
        if back != self._back:
            if self._back == 0:
                self._own = self.content()
            self._back = back
            self.set_content(known[-back] if back else self._own)
            self.entry.icursor("end")
        return "break"

    def _select_all(self, _event: tk.Event[Any]) -> str:
        self.select()
        return "break"

    def _paste(self, _event: tk.Event[Any]) -> str:
        """Several lines become one: an Entry would draw signs for their ends."""
        try:
            words = str(self.clipboard_get())
        except tk.TclError:  # nothing there that is text
            return "break"
        if self.entry.selection_present():
            self.entry.delete("sel.first", "sel.last")
        self.entry.insert("insert", " ".join(words.split("\n"))[:MOST])
        self._hint(self.entry.get())
        self.entry.xview("insert")
        return "break"

    def _edited(self, text: str) -> bool:
        self._hint(text)
        return len(text) <= MOST

    def _hint(self, text: str) -> None:
        if text:
            self._placeholder.place_forget()
        else:
            self._placeholder.place(x=1, rely=0.5, anchor="w")
