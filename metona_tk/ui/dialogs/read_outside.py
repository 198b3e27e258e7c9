"""The question whether the model may read a place outside the workspace.

Deny has the focus and is what every plain key does; only Alt+A and a click on Allow allow, and nothing counts in the
first half second after the window is really seen, so that no one allows by typing on.
"""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from typing import Any

from metona_tk.i18n import tr
from metona_tk.protocol.values import Decision, OutsidePreview
from metona_tk.ui import theme
from metona_tk.ui.chat.spans import escaping, flat
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.visible import visible
from metona_tk.ui.widgets.focus_button import FocusButton
from metona_tk.ui.widgets.root import Dialog
from metona_tk.ui.widgets.scrollbar import ThinScrollbar
from metona_tk.ui.widgets.text_size import display_lines

GUARD = 0.5  # s in which keys and clicks do nothing
WIDTH, LABEL, MOST_ROWS = 600, 92, 8


def rule_words(rule: str) -> str:
    """Why it is asked."""
    if rule == "typed_outside":
        return tr("The model asks for a place that lies outside the workspace of this chat.")
    return tr("The rule “{rule}” wants your answer.", rule=visible(rule))


def scope_words(preview: OutsidePreview) -> str:
    """Exactly what Allow opens."""
    folder = visible(preview.scope)
    if preview.deep:
        return tr("Files in {folder} and in all folders below it, for this chat, reading only.", folder=folder)
    return tr("Files directly in {folder}, not below it, for this chat, reading only.", folder=folder)


