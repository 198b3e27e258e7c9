"""A round box that holds the rows of a change, and knows whether their end was seen."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.chat.spans import Span
from metona_tk.ui.dialogs.editor import Editor
from metona_tk.ui.dialogs.end_watch import EndWatch
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.previews import tags
from metona_tk.ui.widgets.pressable import Pressable
from metona_tk.ui.widgets.rounded import Rounded
from metona_tk.ui.widgets.scrollbar import ThinScrollbar

_GROUND = "surface-1"


class QuietCommand(Pressable):
    """Words that do something, like a link."""

    def __init__(self, master: tk.Misc, fonts: Fonts, command: Callable[[], object]) -> None:
        super().__init__(master, _GROUND, keys=("<space>", "<Return>", "<KP_Enter>"))
        self._command = command
        self.configure(font=fonts["small"], cursor="hand2")
        self.draw()

    def press(self) -> None:
        self._command()

    def draw(self) -> None:
        theme.paint(self, foreground="text-1" if self.hover or self.focused else "link")


class RowBox(Rounded):
    """A caption, a command at its right, and the rows; `on_end` is called once their end was in view."""

    def __init__(
        self, master: tk.Misc, fonts: Fonts, on_end: Callable[[], object], command: Callable[[], object]
    ) -> None:
        super().__init__(master, _GROUND, _GROUND, "line-2")
        self._fonts = fonts
        self._head(command)
        self._body()
        self.editor: Editor | None = None
        self.watch = EndWatch(self.text, on_end)
        self._listener = theme.Listener(self, self._style)
        self._style()

    def _head(self, command: Callable[[], object]) -> None:
        px = self._fonts.px
        head = self._head_row = tk.Frame(self, borderwidth=0)
        theme.paint(head, background=_GROUND)
        head.bind("<Configure>", lambda _event: self._fit_caption())
        self._said = ""
        self.caption = tk.Label(head, font=self._fonts["small"], anchor="w", borderwidth=0, padx=0)
        theme.paint(self.caption, background=_GROUND, foreground="text-3")
        self.hint = tk.Label(head, font=self._fonts["small"], anchor="w", borderwidth=0, padx=0)
        theme.paint(self.hint, background=_GROUND, foreground="warn")
        self.command = QuietCommand(head, self._fonts, command)
        self.command.pack(side="right")
        self.hint.pack(side="right", padx=px(12))
        self.caption.pack(side="left", fill="x")
        head.pack(fill="x", padx=px(15), pady=(px(7), px(3)))
        rule = tk.Frame(self, height=1, borderwidth=0)
        theme.paint(rule, background="line-1")
        rule.pack(fill="x", padx=3)

    def _body(self) -> None:
        px = self._fonts.px
        body = self.body = tk.Frame(self, borderwidth=0)
        theme.paint(body, background=_GROUND)
        self.text = tk.Text(
            body,
            wrap="char",
            state="disabled",
            borderwidth=0,
            highlightthickness=0,
            width=1,
            height=1,
            pady=px(4),
            padx=0,
            font=(self._fonts.families["sans"], -1),
            takefocus=0,
            cursor="",
        )
        theme.paint(self.text, background=_GROUND, foreground="text-1")
        theme.paint(self.text, selectbackground="select-bg", selectforeground="select-text")
        self._bar = ThinScrollbar(body, self.text.yview_moveto, self._fonts.scale)
        self.text.configure(yscrollcommand=self._scrolled)
        self.text.bind("<Configure>", lambda _event: self._style())
        self._bar.pack(side="right", fill="y")
        self.text.pack(side="left", fill="both", expand=True)
        body.pack(fill="both", expand=True, padx=3, pady=(0, 3))

    def say(self, words: str) -> None:
        """The caption."""
        self._said = words
        self._fit_caption()

    def warn(self, words: str) -> None:
        """What is still to be done, beside the caption."""
        self.hint.configure(text=words)
        self._fit_caption()

    def offer(self, words: str) -> None:
        """The command's words; "" takes it away."""
        self.command.configure(text=words)
        self.command.configure(takefocus=1 if words else 0)
        self._fit_caption()

    def _fit_caption(self) -> None:
        """Its last parts go where there is no room for them: better than half a word."""
        taken = self.hint.winfo_reqwidth() + self.command.winfo_reqwidth() + 2 * self._fonts.px(12)
        room = self._head_row.winfo_width() - taken
        parts = self._said.split(tr(" · "))
        while len(parts) > 1 and self._fonts["small"].measure(tr(" · ").join(parts)) > room:
            parts.pop()
        self.caption.configure(text=tr(" · ").join(parts))

    def show(self, spans: Sequence[Span]) -> None:
        """Write the rows, from the top."""
        tags.write(self.text, self._fonts, spans)
        self.text.yview_moveto(0)
        self.watch.begin()

    def edit(self, words: str, on_change: Callable[[], object]) -> Editor:
        """Let the user write in place of the rows; `close_editor` brings them back."""
        self.body.pack_forget()
        self.editor = Editor(self, self._fonts, words, on_change, self.watch)
        self.editor.pack(fill="both", expand=True, padx=3, pady=(0, 3))
        return self.editor

    def close_editor(self) -> None:
        """The rows again."""
        if self.editor is not None:
            self.editor.destroy()
            self.editor = None
            self.body.pack(fill="both", expand=True, padx=3, pady=(0, 3))

    def listen_for_scrolling(self, dialog: tk.Misc, asleep: Callable[[], bool]) -> None:
        """Scroll by keys that are pressed anywhere in the dialog, unless `asleep`."""
        moves: dict[str, Callable[[], object]] = {
            "<Prior>": lambda: self.text.yview_scroll(-1, "pages"),
            "<Next>": lambda: self.text.yview_scroll(1, "pages"),
            "<Up>": lambda: self.text.yview_scroll(-1, "units"),
            "<Down>": lambda: self.text.yview_scroll(1, "units"),
            "<Home>": lambda: self.text.yview_moveto(0),
            "<End>": lambda: self.text.yview_moveto(1),
        }
        for key, move in moves.items():
            dialog.bind(key, lambda _event, move=move: None if asleep() else move(), add=True)

    def _style(self) -> None:
        tags.apply(self.text, self._fonts, max(1, self.text.winfo_width()))

    def _scrolled(self, first: float, last: float) -> None:
        self._bar.show(float(first), float(last))
        self.watch.look()
