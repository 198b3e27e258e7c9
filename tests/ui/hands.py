"""Hands that click and type for real on a window whose core is a script."""

from __future__ import annotations

import os
import queue
import subprocess
import time
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from metona_tk.protocol.commands import Command, StartTurn
from metona_tk.protocol.events import ConversationOpened, Event, TextAdded
from metona_tk.ui.window import Window
from tests.ui import scenes

DEADLINE = 10.0  # s; only how long a failing test takes


@dataclass
class Hands:
    """A window with a scripted core: `sent` is what it asked for, `feed` is what the core says."""

    top: tk.Toplevel
    events: queue.SimpleQueue[Event]
    sent: list[Command] = field(default_factory=list)
    window: Any = None

    def feed(self, *events: Event) -> None:
        for event in events:
            self.events.put(event)

    def wait_for(self, condition: Callable[[], object], what: str = "") -> None:
        end = time.monotonic() + DEADLINE
        while True:
            self.top.update()
            if condition():
                return
            assert time.monotonic() < end, f"never happened: {what or condition}; status: {self.window.status.words}"
            time.sleep(0.005)

    def settle(self) -> None:
        """Until everything that was fed has been shown."""
        self.wait_for(lambda: self.events.empty() and self.window.bridge._held is None)
        self.top.update()

    def wait_for_end(self) -> None:
        """Until the core has ended or the window has given it up."""
        end = time.monotonic() + DEADLINE
        while not self.window._closed:
            self.window.bridge.widget._root().update()
            assert time.monotonic() < end, "the window did not end"
            time.sleep(0.005)

    def of(self, kind: type) -> list[Any]:
        return [command for command in self.sent if isinstance(command, kind)]

    @property
    def page(self) -> tk.Text:
        return self.window.transcript.page.text

    def text(self) -> str:
        return self.page.get("1.0", "end-1c")

    def shown(self) -> str:
        """The transcript without what is folded."""
        return self.page.tk.call(str(self.page), "get", "-displaychars", "1.0", "end-1c")

    def focus(self, widget: tk.Misc) -> None:
        self.top.deiconify()
        widget.focus_force()
        self.wait_for(lambda: self.top.focus_get() is widget, f"the focus on {widget}")

    def key(self, widget: tk.Misc, *keys: str) -> None:
        self.focus(widget)
        for key in keys:
            widget.event_generate(f"<KeyPress-{key}>" if "<" not in key else key)
        self.top.update()

    def type(self, text: str, *keys: str) -> None:
        """By xdotool: real key presses through the X server."""
        if text:
            # Characters that the keyboard lacks are mapped onto a spare key, which Tk needs time to notice.
            self.xdo("type", "--delay", "2" if text.isascii() else "80", text)
        for key in keys:
            self.xdo("key", key)

    def commit(self, char: str) -> None:
        """A character that no key has, into the composer: xdotool maps it onto a spare key for a moment.

        The X server may take the mapping back before the window has asked for it; then nothing comes, and the key is
        pressed once more.
        """
        before = self.window.composer.content()
        for _ in range(5):
            self.xdo("type", "--delay", "150", char)
            end = time.monotonic() + 1.0
            while time.monotonic() < end:
                self.top.update()
                if self.window.composer.content() != before:
                    assert self.window.composer.content() == before + char
                    return
                time.sleep(0.005)
        raise AssertionError(f"{char!r} never arrived")

    def xdo(self, *arguments: str) -> None:
        work = subprocess.Popen(["xdotool", *arguments], env=os.environ | {"LC_ALL": "C.UTF-8"})
        self.wait_for(lambda: work.poll() is not None, f"xdotool {arguments}")
        assert work.returncode == 0
        # an answer from the X server comes behind the events that it has sent before, so they are here now
        self.top.winfo_pointerxy()
        self.top.update()

    def click(self, widget: tk.Misc, x: int | None = None, y: int | None = None, button: int = 1) -> None:
        """A real click: in the middle, or at a place inside the widget."""
        self.wait_for(widget.winfo_viewable, f"{widget} to be seen")
        left = widget.winfo_rootx() + (widget.winfo_width() // 2 if x is None else x)
        top = widget.winfo_rooty() + (widget.winfo_height() // 2 if y is None else y)
        self.xdo("mousemove", str(left), str(top))
        self.top.update()
        self.xdo("click", str(button))

    def click_text(self, needle: str) -> None:
        """Click on words of the transcript."""
        self.top.update()
        at = self.page.search(needle, "1.0")
        assert at, f"{needle!r} is not in the transcript"
        self.page.see(at)
        self.top.update()
        box = self.page.bbox(at)
        assert box, f"{needle!r} is not in view"
        self.click(self.page, box[0] + 3, box[1] + box[3] // 2)

    def ask(self, text: str = "What is there?") -> str:
        """Ask as the user does; returns the turn."""
        self.focus(self.window.composer.text)
        self.window.composer.set_content(text)
        self.key(self.window.composer.text, "Return")
        assert self.of(StartTurn), f"it was not sent: {self.window.status.words}"
        return self.of(StartTurn)[-1].turn_id

    def answered(self, question: str = "What is there?", answer: str = "A lot.", *more: Event) -> str:
        """A whole turn; returns it."""
        turn = self.ask(question)
        self.feed(*scenes.started(turn), *more, TextAdded(turn, answer), scenes.finished(turn))
        self.settle()
        return turn

    def icon(self, kind: str, turn: str) -> None:
        """Click on one of the icons of a message."""
        self.top.update()
        first, last = (str(self.page.index(f"turn:{turn}.{end}")) for end in ("first", "last"))
        place = self.page.tag_nextrange(f"act:{kind}", first, last)
        assert place, f"there is no {kind} at {turn}"
        self.page.see(place[0])
        self.top.update()
        box = self.page.bbox(place[0])
        assert box, f"{kind} of {turn} is not in view"
        self.click(self.page, box[0] + box[2] // 2, box[1] + box[3] // 2)

    def menu(self) -> tk.Menu:
        """The menu that is open."""
        self.wait_for(
            lambda: (menu := self.window.menus._menu) is not None and menu.winfo_exists() and menu.winfo_viewable()
        )
        return self.window.menus._menu

    def entries(self) -> dict[str, int]:
        """The entries of the open menu that can be chosen, with their places."""
        menu = self.menu()
        places = range((menu.index("end") or 0) + 1)
        return {
            menu.entrycget(at, "label"): at
            for at in places
            if menu.type(at) != "separator" and str(menu.entrycget(at, "state")) != "disabled"
        }

    def choose(self, label: str) -> None:
        """Choose an entry of the open menu by keys."""
        at = self.entries()[label]
        menu = self.menu()
        for _ in range(99):
            if menu.index("active") == at:
                break
            before = menu.index("active")
            self.type("", "Down")
            self.wait_for(lambda before=before: menu.index("active") != before)
        self.type("", "Return")
        self.wait_for(lambda: not menu.winfo_exists() or not menu.winfo_viewable())


def make_hands(root: tk.Tk, **settings: Any) -> Hands:
    top = tk.Toplevel(root)
    top.geometry("+20+10")
    hands = Hands(top, queue.SimpleQueue())
    hands.window = Window(
        top, hands.sent.append, hands.events, {"theme": "dark", "recentWorkspaces": ["/tmp"]} | settings
    )
    hands.window.start()
    hands.feed(ConversationOpened(hands.window.state.shown.chat_id, "/tmp"), scenes.UP, scenes.LISTED)
    hands.wait_for(lambda: hands.page.winfo_viewable() and hands.window.state.shown.model)
    return hands


def drop_hands(hands: Hands) -> None:
    hands.window.bridge.stop()
    hands.window.stop_timers()
    hands.window.outside.close()
    if hands.window._closing and not hands.window._closed:
        hands.top.after_cancel(hands.window._closing)
    hands.window.approvals.clear()
    if hands.top.winfo_exists():
        hands.top.destroy()
