"""A button that the keyboard reaches, with a ring when it has the focus (CTkButton has neither)."""
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import math
import tkinter as tk
from collections.abc import Callable
from typing import Any, Literal

from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon as icon_image
from metona_tk.ui.theme import pair
from metona_tk.ui.widgets.ctk import ctk
from metona_tk.ui.widgets.rounded import Rounded

Kind = Literal["primary", "default", "outline", "ghost", "chosen", "danger"]
_LOOKS: dict[Kind, tuple[str, str, str, str]] = {  # ground ("" = that of the parent), hover, border, text
    "primary": ("accent", "accent-hover", "accent", "on-accent"),
    "default": ("surface-3", "surface-4", "line-2", "text-1"),
    "outline": ("surface-1", "surface-2", "line-2", "text-1"),
    "ghost": ("", "surface-3", "", "text-1"),
    "chosen": ("surface-3", "surface-3", "", "text-1"),
    "danger": ("danger-bg", "surface-3", "danger-line", "danger"),
}
ICON, GAP, RING = 14, 4, 3  # px; Tk's labels add as much again to the gap; the ring is 2 wide with 1 between


class _Button(ctk.CTkButton):
    """Takes a PhotoImage of ours, which is already at the window's scaling, without a warning about that."""

    _image_label_spacing = GAP
    padding = 12
    hint: tk.Label | None = None

    def add_hint(self, label: tk.Label) -> None:
        """Show `label`, a child of this button, right of its words."""
        self.hint = label
        self._canvas.grid(columnspan=6)
        label.grid(row=2, column=5, sticky="e", padx=(0, round(self._apply_widget_scaling(self.padding - 2))))
        self.grid_columnconfigure(4, weight=0)
        for event, action in {"<Enter>": self._on_enter, "<Leave>": self._on_leave}.items():
            label.bind(event, action)
        label.bind("<ButtonRelease-1>", self._on_release)
        self._dye_hint()

    def _dye_hint(self) -> None:
        if self.hint is not None and self._text_label is not None:
            self.hint.configure(background=str(self._text_label.cget("bg")))

    def _draw(self, no_color_updates: bool = False) -> None:
        super()._draw(no_color_updates)
        self._dye_hint()

    def _on_enter(self, event: Any = None) -> None:
        super()._on_enter(event)
        self._dye_hint()

    def _on_leave(self, event: Any = None) -> None:
        super()._on_leave(event)
        self._dye_hint()

    def _create_grid(self) -> None:
        super()._create_grid()
        self.grid_columnconfigure((0, 4), minsize=self._apply_widget_scaling(self.padding))

    def _on_release(self, event: Any = None) -> None:
        """Without CustomTkinter's blink, whose timer would go on after a button that closes its own window."""
        if self._mouse_inside:
            self.invoke()

    def _check_image_type(self, image: Any) -> Any:
        return image


class FocusButton(tk.Frame):
    """`keys` are what presses it while it has the focus; () when no key may (the Allow of a question)."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        text: str,
        command: Callable[[], object],
        *,
        kind: Kind = "default",
        ground: str = "surface-1",
        keys: tuple[str, ...] = ("<space>", "<Return>", "<KP_Enter>"),
        width: int = 0,
        height: int = 32,
        font: str = "ui",
        icon: str = "",
        icon_side: Literal["left", "right"] = "left",
        icon_token: str = "",
        anchor: Literal["center", "w"] = "center",
        hint: str = "",
    ) -> None:
        super().__init__(master, takefocus=1, borderwidth=0, highlightthickness=0)
        theme.paint(self, background=ground)
        self._ground, self.command, self._text = ground, command, text
        self._fonts, self._icon, self.enabled = fonts, icon, True
        self._icon_token = icon_token
        self._kind: Kind = kind
        self._ring = Rounded(self, ground, ground, ground, border=2)
        self._ring.pack(fill="both", expand=True)
        self._button = _Button(
            self._ring,
            width=width,
            height=height,
            corner_radius=6,
            text=text,
            font=fonts.flat(font),
            command=self.press,
            compound=icon_side,
            anchor=anchor,
            round_width_to_even_numbers=False,
            round_height_to_even_numbers=False,
        )
        self._button.padding = 8 if height < 32 or kind in ("ghost", "chosen") else 12
        # Whole pixels once CustomTkinter has scaled it: Tk would cut the fraction off, and the ring's corners with it.
        room = math.ceil(RING * fonts.scale) / fonts.scale
        self._button.pack(padx=room, pady=room, fill="both", expand=True)
        if hint:
            self._add_hint(hint)
        self.look(kind)
        self.bind("<FocusIn>", lambda _event: self._ring.set_line("focus"))
        self.bind("<FocusOut>", lambda _event: self._ring.set_line(self._ground))
        for key in keys:
            self.bind(key, self._key)

    def _add_hint(self, words: str) -> None:
        label = tk.Label(self._button, text=words, font=self._fonts["caption"], borderwidth=0, padx=0, pady=0)
        theme.paint(label, foreground="text-3")
        self._button.add_hint(label)

    def look(self, kind: Kind) -> None:
        """Draw it as one of the kinds."""
        self._kind = kind
        inside, hover, line, text = _LOOKS[kind] if self.enabled else ("surface-2", "surface-2", "line-2", "text-off")
        self._button.configure(
            fg_color=pair(inside or self._ground),
            hover_color=pair(hover),
            border_color=pair(line or self._ground),
            border_width=1 if line else 0,
            text_color=pair(text),
            text_color_disabled=pair(text),
        )
        if self._icon:
            token = self._icon_token if self._icon_token and self.enabled else text
            self._button.configure(image=icon_image(self, self._fonts, self._icon, ICON, token))

    def set_icon(self, name: str) -> None:
        """Give it another icon; "" takes it away."""
        self._icon = name
        if not name:
            self._button.configure(image=None)
        self.look(self._kind)

    def set_enabled(self, enabled: bool) -> None:
        """Switched off it is grey, is not reached by Tab and cannot be pressed."""
        self.enabled = enabled
        self.configure(takefocus=1 if enabled else 0)
        self._button.configure(state="normal" if enabled else "disabled")
        self.look(self._kind)

    def set_text(self, text: str) -> None:
        """Give it another word."""
        self._text = text
        self._button.configure(text=text)

    @property
    def text(self) -> str:
        """The word that it shows."""
        return self._text

    def press(self) -> None:
        """Do what a click does."""
        if self.enabled:
            self.command()

    def _key(self, _event: tk.Event[Any]) -> str:
        self.press()
        return "break"
