"""The window and what is outside it: hiding and coming back, the icon in the tray, notifications, the small window.

The window is hidden only while the icon was proven to work; without one it is minimised, and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from metona_tk.i18n import tr
from metona_tk.protocol.commands import NewConversation
from metona_tk.protocol.events import Event, ModelsListed, ServerStateChanged, SettingsChanged
from metona_tk.protocol.values import Mode
from metona_tk.protocol.wishes import (
    AskQuickly,
    ChooseMode,
    HotkeyFailed,
    IconChanged,
    Quit,
    ShowWaiting,
    ShowWindow,
    ToggleWindow,
    Wish,
)
from metona_tk.ui import presence
from metona_tk.ui.belonging import belongs
from metona_tk.ui.dispatcher import Dispatcher
from metona_tk.ui.state import ChatState
from metona_tk.ui.widgets.front import bring_to_front, is_seen

if TYPE_CHECKING:
    from metona_tk.ui.quick.window import QuickAsk
    from metona_tk.ui.tray.messages import Entry, State
    from metona_tk.ui.window import Window

GRACE = 2000  # ms that a lost icon has to come back, as when a panel is started anew


class Icon(Protocol):
    """The icon in the tray, in a process of its own. Nothing here waits for it."""

    def show(self, state: State, tooltip: str) -> None: ...
    def menu(self, entries: tuple[Entry, ...]) -> None: ...
    def notify(self, key: str, title: str, body: str) -> None: ...
    def withdraw(self, key: str) -> None: ...
    def hotkey(self, keys: str) -> None: ...
    def stop(self) -> None: ...


StartIcon = Callable[[Callable[[Wish], object]], Icon]  # it gets what takes wishes, on any thread


class Outside:
    """`start_icon` None: the program has no icon, and closing the window ends it."""

    def __init__(self, window: Window, start_icon: StartIcon | None) -> None:
        self._window, self._start_icon = window, start_icon
        self._desk = window.desk
        self._take_later = window.take_wish
        self.on_closing: Callable[[], object] = lambda: None
        self.icon: Icon | None = None
        self.works, self.reason = False, ""
        self.quick: QuickAsk | None = None
        self._look: presence.Look | None = None
        self._told_stay = False
        self._keys = ""  # that the icon's process listens for
        self._return = ""  # the timer that brings a hidden window back when the icon is lost
        top = window.top
        top.bind("<Map>", lambda event: self._mapped() if event.widget is top else None, add=True)
        top.bind("<Unmap>", lambda event: self._unmapped() if event.widget is top else None, add=True)

    # Beginning and end

    def begin(self) -> None:
        """The window stands: build the small one, hidden, and start the icon."""
        self.small()
        self._use_setting()

    def _use_setting(self) -> None:
        wanted = bool(self._desk.settings.get("tray", True)) and self._start_icon is not None
        if wanted and self.icon is None and self._start_icon is not None:
            self.icon = self._start_icon(self._take_later)
            self._look, self._keys = None, ""
            self._show_look()
        elif not wanted and self.icon is not None:
            self.icon.stop()
            self.icon = None
            self._icon_changed(IconChanged(False))
        keys = str(self._desk.settings.get("hotkey", "")).strip()
        if self.icon is not None and keys != self._keys:
            self._keys = keys
            self.icon.hotkey(keys)

    def close(self) -> None:
        """The program ends."""
        self.on_closing()
        self._stay()
        if self.icon is not None:
            self.icon.stop()
            self.icon = None
        if self.quick is not None:
            self.quick.close()
            self.quick = None

    def rebuild(self) -> None:
        """Another language or size."""
        if self.quick is not None:
            self.quick.rebuild(self._window.fonts)
        self._show_look()

    # What is wished

    def take(self, wish: Wish) -> None:
        """Do it."""
        match wish:
            case ShowWindow():
                self._show_window(wish)
            case AskQuickly():
                self.small().show(wish.question, wish.folder, wish.model)
            case ToggleWindow():
                self._toggle()
            case ShowWaiting():
                self._show_waiting(wish.chat_id)
            case ChooseMode():
                self._choose_mode(wish.mode)
            case IconChanged():
                self._icon_changed(wish)
            case HotkeyFailed():
                words = tr("The keys for the quick question do not work here: {reason}.", reason=wish.reason)
                more = tr("“metona-tk ask --window” can be bound to keys in the settings of the desktop.")
                self._window.notice.say(f"{words} {more}")
            case Quit():
                self._window.close()

    def _show_window(self, wish: ShowWindow) -> None:
        self.front()
        chat = self._desk.chat
        elsewhere = wish.folder is not None and wish.folder != chat.workspace
        if elsewhere or (wish.question and chat.running):
            self._window.choices.new_chat()
            chat = self._desk.chat
            self._desk.send(NewConversation(chat.chat_id, wish.folder or chat.workspace))
        if wish.model:
            chat.model = wish.model
        if wish.question:
            self._window.asking.ask(wish.question)

    def _toggle(self) -> None:
        if not is_seen(self._window.top):
            self.front()
        elif self.works:
            self._window.top.withdraw()
        else:
            self._window.top.wm_iconify()

    def _show_waiting(self, chat_id: str) -> None:
        quick = self.quick
        if quick is not None and quick.chat.chat_id == chat_id:
            quick.show()
            return
        self.front()
        self._window.choices.show_chat(chat_id)

    def _choose_mode(self, mode: Mode) -> None:
        if mode is Mode.NONE:
            self.front()  # it is asked about there
        self._window.changes.choose_mode(mode)

    # Hiding and coming back

    def leave(self) -> None:
        """The user closes the window."""
        window = self._window
        if self.icon is None:
            window.close()
        elif self.works:
            window.top.withdraw()
            self._tell_stay()
        else:
            reason = self.reason or tr("nothing shows one")
            words = tr("No icon in the tray works here ({reason}), so Metona was only minimised.", reason=reason)
            window.shell.leaving.say(f"{words} {tr('Ctrl+Q ends it.')}")
            window.top.wm_iconify()

    def _tell_stay(self) -> None:
        if not self._told_stay and self.icon is not None:
            self._told_stay = True
            self.icon.notify(
                "stay", tr("Metona is still here"), tr("Click its icon to bring it back. “Quit” in its menu ends it.")
            )

    def front(self) -> None:
        """Bring the window back, above the others."""
        bring_to_front(self._window.top, self._window.composer.text)

    def _mapped(self) -> None:
        self._stay()
        self._window.approvals.wake()
        if self.icon is not None:
            for chat in self._desk.state.chats:
                self.icon.withdraw(chat.chat_id)
        self._show_look()

    def _unmapped(self) -> None:
        self._window.approvals.rest()
        self._show_look()

    def _icon_changed(self, wish: IconChanged) -> None:
        self.works, self.reason = wish.works, wish.reason
        if wish.works:
            self._stay()
            self._window.shell.leaving.say("")
        elif str(self._window.top.wm_state()) == "withdrawn" and not self._return:
            self._return = self._window.top.after(GRACE, self._come_back)

    def _come_back(self) -> None:
        """Nobody could reach a hidden window without its icon."""
        self._return = ""
        self.front()
        self._desk.tell(self._desk.chat, tr("The icon in the tray is gone, so the window came back."), "warn")

    def _stay(self) -> None:
        if self._return:
            self._window.top.after_cancel(self._return)
            self._return = ""

    # The small window

    def small(self) -> QuickAsk:
        """The small window, built when it is first wanted."""
        if self.quick is None:
            from metona_tk.ui.quick.window import QuickAsk, QuickParts

            window = self._window
            parts = QuickParts(
                self._desk.send,
                self._desk.state,
                self._desk.settings,
                window.watch,
                window.choices.refresh,
                self._adopt,
                self._keep,
                window.extra.open_link,
                lambda: window.approvals,
                self._small_changed,
            )
            self.quick = QuickAsk(window.top, window.fonts, parts)
        return self.quick

    def _adopt(self, chat: ChatState) -> None:
        """A chat of the small window becomes the one that is shown in the large one."""
        state, before = self._desk.state, self._desk.chat
        state.chats.insert(0, chat)
        self._desk.show_chat(chat)
        if not (before.record.turns or before.running or before.draft.strip()):
            state.chats.remove(before)
            self._window.shell.show_state()
        self.front()

    def _keep(self, chat: ChatState) -> None:
        self._desk.state.chats.insert(1, chat)
        self._window.shell.show_state()

    def _small_changed(self) -> None:
        if self.icon is not None and self.quick is not None:
            self.icon.withdraw(self.quick.chat.chat_id)
        self._show_look()

    def beside(self, event: Event) -> Dispatcher | None:
        """The small window's, for what belongs to its chat and for what both show."""
        quick = self.quick
        if quick is not None and (isinstance(event, ModelsListed | ServerStateChanged) or belongs(event, quick.state)):
            return quick.dispatcher
        return None

    # What the icon shows

    def after(self, event: Event) -> None:
        """Something happened: the icon shows it, and what nobody would see is told."""
        if isinstance(event, SettingsChanged):
            if self.quick is not None:
                self.quick.desk.settings = self._desk.settings
            self._use_setting()
        self._show_look()
        if self.icon is not None and self._desk.settings.get("notifications", True):
            self._notify(event)

    def _notify(self, event: Event) -> None:
        chat = self._chat_of(event)
        if chat is None or self._looked_at(chat):
            return
        if note := presence.notification(event, chat):
            assert self.icon is not None
            self.icon.notify(note.key, note.title, note.body)

    def _chat_of(self, event: Event) -> ChatState | None:
        turn_id = getattr(event, "turn_id", "")
        return next((chat for chat in self._chats() if turn_id and chat.record.find(turn_id)), None)

    def _looked_at(self, chat: ChatState) -> bool:
        """Whether the window of a chat is on the screen with the focus, its own or that of its question."""
        quick = self.quick
        top = quick.top if quick is not None and chat is quick.chat else self._window.top
        return is_seen(top) and bool(self._window.top.tk.call("focus"))

    def _chats(self) -> list[ChatState]:
        own = [self.quick.chat] if self.quick is not None else []
        return [*own, *self._desk.state.chats]

    def _show_look(self) -> None:
        if self.icon is None:
            return
        state = self._desk.state
        look = presence.look(self._chats(), state.server, is_seen(self._window.top), state.shown.mode)
        before, self._look = self._look, look
        if before is None or (before.state, before.tooltip) != (look.state, look.tooltip):
            self.icon.show(look.state, look.tooltip)
        if before is None or before.entries != look.entries:
            self.icon.menu(look.entries)
