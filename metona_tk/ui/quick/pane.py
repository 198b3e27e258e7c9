"""What the small window shows, laid out: the line, the answer below it, notices, the foot."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.chat.transcript import TranscriptActions, View
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.quick.answer import QuickAnswer
from metona_tk.ui.quick.foot import HEIGHT as FOOT
from metona_tk.ui.quick.foot import QuickFoot
from metona_tk.ui.quick.line import HEIGHT as LINE
from metona_tk.ui.quick.line import QuickLine
from metona_tk.ui.state import AppState
from metona_tk.ui.widgets.notice import Notice
from metona_tk.ui.widgets.soon import Soon

LEAST, MOST, EMPTY = 120, 420, 26  # px high; of the line below a line without an answer


@dataclass(frozen=True, slots=True)
class QuickActions:
    """What its parts ask for. `grow` gets the height in px that all of it would take."""

    ask: Callable[[str], object]
    stop: Callable[[], object]
    make_chat: Callable[[], object]
    close: Callable[[], object]
    refresh: Callable[[], object]
    grow: Callable[[int], object]
    transcript: TranscriptActions


class QuickPane(tk.Frame):
    """Fills its window; destroy it to build another one in its place."""

    def __init__(self, top: tk.Misc, fonts: Fonts, state: AppState, actions: QuickActions) -> None:
        super().__init__(top, borderwidth=0)
        theme.paint(self, background="surface-1")
        self.fonts, self._state, self._do = fonts, state, actions
        self.composer = QuickLine(self, fonts, actions.ask, actions.stop, lambda: state.history)
        self._rule = self._make_rule()
        self._fit_soon = Soon(self, self._fit)
        self.transcript = QuickAnswer(self, fonts, actions.transcript, self._fit_soon)
        self._empty = tk.Label(self, font=fonts["small"], borderwidth=0, anchor="w", padx=0)
        theme.paint(self._empty, background="surface-1", foreground="text-3")
        self._below = tk.Frame(self, borderwidth=0)
        theme.paint(self._below, background="surface-1")
        self.server_notice = Notice(self._below, fonts, tr("Try again"), actions.refresh)
        self.notice = Notice(self._below, fonts, tr("OK"), lambda: self.notice.say(""))
        self._foot_rule = self._make_rule()
        self.status = QuickFoot(self, fonts, actions.make_chat, actions.close)
        self._lay_out()

    def _make_rule(self) -> tk.Frame:
        rule = tk.Frame(self, borderwidth=0, height=1)
        theme.paint(rule, background="line-1")
        return rule

    def _lay_out(self) -> None:
        px = self.fonts.px
        self.composer.pack(side="top", fill="x")
        self._rule.pack(side="top", fill="x")
        self.status.pack(side="bottom", fill="x")
        self._foot_rule.pack(side="bottom", fill="x")
        self._below.pack(side="bottom", fill="x", padx=px(12))
        for part in (self.server_notice, self.notice):
            part.pack(fill="x", pady=(0, px(4)))
            part.bind("<Configure>", lambda _event: self._fit_soon(), add=True)
            part.wrapped = self._fit_soon
        self._show_page(False)
        # told when the lines have been measured
        self.transcript.page.text.bind("<<WidgetViewSync>>", lambda _event: self._fit_soon(), add=True)

    def _show_page(self, shown: bool) -> None:
        page, empty = self.transcript.page, self._empty
        if shown and not page.winfo_manager():
            empty.pack_forget()
            page.pack(side="top", fill="both", expand=True, after=self._rule)
        elif not shown and not empty.winfo_manager():
            page.pack_forget()
            empty.pack(side="top", fill="both", expand=True, padx=self.fonts.px(16), after=self._rule)

    def _fit(self) -> None:
        """Ask for as much room as the answer takes."""
        px, text = self.fonts.px, self.transcript.page.text
        inside = px(EMPTY)
        self._show_page(not self.transcript.page.empty)
        if not self.transcript.page.empty:
            lines = text.tk.call(str(text), "count", "-ypixels", "1.0", "end")  # an int, or a tuple of one
            inside = int(lines[0] if isinstance(lines, tuple) else lines) + px(16)  # type: ignore[arg-type]
        self._below.update_idletasks()  # what it holds has told it how high it wants to be
        wanted = px(LINE + FOOT) + 2 + inside + self._below.winfo_reqheight()
        self._do.grow(min(max(wanted, px(LEAST)), px(MOST)))

    def show_chat(self, view: View | None = None) -> None:
        """Draw the answer of the chat that the state names as shown."""
        chat = self._state.shown
        self.transcript.show(chat.record, view)
        self.composer.set_content(chat.draft)
        self.composer.set_running(chat.running)
        self.status.message(chat.message, chat.tone)
        self.show_state()
        self.hint()
        self._fit_soon()

    def show_state(self) -> None:
        """Draw which model is asked about which folder."""
        self.status.where(self._state.shown.model, self._state.shown.workspace)

    def show_editing(self) -> None:
        """Say that an earlier question is being written anew."""
        if self._state.shown.editing:
            self.status.message(tr("The new question takes the place of the old one."), "warn")

    def hint(self) -> None:
        """What stands there while nothing was asked."""
        folder = self._state.shown.workspace
        here = tr("Enter asks. Changes to files are confirmed here, too.")
        nowhere = tr("No folder is chosen yet: Ctrl+Enter opens the large window, where one is.")
        self._empty.configure(text=here if folder else nowhere)
        self._fit_soon()
