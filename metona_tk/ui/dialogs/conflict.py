"""The question before an undo or redo that would touch what the user has changed since."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable

from metona_tk.i18n import tr, trn
from metona_tk.protocol.changes import Conflict
from metona_tk.ui.dialogs.change_facts import said_in_box
from metona_tk.ui.dialogs.head import add_head
from metona_tk.ui.dialogs.question import Question
from metona_tk.ui.dialogs.row_box import RowBox
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.previews.conflict_rows import conflict_rows
from metona_tk.ui.previews.tags import row_spans
from metona_tk.ui.previews.words import name_of
from metona_tk.ui.widgets.plain_dialog import SIZE, place_over


class ConflictDialog(Question):
    """Asks once and calls `decide` once with whether it is done anyway, then closes."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        conflict: Conflict,
        decide: Callable[[bool], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        title = _title(conflict)
        super().__init__(master, fonts, title, clock)
        self._decide = decide
        foot, px = self.make_foot(), fonts.px
        anyway = tr("Redo anyway") if conflict.redo else tr("Undo anyway")
        self.make_buttons(foot, anyway, tr("Keep mine"), kind="danger")
        said = (
            tr("Redo would replace what is there now.")
            if conflict.redo
            else tr("Undo would replace what is there now.")
        )
        add_head(self, "undo", "danger", title, [(said, ())])
        rest = tr("What is there now goes to the recycle bin or the undo store first, so this can be taken back, too.")
        look = ("surface-2", "line-2", "text-2")
        box = said_in_box(self, fonts, "info", [(rest, ("second",))], look)
        box.pack(side="bottom", fill="x", padx=px(20), pady=px(6))
        self.box = RowBox(self, fonts, self._check, lambda: None)
        self.box.pack(fill="both", expand=True, padx=px(20), pady=(px(12), px(6)))
        self.box.show(row_spans(conflict_rows(conflict)))
        self.listen()
        self.box.listen_for_scrolling(self, self.writing)
        self._check()
        place_over(self, master.winfo_toplevel(), fonts, SIZE)
        self.deiconify()
        self.deny_button.focus_set()

    def may_allow(self) -> bool:
        return self.box.watch.seen

    def _check(self) -> None:
        seen = self.box.watch.seen
        why = "" if seen else tr("Scroll to the end first")
        self.box.say(tr("What would change"))
        self.box.warn(why)
        if self.allow_button.enabled != seen:
            self.allow_button.set_enabled(seen)

    def allowed(self) -> None:
        self.destroy()
        self._decide(True)

    def denied(self) -> None:
        self.destroy()
        self._decide(False)


def _title(conflict: Conflict) -> str:
    if len(conflict.items) == 1:
        return tr("{name} was changed since", name=name_of(conflict.items[0].path))
    return trn("{count} file was changed since", "{count} files were changed since", len(conflict.items))
