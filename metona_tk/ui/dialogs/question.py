"""What all questions to the user have in common: nothing is allowed by accident.

The answer that changes nothing has the focus and is what plain keys give; only Alt+A and a click allow, and nothing
counts in the first half second after the window is really seen, so that no one allows by typing on.
"""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from typing import Any

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.focus_button import FocusButton, Kind
from metona_tk.ui.widgets.root import Dialog

GUARD = 0.5  # s in which keys and clicks do nothing


class Question(Dialog):
    """A subclass packs foot and head first, then what is between them, and then calls `listen`.

    It implements `allowed` and `denied`, which are called once at most, when the window is gone.
    """

    allow_button: FocusButton
    deny_button: FocusButton

    def __init__(self, master: tk.Misc, fonts: Fonts, title: str, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(master)
        self.withdraw()
        self.title(f"Metona: {title}")
        self.fonts, self._clock = fonts, clock
        self._seen: float | None = None
        self._shown_at = 0.0
        self._pressed_early = False  # the mouse button went down before clicks counted
        self.place_in_line: tk.Label | None = None

    def allowed(self) -> None:
        """The user says yes."""
        raise NotImplementedError

    def denied(self) -> None:
        """The user says no."""
        raise NotImplementedError

    def may_allow(self) -> bool:
        """Whether what has to be seen or typed before was."""
        return True

    def say_why_not(self) -> None:
        """The user wants to allow what may not be allowed yet."""

    # Parts

    def make_foot(self) -> tk.Frame:
        """The ground of the buttons, at the lower edge."""
        line = tk.Frame(self, height=1, borderwidth=0)
        theme.paint(line, background="line-1")
        foot = tk.Frame(self, borderwidth=0)
        theme.paint(foot, background="surface-0")
        foot.pack(side="bottom", fill="x")
        line.pack(side="bottom", fill="x", pady=(self.fonts.px(12), 0))
        return foot

    def make_buttons(self, foot: tk.Frame, allow: str, deny: str, kind: Kind = "outline", icon: str = "") -> None:
        """Allow, and right of it Deny; to be made after what stands left of them, for the order of Tab."""
        px = self.fonts.px
        self.allow_button = FocusButton(
            foot,
            self.fonts,
            allow,
            self._allow_by_click,
            kind=kind,
            ground="surface-0",
            keys=(),
            width=96,
            icon=icon,
            hint="Alt+A",
        )
        self.deny_button = FocusButton(foot, self.fonts, deny, self._deny, ground="surface-0", width=96, hint="Esc")
        self.deny_button.pack(side="right", padx=(px(2), px(14)), pady=px(9))
        self.allow_button.pack(side="right", pady=px(9))

    def make_place_in_line(self, master: tk.Misc) -> tk.Label:
        """Where it is said how many questions wait."""
        self.place_in_line = tk.Label(master, font=self.fonts["small"], anchor="e", borderwidth=0)
        theme.paint(self.place_in_line, background="surface-1", foreground="text-3")
        return self.place_in_line

    def number(self, at: int, of: int) -> None:
        """Which of the waiting questions this is."""
        if self.place_in_line is not None:
            self.place_in_line.configure(text=tr("{at} of {of} waiting", at=at, of=of) if of > 1 else "")

    # Keys, and when they count

    def listen(self) -> None:
        """Begin to hear keys; the half second begins when the window is seen."""
        self.protocol("WM_DELETE_WINDOW", self._close)
        self.bind("<Escape>", lambda _event: self._close())
        self.bind("<Key>", lambda _event: self.wait_on())
        for key in ("<Alt-a>", "<Alt-A>"):
            self.bind(key, lambda _event: self._allow_by_key())
        self.bind("<ButtonPress>", lambda _event: self._press())
        for event in ("<Visibility>", "<Expose>"):
            self.bind(event, self._on_seen, add=True)

    def to_front(self) -> None:
        """The user wants to see it: show it above the window."""
        self.deiconify()
        self.lift()
        self.deny_button.focus_set()

    def rest(self) -> None:
        """Go away without an answer; when it is seen again, the half second begins again."""
        self._seen = None
        self.withdraw()

    @property
    def armed(self) -> bool:
        """Whether keys and clicks count by now."""
        return self._seen is not None and self._clock() - self._seen >= GUARD

    @property
    def after_ms(self) -> int:
        """For how long it has been seen."""
        return 0 if self._seen is None else max(0, round((self._clock() - self._shown_at) * 1000))

    def _on_seen(self, event: tk.Event[Any]) -> None:
        if self._seen is None and str(event.state) != "VisibilityFullyObscured":
            self._seen = self._shown_at = self._clock()

    def wait_on(self) -> None:
        """Whoever is still typing, or holds a key down, has not read it yet: the half second begins again."""
        if self._seen is not None and not self.armed:
            self._seen = self._clock()

    def _press(self) -> None:
        self._pressed_early = not self.armed
        self.wait_on()

    def _allow_by_click(self) -> None:
        if not self._pressed_early:
            self._allow()

    def _allow_by_key(self) -> None:
        """Alt+A sleeps while text is being written: there it may be a letter of another keyboard."""
        if self.writing():
            self.wait_on()
        else:
            self._allow()

    def writing(self) -> bool:
        """Whether the focus is where text is written."""
        focus = self.focus_get()
        return isinstance(focus, tk.Entry | tk.Text) and str(focus.cget("state")) == "normal"

    def _allow(self) -> None:
        self.wait_on()
        if not self.armed:
            return
        if not self.may_allow():
            self.say_why_not()
            return
        self.allowed()

    def _deny(self) -> None:
        self.wait_on()
        self._close()

    def _close(self) -> None:
        if self.armed:
            self.denied()
