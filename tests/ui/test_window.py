"""The window itself: pickers, keys, theme, errors, every event, closing, and that it never waits."""

from __future__ import annotations

import logging
import os
import queue
import subprocess
import sys
import tkinter as tk
from pathlib import Path
from tkinter import filedialog
from typing import get_args

import pytest

from metona_tk.protocol.commands import AnswerApproval, ListModels, NewConversation, SetWorkspace, Shutdown, StartTurn
from metona_tk.protocol.events import (
    CommandRefused,
    ConversationOpened,
    EngineStopped,
    Event,
    SettingsChanged,
    TextAdded,
    ThinkingAdded,
    WorkspaceChanged,
)
from metona_tk.protocol.problems import Problem, ProblemCode
from metona_tk.protocol.values import Decision
from metona_tk.ui import theme
from metona_tk.ui.bridge import BUDGET, Bridge
from metona_tk.ui.window import StartOptions, Window
from tests.ui import scenes as s
from tests.ui.hands import Hands, drop_hands

REPO = Path(__file__).parents[2]
PROGRAM = """
import queue, sys, threading, tkinter
from metona_tk.protocol.commands import NewConversation, Shutdown
from metona_tk.protocol.events import EngineStopped
from metona_tk.ui.running import Surroundings, run

events, asked = queue.SimpleQueue(), threading.Event()

def wait_for_close():
    root = tkinter._default_root
    if asked.is_set():
        root.tk.eval(root.protocol("WM_DELETE_WINDOW"))
    else:
        root.after(20, wait_for_close)

def send(command):
    if isinstance(command, NewConversation):
        wait_for_close()
    if isinstance(command, Shutdown):
        print("Shutdown", flush=True)
        events.put(EngineStopped())

threading.Thread(target=lambda: (sys.stdin.readline(), asked.set()), daemon=True).start()
code = run(Surroundings(send, events), {"theme": "dark"})
bad = [m for m in ("requests", "pydantic", "sqlite3", "metona_tk.agent", "metona_tk.tools") if m in sys.modules]
sys.exit(9 if bad else code)
"""


def _kinds(union) -> set[type]:
    return {kind for part in get_args(union) for kind in (_kinds(part) if get_args(part) else {part})}


def test_an_event_of_every_type_is_shown_without_error(hands, caplog):
    turn = hands.ask()
    events = s.one_of_each(turn, hands.window.state.shown.chat_id)
    assert {type(event) for event in events} == _kinds(Event)
    with caplog.at_level(logging.ERROR, "metona_tk"):
        hands.feed(*events)
        hands.settle()
    assert not caplog.records


def test_at_the_start_a_chat_is_opened_and_the_server_asked(hands):
    assert [type(command) for command in hands.sent] == [NewConversation, ListModels]


def test_a_question_of_the_command_line_is_asked_at_once(root):
    hands = Hands(tk.Toplevel(root), queue.SimpleQueue())
    hands.window = Window(hands.top, hands.sent.append, hands.events, {})
    hands.window.start(StartOptions("/tmp", "m", "Is it there?"))
    try:
        assert hands.sent[0].workspace == "/tmp"
        assert (hands.sent[-1].text, hands.sent[-1].model) == ("Is it there?", "m")
    finally:
        drop_hands(hands)


def test_the_model_menu_tells_what_each_can_and_changes_the_next_question(hands):
    menu = hands.window.header.model
    assert menu.refill() == 5
    labels = [menu.menu.entrycget(n, "label") for n in range(3)]
    assert labels == [
        "qwen3:8b   tools, thinking",
        "gemma3:4b   no tools, vision",
        "gpt-oss:120b-cloud   tools, runs elsewhere",
    ]
    menu.menu.invoke(1)
    hands.ask()
    assert hands.of(StartTurn)[0].model == "gemma3:4b"
    assert menu.text.startswith("gemma3:4b")


def test_the_menus_open_by_keys_and_escape_leaves_them(hands):
    hands.focus(hands.window.composer.text)
    hands.type("", "ctrl+l")
    hands.wait_for(hands.window.header.model.menu.winfo_viewable)
    hands.type("", "Down", "Return")
    hands.wait_for(lambda: hands.window.state.shown.model == "gemma3:4b")
    hands.focus(hands.window.header.workspace)
    hands.type("", "space")
    hands.wait_for(hands.window.header.workspace.menu.winfo_viewable)
    hands.type("", "Escape")
    hands.wait_for(lambda: not hands.window.header.workspace.menu.winfo_viewable())


