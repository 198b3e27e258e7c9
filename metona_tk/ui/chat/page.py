"""The one tk.Text that the transcript is written on: a centred column that follows its end, read-only, copyable."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterable
from typing import Any

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.chat import style
from metona_tk.ui.chat.copying import selected_text
from metona_tk.ui.chat.folds import Folds
from metona_tk.ui.chat.spans import Span, flat
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.focus_button import FocusButton
from metona_tk.ui.widgets.scrollbar import ThinScrollbar

COLUMN, LEAST_MARGIN = 784, 16
_SCROLLS = ("<MouseWheel>", "<Button-4>", "<Button-5>", "<KeyRelease>", "<B1-Motion>", "<ButtonRelease-1>")


class Page(tk.Frame):
    """Write with `add` and `replace`; positions are tags and marks, since an emoji takes two indices in Tk."""

    def __init__(self, master: tk.Misc, fonts: Fonts) -> None:
        super().__init__(master, borderwidth=0, highlightthickness=0)
        theme.paint(self, background="surface-1")
        self.fonts, self.column = fonts, fonts.px(COLUMN)
        self.text = self._make_text()
        self._bar = ThinScrollbar(self, self._drag, fonts.scale)
        self.text.configure(yscrollcommand=self._scrolled)
        self._bar.pack(side="right", fill="y")
        self.text.pack(side="left", fill="both", expand=True)
        self.newer: FocusButton | None = None
        self.folds = Folds(self.text, self._look_soon)
        self._follow = True
        self._menu = self._make_menu()
        self._listener = theme.Listener(self, self.restyle)
        self.restyle()
        self._bind_keys()

    def _make_text(self) -> tk.Text:
        text = tk.Text(
            self,
            wrap="word",
            state="disabled",
            borderwidth=0,
            highlightthickness=1,
            cursor="",
            font=self.fonts["body"],
            width=1,
            height=1,
            takefocus=1,
            insertwidth=0,
            exportselection=True,
        )
        theme.paint(
            text,
            background="surface-1",
            foreground="text-1",
            highlightbackground="surface-1",
            highlightcolor="focus",
            selectbackground="select-bg",
            selectforeground="select-text",
            inactiveselectbackground="select-bg",
        )
        return text

    def _make_menu(self) -> tk.Menu:
        menu = tk.Menu(self, tearoff=False, font=self.fonts["ui"])
        theme.paint(menu, background="surface-2", foreground="text-1", activebackground="surface-4")
        theme.paint(menu, activeforeground="text-1", disabledforeground="text-off")
        menu.add_command(label=tr("Copy"), command=self.copy)
        menu.add_command(label=tr("Select all"), command=self.select_all)
        return menu

    def _bind_keys(self) -> None:
        self.text.bind("<Configure>", self._sized)
        for event in _SCROLLS:
            self.text.bind(event, lambda _event: self._look_soon(), add=True)
        for key, action in {
            "<<Copy>>": self.copy,
            "<Control-a>": self.select_all,
            "<Control-End>": self.go_to_end,
            "<End>": self.go_to_end,
            "<Control-Down>": lambda: self.folds.step(1),
            "<Control-Up>": lambda: self.folds.step(-1),
            "<Return>": self.folds.toggle_current,
            "<space>": self.folds.toggle_current,
        }.items():
            self.text.bind(key, lambda _event, action=action: self._done(action()))
        self.text.bind("<Home>", lambda _event: self._done(self._drag(0.0)))
        self.text.bind("<FocusOut>", lambda _event: self.folds.leave(), add=True)
        for button in ("<Button-3>", "<Shift-F10>", "<Menu>"):
            try:
                self.text.bind(button, self._popup)
            except tk.TclError:  # the keysym Menu does not exist everywhere
                continue

    def restyle(self) -> None:
        """Take the colours of the mode in use."""
        style.apply(self.text, self.fonts, self.column)

    def add(self, spans: Iterable[Span]) -> None:
        """Write at the end."""
        self.insert("end", spans)
        if self._follow:
            self.text.see("end")
        else:
            self._offer_newer()

    def _offer_newer(self) -> None:
        if self.newer is None:
            self.newer = FocusButton(self, self.fonts, tr("New text ↓"), self.go_to_end, height=28, font="small")
        if not self.newer.winfo_manager():
            self.newer.place(relx=0.5, rely=1.0, y=-self.fonts.px(8), anchor="s")

    def _hide_newer(self) -> None:
        if self.newer is not None:
            self.newer.place_forget()

    def insert(self, index: str, spans: Iterable[Span]) -> None:
        """Write at `index` in one go."""
        arguments = flat(spans)
        if arguments:
            self.text.configure(state="normal")
            self.text.insert(index, *arguments)  # type: ignore[arg-type]
            self.text.configure(state="disabled")

    def replace(self, tag: str, spans: Iterable[Span]) -> bool:
        """Put `spans` where `tag` is; False when it is nowhere."""
        ranges = self.text.tag_ranges(tag)
        if not ranges:
            return False
        place = str(ranges[0])
        self.text.configure(state="normal")
        self.text.delete(ranges[0], ranges[-1])
        self.text.configure(state="disabled")
        self.insert(place, spans)
        if self._follow:
            self.text.see("end")
        return True

    def remove(self, tag: str) -> None:
        """Delete what `tag` is on, and the tag."""
        self.replace(tag, [])
        self.text.tag_delete(tag)

    def clear(self) -> None:
        """Empty the page."""
        self.text.configure(state="normal")
        self.text.delete("1.0", "end")
        self.text.configure(state="disabled")
        self.folds.clear()
        self.go_to_end()

    @property
    def empty(self) -> bool:
        """Whether nothing is written."""
        return self.text.compare("end-1c", "==", "1.0")

    @property
    def follows(self) -> bool:
        """Whether new text scrolls into view."""
        return self._follow

    def go_to_end(self) -> None:
        """Show the end and follow it again."""
        self._follow = True
        self._hide_newer()
        self.text.see("end")

    def copy(self) -> None:
        """Copy what is selected and seen."""
        words = selected_text(self.text)
        if words:
            self.clipboard_clear()
            self.clipboard_append(words)

    def select_all(self) -> None:
        """Select everything."""
        self.text.tag_add("sel", "1.0", "end-1c")

    def _done(self, _result: object) -> str:
        self._look_soon()
        return "break"

    def _look_soon(self) -> None:
        """After Tk has scrolled or laid out what the user just did."""
        self.after_idle(self._look_whether_at_end)

    def _popup(self, event: tk.Event[Any]) -> str:
        self._menu.entryconfigure(0, state="normal" if self.text.tag_ranges("sel") else "disabled")
        self._menu.tk_popup(event.x_root, event.y_root)
        return "break"

    def _drag(self, first: float) -> None:
        self.text.yview_moveto(first)
        self._look_whether_at_end()

    def _scrolled(self, first: Any, last: Any) -> None:
        self._bar.show(float(first), float(last))

    def _look_whether_at_end(self) -> None:
        self._follow = self.text.dlineinfo("end-1c") is not None
        if self._follow:
            self._hide_newer()

    def _sized(self, event: tk.Event[Any]) -> None:
        margin = max(self.fonts.px(LEAST_MARGIN), (event.width - self.fonts.px(COLUMN)) // 2)
        column = event.width - 2 * margin - 2
        if column != self.column or margin != int(str(self.text.cget("padx"))):
            self.column = column
            self.text.configure(padx=margin)
            style.set_tabs(self.text, self.fonts, column)
        if self._follow:
            self.text.see("end")
