"""What the parts behind a window need of what it shows: the large one (`shell`) and the small one (`quick`) have it."""

from __future__ import annotations

import tkinter as tk
from typing import Protocol

from metona_tk.protocol.values import ServerState
from metona_tk.ui.chat.transcript import Transcript, View
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.widgets.notice import Notice


class Written(Protocol):
    """Where questions are written."""

    @property
    def text(self) -> tk.Misc:
        """What takes the focus."""
        ...

    def content(self) -> str:
        """What is written."""
        ...

    def set_content(self, text: str) -> None:
        """Write `text` in place of what is there."""
        ...

    def set_running(self, running: bool) -> None:
        """Whether an answer is being made, which can be stopped."""
        ...


class Telling(Protocol):
    """Where it is said what happens now."""

    def message(self, text: str, tone: str = "text-2") -> None:
        """Say it; "" says nothing."""
        ...

    def server(self, state: ServerState) -> None:
        """Where the server is and whether it answers."""
        ...

    def speed(self, tokens_per_second: float) -> None:
        """Of the last answer."""
        ...


class Face(Protocol):
    """A window's contents."""

    @property
    def fonts(self) -> Fonts:
        """Its type."""
        ...

    @property
    def transcript(self) -> Transcript:
        """The page."""
        ...

    @property
    def composer(self) -> Written:
        """Where questions are written."""
        ...

    @property
    def status(self) -> Telling:
        """What happens now."""
        ...

    @property
    def notice(self) -> Notice:
        """What went wrong."""
        ...

    @property
    def server_notice(self) -> Notice:
        """What is amiss with the server."""
        ...

    def show_chat(self, view: View | None = None) -> None:
        """Draw the chat that is shown."""
        ...

    def show_state(self) -> None:
        """Draw what stands around the page after the state changed."""
        ...

    def show_editing(self) -> None:
        """Say which question is being written anew."""
        ...

    def hint(self) -> None:
        """On an empty page, say what to do first."""
        ...