def test_a_folder_is_chosen_in_the_dialog_and_shown_when_the_core_took_it(hands, monkeypatch, tmp_path):
    monkeypatch.setattr(filedialog, "askdirectory", lambda **options: str(tmp_path))
    hands.window.header.workspace.refill()
    hands.window.header.workspace.menu.invoke(0)
    assert hands.of(SetWorkspace) == [SetWorkspace(hands.window.state.shown.chat_id, str(tmp_path))]
    assert hands.window.header.workspace.text == "/tmp"
    hands.feed(WorkspaceChanged(hands.window.state.shown.chat_id, "/srv/data"))
    hands.settle()
    assert hands.window.header.workspace.text.startswith("/srv/data")


def test_a_recent_folder_is_one_choice_away(hands):
    hands.feed(SettingsChanged({"recentWorkspaces": ["/srv/one", str(Path.home() / "two")]}))
    hands.settle()
    button = hands.window.header.workspace
    button.refill()
    assert [button.menu.entrycget(n, "label") for n in (2, 3)] == ["/srv/one", "~/two"]
    button.menu.invoke(2)
    assert hands.of(SetWorkspace)[0].path == "/srv/one"


def test_without_a_folder_the_hint_and_the_button_say_so(hands):
    hands.feed(ConversationOpened(hands.window.state.shown.chat_id, None))
    hands.settle()
    assert "Choose a folder first" in hands.text()
    assert hands.window.header.workspace.text.startswith("Choose a folder…")
    hands.feed(WorkspaceChanged(hands.window.state.shown.chat_id, "/srv/data"))
    hands.settle()
    assert "Choose a folder" not in hands.text()
    assert "/srv/data" in hands.text()


def test_a_refused_folder_is_told_and_the_old_one_stays(hands):
    refused = SetWorkspace(hands.window.state.shown.chat_id, "/proc")
    hands.feed(CommandRefused(refused, Problem(ProblemCode.WORKSPACE_UNUSABLE, {"path": "/proc"})))
    hands.settle()
    assert "/proc cannot be the workspace" in hands.window.notice.text
    hands.click(hands.window.notice.button)
    hands.wait_for(lambda: hands.window.notice.text == "")


def test_tab_reaches_everything_and_shows_where_it_is(hands):
    window = hands.window
    hands.focus(window.header.model)
    seen = []
    for _ in range(10):
        seen.append(hands.top.focus_get())
        hands.type("", "Tab")
        hands.wait_for(lambda: hands.top.focus_get() is not seen[-1])
    header, sidebar = window.header, window.shell.sidebar
    wanted = [header.model, header.think, header.workspace, header.mode, window.transcript.page.text]
    wanted += [window.composer.text, window.composer.button]
    assert seen[:7] == wanted
    assert seen[7:] == [sidebar.new._row, sidebar.settings._row, sidebar.chats.canvas]
    hands.focus(window.header.model)
    assert window.header.model._ring.cget("border_color") == theme.pair("focus")
    hands.type("", "shift+Tab")
    hands.wait_for(lambda: hands.top.focus_get() is not window.header.model)
    assert window.header.model._ring.cget("border_color") != theme.pair("focus")


def test_the_theme_changes_while_the_window_is_open(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn), *s.read_call(turn), SettingsChanged({"theme": "light"}))
    hands.settle()
    assert hands.page.cget("background") == "#FFFFFF"
    assert hands.page.tag_cget("card-head", "background") == "#F6F8F8"
    hands.feed(SettingsChanged({"theme": "dark"}))
    hands.settle()
    assert hands.page.cget("background") == "#121618"


def test_an_error_in_a_callback_is_logged_and_shown_and_the_events_go_on(hands, caplog, monkeypatch):
    monkeypatch.setattr(hands.window.transcript, "take", lambda turn, event: 1 / 0)
    turn = hands.ask()
    with caplog.at_level(logging.ERROR, "metona_tk"):
        hands.feed(*s.started(turn), ThinkingAdded(turn, "x"))
        hands.settle()
        hands.wait_for(lambda: "Something went wrong" in hands.window.status.words)
        monkeypatch.undo()
        before = len(caplog.records)
        hands.top.after(0, lambda: {}["missing"])
        hands.wait_for(lambda: len(caplog.records) == before + 1)
    hands.feed(TextAdded(turn, "still here"))
    hands.settle()
    assert "still here" in hands.text()


