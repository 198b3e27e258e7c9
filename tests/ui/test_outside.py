"""Hiding and coming back: only behind an icon that works; what waits is told, and never answered, from outside."""

from __future__ import annotations

import queue
import time
import tkinter as tk
from dataclasses import dataclass, field

import pytest

from metona_tk.protocol.commands import AnswerApproval, NewConversation, SetMode, Shutdown, StartTurn
from metona_tk.protocol.events import ConversationOpened, SettingsChanged, TextAdded
from metona_tk.protocol.values import Decision, Mode, TurnEnd
from metona_tk.protocol.wishes import ChooseMode, HotkeyFailed, IconChanged, Quit, ShowWaiting, ShowWindow, ToggleWindow
from metona_tk.ui.window import Window
from tests.ui import scenes as s
from tests.ui.hands import Hands, drop_hands


@dataclass
class FakeIcon:
    """Keeps what it is told."""

    states: list = field(default_factory=list)
    menus: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    withdrawn: list = field(default_factory=list)
    keys: list = field(default_factory=list)
    stopped: int = 0

    def show(self, state, tooltip) -> None:
        self.states.append((str(state), tooltip))

    def menu(self, entries) -> None:
        self.menus.append(entries)

    def notify(self, key, title, body) -> None:
        self.notes.append((key, title, body))

    def withdraw(self, key) -> None:
        self.withdrawn.append(key)

    def hotkey(self, keys) -> None:
        self.keys.append(keys)

    def stop(self) -> None:
        self.stopped += 1

    def labels(self) -> list[str]:
        return [each.label for each in self.menus[-1] if each.label]


@pytest.fixture
def icon() -> FakeIcon:
    return FakeIcon()


@pytest.fixture
def hands(root, icon):
    top = tk.Toplevel(root)
    top.geometry("+20+10")
    made = Hands(top, queue.SimpleQueue())
    made.window = Window(top, made.sent.append, made.events, {"theme": "dark"}, start_icon=lambda take: icon)
    made.window.start()
    made.feed(ConversationOpened(made.window.state.shown.chat_id, "/tmp"), s.UP, s.LISTED)
    made.wait_for(lambda: made.page.winfo_viewable() and made.window.state.shown.model)
    made.wait_for(lambda: icon.menus, "the icon to be started")
    yield made
    drop_hands(made)


def close(hands: Hands) -> None:
    """As the user does, by the frame of the window."""
    hands.top.tk.eval(hands.top.protocol("WM_DELETE_WINDOW"))
    hands.top.update()


def works(hands: Hands, yes: bool = True) -> None:
    hands.feed(IconChanged(yes, "" if yes else "no panel"))
    hands.settle()


def state(hands: Hands) -> str:
    return hands.top.wm_state()


def test_closing_hides_behind_an_icon_that_works_and_says_so_once(hands, icon):
    works(hands)
    close(hands)
    assert state(hands) == "withdrawn" and not hands.of(Shutdown)
    assert [note[0] for note in icon.notes] == ["stay"]
    hands.feed(ToggleWindow())
    hands.wait_for(hands.top.winfo_viewable)
    hands.wait_for(lambda: hands.top.focus_get() is hands.window.composer.text)
    close(hands)
    assert state(hands) == "withdrawn" and len(icon.notes) == 1


def test_without_a_working_icon_it_is_minimised_and_says_so(hands, icon):
    close(hands)  # before anything was proven
    assert state(hands) == "iconic" and not hands.of(Shutdown)
    hands.feed(ShowWindow())
    hands.wait_for(hands.top.winfo_viewable)
    works(hands, False)
    close(hands)
    assert state(hands) == "iconic" and not icon.notes
    assert "no panel" in hands.window.shell.leaving.text and "Ctrl+Q" in hands.window.shell.leaving.text
    hands.feed(ShowWindow())
    works(hands)
    assert hands.window.shell.leaving.text == ""


def test_a_lost_icon_brings_a_hidden_window_back_unless_it_returns_soon(hands, monkeypatch):
    monkeypatch.setattr("metona_tk.ui.outside.GRACE", 150)
    works(hands)
    close(hands)
    works(hands, False)
    works(hands)  # as when a panel is started anew
    end = time.monotonic() + 0.4
    while time.monotonic() < end:
        hands.top.update()
        time.sleep(0.01)
    assert state(hands) == "withdrawn"
    works(hands, False)
    hands.wait_for(hands.top.winfo_viewable, "the window")
    assert "icon in the tray is gone" in hands.window.status.words


def test_without_the_setting_there_is_no_icon_and_closing_ends_the_program(hands, icon):
    works(hands)
    hands.feed(SettingsChanged({"theme": "dark", "tray": False}))
    hands.settle()
    assert icon.stopped == 1
    close(hands)
    assert hands.of(Shutdown)


def test_quit_ends_it_and_the_icon_with_it(hands, icon):
    hands.feed(Quit())
    hands.settle()
    assert hands.of(Shutdown) and icon.stopped == 1


def test_ctrl_q_ends_it(hands):
    hands.focus(hands.window.composer.text)
    hands.type("", "ctrl+q")
    hands.wait_for(lambda: hands.of(Shutdown))


