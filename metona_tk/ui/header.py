"""The header: which model answers and how much it thinks, which folder it may look into, how full its memory is."""

from __future__ import annotations

import os
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from tkinter import filedialog

from metona_tk.i18n import N_, tr
from metona_tk.i18n.quantities import size_words
from metona_tk.protocol.values import ContextUse, Mode, ModelInfo, ThinkLevel
from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon
from metona_tk.ui.meter import Meter
from metona_tk.ui.state import AppState, badge, think_levels
from metona_tk.ui.visible import visible
from metona_tk.ui.widgets.badge import Badge
from metona_tk.ui.widgets.icon_button import IconButton
from metona_tk.ui.widgets.menu_button import MenuButton
from metona_tk.ui.widgets.soon import Soon
from metona_tk.ui.wording import cut_end, cut_middle, home_path

MOST_RECENT = 10
SHORT, TINY = 760, 560  # px of the header below which badges lose their words, and the meter the window's size
WIDE = 900  # px from which on it is said in full when the chat asks
LEAST = 440  # px below which only model and folder are left, and that a model runs elsewhere
_LEVELS: dict[ThinkLevel, str] = {
    ThinkLevel.DEFAULT: N_("Thinking"),
    ThinkLevel.OFF: N_("No thinking"),
    ThinkLevel.ON: N_("Thinking"),
    ThinkLevel.LOW: N_("Thinking: low"),
    ThinkLevel.MEDIUM: N_("Thinking: medium"),
    ThinkLevel.HIGH: N_("Thinking: high"),
    ThinkLevel.MAX: N_("Thinking: max"),
}
_SHORT: dict[ThinkLevel, str] = {
    ThinkLevel.OFF: N_("off"),
    ThinkLevel.ON: N_("on"),
    ThinkLevel.LOW: N_("low"),
    ThinkLevel.MEDIUM: N_("medium"),
    ThinkLevel.HIGH: N_("high"),
    ThinkLevel.MAX: N_("max"),
}
_MODES: dict[Mode, str] = {
    Mode.ALL: N_("Ask: every change"),
    Mode.WRITE_ONLY: N_("Ask: deletions & overwrites"),
    Mode.NONE: N_("Automatic"),
}
_SHORT_MODES: dict[Mode, str] = {
    Mode.ALL: N_("Ask all"),
    Mode.WRITE_ONLY: N_("Ask"),
    Mode.NONE: N_("Auto"),
}


@dataclass(frozen=True, slots=True)
class HeaderActions:
    """What the header asks the window to do."""

    choose_model: Callable[[str], object]
    choose_think: Callable[[ThinkLevel], object]
    set_workspace: Callable[[str], object]
    choose_mode: Callable[[Mode], object]
    refresh: Callable[[], object]
    menu: Callable[[tk.Misc], object]  # the sidebar's entries, while the sidebar is folded away


