"""Where the question is written: grows from one to eight lines, Enter sends, Shift+Enter begins a new line.

Enter that ends an input method's composition does not send: under X11 Tk hands each key to the input method first
(XFilterEvent), and Windows and macOS keep it too, so that such an Enter never arrives as <Return>. What was composed
arrives as a KeyPress without a keysym of its own and is text.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.focus_button import FocusButton
from metona_tk.ui.widgets.rounded import Rounded
from metona_tk.ui.widgets.text_size import display_lines

MOST_LINES = 8


class Composer(tk.Frame):
    """`on_send` gets the text and says whether it was taken; only then the composer is emptied."""

    def __init__(
        self, master: tk.Misc, fonts: Fonts, on_send: Callable[[str], bool], on_stop: Callable[[], object]
    ) -> None:
        super().__init__(master, borderwidth=0, highlightthickness=0)
        theme.paint(self, background="surface-1")
        self._fonts, self._on_send, self._on_stop = fonts, on_send, on_stop
        self._running, self._lines = False, 1
        self._box = Rounded(self, "surface-1", "surface-2", "line-2")
        self._box.pack(fill="x")
        self.text = self._make_text()
        self.text.pack(fill="x", padx=fonts.px(11), pady=(fonts.px(9), 0))
        self._placeholder = tk.Label(self.text, text=tr("Ask about your files…"), font=fonts["body"], borderwidth=0)
        theme.paint(self._placeholder, background="surface-2", foreground="text-3")
        self._placeholder.bind("<Button-1>", lambda _event: self.text.focus_set())
        self.button = FocusButton(
            self._box, fonts, tr("Send"), self.act, kind="primary", ground="surface-2", height=28, width=64
        )
        self._hint = tk.Label(self._box, font=fonts["small"], borderwidth=0, anchor="w")
        theme.paint(self._hint, background="surface-2", foreground="text-3")
        self._hint.pack(side="left", padx=fonts.px(12), pady=(0, fonts.px(6)))
        self.button.pack(side="right", padx=fonts.px(6), pady=(0, fonts.px(4)))
        self._bind_keys()
        self.set_running(False)
        self._changed()

    def _make_text(self) -> tk.Text:
        gap = self._fonts.spacing("body")
        text = tk.Text(
            self._box,
            wrap="word",
            height=1,
            width=1,
            undo=True,
            borderwidth=0,
            highlightthickness=0,
            padx=1,
            pady=0,
            font=self._fonts["body"],
            spacing1=gap.above,
            spacing2=gap.between,
            spacing3=gap.below,
        )
        theme.paint(text, background="surface-2", foreground="text-1", insertbackground="accent")
        theme.paint(text, selectbackground="select-bg", selectforeground="select-text")
        theme.paint(text, inactiveselectbackground="select-bg")
        return text

    def _bind_keys(self) -> None:
        for key in ("<Return>", "<KP_Enter>"):
            self.text.bind(key, self._enter)
        for key in ("<Shift-Return>", "<Shift-KP_Enter>"):
            self.text.bind(key, self._new_line)
        self.text.bind("<Tab>", lambda event: self._leave(event.widget.tk_focusNext()))
        for back in ("<Shift-Tab>", "<ISO_Left_Tab>"):
            try:
                self.text.bind(back, lambda event: self._leave(event.widget.tk_focusPrev()))
            except tk.TclError:  # the second keysym exists under X11 only
                continue
        self.text.bind("<Control-a>", self._select_all)
        self.text.bind("<<Modified>>", self._modified)
        self.text.bind("<Configure>", lambda _event: self.after_idle(self._grow))
        self.text.bind("<FocusIn>", lambda _event: self._box.set_line("focus"), add=True)
        self.text.bind("<FocusOut>", lambda _event: self._box.set_line("line-2"), add=True)

    def content(self) -> str:
        """What is written."""
        return self.text.get("1.0", "end-1c")

    def set_content(self, text: str) -> None:
        """Write `text` in place of what is there."""
        self.text.delete("1.0", "end")
        self.text.insert("1.0", text)

    def set_running(self, running: bool) -> None:
        """While a turn runs the button stops it."""
        self._running = running
        self.button.set_text(tr("Stop") if running else tr("Send"))
        self.button.look("default" if running else "primary")
        self._hint.configure(text=tr("Esc stops") if running else tr("Shift+Enter new line"))

    def act(self) -> None:
        """What the button says."""
        if self._running:
            self._on_stop()
        else:
            self.submit()
        self.text.focus_set()

    def submit(self) -> None:
        """Send what is written, unless it is blank; what is not taken stays."""
        words = self.content().strip()
        if words and self._on_send(words):
            self.text.delete("1.0", "end")
            self.text.edit_reset()

    def _enter(self, _event: tk.Event[Any]) -> str:
        self.submit()
        return "break"

    def _new_line(self, _event: tk.Event[Any]) -> str:
        self.text.insert("insert", "\n")
        self.text.see("insert")
        return "break"

    def _leave(self, other: tk.Misc | None) -> str:
        if other is not None:
            other.focus_set()
        return "break"

    def _select_all(self, _event: tk.Event[Any]) -> str:
        self.text.tag_add("sel", "1.0", "end-1c")
        return "break"

    def _modified(self, _event: tk.Event[Any]) -> None:
        if self.text.edit_modified():
            self.text.edit_modified(False)
            self._changed()

    def _changed(self) -> None:
        if self.text.compare("end-1c", "==", "1.0"):
            self._placeholder.place(x=1, y=self._fonts.spacing("body").above)
        else:
            self._placeholder.place_forget()
        self.after_idle(self._grow)

    def _grow(self) -> None:
        """One line more or less; counted after Tk has laid the text out."""
        lines = min(MOST_LINES, display_lines(self.text))
        if lines != self._lines:
            self._lines = lines
            self.text.configure(height=lines)
            self.text.see("insert")
