"""A dialog with a head, a body that takes what is left, and a foot with a button that closes it."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.focus_button import FocusButton
from metona_tk.ui.widgets.root import Dialog

SIZE, LEAST = (880, 640), (640, 480)  # px
MARGIN = 48  # px of the screen that stay free around it, for title bar and panel


class PlainDialog(Dialog):
    """Belongs to a window and lets that go on. A subclass fills `head` and `body` and then calls `appear`.

    `closed` is called once, after it is gone.
    """

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        title: str,
        hint: str,
        size: tuple[int, int] = SIZE,
        closed: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(master)
        self.withdraw()
        self.fonts, self._closed, self._size = fonts, closed, size
        self._owner = master.winfo_toplevel()
        # Made in the order of Tab, packed so that head and foot stay whole when there is little room.
        self.head, self.body, self.foot = (tk.Frame(self, borderwidth=0) for _ in range(3))
        line, rule = (tk.Frame(self, height=1, borderwidth=0) for _ in range(2))
        for part, ground in ((self.head, "surface-1"), (self.body, "surface-1"), (self.foot, "surface-0")):
            theme.paint(part, background=ground)
        for part in (line, rule):
            theme.paint(part, background="line-1")
        self._fill_head(title)
        self._fill_foot(hint)
        self.head.pack(side="top", fill="x")
        rule.pack(side="top", fill="x")
        self.foot.pack(side="bottom", fill="x")
        line.pack(side="bottom", fill="x")
        self.body.pack(side="top", fill="both", expand=True)
        self.bind("<Escape>", lambda _event: self.leave())
        self.protocol("WM_DELETE_WINDOW", self.close)

    def _fill_head(self, title: str) -> None:
        px = self.fonts.px
        self.title(f"Metona: {title}")
        self.heading = tk.Label(self.head, text=title, font=self.fonts["heading"], anchor="w", borderwidth=0)
        theme.paint(self.heading, background="surface-1", foreground="text-1")
        self.heading.pack(side="left", padx=px(20), pady=px(16))

    def _fill_foot(self, hint: str) -> None:
        px = self.fonts.px
        self.hint = tk.Label(self.foot, text=hint, font=self.fonts["small"], anchor="w", borderwidth=0)
        theme.paint(self.hint, background="surface-0", foreground="text-3")
        self.close_button = FocusButton(self.foot, self.fonts, tr("Close"), self.close, ground="surface-0", width=96)
        self.close_button.pack(side="right", padx=px(16), pady=px(8))
        self.hint.pack(side="left", padx=px(20))

    def appear(self, first: tk.Misc) -> None:
        """Show it over its window and inside the screen, with the focus on `first`."""
        place_over(self, self._owner, self.fonts, self._size)
        self.deiconify()
        first.focus_set()

    def to_front(self) -> None:
        """It is there already: bring it before the user."""
        self.deiconify()
        self.lift()
        self.focus_set()

    def leave(self) -> None:
        """Esc: close it; a subclass may first leave what is being written."""
        self.close()

    def close(self) -> None:
        """Close it, once."""
        if theme.alive(self):
            self.destroy()
            if self._closed is not None:
                self._closed()


def place_over(dialog: tk.Toplevel, owner: tk.Misc, fonts: Fonts, size: tuple[int, int]) -> None:
    """Give a dialog its size and least size, inside the screen, over its window."""
    px = fonts.px
    wide, high = dialog.winfo_screenwidth() - px(MARGIN), dialog.winfo_screenheight() - px(MARGIN) * 2
    width, height = min(px(size[0]), wide), min(px(size[1]), high)
    left = owner.winfo_rootx() + (owner.winfo_width() - width) // 2
    top = owner.winfo_rooty() + (owner.winfo_height() - height) // 3
    left = max(0, min(left, dialog.winfo_screenwidth() - width))
    top = max(0, min(top, dialog.winfo_screenheight() - height - px(MARGIN)))
    dialog.geometry(f"{width}x{height}+{left}+{top}")
    dialog.minsize(min(px(min(LEAST[0], size[0])), wide), min(px(min(LEAST[1], size[1])), high))
    if owner.winfo_viewable():
        dialog.transient(owner)  # type: ignore[arg-type]
