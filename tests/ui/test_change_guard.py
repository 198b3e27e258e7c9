"""The confirmation of a change in its first half second, and among others: no approval by accident."""

from __future__ import annotations

import random
import tkinter as tk

import pytest

from metona_tk.protocol.events import ApprovalAnswered, SettingsChanged
from metona_tk.protocol.values import Decision
from metona_tk.ui.dialogs.change import ChangeDialog
from tests.ui import previews as p
from tests.ui import scenes as s
from tests.ui.asked import Asked

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def asked(hands):
    return Asked(hands)


# The first half second


def test_keys_and_clicks_in_the_first_half_second_do_nothing(asked):
    dialog = asked.show(p.create())
    asked.clock.now += 0.49
    asked.press(dialog.deny_button, "alt+a", "Escape", "Return", "space")
    for button in (dialog.allow_button, dialog.deny_button, dialog.edit_button):
        asked.hands.click(button)
    asked.hands.top.update()
    assert asked.answers == []
    assert dialog.box.editor is None
    asked.later()
    asked.hands.click(dialog.allow_button)
    asked.hands.wait_for(lambda: asked.decisions() == [Decision.ALLOW])


def test_a_button_that_went_down_too_early_counts_for_nothing_when_it_comes_up(asked):
    dialog = asked.show(p.create())
    middle = dialog.allow_button
    x, y = (middle.winfo_rootx() + middle.winfo_width() // 2, middle.winfo_rooty() + middle.winfo_height() // 2)
    asked.hands.xdo("mousemove", str(x), str(y))
    asked.hands.xdo("mousedown", "1")
    asked.clock.now += 2
    asked.hands.xdo("mouseup", "1")
    asked.hands.top.update()
    assert asked.answers == []


KEYS = ("<Alt-a>", "<Return>", "<space>", "<Escape>", "<Tab>", "<Key-a>", "<Key-y>", "<KP_Enter>", "<End>", "<Alt-A>")


def poke(chance: random.Random, dialog: ChangeDialog, widgets: list[tk.Misc]) -> None:
    """One key or click somewhere on the dialog."""
    widget = chance.choice(widgets)
    if chance.random() < 0.5:
        widget.event_generate(chance.choice(KEYS))
        return
    x, y = chance.randrange(max(1, widget.winfo_width())), chance.randrange(max(1, widget.winfo_height()))
    for event in ("<Enter>", "<ButtonPress-1>", "<ButtonRelease-1>"):
        widget.event_generate(event, x=x, y=y)


def everything(widget: tk.Misc) -> list[tk.Misc]:
    return [widget, *(each for child in widget.winfo_children() for each in everything(child))]


def test_ten_thousand_random_keys_and_clicks_in_the_first_half_second_never_answer(asked):
    dialog = asked.show(p.create())
    chance, start = random.Random(5), asked.clock.now
    widgets = everything(dialog)
    for _ in range(10_000):
        asked.clock.now = start + chance.uniform(0, 0.4999)
        dialog._seen = start
        poke(chance, dialog, widgets)
        assert dialog.winfo_exists()
    asked.hands.top.update()
    assert asked.answers == []


def test_random_plain_keys_never_allow_at_any_time(asked):
    chance = random.Random(6)
    for number in range(40):
        dialog = asked.show(p.create(), f"c{number}")
        asked.later()
        widgets = everything(dialog)
        for _ in range(10):
            if not dialog.winfo_exists():
                break
            chance.choice(widgets).event_generate(chance.choice(("<Return>", "<space>", "<KP_Enter>", "<Key-a>")))
        if dialog.winfo_exists():
            dialog._close()
    assert set(asked.decisions()) == {Decision.DENY}


# Several, and answers from elsewhere


def test_one_at_a_time_and_the_next_one_has_a_half_second_of_its_own(asked):
    first = asked.show(p.create())
    asked.hands.feed(*p.asked(asked.turn, p.delete_folder(), "c2"), *s.question(asked.turn, "q3"))
    asked.hands.settle()
    assert asked.hands.window.approvals.dialog is first
    assert first.place_in_line.cget("text") == "1 of 3 waiting"
    asked.later()
    asked.press(first.deny_button, "alt+a")
    asked.hands.wait_for(lambda: asked.answers)
    second = asked.hands.window.approvals.dialog
    assert second is not first
    assert second.place_in_line.cget("text") == "2 of 3 waiting"
    asked.hands.wait_for(second.winfo_viewable)
    second._clock = asked.clock
    second._seen = asked.clock.now
    asked.hands.click(second.allow_button)
    asked.press(second.deny_button, "alt+a")
    assert len(asked.answers) == 1


def test_silence_closes_it_without_an_answer(asked):
    dialog = asked.show(p.create())
    asked.hands.feed(ApprovalAnswered(asked.turn, "c1", Decision.NO_ANSWER))
    asked.hands.settle()
    assert not dialog.winfo_exists()
    assert asked.answers == []


def test_it_does_not_raise_itself(asked, monkeypatch):
    raised = []
    for name in ("lift", "tkraise", "focus_force", "grab_set", "attributes"):
        monkeypatch.setattr(ChangeDialog, name, lambda *words, name=name: raised.append(name))
    asked.show(p.create())
    assert raised == []


def test_in_the_smallest_window_buttons_and_box_stay_in_view(asked):
    dialog = asked.show(p.odd())
    dialog.geometry("640x480")
    asked.hands.wait_for(lambda: dialog.winfo_width() == 640)
    asked.hands.top.update()
    bottom = dialog.winfo_rooty() + 480
    for widget in (dialog.deny_button, dialog.allow_button, dialog.reason, dialog.box):
        assert widget.winfo_viewable()
        assert widget.winfo_rooty() + widget.winfo_height() <= bottom
        assert widget.winfo_rootx() + widget.winfo_width() <= dialog.winfo_rootx() + 640
    assert dialog.box.text.winfo_height() > 60


def test_another_size_of_text_builds_it_anew_with_a_half_second(asked):
    dialog = asked.show(p.create())
    asked.hands.feed(SettingsChanged({"theme": "dark", "textSize": 125}))
    asked.hands.settle()
    other = asked.hands.window.approvals.dialog
    assert other is not dialog
    assert isinstance(other, ChangeDialog)
    asked.hands.feed(SettingsChanged({"theme": "dark", "textSize": 100}))
    asked.hands.settle()
