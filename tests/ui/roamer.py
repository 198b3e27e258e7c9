"""A user who presses and clicks everywhere, reproducibly: `Roamer.act` does one thing at random, and tells what."""

from __future__ import annotations

import random
import time
import tkinter as tk
from collections.abc import Callable
from typing import Any

from tests.ui.hands import Hands

KEYS = (
    *("Return", "space", "Escape", "Tab", "Shift-Tab", "Up", "Down", "Left", "Right", "Home", "End", "Prior", "Next"),
    *("BackSpace", "Delete", "Shift-Return", "F1", "F5", "Shift-F10", "Control-Home", "Control-End", "Alt-Down"),
    *("Control-n", "Control-l", "Control-o", "Control-r", "Control-f", "Control-comma", "Control-Shift-C"),
    *("Control-plus", "Control-minus", "Control-0", "Control-Tab", "Control-Shift-Tab", "Control-Up", "Control-Down"),
    *("Control-a", "Control-c", "Control-x", "Control-v", "Control-z"),
)
WORDS = (
    "What is the number?",
    "三月份的发票在哪里？",
    "/ls",
    "/find plan",
    "/grep 42",
    "/read plan.txt:1-2",
    "/nope",
    "/",
    "x ",
)
SIZES = ((640, 480), (800, 600), (1100, 760), (1500, 900), (720, 940))


class Roamer:
    """`change` are the settings that it changes by itself, each with its values."""

    def __init__(self, hands: Hands, seed: int, change: dict[str, tuple[Any, ...]]) -> None:
        self.hands, self._dice, self._change = hands, random.Random(seed), change
        self.past: list[str] = []
        self._acts: tuple[tuple[int, Callable[[], str]], ...] = (
            (12, self._ask),
            (12, self._wait),
            (30, self._press),
            (30, self._click),
            (6, self._wheel),
            (5, self._resize),
            (8, self._stop),
            (4, self._pick_model),
            (5, self._set),
        )

    def act(self) -> None:
        """One thing, and what comes of it at once."""
        menu = self._menu()
        act = self._in_menu if menu else self._dice.choices([a for _, a in self._acts], [w for w, _ in self._acts])[0]
        self.past.append("")
        self.past[-1] = act()
        self.hands.top.update()

    def leave(self) -> None:
        """Close what is open, and stop what runs."""
        for _ in range(20):
            self._stop()
            self.hands.top.update()

    def _menu(self) -> tk.Menu | None:
        menu = self.hands.window.menus._menu
        return menu if menu is not None and menu.winfo_exists() and menu.winfo_viewable() else None

    def _in_menu(self) -> str:
        menu = self._menu()
        assert menu is not None
        last = menu.index("end")
        at = self._dice.randint(0, last) if last is not None else 0
        wanted = self._dice.random() < 0.7 and menu.type(at) == "command"
        menu.unpost()
        if wanted:
            menu.invoke(at)
        menu.destroy()
        return f"menu {at if wanted else 'left'}"

    def _focused(self) -> tk.Misc:
        try:
            focused = self.hands.top.focus_get()
        except KeyError:  # a menu of Tk's own
            focused = None
        if focused is None:
            self.hands.window.composer.text.focus_force()
            self.hands.top.update()
        return focused or self.hands.window.composer.text

    def _at_composer(self) -> tk.Text:
        while True:
            box = self.hands.window.composer.text
            box.focus_force()
            self.hands.top.update()
            if box is self.hands.window.composer.text:  # else another language came
                return box

    def _press(self) -> str:
        key, widget = self._dice.choice(KEYS), self._focused()
        widget.event_generate(f"<{key}>")
        return f"key {key} on {widget}"

    def _ask(self) -> str:
        words, box = self._dice.choice(WORDS), self._at_composer()
        if self._dice.random() < 0.7:
            box.delete("1.0", "end")
        for char in words:
            if char.isascii() and char.isalpha():
                box.event_generate("<KeyPress>", keysym=char)
            else:
                box.insert("insert", char)
        if self._dice.random() < 0.9:
            box.event_generate("<Return>")
        return f"ask {words}"

    def _wait(self) -> str:
        end = time.monotonic() + self._dice.random() / 3
        while self.hands.window.state.shown.running and time.monotonic() < end:
            self.hands.top.update()
            time.sleep(0.002)
        return "wait"

    def _widgets(self) -> list[tk.Misc]:
        found: list[tk.Misc] = []
        waiting: list[tk.Misc] = [self.hands.top]
        while waiting:
            widget = waiting.pop()
            if isinstance(widget, tk.Menu) or not widget.winfo_viewable():
                continue
            found.append(widget)
            waiting += widget.winfo_children()
        return found

    def _click(self) -> str:
        widget = self._dice.choice(self._widgets())
        x, y = self._dice.randrange(widget.winfo_width()), self._dice.randrange(widget.winfo_height())
        button = 3 if self._dice.random() < 0.15 else 1
        root_x, root_y = widget.winfo_rootx() + x, widget.winfo_rooty() + y
        where: dict[str, Any] = {"x": x, "y": y, "rootx": root_x, "rooty": root_y}
        told = f"click {button} on {widget} at {x},{y}"
        self.past[-1] = told
        for event in ("<Enter>", "<Motion>", f"<Button-{button}>", f"<ButtonRelease-{button}>", "<Leave>"):
            if not widget.winfo_exists():
                break
            widget.event_generate(event, **where)
        return told

    def _wheel(self) -> str:
        button = self._dice.choice((4, 5))
        for _ in range(self._dice.randint(1, 12)):
            self.hands.page.event_generate(f"<Button-{button}>", x=50, y=50)
        return f"wheel {button}"

    def _resize(self) -> str:
        width, height = self._dice.choice(SIZES)
        self.hands.top.geometry(f"{width}x{height}")
        return f"resize {width}x{height}"

    def _stop(self) -> str:
        widget = self._focused()
        widget.event_generate("<Escape>")
        return f"Escape on {widget}"

    def _pick_model(self) -> str:
        self._at_composer().event_generate("<Control-l>")
        self.hands.top.update()
        for key in (*["Down"] * self._dice.randint(0, 3), "Return"):
            self._focused().event_generate(f"<{key}>")
            self.hands.top.update()
        return "pick a model"

    def _set(self) -> str:
        name = self._dice.choice(list(self._change))
        value = self._dice.choice(self._change[name])
        self.hands.window.choices.change({name: value})
        return f"set {name} {value}"