class ReadOutside(Dialog):
    """Asks once and calls `answer` once, then closes."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        rule: str,
        preview: OutsidePreview,
        answer: Callable[[Decision], object],
        clock: Callable[[], float] = time.monotonic,
        chat: str = "",
    ) -> None:
        super().__init__(master)
        self.withdraw()
        self.title(tr("Metona: read outside the workspace?"))
        self._fonts, self._answer, self._clock = fonts, answer, clock
        self._seen: float | None = None
        self.facts: list[tk.Text] = []
        self._foot()  # first, so that pack never cuts the buttons off
        self._head()
        if chat:
            self._row(tr("Chat"), visible(chat), "ui")
        self._fill(rule, preview)
        self._bind_keys()
        self._show(master.winfo_toplevel())

    def _head(self) -> None:
        px = self._fonts.px
        head = tk.Frame(self, borderwidth=0)
        theme.paint(head, background="surface-1")
        title = tk.Label(
            head, text=tr("Let the model read here?"), font=self._fonts["heading"], anchor="w", borderwidth=0
        )
        theme.paint(title, background="surface-1", foreground="text-1")
        title.pack(side="left")
        self.place_in_line = tk.Label(head, font=self._fonts["small"], anchor="e", borderwidth=0)
        theme.paint(self.place_in_line, background="surface-1", foreground="text-3")
        self.place_in_line.pack(side="right")
        head.pack(fill="x", padx=px(20), pady=(px(20), px(12)))

    def _fill(self, rule: str, preview: OutsidePreview) -> None:
        typed, resolved = visible(preview.typed), visible(preview.resolved)
        # A row each, so that a long typed path cannot push the real one out of sight.
        self._row(tr("Path"), typed, "path")
        if typed != resolved:
            self._row(tr("leads to"), f"→ {resolved}", "path")
        self._row(tr("Allow opens"), scope_words(preview), "ui")
        self._row(tr("Why asked"), rule_words(rule), "ui")

    def _row(self, label: str, words: str, font: str) -> None:
        px = self._fonts.px
        row = tk.Frame(self, borderwidth=0)
        theme.paint(row, background="surface-1")
        name = tk.Label(row, text=label, font=self._fonts["small"], anchor="nw", borderwidth=0)
        theme.paint(name, background="surface-1", foreground="text-3")
        name.place(x=0, y=px(2), width=px(LABEL))
        text = self._fact(row, font)
        bar = ThinScrollbar(row, text.yview_moveto, self._fonts.scale)
        bar.configure(height=1)
        text.configure(yscrollcommand=lambda first, last: bar.show(float(first), float(last)))
        text.insert("1.0", *flat(escaping(words)))  # type: ignore[arg-type]
        text.configure(state="disabled")
        bar.pack(side="right", fill="y")
        text.pack(fill="x", padx=(px(LABEL), 0))
        row.pack(fill="x", padx=(px(20), px(8)), pady=px(4))
        self.facts.append(text)

    def _fact(self, row: tk.Frame, font: str) -> tk.Text:
        gap = self._fonts.spacing(font)
        text = tk.Text(
            row,
            wrap="char" if font == "path" else "word",
            height=1,
            width=1,
            borderwidth=0,
            highlightthickness=0,
            font=self._fonts[font],
            spacing1=gap.above,
            spacing2=gap.between,
            spacing3=gap.below,
            takefocus=0,
            cursor="",
        )
        theme.paint(text, background="surface-1", foreground="text-1")
        theme.paint(text, selectbackground="select-bg", selectforeground="select-text")
        text.tag_configure("escape", background=theme.colour("warn-bg"), foreground=theme.colour("warn"))
        text.bind("<Configure>", lambda _event: self._fit(text))
        return text

    def _fit(self, text: tk.Text) -> None:
        wanted = min(MOST_ROWS, display_lines(text))
        if wanted != int(str(text.cget("height"))):
            text.configure(height=wanted)

    def _foot(self) -> None:
        px = self._fonts.px
        line = tk.Frame(self, height=1, borderwidth=0)
        theme.paint(line, background="line-1")
        foot = tk.Frame(self, borderwidth=0)
        theme.paint(foot, background="surface-0")
        keys = tk.Label(foot, text=tr("Alt+A allows, Esc denies"), font=self._fonts["small"], borderwidth=0)
        theme.paint(keys, background="surface-0", foreground="text-3")
        keys.pack(side="left", padx=px(20))
        self.allow_button = FocusButton(
            foot, self._fonts, tr("Allow"), self._allow, kind="outline", ground="surface-0", keys=(), width=96
        )
        self.deny_button = FocusButton(foot, self._fonts, tr("Deny"), self._deny, ground="surface-0", width=96)
        self.deny_button.pack(side="right", padx=(px(4), px(16)), pady=px(8))
        self.allow_button.pack(side="right", pady=px(8))
        foot.pack(side="bottom", fill="x")
        line.pack(side="bottom", fill="x", pady=(px(12), 0))

    def _bind_keys(self) -> None:
        self.protocol("WM_DELETE_WINDOW", lambda: self._decide(Decision.DENY))
        self.bind("<Escape>", lambda _event: self._decide(Decision.DENY))
        self.bind("<Key>", lambda _event: self._wait_on())
        for key in ("<Alt-a>", "<Alt-A>"):
            self.bind(key, lambda _event: self._allow())
        for event in ("<Visibility>", "<Expose>"):
            self.bind(event, self._on_seen, add=True)

    def _show(self, owner: tk.Misc) -> None:
        # No height: the window is as high as its rows need once their lines are wrapped.
        strut = tk.Frame(self, width=self._fonts.px(WIDTH), height=1, borderwidth=0)
        theme.paint(strut, background="surface-1")
        strut.pack()
        left = owner.winfo_rootx() + (owner.winfo_width() - self._fonts.px(WIDTH)) // 2
        self.geometry(f"+{max(0, left)}+{max(0, owner.winfo_rooty() + self._fonts.px(96))}")
        self.transient(owner)  # type: ignore[arg-type]
        self.deiconify()
        # Not focus_force: the window manager decides whether we may take the keyboard from another program.
        self.deny_button.focus_set()

    def number(self, at: int, of: int) -> None:
        """Which of the waiting questions this is."""
        self.place_in_line.configure(text=tr("{at} of {of}", at=at, of=of) if of > 1 else "")

    def to_front(self) -> None:
        """Show it above the window."""
        self.deiconify()
        self.lift()
        self.deny_button.focus_set()

    @property
    def armed(self) -> bool:
        """Whether keys and clicks count by now."""
        return self._seen is not None and self._clock() - self._seen >= GUARD

    def _on_seen(self, event: tk.Event[Any]) -> None:
        if self._seen is None and str(event.state) != "VisibilityFullyObscured":
            self._seen = self._clock()

    def _allow(self) -> None:
        self._wait_on()
        self._decide(Decision.ALLOW)

    def _deny(self) -> None:
        self._wait_on()
        self._decide(Decision.DENY)

    def _wait_on(self) -> None:
        """Whoever is still typing, or holds a key down, has not read it yet: the half second begins again."""
        if self._seen is not None and not self.armed:
            self._seen = self._clock()

    def _decide(self, decision: Decision) -> None:
        if self.armed:
            self.destroy()
            self._answer(decision)
