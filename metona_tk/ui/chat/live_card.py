"""A tool call that runs or waits for the user: a round frame inside the page, until its card takes its place."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable

from metona_tk.i18n import tr
from metona_tk.i18n.quantities import time_words
from metona_tk.protocol.events import ApprovalRequested, ToolStarted
from metona_tk.ui import theme
from metona_tk.ui.chat.card_text import acts_on, tool_icon
from metona_tk.ui.chat.spans import escaping
from metona_tk.ui.chat.style import NAME, SIDE
from metona_tk.ui.chat.waiting import Waiting
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon
from metona_tk.ui.visible import visible
from metona_tk.ui.widgets.focus_button import FocusButton
from metona_tk.ui.widgets.rounded import Rounded
from metona_tk.ui.widgets.spinner import Spinner
from metona_tk.ui.wording import cut_middle

COLUMN = 784  # px, until `fit` tells
TICK = 250  # ms between two times shown
_GROUND = "surface-2"


class LiveCard(Rounded):
    """`on_stop` stops the turn, `on_review` brings the question to the front. `begun`: time.monotonic."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        start: ToolStarted,
        begun: float,
        on_stop: Callable[[], object],
        on_review: Callable[[], object],
    ) -> None:
        super().__init__(master, "surface-1", _GROUND, "accent-line")
        self._fonts, self._start, self._begun = fonts, start, begun
        self._on_review = on_review
        self._timer: str | None = None
        self.waiting: Waiting | None = None
        self._width = fonts.px(COLUMN)
        self._spinner: Spinner | None = None
        self._head(on_stop)
        self.ask(None)
        self._tick()

    def _head(self, on_stop: Callable[[], object]) -> None:
        px = self._fonts.px
        head = self._row = tk.Frame(self, borderwidth=0, height=px(34))
        head.pack_propagate(False)
        theme.paint(head, background=_GROUND)
        picture = tk.Label(head, image=icon(self, self._fonts, tool_icon(self._start.name)))
        name = self._label(head, "label", "text-1", visible(self._start.name)[:60])
        self._what = self._label(head, "path", "text-2")
        self._button = FocusButton(
            head,
            self._fonts,
            tr("Stop"),
            on_stop,
            kind="ghost",
            ground=_GROUND,
            height=24,
            font="small",
            icon="stop",
            icon_token="text-2",
        )
        self._time = self._label(head, "small", "text-3")
        self._state = self._label(head, "small", "accent-text")
        self._mark = tk.Label(head)
        for label in (picture, self._mark):
            label.configure(borderwidth=0, padx=0)
            theme.paint(label, background=_GROUND)
        # its row begins 3 px inside the frame; icon and name stand where a finished card has them
        picture.pack(side="left", padx=(px(SIDE) - 3, px(NAME - SIDE - 16)))
        name.pack(side="left", padx=(0, px(8)))
        self._button.pack(side="right", padx=(px(4), px(6)))
        self._time.pack(side="right", padx=(px(8), 0))
        self._state.pack(side="right", padx=(px(4), 0))
        self._mark.pack(side="right", padx=(px(8), 0))
        self._what.pack(side="left", fill="x")
        # 3 px keep the square child away from the round corners
        head.pack(fill="x", padx=3, pady=3)

    def _label(self, master: tk.Misc, font: str, token: str, text: str = "") -> tk.Label:
        label = tk.Label(master, text=text, font=self._fonts[font], borderwidth=0, padx=0, anchor="w")
        theme.paint(label, background=_GROUND, foreground=token)
        return label

    def fit(self, width: int) -> None:
        """Be so wide; what the call acts on is cut to what is left."""
        self._row.configure(width=width - 6)
        self._width = width
        taken = self._fonts["label"].measure(visible(self._start.name)[:60]) + self._fonts.px(280)
        self._show_path(self._what, acts_on(self._start.name, self._start.arguments), width - taken)
        if self.waiting is not None:
            self.waiting.fit(width)

    def _show_path(self, label: tk.Label, words: str, room: int) -> None:
        """Words that went through `visible`; a label has one colour, so an escape in them gives it to all."""
        label.configure(text=cut_middle(words, max(self._fonts.px(60), room), self._fonts["path"].measure))
        escaped = any("escape" in tags for _, tags in escaping(words))
        theme.paint(label, foreground="warn" if escaped else "text-2")

    def ask(self, request: ApprovalRequested | None) -> None:
        """Wait for the user with this question, or run (on)."""
        waiting = request is not None
        self._state.configure(text=tr("waiting for you") if waiting else tr("running"))
        theme.paint(self._state, foreground="warn" if waiting else "accent-text")
        self.set_line("warn-line" if waiting else "accent-line")
        self._turn(not waiting)
        if waiting:
            self._button.pack_forget()
        elif not self._button.winfo_manager():
            self._button.pack(side="right", padx=(self._fonts.px(4), self._fonts.px(6)), before=self._time)
        px = self._fonts.px
        self._time.pack_configure(padx=(px(8), px(SIDE) - 3 if waiting else 0))
        self._show_question(request)

    def _turn(self, running: bool) -> None:
        if running and self._spinner is None:
            self._spinner = Spinner(self, self._fonts, lambda image: self._mark.configure(image=image), 14)
        elif not running:
            if self._spinner is not None:
                self._spinner.stop()
                self._spinner = None
            self._mark.configure(image=icon(self, self._fonts, "hourglass", 14, "warn"))

    def _show_question(self, request: ApprovalRequested | None) -> None:
        if self.waiting is not None:
            self.waiting.destroy()
            self.waiting = None
        if request is not None:
            self.waiting = Waiting(self, self._fonts, request.preview, self._on_review)
            self.waiting.fit(self._width)
            self.waiting.pack(fill="x", padx=3, pady=(0, 3))

    def _tick(self) -> None:
        self._time.configure(text=time_words(max(0.1, time.monotonic() - self._begun)))
        self._timer = self.after(TICK, self._tick)

    def destroy(self) -> None:
        if self._timer is not None:
            self.after_cancel(self._timer)
            self._timer = None
        if self._spinner is not None:
            self._spinner.stop()
        super().destroy()
