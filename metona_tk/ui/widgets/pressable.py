"""What the small pictures that can be pressed have in common: focus, keys, mouse, and being switched off."""

from __future__ import annotations

import tkinter as tk
from typing import Any

from metona_tk.ui import theme


class Pressable(tk.Label):
    """A picture that Tab reaches and that Space, Return and a click press; a subclass says what that does.

    A click leaves the focus where it is, unless `focus_on_click`.
    """

    def __init__(
        self, master: tk.Misc, ground: str, keys: tuple[str, ...] = ("<space>",), focus_on_click: bool = False
    ) -> None:
        super().__init__(master, borderwidth=0, highlightthickness=0, padx=0, pady=0, takefocus=1)
        theme.paint(self, background=ground)
        self.enabled, self.focused = True, False
        self.hover = self.down = False
        for key in keys:
            self.bind(key, self._key)
        for event, values in {
            "<FocusIn>": {"focused": True},
            "<FocusOut>": {"focused": False},
            "<Enter>": {"hover": True},
            "<Leave>": {"hover": False},
        }.items():
            self.bind(event, lambda _event, values=values: self._become(**values), add=True)
        self._focus_on_click = focus_on_click
        self.bind("<ButtonPress-1>", self._pressed, add=True)
        self.bind("<ButtonRelease-1>", self._release, add=True)

    def press(self) -> None:
        """Do what a click does."""
        raise NotImplementedError

    def draw(self) -> None:
        """Show the picture of the state."""
        raise NotImplementedError

    def set_enabled(self, enabled: bool) -> None:
        """Switched off it is grey, is not reached by Tab and cannot be pressed."""
        self.enabled = enabled
        self.configure(takefocus=1 if enabled else 0)
        self.draw()

    def _become(self, **values: bool) -> None:
        for name, value in values.items():
            setattr(self, name, value)
        self.draw()

    def _key(self, _event: tk.Event[Any]) -> str:
        if self.enabled:
            self.press()
        return "break"

    def _pressed(self, _event: tk.Event[Any]) -> str:
        if self._focus_on_click and self.enabled:
            self.focus_set()
        self._become(down=True)
        return "break"  # CustomTkinter would give each widget that is clicked the focus

    def _release(self, event: tk.Event[Any]) -> None:
        inside = 0 <= event.x < self.winfo_width() and 0 <= event.y < self.winfo_height()
        pressed = self.down and inside and self.enabled
        self._become(down=False)
        if pressed:
            self.press()
