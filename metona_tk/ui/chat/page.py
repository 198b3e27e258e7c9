"""The one tk.Text that the transcript is written on: a centred column that follows its end, read-only, copyable."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterable
from typing import Any

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.chat import style
from metona_tk.ui.chat.copying import selected_text
from metona_tk.ui.chat.folds import Folds
from metona_tk.ui.chat.spans import Icon, Span, pieces
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon
from metona_tk.ui.widgets.focus_button import FocusButton
from metona_tk.ui.widgets.scrollbar import ThinScrollbar
from metona_tk.ui.widgets.soon import Soon

COLUMN, LEAST_MARGIN = 784, 16
_NEAR = 0.15  # of the whole: from there on the beginning is near
_SCROLLS = ("<MouseWheel>", "<Button-4>", "<Button-5>", "<KeyRelease>", "<B1-Motion>", "<ButtonRelease-1>")


class Page(tk.Frame):
    """Write with `add`, `insert` and `replace`; positions are tags and marks: an emoji takes two indices in Tk.

    `on_column` is called when the column has another width (px), `on_menu` with the event of a right click,
    `when_all` with what needs all of the chat on the page, `on_near_top` when its beginning comes near.
    """

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        on_column: Callable[[], object] | None = None,
        on_menu: Callable[[tk.Event[Any]], object] | None = None,
        when_all: Callable[[Callable[[], object]], object] = lambda then: then(),
        on_near_top: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(master, borderwidth=0, highlightthickness=0)
        theme.paint(self, background="surface-1")
        self.fonts, self.column = fonts, fonts.px(COLUMN)
        self._on_column = on_column or (lambda: None)
        self._on_menu = on_menu
        self._when_all, self._on_near_top = when_all, on_near_top
        self.text = self._make_text()
        self._bar = ThinScrollbar(self, self._drag, fonts.scale)
        self.text.configure(yscrollcommand=self._scrolled)
        self._bar.pack(side="right", fill="y")
        self.text.pack(side="left", fill="both", expand=True)
        self.newer: FocusButton | None = None
        self.folds = Folds(self.text, self._look_soon, self._arrow)
        self._follow = True
        self._look = Soon(self, self._look_whether_at_end)
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
            "<Return>": self.folds.act_on_current,
            "<space>": self.folds.act_on_current,
        }.items():
            self.text.bind(key, lambda _event, action=action: self._done(action()))
        for key in ("<Home>", "<Control-Home>"):
            self.text.bind(key, lambda _event: self._done(self._when_all(lambda: self._drag(0.0))))
        self.text.bind("<FocusOut>", lambda _event: self.folds.leave(), add=True)
        for button in ("<Button-3>", "<Shift-F10>", "<Menu>"):
            try:
                self.text.bind(button, self._popup)
            except tk.TclError:  # the keysym Menu does not exist everywhere
                continue

    def restyle(self) -> None:
        """Take the colours of the mode in use."""
        style.apply(self.text, self.fonts, self.column)

    def image(self, name: str, token: str = "text-3", size: int = 16) -> tk.PhotoImage:
        """An icon in the colours of the mode in use."""
        return icon(self.text, self.fonts, name, size, token)

    def _arrow(self, opened: bool) -> tk.PhotoImage:
        return self.image("chevron-down" if opened else "chevron-right", "text-3", 14)

    # Writing

    def add(self, spans: Iterable[Span], *scope: str) -> None:
        """Write at the end; `scope` are tags that all of it gets besides its own."""
        self.insert("end", spans, *scope)
        self.written()

    def written(self) -> None:
        """Something was written at the end: show it, or offer to."""
        if self._follow:
            self.text.see("end")
        else:
            self._offer_newer()

    def insert(self, index: str, spans: Iterable[Span], *scope: str) -> None:
        """Write at `index`, in one go but for icons."""
        self.text.configure(state="normal")
        # a mark with right gravity stays behind what is written at it
        self.text.mark_set("pen", "end-1c" if index == "end" else index)
        for piece in pieces(_scoped(spans, scope)):
            if isinstance(piece, list):
                self.text.insert("pen", *piece)  # type: ignore[arg-type]
            else:
                self._insert_icon(*piece)
        self.text.configure(state="disabled")

    def _insert_icon(self, what: Icon, tags: tuple[str, ...]) -> None:
        picture = self.image(what.name, what.token, what.size)
        self.text.image_create("pen", image=picture, align="center")
        for tag in tags:
            self.text.tag_add(tag, "pen-1c")

    def insert_window(self, index: str, window: tk.Misc, *tags: str) -> None:
        """Put a widget on a line of its own that exists at `index`."""
        self.text.configure(state="normal")
        self.text.mark_set("pen", index)
        self.text.window_create("pen", window=window, stretch=False)
        for tag in tags:
            self.text.tag_add(tag, "pen-1c")
        self.text.configure(state="disabled")

    def replace(self, tag: str, spans: Iterable[Span], *scope: str) -> bool:
        """Put `spans` where `tag` is; False when it is nowhere."""
        ranges = self.text.tag_ranges(tag)
        if not ranges:
            return False
        place = str(ranges[0])
        with self.steady():
            self.text.configure(state="normal")
            self.text.delete(ranges[0], ranges[-1])
            self.text.configure(state="disabled")
            self.insert(place, spans, *scope)
        return True

    def prepend(self, spans: Iterable[Span]) -> None:
        """Write above everything, without moving what is seen."""
        with self.steady():
            self.insert("1.0", spans)

    def steady(self) -> Steady:
        """While something above the end changes: what is seen stays, at the end or where the user reads."""
        return Steady(self)

    def remove(self, tag: str) -> None:
        """Delete what `tag` is on, and the tag."""
        self.replace(tag, [])
        self.text.tag_delete(tag)

    def clear(self) -> None:
        """Empty the page, with every tag that is not one of the styles."""
        self.text.configure(state="normal")
        self.text.delete("1.0", "end")
        self.text.configure(state="disabled")
        # Those of one turn, card or answer; the last one first: Tk numbers all that come after a deleted one anew.
        loose = [tag for tag in reversed(self.text.tag_names()) if ":" in tag]
        if loose:
            self.text.tag_delete(*loose)
        self.folds.clear()
        self.go_to_end()

    @property
    def empty(self) -> bool:
        """Whether nothing is written."""
        return self.text.compare("end-1c", "==", "1.0")

    # Where the user is

    @property
    def follows(self) -> bool:
        """Whether new text scrolls into view."""
        return self._follow

    def go_to_end(self) -> None:
        """Show the end and follow it again."""
        self._follow = True
        self._hide_newer()
        self.text.see("end")

    def go_to(self, index: str) -> None:
        """Show a place; the end is followed only if it is in view then."""
        self.text.see(index)
        self._look_soon()

    def read_at(self, index: str) -> None:
        """Put a place at the top; the end is followed only if it is in view then."""
        self._follow = False  # at once: what is drawn above before Tk is idle must not go to the end
        self.text.yview(index)
        self._look_soon()

    def scroll(self, pages: int) -> None:
        """Up (negative) or down by pages, for keys pressed elsewhere."""
        self.text.yview_scroll(pages, "pages")
        self._look_soon()

    def copy(self) -> None:
        """Copy what is selected and seen."""
        self.put_on_clipboard(selected_text(self.text))

    def put_on_clipboard(self, words: str) -> None:
        """For what is not ""."""
        if words:
            self.clipboard_clear()
            self.clipboard_append(words)

    def select_all(self) -> None:
        """Select everything."""
        self._when_all(lambda: self.text.tag_add("sel", "1.0", "end-1c"))

    def _offer_newer(self) -> None:
        if self.newer is None:
            self.newer = FocusButton(self, self.fonts, tr("New text ↓"), self.go_to_end, height=28, font="small")
        if not self.newer.winfo_manager():
            self.newer.place(relx=0.5, rely=1.0, y=-self.fonts.px(8), anchor="s")

    def _hide_newer(self) -> None:
        if self.newer is not None:
            self.newer.place_forget()

    def _done(self, _result: object) -> str:
        self._look_soon()
        return "break"

    def _look_soon(self) -> None:
        """After Tk has scrolled or laid out what the user just did."""
        self._look()

    def _popup(self, event: tk.Event[Any]) -> str:
        if self._on_menu is not None:
            self._on_menu(event)
        return "break"

    def _drag(self, first: float) -> None:
        self.text.yview_moveto(first)
        self._look_whether_at_end()

    def _scrolled(self, first: Any, last: Any) -> None:
        self._bar.show(float(first), float(last))
        if float(first) < _NEAR:
            self._on_near_top()

    @property
    def near_top(self) -> bool:
        """Whether the beginning of what is written is in view, or nearly so."""
        return self.text.yview()[0] < _NEAR

    def _look_whether_at_end(self) -> None:
        self._follow = self.text.dlineinfo("end-1c") is not None
        if self._follow:
            self._hide_newer()

    def _sized(self, event: tk.Event[Any]) -> None:
        # 1 px of it is the ring, so that the column is as wide as what stands below the page
        margin = max(self.fonts.px(LEAST_MARGIN), (event.width - self.fonts.px(COLUMN) + 1) // 2) - 1
        column = event.width - 2 * margin - 2
        if column != self.column or margin != int(str(self.text.cget("padx"))):
            changed = column != self.column
            self.column = column
            self.text.configure(padx=margin)
            style.set_tabs(self.text, self.fonts, column)
            if changed:
                self._on_column()
        if self._follow:
            self.text.see("end")


class Steady:
    """A context in which the first visible line keeps its place on the screen, or the end stays in view."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._lost = 0

    def __enter__(self) -> None:
        text = self._page.text
        if not self._page.follows:
            text.mark_set("top", "@0,0")
            line = text.dlineinfo("@0,0")
            self._lost = -line[1] if line else 0  # px of the first line that are scrolled out

    def __exit__(self, *_error: object) -> None:
        text = self._page.text
        if self._page.follows:
            text.see("end")
        else:
            text.yview("top")
            if self._lost > 0:
                text.yview_scroll(self._lost, "pixels")


def _scoped(spans: Iterable[Span], scope: tuple[str, ...]) -> Iterable[Span]:
    return spans if not scope else ((text, (*tags, *scope)) for text, tags in spans)
