"""Finding words in the shown chat (Ctrl+F): a bar over the page, hits marked, folded ones opened when they are met."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.chat.hits import emoji_columns, hits, pieces
from metona_tk.ui.chat.page import Page
from metona_tk.ui.widgets.entry import Entry
from metona_tk.ui.widgets.icon_button import IconButton
from metona_tk.ui.widgets.rounded import Rounded

MOST = 2000  # hits that are marked
PAUSE = 120  # ms without typing before it searches


class FindBar(Rounded):
    """`prepare` draws what is not on the page yet, then calls what it is given; `on_close` gives the focus back."""

    def __init__(
        self, page: Page, prepare: Callable[[Callable[[], object]], object], on_close: Callable[[], object]
    ) -> None:
        super().__init__(page, "surface-1", "surface-2", "line-2")
        self._page, self._prepare, self._on_close = page, prepare, on_close
        self._at = 0
        self._hits: list[tuple[str, str]] = []  # index of each, and how far it goes
        self._timer: str | None = None
        self._due: Callable[[], object] | None = None  # what is done as soon as all of the chat is drawn
        px, fonts = page.fonts.px, page.fonts
        self.entry = Entry(
            self, fonts, placeholder=tr("Find in this chat"), ground="surface-2", width=220, changed=self._typed
        )
        self._count = tk.Label(self, font=fonts["small"], borderwidth=0, width=9, anchor="e")
        theme.paint(self._count, background="surface-2", foreground="text-3")
        buttons = [
            IconButton(self, fonts, "chevron-up", tr("Hit before"), lambda: self.step(-1), ground="surface-2"),
            IconButton(self, fonts, "chevron-down", tr("Next hit"), lambda: self.step(1), ground="surface-2"),
            IconButton(self, fonts, "cross", tr("Close"), self.close, ground="surface-2"),
        ]
        self.entry.pack(side="left", padx=(px(6), px(4)), pady=px(5))
        self._count.pack(side="left", padx=px(4))
        for button in buttons:
            button.pack(side="left", padx=(0, px(2)))
        self._listen()

    def _listen(self) -> None:
        field = self.entry.entry
        for key, by in {"<Return>": 1, "<KP_Enter>": 1, "<Shift-Return>": -1, "<Down>": 1, "<Up>": -1}.items():
            field.bind(key, lambda _event, by=by: self._stepped(by))
        field.bind("<Escape>", lambda _event: self._closed())

    def open(self, words: str | None = None) -> None:
        """Show it, with its words, or others, selected."""
        if words is not None:
            self.entry.set(words)
        self.place(relx=1.0, x=-self._page.fonts.px(24), y=self._page.fonts.px(8), anchor="ne")
        self.lift()
        self.entry.entry.focus_set()
        self.entry.entry.select_range(0, "end")
        self.search()

    def close(self) -> None:
        """Hide it and its marks; the place that was found stays in view."""
        if self._timer is not None:
            self.after_cancel(self._timer)
            self._timer = None
        self._due = None
        self._unmark()
        self.place_forget()
        self._on_close()

    def search(self) -> None:
        """Mark what is found, and show the first hit from what is in view on."""
        self._timer = None
        self._count.configure(text="…")
        self._when_drawn(self._search)

    def _when_drawn(self, act: Callable[[], object]) -> None:
        self._due = act
        self._prepare(self._do_what_is_due)

    def _do_what_is_due(self) -> None:
        act, self._due = self._due, None
        if act is not None and self.winfo_manager():
            self._mark()
            act()

    def _search(self) -> None:
        top = self._page.text.index("@0,0")
        after = [at for at, hit in enumerate(self._hits) if self._page.text.compare(hit[0], ">=", top)]
        self._at = after[0] if after else 0
        self._show()

    def step(self, by: int) -> None:
        """Go to the next hit (1) or the one before (-1), round and round."""
        if self._due is None:
            self._when_drawn(lambda: self._step(by))  # all is marked anew: an answer may have grown

    def _step(self, by: int) -> None:
        if self._hits:
            self._at = (self._at + by) % len(self._hits)
        self._show()

    def refresh(self) -> None:
        """Mark what is found on a page that was written anew; the user stays where they read."""
        if self.winfo_manager():
            self._when_drawn(self._due or (lambda: None))

    def _mark(self) -> None:
        self._unmark()
        words = self.entry.get()
        text = self._page.text
        self._hits = hits(words, pieces(text), emoji_columns(text), MOST) if words else []
        for place, end in self._hits:
            text.tag_add("found", place, end)

    @property
    def words(self) -> str:
        """What the bar says about the hits."""
        return str(self._count.cget("text"))

    def _show(self) -> None:
        text = self._page.text
        text.tag_remove("found-here", "1.0", "end")
        if not self._hits:
            self._count.configure(text=tr("nothing") if self.entry.get() else "")
            return
        self._count.configure(text=f"{self._at + 1} / {len(self._hits)}{'+' if len(self._hits) >= MOST else ''}")
        place, end = self._hits[self._at]
        self._page.folds.reveal(place)
        text.tag_add("found-here", place, end)
        self._page.go_to(place)

    def _unmark(self) -> None:
        self._page.text.tag_remove("found", "1.0", "end")
        self._page.text.tag_remove("found-here", "1.0", "end")

    def _typed(self, _words: str) -> None:
        if self._timer is not None:
            self.after_cancel(self._timer)
        self._timer = self.after(PAUSE, self.search)

    def _stepped(self, by: int) -> str:
        self.step(by)
        return "break"

    def _closed(self) -> str:
        self.close()
        return "break"

    def destroy(self) -> None:
        if self._timer is not None:
            self.after_cancel(self._timer)
            self._timer = None
        super().destroy()
