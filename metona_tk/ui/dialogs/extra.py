"""The windows beside the main one, one of each at most, and what is opened outside of Metona."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metona_tk.i18n import N_, tr
from metona_tk.protocol.commands import OpenPath
from metona_tk.protocol.events import SettingsChanged
from metona_tk.settings import SCHEMA
from metona_tk.ui import theme
from metona_tk.ui.desk import Desk
from metona_tk.ui.keys import CTRL

if TYPE_CHECKING:  # the first window need not load them
    from metona_tk.ui.dialogs.keys import KeyLine, KeysDialog
    from metona_tk.ui.dialogs.settings.dialog import SettingsDialog, ToolLine


TOOLS: tuple[tuple[str, str, str], ...] = (  # name, words, icon
    ("read_file", N_("Read a text file, or some of its lines"), "file-text"),
    ("list_directory", N_("List what is in a folder"), "list"),
    ("search_files", N_("Search names and contents of files"), "search"),
    ("write_file", N_("Make a file, or give one other contents"), "pencil"),
    ("append_file", N_("Add to the end of a file"), "pencil"),
    ("edit_file", N_("Replace some words in a file"), "pencil"),
    ("create_directory", N_("Make a folder"), "folder-plus"),
    ("move_path", N_("Move or rename files and folders"), "folder"),
    ("copy_path", N_("Copy files and folders"), "copy"),
    ("delete_file", N_("Move files and folders to the recycle bin"), "trash"),
)
_KEYS: tuple[tuple[str, str, str], ...] = (
    (N_("Writing"), "Enter", N_("Send")),
    (N_("Writing"), "Shift+Enter", N_("New line")),
    (N_("Writing"), "Esc", N_("Stop the answer, or close what is open")),
    (N_("Writing"), "Up", N_("In an empty line: change the last question")),
    (N_("Writing"), "Ctrl+Up", N_("Earlier questions")),
    (N_("Writing"), "/", N_("Tools by hand: /find, /grep, /read, /ls, /help")),
    (N_("Chats"), "Ctrl+N", N_("New chat")),
    (N_("Chats"), "Ctrl+Tab", N_("Next open chat")),
    (N_("Chats"), "Ctrl+F", N_("Find in this chat")),
    (N_("Chats"), "Ctrl+R", N_("Retry, or answer the last question again")),
    (N_("Chats"), "Ctrl+Shift+C", N_("Copy the last answer")),
    (N_("Chats"), "Ctrl+L", N_("Model")),
    (N_("Chats"), "Ctrl+O", N_("Folder")),
    (N_("Reading"), "PgUp", N_("Scroll")),
    (N_("Reading"), "Ctrl+Down", N_("On the page: the next message, card or Undo; Enter does it")),
    (N_("Reading"), "Ctrl+End", N_("On the page: follow the end")),
    (N_("Window"), "Ctrl+,", N_("Settings")),
    (N_("Window"), "Ctrl++", N_("Larger text; Ctrl+- smaller, Ctrl+0 as it was")),
    (N_("Window"), "F5", N_("Ask the server again")),
    (N_("Window"), "Ctrl+Q", N_("Quit")),
    (N_("Window"), "F1", N_("All keys")),
    (N_("Quick question"), "Enter", N_("Ask; the next question goes on from the answer")),
    (N_("Quick question"), "Ctrl+Enter", N_("Make it a chat in the large window")),
    (N_("Quick question"), "Esc", N_("Stop the answer, then hide")),
    (N_("Questions"), "Alt+A", N_("Allow, but not while you are writing")),
    (N_("Questions"), "Esc", N_("Deny")),
    (N_("Questions"), "Tab", N_("Next control; Enter and Space never allow")),
    (N_("Questions"), "PgDn", N_("Scroll what is shown; End goes to its end")),
)


def key_lines() -> list[KeyLine]:
    """All keys, in the user's language; on macOS with Cmd."""
    from metona_tk.ui.dialogs.keys import KeyLine

    return [KeyLine(tr(group), keys.replace("Ctrl", CTRL), tr(what)) for group, keys, what in _KEYS]


def tool_lines() -> list[ToolLine]:
    """The tools that can be switched on and off."""
    from metona_tk.ui.dialogs.settings.dialog import ToolLine

    return [ToolLine(name, tr(words), icon) for name, words, icon in TOOLS]


@dataclass(slots=True)
class ExtraWindows:
    """`change` sends changed settings to the core."""

    desk: Desk
    change: Callable[[dict[str, Any]], object]
    _settings: SettingsDialog | None = None
    _keys: KeysDialog | None = None

    def settings(self) -> None:
        """Show the settings."""
        if self._settings is not None and theme.alive(self._settings):
            self._settings.to_front()
            return
        from metona_tk.ui.dialogs.settings.dialog import SettingsDialog

        self._settings = SettingsDialog(
            self.desk.top, self.desk.shell.fonts, SCHEMA, self.desk.settings, tool_lines, self.change
        )

    def keys(self) -> None:
        """Show all keys."""
        if self._keys is not None and theme.alive(self._keys):
            self._keys.to_front()
            return
        from metona_tk.ui.dialogs.keys import KeysDialog

        self._keys = KeysDialog(self.desk.top, self.desk.shell.fonts, key_lines())

    def show_values(self, event: SettingsChanged) -> None:
        """Settings have changed."""
        if self._settings is not None and theme.alive(self._settings):
            self._settings.show(event.values, event.problem)

    def rebuild(self) -> None:
        """Language or size of the text changed: what is open is built anew."""
        if self._keys is not None and theme.alive(self._keys):
            self._keys.close()
            self.keys()
        if self._settings is not None and theme.alive(self._settings):
            self._settings.close()
            self.settings()

    def close(self) -> None:
        """Close all of them."""
        for window in (self._settings, self._keys):
            if window is not None and theme.alive(window):
                window.close()

    def open_link(self, url: str) -> None:
        """Open an address in the user's browser; only what a link on the page may point to comes here."""
        import threading
        import webbrowser

        # a browser that starts slowly must not hold up the window
        threading.Thread(target=webbrowser.open, args=(url,), name="open-link", daemon=True).start()

    def open_path(self, path: str) -> None:
        """Open a file that was found, by the core, which checks it first."""
        self.desk.send(OpenPath(self.desk.chat.chat_id, path))
