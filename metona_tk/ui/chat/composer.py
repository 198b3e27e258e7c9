"""Where the question is written: grows from one to eight lines, Enter sends, Shift+Enter begins a new line.

Enter that ends an input method's composition does not send: under X11 Tk hands each key to the input method first
(XFilterEvent), and Windows and macOS keep it too, so that such an Enter never arrives as <Return>. What was composed
arrives as a KeyPress without a keysym of its own and is text.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.chat.slash_hints import SlashHints
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.icon_button import IconButton
from metona_tk.ui.widgets.rounded import Rounded
from metona_tk.ui.widgets.soon import Soon
from metona_tk.ui.widgets.text_size import display_lines

MOST_LINES = 8


@dataclass(frozen=True, slots=True)
class ComposerActions:
    """`send` gets the text and says whether it was taken; only then the composer is emptied."""

    send: Callable[[str], bool]
    stop: Callable[[], object]
    edit_last: Callable[[], object]  # Up in an empty composer
    next_text: Callable[[], str]  # what stands there after something was sent
    history: Callable[[], Sequence[str]]  # earlier questions, the newest last


class Composer(tk.Frame):
    """The text, what may be typed, and one button that sends or stops."""

    def __init__(self, master: tk.Misc, fonts: Fonts, actions: ComposerActions) -> None:
        super().__init__(master, borderwidth=0, highlightthickness=0)
        theme.paint(self, background="surface-1")
        self._fonts, self._do = fonts, actions
        self._running, self._lines = False, 1
        self._grow_soon = Soon(self, self._grow)
        self._back = 0  # how far back in the history the text is; 0: it is the user's own
        self._own = ""  # what was written before going back
        self._box = Rounded(self, "surface-1", "surface-2", "line-2")
        self._box.pack(fill="x")
        self.text = self._make_text()
        self.text.pack(fill="x", padx=fonts.px(11), pady=(fonts.px(9), 0))
        self._placeholder = tk.Label(self.text, text=tr("Ask about your files…"), font=fonts["body"])
        self._placeholder.configure(borderwidth=0, padx=0)  # it begins where the text does
        theme.paint(self._placeholder, background="surface-2", foreground="text-3")
        self._placeholder.bind("<Button-1>", lambda _event: self.text.focus_set())
        self.button = IconButton(
            self._box, fonts, "send", tr("Send"), self.act, kind="primary", token="on-accent", ground="surface-2"
        )
        self._hint = self._note("left")
        self._stops = self._note("right")
        self.button.pack(side="right", padx=fonts.px(6), pady=(fonts.px(2), fonts.px(6)), before=self._hint)
        self._editing: tk.Label | None = None
        self.hints = SlashHints(self._box, fonts, self.set_content)
        self._bind_keys()
        self.set_running(False)
        self._changed()

    def _note(self, side: str) -> tk.Label:
        label = tk.Label(self._box, font=self._fonts["small"], borderwidth=0, padx=0, anchor="w")
        theme.paint(label, background="surface-2", foreground="text-3")
        px = self._fonts.px
        label.pack(side="left" if side == "left" else "right", padx=px(12 if side == "left" else 4), pady=(0, px(4)))
        return label

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
        self.text.bind("<Tab>", self._tab)
        self.text.bind("<Up>", self._up)
        for key, by in {"<Control-Up>": 1, "<Control-Down>": -1}.items():
            self.text.bind(key, lambda _event, by=by: self._recall(by))
        for back in ("<Shift-Tab>", "<ISO_Left_Tab>"):
            try:
                self.text.bind(back, lambda event: self._leave(event.widget.tk_focusPrev()))
            except tk.TclError:  # the second keysym exists under X11 only
                continue
        self.text.bind("<Control-a>", self._select_all)
        self.text.bind("<<Modified>>", self._modified)
        self.text.bind("<Configure>", lambda _event: self._grow_soon())
        self.text.bind("<FocusIn>", lambda _event: self._box.set_line("focus"), add=True)
        self.text.bind("<FocusOut>", self._left, add=True)

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
        if running:
            self.button.show("stop", tr("Stop"), token="text-1", kind="solid")
        else:
            self.button.show("send", tr("Send"), token="on-accent", kind="primary")
        self._hint.configure(text=tr("/ commands   Shift+Enter new line"))
        self._stops.configure(text=tr("Esc stops") if running else "")

    def show_editing(self, words: str) -> None:
        """Say that an earlier question is being written anew, and what that drops; "" when none is."""
        if not words:
            if self._editing is not None:
                self._editing.pack_forget()
            return
        if self._editing is None:
            self._editing = tk.Label(self._box, font=self._fonts["small"], borderwidth=0, padx=0)
            self._editing.configure(anchor="w", justify="left")
            theme.paint(self._editing, background="surface-2", foreground="warn")
            self._editing.bind("<Configure>", self._wrap_editing)
        self._editing.configure(text=words)
        px = self._fonts.px
        self._editing.pack(fill="x", padx=px(12), pady=(px(8), 0), before=self.text)

    def _wrap_editing(self, event: tk.Event[Any]) -> None:
        event.widget.configure(wraplength=max(100, event.width - 2))

    def act(self) -> None:
        """What the button says."""
        if self._running:
            self._do.stop()
        else:
            self.submit()
        self.text.focus_set()

    def submit(self) -> None:
        """Send what is written, unless it is blank; what is not taken stays."""
        words = self.content().strip()
        if words and self._do.send(words):
            self._back, self._own = 0, ""
            self.set_content(self._do.next_text())
            self.text.edit_reset()

    def _enter(self, _event: tk.Event[Any]) -> str:
        if not self.hints.complete():
            self.submit()
        return "break"

    def _tab(self, event: tk.Event[Any]) -> str:
        if self.hints.complete():
            return "break"
        return self._leave(event.widget.tk_focusNext())

    def _up(self, _event: tk.Event[Any]) -> str | None:
        if self.content():
            return None
        self._do.edit_last()
        return "break"

    def _recall(self, by: int) -> str:
        """An earlier question (1), or a later one (-1), down to what the user had written."""
        known = self._do.history()
        back = min(max(self._back + by, 0), len(known))
        if back != self._back:
            if self._back == 0:
                self._own = self.content()
            self._back = back
            self.set_content(known[-back] if back else self._own)
        return "break"

    def _left(self, _event: tk.Event[Any]) -> None:
        self._box.set_line("line-2")
        self.hints.hide()

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
        self.hints.show(self.content() if self._has_focus() else "")
        self._grow_soon()

    def _has_focus(self) -> bool:
        return str(self.tk.call("focus")) == str(self.text)

    def _grow(self) -> None:
        """One line more or less; counted after Tk has laid the text out."""
        lines = min(MOST_LINES, display_lines(self.text))
        if lines != self._lines:
            self._lines = lines
            self.text.configure(height=lines)
            self.text.see("insert")