class Header(tk.Frame):
    """Shows `state`; call `show` after it changed."""

    def __init__(self, master: tk.Misc, fonts: Fonts, state: AppState, actions: HeaderActions) -> None:
        super().__init__(master, borderwidth=0, height=fonts.px(48))
        theme.paint(self, background="surface-1")
        self.pack_propagate(False)
        self._fonts, self._state, self._actions = fonts, state, actions
        self.recent: list[str] = []
        self._default_think = ThinkLevel.OFF
        self._width = 0
        self._chosen, self._level, self._asks = (
            "metona_model",
            "metona_think",
            "metona_mode",
        )  # of Tcl; set each time the menu is filled
        self._badges: list[Badge] = []
        self._badged: tuple[object, ...] = ()
        self.side = IconButton(self, fonts, "list", tr("Chats and settings"), lambda: actions.menu(self.side))
        self.model = MenuButton(self, fonts, "", self._fill_models, font="label", icon="chevron-down")
        self._badge_box = tk.Frame(self, borderwidth=0, width=1, height=1)
        theme.paint(self._badge_box, background="surface-1")
        self.think = MenuButton(self, fonts, "", self._fill_think, icon="chevron-down")
        self._rule = tk.Frame(self, borderwidth=0, width=1, height=fonts.px(20))
        theme.paint(self._rule, background="line-2")
        self._folder = tk.Label(self, image=icon(self, fonts, "folder", 16, "text-2"), borderwidth=0)
        theme.paint(self._folder, background="surface-1")
        self.workspace = MenuButton(self, fonts, "", self._fill_folders, icon="chevron-down")
        self.workspace.command = self.open_folders
        self.mode = MenuButton(self, fonts, "", self._fill_modes, icon="chevron-down")
        self.meter = Meter(self, fonts)
        px = fonts.px
        self.meter.pack(side="right", padx=(0, px(10)))
        self.model.pack(side="left", padx=(px(8), 0))
        self._badge_box.pack(side="left")
        self.workspace.pack(side="left")
        self.mode.pack(side="left")
        self.bind("<Configure>", lambda event: self._sized(event.width))
        # how wide these are is known once Tk has laid them out; the other words get what they leave
        self._show_soon = Soon(self, self.show)
        for part in (self._badge_box, self.think, self.mode):
            part.bind("<Configure>", lambda _event: self._show_soon(), add=True)
        self.show()

    def show(self) -> None:
        """Draw what the state says."""
        px, width = self._fonts.px, self._width or self._fonts.px(1100)
        short, least = width < px(SHORT), width < px(LEAST)
        self._show_badges(short, least)
        self._show_think(short, least)
        self._show_folder_mark(short, least)
        self._show_mode(width)
        info = self._state.info()
        brief = width < px(TINY) or (short and info is not None and info.remote)
        self.meter.show(ContextUse() if least else self._state.shown.use, short=brief)
        room = max(px(86), width - self._taken(short))
        name = visible(self._state.shown.model) if self._state.shown.model else tr("No model yet")
        bold, plain = self._fonts["label"].measure, self._fonts["ui"].measure
        folder = self._state.shown.workspace
        words = visible(home_path(folder)) if folder else tr("Choose a folder…")
        # each gets half of the room, and what the other one leaves
        model_room = min(px(260), max(room // 2, room - plain(words)))
        name = cut_end(name, model_room, bold)
        self.model.set_text(name)
        self.workspace.set_text(cut_middle(words, max(px(40), min(px(420), room - bold(name))), plain))

    def fold_sidebar(self, folded: bool) -> None:
        """While the sidebar is away, a button at the left has its entries."""
        if folded and not self.side.winfo_manager():
            self.side.pack(side="left", before=self.model, padx=(self._fonts.px(8), 0))
        elif not folded:
            self.side.pack_forget()
        self.model.pack_configure(padx=(0 if folded else self._fonts.px(8), 0))

    def set_default_think(self, level: str) -> None:
        """What DEFAULT stands for."""
        self._default_think = ThinkLevel(level)

    def _taken(self, short: bool) -> int:
        """The width that the parts need besides the words of model and folder."""
        px = self._fonts.px
        badges = sum(part.winfo_reqwidth() + px(4) for part in self._badges)
        think = self.think.winfo_reqwidth() if self.think.winfo_manager() else 0
        side = px(36) if self.side.winfo_manager() else px(8)
        meter = px(94) + self._fonts["small"].measure(self.meter.words) if self.meter.words else px(10)
        folder = px(28) if self._folder.winfo_manager() else 0
        folder += self.mode.winfo_reqwidth()
        return badges + think + side + meter + folder + px(94 if short else 104)

    def _show_badges(self, short: bool, least: bool) -> None:
        info = self._state.info()
        can = info.capabilities if info else None
        wanted: list[tuple[str, str, str]] = []
        if info and info.remote:
            wanted.append(("cloud", tr("runs elsewhere"), "warn"))
        if can is not None:
            wanted.append(("wrench", tr("tools") if "tools" in can else tr("no tools"), "text-3"))
            wanted += [("eye", tr("vision"), "text-3")] if "vision" in can else []
            wanted += [("bulb", tr("thinking"), "text-3")] if "thinking" in can else []
        wanted = [row for row in wanted if row[2] == "warn" or not least]
        if (wanted, short) == self._badged:
            return
        self._badged = (wanted, short)
        for part in self._badges:
            part.destroy()
        self._badges = []
        for name, word, token in wanted:
            elsewhere = token == "warn"
            made = Badge(
                self._badge_box, self._fonts, name, word, inside="warn-bg" if elsewhere else "surface-3", token=token
            )
            # that file contents would leave the machine is said at every width
            made.show_word(elsewhere or not short)
            made.pack(side="left", padx=(self._fonts.px(4), 0))
            self._badges.append(made)

    @property
    def badges(self) -> list[str]:
        """What the badges say."""
        return [part.word for part in self._badges]

    def _show_think(self, short: bool, least: bool) -> None:
        levels = think_levels(self._state.info())
        if not levels or least:
            self.think.pack_forget()
            return
        level = self._state.shown.think or self._default_think
        used = level if level in levels else levels[0]
        words = (_SHORT if short else _LEVELS)[used]
        self.think.set_text(tr(words))
        if not self.think.winfo_manager():
            self.think.pack(side="left", after=self._badge_box)

    def _show_mode(self, width: int) -> None:
        mode = self._state.shown.mode
        self.mode.set_text(tr((_MODES if width >= self._fonts.px(WIDE) else _SHORT_MODES)[mode]))

    def _fill_modes(self, menu: tk.Menu) -> None:
        self.setvar(self._asks, str(self._state.shown.mode))
        for mode, words in _MODES.items():
            menu.add_radiobutton(
                label=tr(words),
                variable=self._asks,  # pyright: ignore[reportArgumentType]
                value=str(mode),
                command=lambda mode=mode: self._actions.choose_mode(mode),
            )

    def _show_folder_mark(self, short: bool, least: bool) -> None:
        """The icon of the folder makes room where a badge has to be read; the line before it goes first."""
        if short:
            self._rule.pack_forget()
        elif not self._rule.winfo_manager():
            self._rule.pack(side="left", padx=(self._fonts.px(8), 0), before=self.workspace)
        if least and self._badges:
            self._folder.pack_forget()
        elif not self._folder.winfo_manager() or not short:
            self._folder.pack(side="left", padx=(self._fonts.px(12), 0), before=self.workspace)

    def _sized(self, width: int) -> None:
        if width != self._width:
            self._width = width
            self.show()

    def _fill_models(self, menu: tk.Menu) -> None:
        self.setvar(self._chosen, self._state.shown.model)
        for model in self._state.models or ():
            menu.add_radiobutton(
                label=_menu_words(model),
                variable=self._chosen,  # pyright: ignore[reportArgumentType]
                value=model.name,
                command=lambda name=model.name: self._actions.choose_model(name),
            )
        if self._state.models:
            menu.add_separator()
        menu.add_command(label=tr("Ask the server again"), accelerator="F5", command=self._actions.refresh)

    def _fill_think(self, menu: tk.Menu) -> None:
        levels = think_levels(self._state.info())
        self.setvar(self._level, str(self._state.shown.think or self._default_think))
        for level in levels:
            menu.add_radiobutton(
                label=tr(_LEVELS[level]),
                variable=self._level,  # pyright: ignore[reportArgumentType]
                value=str(level),
                command=lambda level=level: self._actions.choose_think(level),
            )

    def _fill_folders(self, menu: tk.Menu) -> None:
        menu.add_command(label=tr("Choose a folder…"), command=self.browse)
        if self.recent:
            menu.add_separator()
        for folder in self.recent[:MOST_RECENT]:
            words = cut_middle(visible(home_path(folder)), self._fonts.px(480), self._fonts["ui"].measure)
            menu.add_command(label=words, command=lambda path=folder: self._actions.set_workspace(path))

    def open_folders(self) -> None:
        """Offer the recent folders, or let the user pick one when there are none."""
        if self.recent:
            self.workspace.open()
        else:
            self.browse()

    def browse(self) -> None:
        """Let the user pick a folder. Tk goes on handling events while its dialog is open."""
        chosen = filedialog.askdirectory(
            parent=self.winfo_toplevel(),
            initialdir=self._state.shown.workspace or os.path.expanduser("~"),
            title=tr("The folder that the model may look into"),
            mustexist=True,
        )
        if chosen:
            self._actions.set_workspace(os.path.abspath(chosen))


def _menu_words(model: ModelInfo) -> str:
    facts = [model.parameters, model.quantization, size_words(model.size) if model.size else "", badge(model)]
    words = tr(" · ").join(visible(fact) for fact in facts if fact)
    return visible(model.name) + (f"   {words}" if words else "")
