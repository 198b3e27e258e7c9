"""The header: which model answers, which folder it may look into, and a new chat."""

from __future__ import annotations

import os
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from tkinter import filedialog

from metona_tk.i18n import tr
from metona_tk.protocol.values import ModelInfo
from metona_tk.ui import theme
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.state import ChatState, badge
from metona_tk.ui.visible import visible
from metona_tk.ui.widgets.focus_button import FocusButton
from metona_tk.ui.widgets.menu_button import MenuButton
from metona_tk.ui.wording import cut_middle, home_path

MOST_RECENT = 10
NARROW = 860  # px; below it the model's badge gives its place to the folder


@dataclass(frozen=True, slots=True)
class HeaderActions:
    """What the header asks the window to do."""

    choose_model: Callable[[str], object]
    set_workspace: Callable[[str], object]
    new_chat: Callable[[], object]
    refresh: Callable[[], object]


class Header(tk.Frame):
    """Shows `state`; call `show` after it changed."""

    def __init__(self, master: tk.Misc, fonts: Fonts, state: ChatState, actions: HeaderActions) -> None:
        super().__init__(master, borderwidth=0, height=fonts.px(48))
        theme.paint(self, background="surface-1")
        self._fonts, self._state, self._actions = fonts, state, actions
        self.recent: list[str] = []
        self._width = 0
        self._chosen = f"chosen_model{self}"  # not a StringVar, whose __del__ may run on another thread
        self.model = MenuButton(self, fonts, "", self._fill_models, font="label")
        self.workspace = MenuButton(self, fonts, "", self._fill_folders)
        self.workspace.command = self.open_folders
        self.new_chat = FocusButton(self, fonts, tr("+ New chat"), actions.new_chat, kind="ghost")
        self._badge = tk.Label(self, font=fonts["caption"], borderwidth=0, padx=fonts.px(6), pady=fonts.px(2))
        theme.paint(self._badge, background="surface-3", foreground="text-3")
        self.pack_propagate(False)
        self.model.pack(side="left", padx=(fonts.px(8), 0))
        self.new_chat.pack(side="right", padx=(0, fonts.px(8)))
        self.workspace.pack(side="left", padx=(fonts.px(4), 0))
        self.bind("<Configure>", lambda event: self._sized(event.width))
        self.show()

    def show(self) -> None:
        """Draw what the state says."""
        measure, px = self._fonts["ui"].measure, self._fonts.px
        self._show_badge()
        badge_width = self._badge.winfo_reqwidth() + px(8) if self._badge.winfo_manager() else 0
        room = max(px(240), (self._width or px(1100)) - px(200) - badge_width)
        name = visible(self._state.model) if self._state.model else tr("No model yet")
        self.model.set_text(cut_middle(name, min(px(260), room // 2), self._fonts["label"].measure) + "  ▾")
        folder = self._state.workspace
        words = visible(home_path(folder)) if folder else tr("Choose a folder…")
        self.workspace.set_text(cut_middle(words, max(px(80), min(px(420), room // 2 - px(40))), measure) + "  ▾")

    def _show_badge(self) -> None:
        info = self._state.info()
        elsewhere, narrow = bool(info and info.remote), self._width < self._fonts.px(NARROW)
        words = "" if info is None else tr("runs elsewhere") if elsewhere and narrow else badge(info)
        self._badge.configure(text=words)
        theme.paint(
            self._badge,
            background="warn-bg" if elsewhere else "surface-3",
            foreground="warn" if elsewhere else "text-3",
        )
        # That file contents would leave the machine is said at every width.
        if words and (elsewhere or not narrow):
            self._badge.pack(side="left", after=self.model, padx=self._fonts.px(4))
        else:
            self._badge.pack_forget()

    def _sized(self, width: int) -> None:
        if width != self._width:
            self._width = width
            self.show()

    def _fill_models(self, menu: tk.Menu) -> None:
        self.setvar(self._chosen, self._state.model)
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
            initialdir=self._state.workspace or os.path.expanduser("~"),
            title=tr("The folder that the model may look into"),
            mustexist=True,
        )
        if chosen:
            self._actions.set_workspace(os.path.abspath(chosen))


def _menu_words(model: ModelInfo) -> str:
    words = badge(model)
    return visible(model.name) + (f"   ({words})" if words else "")
