"""The small widgets, with real keys and clicks: all are reached by Tab, show the focus, and follow the mode."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterator

import pytest

from metona_tk.ui import theme
from metona_tk.ui.widgets import tooltip
from metona_tk.ui.widgets.badge import Badge
from metona_tk.ui.widgets.choice import Choice
from metona_tk.ui.widgets.entry import Entry
from metona_tk.ui.widgets.focus_button import FocusButton
from metona_tk.ui.widgets.icon_button import IconButton
from metona_tk.ui.widgets.number_entry import Bounds, NumberEntry
from metona_tk.ui.widgets.pictures import rgb
from metona_tk.ui.widgets.rounded import Rounded
from metona_tk.ui.widgets.spinner import Spinner, spinning
from metona_tk.ui.widgets.switch import Switch
from tests.ui.desk import Desk


@pytest.fixture
def desk(root: tk.Tk) -> Iterator[Desk]:
    made = Desk(root)
    yield made
    made.drop()


def picture(widget: tk.Misc) -> str:
    return str(widget.cget("image"))


# Switch


def test_a_click_switches_and_says_so(desk):
    switch = desk.put(Switch(desk.top, desk.fonts, desk.hear))
    desk.click(switch)
    assert (switch.on, desk.heard) == (True, [True])
    desk.click(switch)
    assert (switch.on, desk.heard) == (False, [True, False])


def test_tab_reaches_a_switch_and_space_switches_it(desk):
    switch = desk.put(Switch(desk.top, desk.fonts, desk.hear))
    without = picture(switch)
    desk.type("", "Tab")
    desk.shows_focus(switch)
    assert picture(switch) != without  # the ring
    desk.type("", "space")
    assert desk.heard == [True]
    desk.type("", "shift+Tab")
    desk.shows_focus(desk.first)


def test_a_click_on_its_words_switches_too(desk):
    words = desk.put(tk.Label(desk.top, text="words"))
    switch = desk.put(Switch(desk.top, desk.fonts, desk.hear))
    switch.label(words)
    desk.click(words)
    assert desk.heard == [True]


def test_a_switch_that_is_off_limits_does_nothing(desk):
    words = desk.put(tk.Label(desk.top, text="words"))
    switch = desk.put(Switch(desk.top, desk.fonts, desk.hear))
    switch.label(words)
    switch.set_enabled(False)
    desk.click(switch)
    desk.click(words)
    desk.focus(desk.first)
    desk.type("", "Tab")
    assert desk.top.focus_get() is desk.first
    assert (switch.on, desk.heard) == (False, [])


def test_a_switch_set_by_the_program_tells_nobody(desk):
    switch = desk.put(Switch(desk.top, desk.fonts, desk.hear))
    switch.set(True)
    assert (switch.on, desk.heard) == (True, [])


def test_a_switch_changes_its_colours_in_place(desk):
    switch = desk.put(Switch(desk.top, desk.fonts, desk.hear, on=True))
    image = switch.nametowidget(".").tk
    middle = (12, 12)  # px inside the track, left of the knob
    assert tuple(image.call(picture(switch), "get", *middle)) == rgb("switch-on")
    theme.set_mode("light")
    assert tuple(image.call(picture(switch), "get", *middle)) == rgb("switch-on")


# Icon button and tooltip


@pytest.mark.parametrize("key", ["space", "Return", "KP_Enter"])
def test_keys_press_an_icon_button(desk, key):
    button = desk.put(IconButton(desk.top, desk.fonts, "copy", "Copy", desk.hear))
    without = picture(button)
    desk.type("", "Tab")
    desk.shows_focus(button)
    assert picture(button) != without
    desk.type("", key)
    assert desk.heard == ["pressed"]


def test_a_click_presses_it_and_leaves_the_focus_where_it_was(desk):
    button = desk.put(IconButton(desk.top, desk.fonts, "copy", "Copy", desk.hear))
    desk.click(button)
    assert desk.heard == ["pressed"]
    assert desk.top.focus_get() is desk.first


def test_a_press_that_is_let_go_elsewhere_does_nothing(desk):
    button = desk.put(IconButton(desk.top, desk.fonts, "copy", "Copy", desk.hear))
    x, y = button.winfo_rootx() + 5, button.winfo_rooty() + 5
    desk.xdo("mousemove", str(x), str(y), "mousedown", "1", "mousemove", str(x), str(y - 60), "mouseup", "1")
    assert desk.heard == []


def test_a_disabled_icon_button_does_nothing(desk):
    button = desk.put(IconButton(desk.top, desk.fonts, "copy", "Copy", desk.hear))
    button.set_enabled(False)
    desk.click(button)
    desk.type("", "Tab")
    assert (desk.heard, desk.top.focus_get()) == ([], desk.first)


def test_it_becomes_another_button(desk):
    button = desk.put(IconButton(desk.top, desk.fonts, "send", "Send", desk.hear, kind="primary", token="on-accent"))
    before = picture(button)
    button.show("stop", "Stop", token="text-1", kind="solid")
    assert picture(button) != before
    assert button.tooltip.text == "Stop"


def test_a_tooltip_comes_when_the_mouse_rests_and_never_takes_the_focus(desk):
    button = desk.put(IconButton(desk.top, desk.fonts, "copy", "Copy this", desk.hear))
    desk.xdo("mousemove", str(button.winfo_rootx() + 5), str(button.winfo_rooty() + 5))
    assert button.tooltip.window is None  # not at once
    desk.wait_for(lambda: button.tooltip.window and button.tooltip.window.winfo_viewable(), "the tooltip")
    assert button.tooltip.window.winfo_children()[0].cget("text") == "Copy this"
    assert button.tooltip.window.winfo_rooty() >= button.winfo_rooty() + button.winfo_height()
    assert desk.top.focus_get() is desk.first
    desk.xdo("mousemove", str(button.winfo_rootx() - 15), str(button.winfo_rooty()))
    desk.wait_for(lambda: button.tooltip.window is None, "the end of the tooltip")


def test_a_tooltip_goes_with_its_widget(desk):
    button = desk.put(IconButton(desk.top, desk.fonts, "copy", "Copy this", desk.hear))
    desk.xdo("mousemove", str(button.winfo_rootx() + 5), str(button.winfo_rooty() + 5))
    desk.wait_for(lambda: button.tooltip.window and button.tooltip.window.winfo_viewable(), "the tooltip")
    shown = button.tooltip.window
    button.destroy()
    assert button.tooltip.window is None
    assert not theme.alive(shown)


def test_a_tooltip_without_words_does_not_come(desk, monkeypatch):
    monkeypatch.setattr(tooltip, "DELAY", 1)
    label = desk.put(tk.Label(desk.top, text="words"))
    shown = tooltip.Tooltip(label, desk.fonts, "")
    label.event_generate("<Enter>")
    desk.wait_for(lambda: not shown._timer)
    assert shown.window is None


# Entry


def test_an_entry_shows_its_hint_only_while_it_is_empty(desk):
    entry = desk.put(Entry(desk.top, desk.fonts, placeholder="Search", changed=desk.hear))
    assert entry._placeholder.winfo_ismapped()
    desk.click(entry._placeholder)  # what lies over the field leads into it
    desk.shows_focus(entry.entry)
    assert entry.cget("border_color") == theme.pair("focus")
    desk.type("ab")
    assert (entry.get(), desk.heard) == ("ab", ["a", "ab"])
    assert not entry._placeholder.winfo_ismapped()
    desk.type("", "BackSpace", "BackSpace")
    desk.wait_for(entry._placeholder.winfo_ismapped)


def test_an_entry_says_when_it_is_done(desk):
    entry = desk.put(Entry(desk.top, desk.fonts, done=desk.hear))
    desk.focus(entry.entry)
    desk.type("a", "Return")
    assert desk.heard == ["pressed"]
    desk.type("", "Tab")
    assert desk.heard == ["pressed"] * 2
    assert entry.cget("border_color") == theme.pair("line-2")


def test_text_set_by_the_program_tells_nobody_and_typing_goes_on_being_heard(desk):
    entry = desk.put(Entry(desk.top, desk.fonts, placeholder="Search", changed=desk.hear))
    entry.set("by the program")
    assert desk.heard == []
    assert not entry._placeholder.winfo_ismapped()
    desk.focus(entry.entry)
    desk.type("!")
    assert desk.heard == ["by the program!"]


# Number


@pytest.mark.parametrize(
    ("text", "number"),
    [("2048", 2048), (" 4096 ", 4096), ("2047", None), ("1048577", None), ("", None), ("1e4", None), ("many", None)],
)
def test_a_whole_number_within_bounds_is_taken(text, number):
    assert Bounds(2048, 1048576).parse(text) == number


@pytest.mark.parametrize(("text", "number"), [("0,7", 0.7), ("2", 2.0), ("2.1", None), ("nan", None), ("inf", None)])
def test_a_broken_number_is_taken_with_point_or_comma(text, number):
    assert Bounds(0, 2, 0.1, broken=True).parse(text) == number


def test_steps_lead_to_multiples_and_end_at_the_bounds():
    bounds = Bounds(0, 2, 0.1, broken=True)
    assert [bounds.moved(value, up) for value, up in ((0.7, True), (0.75, True), (0.75, False))] == [0.8, 0.8, 0.7]
    assert (bounds.moved(2.0, True), bounds.moved(0.05, False)) == (2.0, 0.0)
    assert (Bounds(80, 200, 10).moved(85, False), Bounds(80, 200, 10).moved(199, True)) == (80, 200)


def number(desk) -> NumberEntry:
    return desk.put(NumberEntry(desk.top, desk.fonts, Bounds(1, 100), desk.hear, value=10))


def test_a_number_is_taken_when_it_is_complete(desk):
    entry = number(desk)
    desk.focus(entry.field.entry)
    desk.type("", "ctrl+a")
    desk.type("55")
    assert desk.heard == []
    desk.type("", "Return")
    assert desk.heard == [55]
    desk.type("", "Tab")
    assert desk.heard == [55]  # not twice


def test_a_number_out_of_bounds_is_said_at_once_and_not_taken(desk):
    entry = number(desk)
    desk.focus(entry.field.entry)
    desk.type("1")
    assert entry.error == "A whole number from 1 to 100"
    assert entry._error.winfo_ismapped()
    assert entry.field.cget("border_color") == theme.pair("danger")
    desk.type("", "Return", "Tab")
    assert desk.heard == []
    desk.focus(entry.field.entry)
    desk.type("", "End", "BackSpace")
    assert entry.error == ""
    assert not entry._error.winfo_ismapped()


def test_arrows_and_buttons_change_a_number(desk):
    entry = number(desk)
    desk.focus(entry.field.entry)
    desk.type("", "Up", "Up", "Down")
    desk.click(entry.more)
    desk.click(entry.less)
    assert desk.heard == [11, 12, 11, 12, 11]
    assert entry.field.get() == "11"
    assert desk.top.focus_get() is entry.field.entry


def test_a_number_that_is_being_written_is_not_written_over(desk):
    entry = number(desk)
    desk.focus(entry.field.entry)
    desk.type("", "ctrl+a")
    desk.type("7")
    entry.set(20)
    assert entry.field.get() == "7"
    desk.type("", "Return")
    assert desk.heard == [7]
    entry.set(30)
    assert entry.field.get() == "30"


# Choice


def test_a_choice_is_made_by_keys(desk):
    choice = desk.put(Choice(desk.top, desk.fonts, {"a": "Dark", "b": "Light", "c": "Grey"}, desk.hear, value="a"))
    assert choice.text == "Dark"
    desk.type("", "Tab")
    desk.shows_focus(choice)
    desk.type("", "space")
    desk.wait_for(choice.menu.winfo_viewable, "the menu")
    desk.type("", "Down", "Return")
    desk.wait_for(lambda: desk.heard, "the choice")
    assert (desk.heard, choice.text, choice.value) == (["b"], "Light", "b")


def test_choosing_the_same_again_tells_nobody(desk):
    choice = desk.put(Choice(desk.top, desk.fonts, {"a": "Dark", "b": "Light"}, desk.hear, value="a"))
    assert choice.refill() == 2
    choice.menu.invoke(0)
    assert desk.heard == []
    choice.menu.invoke(1)
    assert desk.heard == ["b"]


# Badge, spinner, button


def test_a_badge_without_room_keeps_its_word_as_a_tooltip(desk):
    badge = desk.put(Badge(desk.top, desk.fonts, "eye", "vision"))
    wide = badge.winfo_reqwidth()
    assert badge.winfo_reqheight() == desk.fonts.px(20)
    badge.show_word(False)
    desk.top.update()
    assert badge.winfo_reqwidth() < wide
    assert (badge.word, badge.tooltip.text) == ("vision", "vision")
    badge.show_word(True)
    desk.top.update()
    assert (badge.winfo_reqwidth(), badge.tooltip.text) == (wide, "")


def test_spinners_share_a_timer_that_stops_with_the_last(desk):
    labels = [desk.put(tk.Label(desk.top)) for _ in range(2)]
    shown: list[list[str]] = [[], []]
    assert not spinning(desk.top)
    spinners = [
        Spinner(label, desk.fonts, lambda image, seen=seen: seen.append(str(image)))
        for label, seen in zip(labels, shown, strict=True)
    ]
    desk.wait_for(lambda: len(shown[0]) > 3, "the spinner to turn")
    assert shown[0][1:] == shown[1][1:]
    assert len(set(shown[0])) == len(shown[0])
    spinners[0].stop()
    assert spinning(desk.top)
    spinners[1].stop()
    assert not spinning(desk.top)
    spinners[1].stop()


def test_a_spinner_whose_widget_is_gone_stops_by_itself(desk):
    label = desk.put(tk.Label(desk.top))
    Spinner(label, desk.fonts, lambda image: label.configure(image=image))
    label.destroy()
    desk.wait_for(lambda: not spinning(desk.top), "the timer to stop")


def test_a_button_has_an_icon_in_the_colour_of_its_words(desk):
    button = desk.put(FocusButton(desk.top, desk.fonts, "Delete", desk.hear, kind="danger", icon="trash"))
    first = str(button._button.cget("image"))
    button.look("primary")
    assert str(button._button.cget("image")) != first
    desk.click(button)
    assert desk.heard == ["pressed"]


def test_a_disabled_button_is_neither_reached_nor_pressed(desk):
    button = desk.put(FocusButton(desk.top, desk.fonts, "Off", desk.hear, icon="plus"))
    button.set_enabled(False)
    desk.click(button)
    desk.focus(desk.first)
    desk.type("", "Tab")
    assert (desk.heard, desk.top.focus_get()) == ([], desk.first)
    button.set_enabled(True)
    desk.type("", "Tab", "space")
    assert desk.heard == ["pressed"]


def test_a_round_frame_that_is_gone_leaves_nothing_at_its_master(root):
    outer = tk.Frame(root)
    for _ in range(2):
        Rounded(outer, "surface-0", "surface-1", "line-1").destroy()
    outer.configure(background="#123456")
    assert outer.cget("background") == "#123456"
    assert "configure" not in vars(outer)
    outer.destroy()
