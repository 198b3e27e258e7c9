"""The settings: drawn from the schema, applied at once, searched by words.

Counterpart: the core, which checks and saves what `change` sends and answers with SettingsChanged; the caller hands
that to `show`.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from tkinter import filedialog
from typing import Any

from metona_tk.i18n import language, tr
from metona_tk.i18n.problems import problem_text
from metona_tk.protocol.problems import Problem, ProblemCode
from metona_tk.settings import Field
from metona_tk.ui import theme
from metona_tk.ui.dialogs.settings.boxes import FolderList, Group
from metona_tk.ui.dialogs.settings.rows import FieldRow, ToolRow
from metona_tk.ui.dialogs.settings.words import SECTIONS
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.keys import MODIFIER
from metona_tk.ui.widgets.entry import Entry
from metona_tk.ui.widgets.focus_button import FocusButton
from metona_tk.ui.widgets.notice import Notice
from metona_tk.ui.widgets.plain_dialog import PlainDialog
from metona_tk.ui.widgets.scrolled import Scrolled

NAV, NARROW = 184, 760  # px: width of the list of sections, and the window's width below which it goes


@dataclass(frozen=True, slots=True)
class ToolLine:
    """A tool as it is shown: its name, one line about it in the user's language, and an icon."""

    name: str
    words: str
    icon: str = "wrench"


