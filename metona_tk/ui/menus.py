"""What can be done with a message, by its icons, by a menu and by keys."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass

from metona_tk.i18n import tr
from metona_tk.ui import theme
from metona_tk.ui.asking import Asking
from metona_tk.ui.desk import Desk
from metona_tk.ui.visible import visible
from metona_tk.ui.wording import cut_end

MOST_CHATS = 20


@dataclass(slots=True)
class Menus:
    """One menu at a time; it is built when it opens."""

    desk: Desk
    asking: Asking
    find: Callable[[], object] | None = None  # words in the chat, where the window has that
    _menu: tk.Menu | None = None

    def act(self, kind: str, turn_id: str) -> None:
        """Do what an icon of a message stands for."""
        if kind == "more":
            self._open_at_stop(turn_id)
        else:
            actions: dict[str, Callable[[str], object]] = {
                "edit": self.asking.edit,
                "copy-question": self.copy_question,
                "copy": self.copy_answer,
                "again": self.asking.again,
            }
            actions[kind](turn_id)

    def popup(self, left: int, top: int, turn_id: str) -> None:
        """A right click on the page, or the key for it, at a place on the screen."""
        self._fill(turn_id).tk_popup(left, top)

    def _open_at_stop(self, turn_id: str) -> None:
        page = self.desk.shell.transcript.page
        place = page.folds.place_of_current()
        if place is None:  # it was the mouse
            x, y = page.text.winfo_pointerxy()
        else:
            x, y = page.text.winfo_rootx() + place[0], page.text.winfo_rooty() + place[1]
        self._fill(turn_id).tk_popup(x, y)

    def _fill(self, turn_id: str) -> tk.Menu:
        page, chat = self.desk.shell.transcript.page, self.desk.chat
        menu = self._new()
        selected = bool(page.text.tag_ranges("sel"))
        menu.add_command(label=tr("Copy"), command=page.copy, state="normal" if selected else "disabled")
        turn = chat.record.find(turn_id) if turn_id else None
        if turn is not None:
            question = self.asking.question_of(chat, turn_id)
            if turn.question:
                menu.add_command(label=tr("Copy the question"), command=lambda: self.copy_question(turn_id))
            if turn.answer:
                menu.add_command(label=tr("Copy the answer"), command=lambda: self.copy_answer(turn_id))
            menu.add_separator()
            state = "disabled" if chat.running else "normal"
            if question is not None:
                menu.add_command(label=tr("Edit and ask again"), state=state, command=lambda: self.asking.edit(turn_id))
                menu.add_command(label=tr("Answer again"), state=state, command=lambda: self.asking.again(turn_id))
            words = tr("Delete question and answer") if question is not None else tr("Delete")
            menu.add_command(label=words, state=state, command=lambda: self.asking.delete(turn_id))
        menu.add_separator()
        menu.add_command(label=tr("Select all"), command=page.select_all)
        if self.find is not None:
            menu.add_command(label=tr("Find…"), accelerator="Ctrl+F", command=self.find)
        return menu

    def side(
        self,
        control: tk.Misc,
        new_chat: Callable[[], object],
        show_chat: Callable[[str], object],
        settings: Callable[[], object],
    ) -> None:
        """The entries of the sidebar, while there is no room for it."""
        menu = self._new()
        menu.add_command(label=tr("New chat"), accelerator="Ctrl+N", command=new_chat)
        menu.add_separator()
        measure = self.desk.shell.fonts["ui"].measure
        for chat in self.desk.state.chats[:MOST_CHATS]:
            mark = "• " if chat is self.desk.chat else "   "
            words = cut_end(visible(chat.title), self.desk.shell.fonts.px(320), measure)
            menu.add_command(label=mark + words, command=lambda chat_id=chat.chat_id: show_chat(chat_id))
        menu.add_separator()
        menu.add_command(label=tr("Settings"), command=settings)
        menu.tk_popup(control.winfo_rootx(), control.winfo_rooty() + control.winfo_height())

    def _new(self) -> tk.Menu:
        self.close()
        self._menu = menu = tk.Menu(self.desk.top, tearoff=False, font=self.desk.shell.fonts["ui"], borderwidth=1)
        theme.paint(menu, background="surface-2", foreground="text-1", activebackground="surface-4")
        theme.paint(menu, activeforeground="text-1", disabledforeground="text-off")
        return menu

    def close(self) -> None:
        """No menu any more; what it would have done is let go."""
        menu, self._menu = self._menu, None
        if menu is not None and theme.alive(menu):
            menu.destroy()

    def copy_question(self, turn_id: str) -> None:
        """Its text, onto the clipboard."""
        turn = self.desk.chat.record.find(turn_id)
        self._put(turn.question if turn else "", tr("The question is on the clipboard"))

    def copy_answer(self, turn_id: str) -> None:
        """Its Markdown, onto the clipboard."""
        turn = self.desk.chat.record.find(turn_id)
        self._put(turn.answer if turn else "", tr("The answer is on the clipboard"))

    def copy_last(self) -> None:
        """The last answer that there is."""
        turns = [turn for turn in self.desk.chat.record.turns if turn.answer]
        if turns:
            self.copy_answer(turns[-1].turn_id)

    def _put(self, words: str, said: str) -> None:
        if words:
            self.desk.shell.transcript.page.put_on_clipboard(words)
            self.desk.tell(self.desk.chat, said)
