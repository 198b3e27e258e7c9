"""Everything that is on the screen, laid out: sidebar, header, page, notices, composer, status line."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from metona_tk.i18n import N_, tr, trn
from metona_tk.protocol.values import Mode
from metona_tk.ui import theme
from metona_tk.ui.banner import Banner
from metona_tk.ui.chat.composer import Composer, ComposerActions
from metona_tk.ui.chat.transcript import Transcript, TranscriptActions, View
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.header import Header, HeaderActions
from metona_tk.ui.sidebar import Sidebar, SidebarActions
from metona_tk.ui.state import AppState
from metona_tk.ui.status import StatusLine
from metona_tk.ui.visible import visible
from metona_tk.ui.widgets.notice import Notice
from metona_tk.ui.wording import home_path

if TYPE_CHECKING:
    from metona_tk.ui.chat.find_bar import FindBar

COLUMN = 784
FOLDED = 860  # px of the window below which the sidebar is away
_NO_FOLDER = N_(
    "The model looks only into the folder that you choose, at the top or with Ctrl+O. "
    "Without one you can chat, but not ask about files."
)
_FOLDER = N_(
    "The model may look into {folder}, and only there. It asks before it "
    "overwrites, moves or deletes what is there, and what it changed can be undone."
)


@dataclass(frozen=True, slots=True)
class ShellActions:
    """What each part asks for."""

    header: HeaderActions
    sidebar: SidebarActions
    transcript: TranscriptActions
    composer: ComposerActions
    refresh: Callable[[], object]
    ask_again: Callable[[], object]  # leave the automatic mode
    quit: Callable[[], object]


class Shell(tk.Frame):
    """Fills its window; destroy it to build another one in its place."""

    def __init__(self, top: tk.Misc, fonts: Fonts, state: AppState, actions: ShellActions) -> None:
        super().__init__(top, borderwidth=0)
        theme.paint(self, background="surface-1")
        self.fonts, self._state = fonts, state
        self._width = 0
        self._find: FindBar | None = None
        self.sidebar = Sidebar(self, fonts, state, actions.sidebar)
        self._side_rule = self._rule()
        self.status = StatusLine(self, fonts)
        self.main = tk.Frame(self, borderwidth=0)
        theme.paint(self.main, background="surface-1")
        self.header = Header(self.main, fonts, state, actions.header)
        self._top_rule = self._rule()
        self.transcript = Transcript(self.main, fonts, actions.transcript)
        self.transcript.record = state.shown.record
        self._below = tk.Frame(self.main, borderwidth=0)
        theme.paint(self._below, background="surface-1")
        self.server_notice = Notice(self._below, fonts, tr("Try again"), actions.refresh)
        self.notice = Notice(self._below, fonts, tr("OK"), lambda: self.notice.say(""))
        self.leaving = Notice(self._below, fonts, tr("Quit Metona"), actions.quit)
        self.composer = Composer(self._below, fonts, actions.composer)
        self._make_banner = lambda: Banner(self.main, fonts, actions.ask_again)
        self.banner: Banner | None = None  # built when a chat first needs it
        self._lay_out()

    def _rule(self) -> tk.Frame:
        rule = tk.Frame(self, borderwidth=0, width=1, height=1)
        theme.paint(rule, background="line-1")
        return rule

    def _lay_out(self) -> None:
        px = self.fonts.px
        self._bottom_rule = self._rule()
        self.sidebar.pack(side="left", fill="y")
        self._side_rule.pack(side="left", fill="y")
        self.status.pack(side="bottom", fill="x")
        self._bottom_rule.pack(side="bottom", fill="x")
        self.main.pack(side="top", fill="both", expand=True)
        self.header.pack(side="top", fill="x")
        self._top_rule.pack(in_=self.main, side="top", fill="x")
        self._top_rule.lift()
        self._below.pack(side="bottom", fill="x")
        self.transcript.page.pack(side="top", fill="both", expand=True)
        # first, so that it stays whole when a long notice leaves too little room
        self.composer.pack(side="bottom", fill="x", pady=(px(8), px(12)))
        for part in (self.server_notice, self.notice, self.leaving):
            part.pack(fill="x", pady=(px(4), 0))
        self._below.bind("<Configure>", lambda event: self._centre(event.width))
        self.bind("<Configure>", lambda event: self._sized(event.width))

    def _centre(self, width: int) -> None:
        """The composer stands under the transcript's column; its scroll bar takes 12 px on the right."""
        bar = self.fonts.px(12)
        side = max(self.fonts.px(16), (width - bar - self.fonts.px(COLUMN) + 1) // 2)
        for part in (self.server_notice, self.notice, self.leaving, self.composer):
            part.pack_configure(padx=(side, side + bar))

    def _sized(self, width: int) -> None:
        if width == self._width:
            return
        self._width = width
        folded = width < self.fonts.px(FOLDED)
        self.header.fold_sidebar(folded)
        if folded:
            self.sidebar.pack_forget()
            self._side_rule.pack_forget()
        elif not self.sidebar.winfo_manager():
            self.sidebar.pack(side="left", fill="y", before=self.status)
            self._side_rule.pack(side="left", fill="y", before=self.status)

    def show_chat(self, view: View | None = None) -> None:
        """Draw the chat that the state names as shown, as it was looked at, else from its end."""
        chat = self._state.shown
        self.close_find()
        self.transcript.show(chat.record, view)
        self.composer.set_content(chat.draft)
        self.composer.set_running(chat.running)
        self.show_editing()
        self.status.speed(chat.speed)
        self.status.message(chat.message, chat.tone)
        self.show_state()
        self.hint()

    def show_state(self) -> None:
        """Draw header and sidebar after the state changed."""
        self.header.show()
        self.sidebar.show()
        self._show_banner()

    def _show_banner(self) -> None:
        automatic = self._state.shown.mode is Mode.NONE
        if automatic:
            self.banner = self.banner or self._make_banner()
            self.banner.pack(side="top", fill="x", after=self._top_rule)
        elif self.banner is not None:
            self.banner.pack_forget()

    def show_editing(self) -> None:
        """Say over the composer which question is being written anew, if one is."""
        chat = self._state.shown
        words = ""
        if chat.editing:
            later = [turn for turn in chat.record.turns if turn.question]
            at = next((at for at, turn in enumerate(later) if turn.turn_id == chat.editing), len(later) - 1)
            count = len(later) - 1 - at
            words = tr(
                "You are changing your question; its answer is dropped when you send it. Esc: leave it as it is."
            )
            if count:
                words = trn(
                    "You are changing an earlier question; sending it drops its answer and the question after it. "
                    "Esc: leave it as it is.",
                    "You are changing an earlier question; sending it drops its answer and the {count} questions "
                    "after it. Esc: leave it as it is.",
                    count,
                )
        self.composer.show_editing(words)

    def hint(self) -> None:
        """On an empty page, what to do first."""
        if self._state.shown.record.turns:
            return
        folder = self._state.shown.workspace
        if folder is None:
            self.transcript.hint(tr("Choose a folder first"), tr(_NO_FOLDER))
        else:
            self.transcript.hint(tr("Ask about your files"), tr(_FOLDER, folder=visible(home_path(folder))))

    def find(self, words: str | None = None) -> None:
        """Open the bar that finds words in the chat; `words` in place of those that stand in it."""
        if self._find is None:
            from metona_tk.ui.chat.find_bar import FindBar

            self._find = FindBar(self.transcript.page, self.transcript.when_complete, self.composer.text.focus_set)
            self.transcript.on_drawn = self._find.refresh
        self._find.open(words)

    @property
    def finding(self) -> str | None:
        """What is looked for; None while that bar is closed."""
        return self._find.entry.get() if self._find is not None and self._find.winfo_manager() else None

    def close_find(self) -> bool:
        """Close that bar; False when it was not open."""
        if self._find is None or self.finding is None:
            return False
        self._find.close()
        return True
