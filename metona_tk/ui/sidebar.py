"""The sidebar: a new chat, the chats open since the start, the settings. Rows are drawn on one Canvas."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon
from metona_tk.ui.state import AppState, ChatState
from metona_tk.ui.visible import visible
from metona_tk.ui.widgets.nav_row import NavRow
from metona_tk.ui.widgets.scrollbar import ThinScrollbar
from metona_tk.ui.widgets.shapes import Box, shape
from metona_tk.ui.wording import cut_end

WIDTH, ROW, PAD, CORNER = 240, 28, 8, 6


@dataclass(frozen=True, slots=True)
class SidebarActions:
    """What it asks the window to do."""

    new_chat: Callable[[], object]
    show: Callable[[str], object]  # a chat's id
    settings: Callable[[], object]


class Sidebar(tk.Frame):
    """Shows `state`; call `show` after it changed."""

    def __init__(self, master: tk.Misc, fonts: Fonts, state: AppState, actions: SidebarActions) -> None:
        super().__init__(master, borderwidth=0, width=fonts.px(WIDTH))
        theme.paint(self, background="surface-0")
        self.pack_propagate(False)
        px = fonts.px
        new = self.new = NavRow(self, fonts, "plus", tr("New chat"), actions.new_chat, keys=tr("Ctrl N"))
        settings = self.settings = NavRow(self, fonts, "sliders", tr("Settings"), actions.settings)
        title = tk.Label(self, text=tr("Open chats"), font=fonts["caption"], borderwidth=0, padx=0)
        title.configure(anchor="w")
        theme.paint(title, background="surface-0", foreground="text-3")
        new.pack(side="top", fill="x", padx=px(PAD), pady=(px(PAD), 0))
        settings.pack(side="bottom", fill="x", padx=px(PAD), pady=px(PAD))
        title.pack(side="top", fill="x", padx=px(PAD + 8), pady=(px(12), px(4)))
        self.chats = ChatList(self, fonts, state, actions.show)
        self.chats.pack(side="top", fill="both", expand=True, padx=px(PAD))

    def show(self) -> None:
        """Draw what the state says."""
        self.chats.draw()


class ChatList(tk.Frame):
    """One row a chat; Up and Down pick, Enter shows. The current row has the ring while the list has the focus."""

    def __init__(self, master: tk.Misc, fonts: Fonts, state: AppState, show: Callable[[str], object]) -> None:
        super().__init__(master, borderwidth=0)
        theme.paint(self, background="surface-0")
        self._fonts, self._state, self._show = fonts, state, show
        self._hover = self._picked = -1
        self.canvas = tk.Canvas(self, borderwidth=0, highlightthickness=0, takefocus=1, width=1, height=1)
        theme.paint(self.canvas, background="surface-0")
        self._bar = ThinScrollbar(self, self._drag, fonts.scale, "surface-0")
        self.canvas.configure(yscrollcommand=self._scrolled)
        self.canvas.pack(side="left", fill="both", expand=True)
        self._listener = theme.Listener(self, self.draw)
        self._drawn: tuple[object, ...] = ()
        self._listen()

    def _listen(self) -> None:
        canvas = self.canvas
        canvas.bind("<Configure>", lambda _event: self.draw())
        canvas.bind("<Motion>", lambda event: self._point(self._row_at(event.y)))
        canvas.bind("<Leave>", lambda _event: self._point(-1))
        canvas.bind("<Button-1>", lambda _event: canvas.focus_set())
        canvas.bind("<ButtonRelease-1>", lambda event: self._choose(self._row_at(event.y)))
        canvas.bind("<FocusIn>", self._focused)
        canvas.bind("<FocusOut>", lambda _event: self.draw())
        for key, by in {"<Up>": -1, "<Down>": 1, "<Prior>": -10, "<Next>": 10}.items():
            canvas.bind(key, lambda _event, by=by: self._step(by))
        for key in ("<Return>", "<KP_Enter>", "<space>"):
            canvas.bind(key, lambda _event: self._choose(self._picked))
        canvas.bind("<MouseWheel>", lambda event: self._wheel(-1 if event.delta > 0 else 1))
        canvas.bind("<Button-4>", lambda _event: self._wheel(-1))
        canvas.bind("<Button-5>", lambda _event: self._wheel(1))

    def draw(self) -> None:
        """All rows anew, unless nothing has changed."""
        chats, width = self._state.chats, self.canvas.winfo_width()
        focused = self._has_focus()
        now = (
            theme.mode(),
            width,
            self._hover,
            self._picked if focused else -1,
            [(chat.title, chat.running, chat.waiting, chat is self._state.shown) for chat in chats],
        )
        if now == self._drawn or width <= 1:
            return
        self._drawn = now
        self.canvas.delete("all")
        height = self._fonts.px(ROW)
        for at, chat in enumerate(chats):
            self._draw_row(at, chat, width, height, focused)
        self.canvas.configure(scrollregion=(0, 0, width, max(1, height * len(chats))))

    def _draw_row(self, at: int, chat: ChatState, width: int, height: int, focused: bool) -> None:
        top, px = at * height, self._fonts.px
        shown = chat is self._state.shown
        boxes: list[Box] = []
        if focused and at == self._picked:
            ring = px(2)
            boxes.append(Box(0, 0, width, height, px(CORNER), "focus"))
            boxes.append(Box(ring, ring, width - 2 * ring, height - 2 * ring, px(CORNER) - ring, "surface-0"))
        if shown or at == self._hover:
            gap = px(3) if boxes else 0
            boxes.append(Box(gap, gap, width - 2 * gap, height - 2 * gap, px(CORNER) - gap, "surface-3"))
        if boxes:
            self.canvas.create_image(0, top, image=shape(self.canvas, width, height, *boxes), anchor="nw")
        room = width - px(16)
        mark = ("hourglass", "warn") if chat.waiting else ("spinner-0", "accent-text") if chat.running else None
        if mark:
            picture = icon(self.canvas, self._fonts, mark[0], 14, mark[1])
            self.canvas.create_image(width - px(8), top + height // 2, image=picture, anchor="e")
            room -= px(22)
        title = cut_end(visible(chat.title), room, self._fonts["ui"].measure)
        colour = theme.colour("text-1" if shown else "text-2")
        self.canvas.create_text(px(8), top + height // 2, text=title, font=self._fonts["ui"], fill=colour, anchor="w")

    def _scrolled(self, first: float, last: float) -> None:
        """The bar stands beside the rows only while there are more of them than fit."""
        self._bar.show(float(first), float(last))
        needed = float(last) - float(first) < 1
        if needed and not self._bar.winfo_manager():
            self._bar.pack(side="right", fill="y", before=self.canvas)
        elif not needed:
            self._bar.pack_forget()

    def _has_focus(self) -> bool:
        return str(self.tk.call("focus")) == str(self.canvas)

    def _focused(self, _event: tk.Event[Any]) -> None:
        self._picked = self._state.chats.index(self._state.shown)
        self.draw()

    def _row_at(self, y: int) -> int:
        at = int(self.canvas.canvasy(y)) // self._fonts.px(ROW)
        return at if 0 <= at < len(self._state.chats) else -1

    def _point(self, at: int) -> None:
        if at != self._hover:
            self._hover = at
            self.canvas.configure(cursor="hand2" if at >= 0 else "")
            self.draw()

    def _step(self, by: int) -> str:
        self._picked = min(max(self._picked + by, 0), len(self._state.chats) - 1)
        row, count = self._fonts.px(ROW), len(self._state.chats)
        first, last = self.canvas.yview()
        if not first <= self._picked / count or (self._picked + 1) / count > last:
            self.canvas.yview_moveto(max(0, self._picked * row - self.canvas.winfo_height() // 2) / (row * count))
        self.draw()
        return "break"

    def _choose(self, at: int) -> str:
        if 0 <= at < len(self._state.chats):
            self._show(self._state.chats[at].chat_id)
        return "break"

    def _drag(self, first: float) -> None:
        self.canvas.yview_moveto(first)

    def _wheel(self, by: int) -> str:
        if self.canvas.yview() != (0.0, 1.0):
            self.canvas.yview_scroll(by * self._fonts.px(ROW), "units")
        return "break"
