"""One row for each setting: its title and help at the left, its control at the right, an error below."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Any, Protocol

from metona_tk.i18n import tr
from metona_tk.settings import Field
from metona_tk.ui import theme
from metona_tk.ui.dialogs.settings.words import STEPS, choice_words
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon
from metona_tk.ui.widgets.choice import Choice
from metona_tk.ui.widgets.entry import Entry
from metona_tk.ui.widgets.number_entry import Bounds, NumberEntry
from metona_tk.ui.widgets.switch import Switch

GROUND = "surface-2"
Change = Callable[[str, Any], object]


class Control(Protocol):
    """What a row needs of the control in it."""

    def set(self, value: Any) -> None:
        """Show the value without telling anyone."""
        ...


class Row(tk.Frame):
    """Texts at the left that wrap; a subclass packs its control into `right`."""

    def __init__(
        self, master: tk.Misc, fonts: Fonts, title: str, words: str, *, name: str = "", mono: bool = False
    ) -> None:
        super().__init__(master, borderwidth=0, highlightthickness=0)
        theme.paint(self, background=GROUND)
        px = fonts.px
        self.fonts, self.search_words = fonts, f"{title}\n{words}".casefold()
        self.right = tk.Frame(self, borderwidth=0)
        theme.paint(self.right, background=GROUND)
        self.right.pack(side="right", padx=(px(16), px(12)), pady=px(6))
        if name:
            image = tk.Label(self, image=icon(self, fonts, name, 16, "text-3"), borderwidth=0)
            theme.paint(image, background=GROUND)
            image.pack(side="left", padx=(px(14), 0))
        left = tk.Frame(self, borderwidth=0)
        theme.paint(left, background=GROUND)
        left.pack(side="left", fill="x", expand=True, padx=(px(10 if name else 16), 0), pady=px(7))
        self.heading = self._label(left, title, "path" if mono else "ui", "text-1")
        self.help = self._label(left, words, "small", "text-3")
        self.error_label = self._label(left, "", "small", "danger")
        self.error_label.pack_forget()
        left.bind("<Configure>", lambda event: self._wrap(event.width))

    def _label(self, master: tk.Misc, text: str, font: str, token: str) -> tk.Label:
        label = tk.Label(master, text=text, font=self.fonts[font], justify="left", anchor="w", borderwidth=0)
        theme.paint(label, background=GROUND, foreground=token)
        label.pack(anchor="w")
        return label

    def _wrap(self, width: int) -> None:
        for label in (self.heading, self.help, self.error_label):
            label.configure(wraplength=max(80, width - 2))

    @property
    def error(self) -> str:
        """What is said to be wrong."""
        return str(self.error_label.cget("text"))

    def say(self, error: str) -> None:
        """Say below the help what is wrong, or nothing for ""."""
        self.error_label.configure(text=error)
        if error:
            self.error_label.pack(anchor="w")
        else:
            self.error_label.pack_forget()

    def set(self, value: Any) -> None:
        """Show the value of the setting."""
        raise NotImplementedError

    def finish(self) -> None:
        """Take what is being written, if it can be taken."""


class FieldRow(Row):
    """A field of the schema with the control that fits its kind."""

    def __init__(self, master: tk.Misc, fonts: Fonts, field: Field, value: Any, change: Change, name: str = "") -> None:
        super().__init__(master, fonts, tr(field.title), tr(field.help), name=name)
        self.field = field
        self._change = change
        self.control = self._make(value)
        # The other controls keep as much free for their rings.
        self.control.pack(anchor="e", padx=(0, fonts.px(4) if isinstance(self.control, TextEntry) else 0))

    def _make(self, value: Any) -> Choice | Switch | NumberEntry | TextEntry:
        field, send = self.field, self._send
        if field.choices:
            options = {choice: choice_words(field.key, choice) for choice in field.choices}
            return Choice(self.right, self.fonts, options, send, value=str(value), ground=GROUND)
        if field.kind is bool:
            switch = Switch(self.right, self.fonts, send, on=bool(value), ground=GROUND)
            switch.label(self.heading, self.help)
            return switch
        if field.kind in (int, float):
            bounds = Bounds(field.low or 0, field.high or 0, STEPS.get(field.key, 1), field.kind is float)
            return NumberEntry(self.right, self.fonts, bounds, send, value=value, ground=GROUND)
        return TextEntry(self.right, self.fonts, str(value), send)

    def set(self, value: Any) -> None:
        """Show the value of the setting; an error of before is settled."""
        self.say("")
        self.control.set(value)

    def say(self, error: str) -> None:
        """Say what is wrong with the value."""
        super().say(error)
        if isinstance(self.control, TextEntry):
            self.control.mark(bool(error))

    def finish(self) -> None:
        """Take what is being written, if it can be taken."""
        if isinstance(self.control, NumberEntry | TextEntry):
            self.control.finish()

    def _send(self, value: Any) -> None:
        self._change(self.field.key, value)


class TextEntry(Entry):
    """A line of text that is taken by Return or when the focus leaves."""

    def __init__(self, master: tk.Misc, fonts: Fonts, value: str, command: Callable[[str], object]) -> None:
        super().__init__(master, fonts, ground=GROUND, width=220, done=self.finish)
        self.value, self._command = value, command
        super().set(value)

    def set(self, text: str) -> None:
        """Show the value; what the user is writing at the moment stays."""
        written = self.get() != self.value
        self.value = text
        if not (self.focused and written):
            super().set(text)

    def finish(self) -> None:
        """Take what is written."""
        text = self.get().strip()
        if text != self.value:
            self.value = text
            self._command(text)


class ToolRow(Row):
    """A tool with its switch; grey while tools are off altogether."""

    def __init__(
        self, master: tk.Misc, fonts: Fonts, tool: tuple[str, str, str], on: bool, command: Callable[[bool], object]
    ) -> None:
        name, words, icon_name = tool
        super().__init__(master, fonts, name, words, name=icon_name, mono=True)
        self.control = Switch(self.right, fonts, command, on=on, ground=GROUND)
        self.control.label(self.heading, self.help)
        self.control.pack()

    def set(self, value: Any) -> None:
        """On or off."""
        self.control.set(bool(value))

    def set_enabled(self, enabled: bool) -> None:
        """Whether the switch can be used."""
        self.control.set_enabled(enabled)
        theme.paint(self.heading, foreground="text-1" if enabled else "text-off")