class SettingsDialog(PlainDialog):
    """`change` gets {key: value} for each change; `tools` is asked again when the language changes."""

    def __init__(
        self,
        master: tk.Misc,
        fonts: Fonts,
        fields: Sequence[Field],
        values: Mapping[str, Any],
        tools: Callable[[], Sequence[ToolLine]],
        change: Callable[[dict[str, Any]], object],
        closed: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(master, fonts, tr("Settings"), tr("Changes apply at once"), closed=closed)
        self._fields = {field.key: field for field in fields}
        self._tools, self._change = tools, change
        self.values = dict(values)
        self._slot, self._nav = tk.Frame(self.body, borderwidth=0), tk.Frame(self.body, borderwidth=0)
        self.page = Scrolled(self.body, fonts)
        for part, ground in ((self._slot, "surface-1"), (self._nav, "surface-0")):
            theme.paint(part, background=ground)
        self._slot.pack(side="top", fill="x")
        self._nav.pack(side="left", fill="y")
        self.page.pack(side="left", fill="both", expand=True)
        self.page.listen(self)
        self.page.moved = self._follow
        self._narrow = False
        self._build()
        self.bind("<Configure>", self._on_size, add=True)
        for key in ("f", "F"):
            self.bind(f"<{MODIFIER}-{key}>", lambda _event: self.search.entry.focus_set())
        self.appear(self.search.entry)

    # Building

    def _build(self) -> None:
        self._language, self._chosen = language(), -1
        self.rows: dict[str, FieldRow] = {}
        self.tool_rows: dict[str, ToolRow] = {}
        self.folder_lists: dict[str, FolderList] = {}
        self._groups: list[tuple[int, Group]] = []
        px = self.fonts.px
        self.search = Entry(
            self.head, self.fonts, placeholder=tr("Search settings"), name="search", width=240, changed=self._filter
        )
        self.search.pack(side="right", padx=px(20))
        self._notice = Notice(self._slot, self.fonts, tr("OK"), lambda: self._notice.say(""))
        self._notice.pack(fill="x")
        self.nav_buttons = [self._nav_button(number) for number in range(len(SECTIONS))]
        self._nothing = tk.Label(self.page.inner, text=tr("No setting has these words."), font=self.fonts["ui"])
        theme.paint(self._nothing, background="surface-1", foreground="text-3")
        for number in range(len(SECTIONS)):
            self._section(number)
        self._lay_out([group for _, group in self._groups if group.filter(())])
        self._allow_tools()
        self._choose(0)

    def _nav_button(self, number: int) -> FocusButton:
        px, section = self.fonts.px, SECTIONS[number]
        button = FocusButton(
            self._nav,
            self.fonts,
            tr(section.title),
            lambda: self.go_to(number),
            kind="ghost",
            ground="surface-0",
            icon=section.icon,
            anchor="w",
            width=NAV - 28,
        )
        button.pack(fill="x", padx=px(8), pady=(px(12) if number == 0 else 0, 0))
        return button

    def _section(self, number: int) -> None:
        section = SECTIONS[number]
        group = self._group(number, Group(self.page.inner, self.fonts, tr(section.title), strong=True))
        for key in section.keys:
            field = self._fields.get(key)
            if field is None:
                continue
            if field.kind is list:
                self._folders(number, field)
            elif field.kind is dict:
                self._tool_group(number, field)
            else:
                row = FieldRow(group.box, self.fonts, field, self.values[key], self._changed)
                self.rows[key] = row
                group.rows.append(row)

    def _group(self, number: int, group: Group) -> Group:
        self._groups.append((number, group))
        return group

    def _tool_group(self, number: int, field: Field) -> None:
        group = self._group(number, Group(self.page.inner, self.fonts, tr(field.title), words=tr(field.help)))
        for tool in self._tools():
            line = (tool.name, tool.words, tool.icon)
            row = ToolRow(
                group.box,
                self.fonts,
                line,
                self._is_on(tool.name),
                lambda on, name=tool.name: self._switched(name, on),
            )
            self.tool_rows[tool.name] = row
            group.rows.append(row)

    def _folders(self, number: int, field: Field) -> None:
        folders = FolderList(
            self.page.inner,
            self.fonts,
            tr(field.title),
            tr(field.help),
            self.values[field.key],
            lambda paths: self._changed(field.key, paths),
            lambda: self.browse(tr(field.title)),
        )
        self.folder_lists[field.key] = folders
        self._group(number, folders)

    def _lay_out(self, groups: Sequence[Group]) -> None:
        for _, group in self._groups:
            group.pack_forget()
        px = self.fonts.px
        for group in groups:
            group.pack(fill="x", padx=(px(20), px(8)), pady=(px(20), 0))
        self._nothing.pack_forget()
        if not groups:
            self._nothing.pack(pady=px(48))
        # Room below, so that the last box does not touch the foot.
        for group in groups[-1:]:
            group.pack_configure(pady=(px(20), px(24)))

    def _on_size(self, event: tk.Event[Any]) -> None:
        narrow = event.widget is self and event.width < self.fonts.px(NARROW)
        if event.widget is not self or narrow == self._narrow:
            return
        self._narrow = narrow
        if narrow:
            self._nav.pack_forget()
        else:
            self._nav.pack(side="left", fill="y", before=self.page)

    # What the user does

    def go_to(self, number: int) -> None:
        """Show a section."""
        self.search.set("")
        self._filter("")
        self.update_idletasks()
        first = next(group for at, group in self._groups if at == number)
        self.page.to(self.page.place_of(first) - self.fonts.px(20))

    def browse(self, title: str) -> str:
        """Let the user pick a folder; "" when they do not."""
        return filedialog.askdirectory(parent=self, title=title, mustexist=True) or ""

    def leave(self) -> None:
        """Esc: what is half written is not taken. In a search that shows a part it first shows everything again."""
        if self.search.focused and self.search.get():
            self.search.set("")
            self._filter("")
        else:
            super().close()

    def close(self) -> None:
        """What is written completely is taken before it closes."""
        for row in self.rows.values():
            row.finish()
        super().close()

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        self._lay_out([group for _, group in self._groups if group.filter(words)])
        self.page.to(0)

    def _follow(self) -> None:
        """The list shows the section that is read: the last one whose heading has come near the top."""
        tops = {at: self.page.place_of(group) for at, group in reversed(self._groups) if group.winfo_ismapped()}
        near = [at for at, top in tops.items() if top <= self.page.at + self.fonts.px(96)]
        self._choose(max(near, default=0))

    def _choose(self, number: int) -> None:
        if number != self._chosen:
            self._chosen = number
            for at, button in enumerate(self.nav_buttons):
                button.look("chosen" if at == number else "ghost")

    def _switched(self, name: str, on: bool) -> None:
        self._changed("enabledTools", dict(self.values["enabledTools"]) | {name: on})

    def _changed(self, key: str, value: Any) -> None:
        self.values[key] = value
        if key == "enabled":
            self._allow_tools()
        self._change({key: value})

    # What the core says

    def show(self, values: Mapping[str, Any], problem: Problem | None = None) -> None:
        """Show the settings as they are now, and what went wrong: at its field, or above all where there is none."""
        self.values = dict(values)
        if language() != self._language:
            self._rebuild()
        for key, row in self.rows.items():
            row.set(self.values[key])
        for name, row in self.tool_rows.items():
            row.set(self._is_on(name))
        for key, folders in self.folder_lists.items():
            folders.set(self.values[key])
        self._allow_tools()
        self._say(problem)

    def _say(self, problem: Problem | None) -> None:
        words = problem_text(problem) if problem else ""
        row = self.rows.get(str(problem.details.get("key", ""))) if problem else None
        if problem and problem.code is ProblemCode.BAD_SETTING and row is not None:
            row.say(words)
            words = ""
        self._notice.say(words)

    def _rebuild(self) -> None:
        """Every word again, in another language."""
        place = self.page.at
        for part in (self.search, self._notice, *self._nav.winfo_children(), *self.page.inner.winfo_children()):
            part.destroy()
        self.heading.configure(text=tr("Settings"))
        self.title(f"Metona: {tr('Settings')}")
        self.hint.configure(text=tr("Changes apply at once"))
        self.close_button.set_text(tr("Close"))
        self._build()
        self.update_idletasks()
        self.page.to(place)
        self.search.entry.focus_set()

    def _is_on(self, name: str) -> bool:
        return bool(self.values["enabledTools"].get(name, True))

    def _allow_tools(self) -> None:
        for row in self.tool_rows.values():
            row.set_enabled(bool(self.values.get("enabled", True)))
