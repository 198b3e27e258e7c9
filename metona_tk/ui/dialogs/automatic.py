"""The question before a chat stops asking about changes."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable

from metona_tk.i18n import N_, tr
from metona_tk.ui import theme
from metona_tk.ui.dialogs.facts import WrappedText
from metona_tk.ui.dialogs.head import add_head
from metona_tk.ui.dialogs.question import Question
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.plain_dialog import place_over

SIZE = (560, 340)  # px
_LINES = (
    N_("In this chat the model then makes files, and changes those that are there, without asking you first."),
    N_(
        "Every such change can be undone, and these are still asked for: deletions, files that may hold secrets, "
        "files that run by themselves, misleading names, and what cannot be undone."
    ),
    N_("It ends when Metona ends, or when you switch it off in the red line above the chat."),
)


class AutomaticDialog(Question):
    """Calls `decide` once with the answer, then closes."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        decide: Callable[[bool], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        title = tr("Stop asking in this chat?")
        super().__init__(master, fonts, title, clock)
        self._decide = decide
        foot, px = self.make_foot(), fonts.px
        self.make_buttons(foot, tr("Stop asking"), tr("Cancel"), kind="danger")
        add_head(self, "warning", "danger", title)
        page = tk.Frame(self, borderwidth=0)
        theme.paint(page, background="surface-1")
        for line in _LINES:
            WrappedText(page, fonts, [(tr(line), ())]).pack(fill="x", pady=px(4))
        page.pack(fill="both", expand=True, padx=px(20), pady=px(8))
        self.listen()
        place_over(self, master.winfo_toplevel(), fonts, SIZE)
        self.deiconify()
        self.deny_button.focus_set()

    def allowed(self) -> None:
        self.destroy()
        self._decide(True)

    def denied(self) -> None:
        self.destroy()
        self._decide(False)
