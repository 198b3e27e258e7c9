"""One line to write in, in a round box whose border shows the focus, with an icon and words for when it is empty."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any

from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon
from metona_tk.ui.widgets.rounded import Rounded

HEIGHT, CORNER = 32, 6  # px


class Entry(Rounded):
    """`changed` gets the text after each change by the user, `done` is called by Return and when the focus leaves."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        *,
        placeholder: str = "",
        name: str = "",
        ground: str = "surface-1",
        font: str = "ui",
        width: int = 200,
        changed: Callable[[str], object] | None = None,
        done: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(master, ground, "surface-1", "line-2", corner=CORNER)
        px = fonts.px
        self._changed, self._done = changed, done
        self.wrong, self.focused, self._setting = False, False, False
        strut = tk.Frame(self, width=px(width), height=px(HEIGHT - 4), borderwidth=0)
        theme.paint(strut, background="surface-1")
        strut.pack(padx=px(3), pady=px(2), fill="both", expand=True)
        strut.pack_propagate(False)
        if name:
            image = tk.Label(strut, image=icon(self, fonts, name, 16, "text-3"), borderwidth=0)
            theme.paint(image, background="surface-1")
            image.pack(side="left", padx=(px(6), px(2)))
            image.bind("<Button-1>", lambda _event: self._take_focus())
        self.entry = self._make(strut, fonts, font)
        self.entry.pack(side="left", fill="both", expand=True, padx=px(5))
        self._placeholder = tk.Label(self.entry, text=placeholder, font=fonts[font], borderwidth=0, anchor="w")
        theme.paint(self._placeholder, background="surface-1", foreground="text-3")
        self._placeholder.bind("<Button-1>", lambda _event: self._take_focus())
        self._hint(self.get())

    def _make(self, master: tk.Misc, fonts: Fonts, font: str) -> tk.Entry:
        entry = tk.Entry(master, font=fonts[font], borderwidth=0, highlightthickness=0, width=1, relief="flat")
        theme.paint(entry, background="surface-1", foreground="text-1", insertbackground="accent")
        theme.paint(entry, selectbackground="select-bg", selectforeground="select-text")
        theme.paint(entry, disabledbackground="surface-1", disabledforeground="text-off")
        # Also called for what an input method or the mouse inserts; always true, only to hear of the new text.
        entry.configure(validate="key", validatecommand=(entry.register(self._edited), "%P"))
        for key in ("<Return>", "<KP_Enter>"):
            entry.bind(key, lambda _event: self._finish(), add=True)
        entry.bind("<FocusIn>", lambda _event: self._on_focus(True), add=True)
        entry.bind("<FocusOut>", lambda _event: self._on_focus(False), add=True)
        entry.bind("<Control-a>", self._select_all)
        return entry

    def get(self) -> str:
        """What is written."""
        return self.entry.get()

    def set(self, text: str) -> None:
        """Write `text` in place of what is there, without telling anyone."""
        self._setting = True
        if text != self.entry.get():
            self.entry.delete(0, "end")
            self.entry.insert(0, text)
        self._setting = False
        self._hint(text)

    def mark(self, wrong: bool) -> None:
        """Show by the border whether what is written is of use."""
        self.wrong = wrong
        self._outline()

    def set_enabled(self, enabled: bool) -> None:
        """Switched off it is grey and is not reached by Tab."""
        self.entry.configure(state="normal" if enabled else "disabled")

    def _take_focus(self) -> str:
        self.entry.focus_set()
        return "break"

    def _edited(self, text: str) -> bool:
        self._hint(text)
        if self._changed is not None and not self._setting:
            self._changed(text)
        return True

    def _select_all(self, _event: tk.Event[Any]) -> str:
        self.entry.selection_range(0, "end")
        return "break"

    def _on_focus(self, focused: bool) -> None:
        self.focused = focused
        self._outline()
        if not focused:
            self._finish()

    def _finish(self) -> None:
        if self._done is not None:
            self._done()

    def _hint(self, text: str) -> None:
        if text:
            self._placeholder.place_forget()
        else:
            self._placeholder.place(x=2, rely=0.5, anchor="w")

    def _outline(self) -> None:
        self.set_line("danger" if self.wrong else "focus" if self.focused else "line-2")