def test_the_icon_shows_what_is_most_worth_knowing(hands, icon):
    assert icon.states[-1][0] == "idle"
    turn = hands.ask()
    hands.feed(*s.started(turn))
    hands.settle()
    assert icon.states[-1][0] == "working"
    hands.feed(*s.question(turn))
    hands.settle()
    assert icon.states[-1] == ("waiting", "Metona: waiting for your answer")
    hands.feed(s.finished(turn), s.DOWN)
    hands.settle()
    assert icon.states[-1][0] == "offline"
    hands.feed(s.UP)
    hands.settle()
    assert icon.states[-1][0] == "idle"
    before = len(icon.states), len(icon.menus)
    hands.feed(TextAdded(turn, "late"), s.UP)
    hands.settle()
    assert (len(icon.states), len(icon.menus)) == before  # it is told only what is new


def test_the_menu_says_what_a_click_does(hands, icon):
    works(hands)
    assert icon.labels()[0] == "Hide Metona" and icon.labels()[-1] == "Quit Metona"
    close(hands)
    hands.wait_for(lambda: icon.labels()[0] == "Show Metona")
    checked = [each.label for each in icon.menus[-1] if each.checked]
    assert checked == ["Ask: deletions and overwrites"]


def test_the_automatic_mode_is_never_switched_on_from_outside_alone(hands, icon):
    works(hands)
    close(hands)
    hands.feed(ChooseMode(Mode.ALL))
    hands.settle()
    assert hands.of(SetMode)[-1].mode is Mode.ALL and state(hands) == "withdrawn"
    hands.feed(ChooseMode(Mode.NONE))
    hands.wait_for(lambda: hands.window.approvals.dialog is not None and hands.top.winfo_viewable())
    assert [each.mode for each in hands.of(SetMode)] == [Mode.ALL]


def test_a_question_waits_unseen_until_the_window_is_shown_and_then_guards_its_half_second(hands, icon):
    works(hands)
    turn = hands.ask("May I?")
    close(hands)
    icon.notes.clear()
    hands.feed(*s.started(turn), *s.question(turn))
    hands.settle()
    assert hands.window.approvals.dialog is None
    key, title, body = icon.notes[-1]
    assert (key, title) == (hands.window.state.shown.chat_id, "Waiting for your answer") and "May I?" in body
    hands.feed(ShowWaiting(key))
    hands.wait_for(lambda: hands.window.approvals.dialog and hands.window.approvals.dialog.winfo_viewable())
    dialog = hands.window.approvals.dialog
    assert not dialog.armed and key in icon.withdrawn
    hands.wait_for(lambda: dialog.armed)
    close(hands)  # with the question open
    hands.wait_for(lambda: not dialog.winfo_viewable())
    hands.feed(ShowWindow())
    hands.wait_for(dialog.winfo_viewable)
    assert not dialog.armed, "keys would count at once"
    assert not [each for each in hands.of(AnswerApproval) if each.decision is Decision.ALLOW]


@pytest.mark.parametrize(("end", "title"), [(TurnEnd.ANSWERED, "The answer is there"), (TurnEnd.STOPPED, "")])
def test_a_long_answer_is_told_where_nobody_looks(hands, icon, monkeypatch, end, title):
    works(hands)
    turn = hands.ask("Long one")
    hands.feed(*s.started(turn))
    hands.settle()
    close(hands)
    icon.notes.clear()
    hands.window.state.shown.record.find(turn).asked_at -= 11
    hands.feed(s.finished(turn, end))
    hands.settle()
    assert [note[1] for note in icon.notes] == ([title] if title else [])


def test_what_is_looked_at_or_was_quick_is_not_told(hands, icon):
    works(hands)
    hands.focus(hands.window.composer.text)
    turn = hands.ask("Seen")
    hands.window.state.shown.record.find(turn).asked_at -= 11
    hands.feed(*s.started(turn), s.finished(turn))
    hands.settle()
    second = hands.ask("Quick")
    close(hands)
    icon.notes.clear()
    hands.feed(*s.started(second), s.finished(second))
    hands.settle()
    assert not icon.notes


def test_notifications_can_be_switched_off(hands, icon):
    works(hands)
    hands.feed(SettingsChanged({"theme": "dark", "notifications": False}))
    turn = hands.ask("x")
    close(hands)
    icon.notes.clear()
    hands.feed(*s.started(turn), *s.question(turn))
    hands.settle()
    assert not icon.notes


def test_keys_for_everywhere_are_told_to_the_icon_and_why_they_do_not_work(hands, icon):
    assert not icon.keys  # nobody listens for keys unless the user wants it
    hands.feed(SettingsChanged({"theme": "dark", "hotkey": "<ctrl>+<alt>+m"}))
    hands.feed(SettingsChanged({"theme": "light", "hotkey": "<ctrl>+<alt>+m"}))
    hands.settle()
    assert icon.keys == ["<ctrl>+<alt>+m"]
    hands.feed(HotkeyFailed("Wayland has no keys for all programs"), SettingsChanged({"theme": "dark", "hotkey": ""}))
    hands.settle()
    assert "Wayland" in hands.window.notice.text and "ask --window" in hands.window.notice.text
    assert icon.keys[-1] == ""


def test_a_second_start_brings_its_question_and_folder(hands, tmp_path):
    works(hands)
    close(hands)
    hands.feed(ShowWindow(str(tmp_path), "", "What is here?"))
    hands.wait_for(hands.top.winfo_viewable)
    assert hands.of(NewConversation)[-1].workspace == str(tmp_path)
    assert hands.of(StartTurn)[-1].text == "What is here?"
    assert hands.of(StartTurn)[-1].chat_id == hands.of(NewConversation)[-1].chat_id