def test_closing_sends_shutdown_once_and_waits_for_the_core(hands):
    hands.ask()
    hands.window.close()
    hands.window.close()
    assert hands.of(Shutdown) == [Shutdown()]
    hands.top.update()
    assert hands.top.winfo_exists()
    hands.feed(TextAdded("late", "x"), EngineStopped())
    hands.window.top.wait_window(hands.top)
    assert hands.window._closed
    assert len(hands.of(Shutdown)) == 1


def test_ctrl_c_in_the_terminal_closes_the_window(hands):
    def interrupt() -> None:
        raise KeyboardInterrupt

    hands.top.after(0, interrupt)
    hands.wait_for(lambda: hands.of(Shutdown))


def test_closing_does_not_wait_for_ever(hands, monkeypatch):
    monkeypatch.setattr("metona_tk.ui.window.CLOSING", 30)
    hands.window.close()
    hands.top.wait_window(hands.top)
    assert hands.window._closed


def test_closing_during_a_question_answers_nothing(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn), *s.question(turn))
    hands.wait_for(lambda: hands.window.approvals.dialog)
    hands.window.close()
    assert not [command for command in hands.of(AnswerApproval) if command.decision is Decision.ALLOW]
    assert hands.window.approvals.dialog is None


def test_the_program_says_ready_and_ends_when_it_is_closed(tmp_path):
    if not os.environ.get("DISPLAY"):
        pytest.skip("there is no DISPLAY to show a window on")
    work = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | {"METONA_TK_ANNOUNCE_READY": "1", "HOME": str(tmp_path), "PYTHONPATH": str(REPO)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    try:
        assert work.stdout and work.stdout.readline() == "READY\n"
        out, _ = work.communicate("close\n", timeout=20)
        assert (out, work.returncode) == ("Shutdown\n", 0)
    finally:
        work.kill()


class CountingClock:
    """Each look at it costs a tenth of a millisecond."""

    now = 0.0

    def __call__(self) -> float:
        self.now += 0.0001
        return self.now


def test_a_drain_keeps_its_budget_with_20000_pieces_waiting(root):
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    for number in range(20_000):
        events.put(TextAdded("t", f"{number} "))
    clock, shown = CountingClock(), []
    bridge = Bridge(root, events, shown.append, lambda error: None, clock)
    spent = []
    while not events.empty() or bridge._held:
        begun = clock.now
        bridge.drain()
        spent.append(clock.now - begun)
    assert max(spent) <= BUDGET + 0.001
    assert len(spent) > 100
    assert "".join(event.text for event in shown) == "".join(f"{n} " for n in range(20_000))
    assert len(shown) < 1000


def test_20000_pieces_reach_the_page_while_the_window_goes_on(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn), *(TextAdded(turn, "word ") for _ in range(20_000)))
    ticks = []
    hands.top.after(1, lambda: ticks.append(1))
    hands.settle()
    assert ticks
    assert hands.text().count("word") == 20_000


def test_only_adjacent_text_of_one_kind_and_turn_is_joined(root):
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    order = [
        TextAdded("a", "1"),
        TextAdded("a", "2"),
        ThinkingAdded("a", "3"),
        TextAdded("a", "4"),
        TextAdded("b", "5"),
        s.UP,
        TextAdded("b", "6"),
    ]
    for event in order:
        events.put(event)
    shown = []
    Bridge(root, events, shown.append, lambda error: None).drain()
    assert shown == [TextAdded("a", "12"), *order[2:]]


def test_text_that_comes_while_text_is_drawn_waits_for_the_next_tick(root):
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    events.put(TextAdded("t", "1"))
    shown = []

    def show(event: Event) -> None:
        shown.append(event)
        if len(shown) == 1:
            events.put(TextAdded("t", "2"))
            events.put(TextAdded("t", "3"))

    bridge = Bridge(root, events, show, lambda error: None)
    bridge.drain()
    assert shown == [TextAdded("t", "1")]
    bridge.drain()
    assert shown == [TextAdded("t", "1"), TextAdded("t", "23")]
