"""The question whether the model may read a place outside the workspace."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable

from metona_tk.i18n import tr
from metona_tk.protocol.commands import AnswerApproval
from metona_tk.protocol.values import Decision, OutsidePreview
from metona_tk.ui import theme
from metona_tk.ui.dialogs.facts import Facts
from metona_tk.ui.dialogs.question import Question
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.previews.words import rule_words
from metona_tk.ui.visible import visible

WIDTH = 600  # px


def scope_words(preview: OutsidePreview) -> str:
    """Exactly what Allow opens."""
    folder = visible(preview.scope)
    if preview.deep:
        return tr("Files in {folder} and in all folders below it, for this chat, reading only.", folder=folder)
    return tr("Files directly in {folder}, not below it, for this chat, reading only.", folder=folder)


class ReadOutside(Question):
    """Asks once and calls `answer` once, then closes."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        call_id: str,
        rule: str,
        preview: OutsidePreview,
        answer: Callable[[AnswerApproval], object],
        clock: Callable[[], float] = time.monotonic,
        chat: str = "",
    ) -> None:
        super().__init__(master, fonts, tr("read outside the workspace?"), clock)
        self._call_id, self._answer = call_id, answer
        foot = self.make_foot()  # first, so that pack never cuts the buttons off
        self.make_buttons(foot, tr("Allow"), tr("Deny"))
        self._head()
        rows = Facts(self, fonts)
        if chat:
            rows.add(tr("Chat"), visible(chat))
        self._fill(rows, rule, preview)
        rows.pack(fill="x", padx=(fonts.px(20), fonts.px(8)), pady=fonts.px(4))
        self.facts = rows.texts
        self.listen()
        self._show(master.winfo_toplevel())

    def _head(self) -> None:
        px = self.fonts.px
        head = tk.Frame(self, borderwidth=0)
        theme.paint(head, background="surface-1")
        title = tk.Label(
            head, text=tr("Let the model read here?"), font=self.fonts["heading"], anchor="w", borderwidth=0
        )
        theme.paint(title, background="surface-1", foreground="text-1")
        title.pack(side="left")
        self.make_place_in_line(head).pack(side="right")
        head.pack(fill="x", padx=px(20), pady=(px(20), px(8)))

    def _fill(self, rows: Facts, rule: str, preview: OutsidePreview) -> None:
        typed, resolved = visible(preview.typed), visible(preview.resolved)
        # A row each, so that a long typed path cannot push the real one out of sight.
        rows.add(tr("Path"), typed, "path")
        if typed != resolved:
            rows.add(tr("leads to"), f"→ {resolved}", "path")
        rows.add(tr("Allow opens"), scope_words(preview))
        rows.add(tr("Why asked"), rule_words(rule))

    def _show(self, owner: tk.Misc) -> None:
        # No height: the window is as high as its rows need once their lines are wrapped.
        px = self.fonts.px
        strut = tk.Frame(self, width=px(WIDTH), height=1, borderwidth=0)
        theme.paint(strut, background="surface-1")
        strut.pack()
        left = owner.winfo_rootx() + (owner.winfo_width() - px(WIDTH)) // 2
        self.geometry(f"+{max(0, left)}+{max(0, owner.winfo_rooty() + px(96))}")
        self.transient(owner)  # type: ignore[arg-type]
        self.deiconify()
        # Not focus_force: the window manager decides whether we may take the keyboard from another program.
        self.deny_button.focus_set()

    def allowed(self) -> None:
        self._reply(Decision.ALLOW)

    def denied(self) -> None:
        self._reply(Decision.DENY)

    def _reply(self, decision: Decision) -> None:
        after = self.after_ms
        self.destroy()
        self._answer(AnswerApproval(self._call_id, decision, after_ms=after))
