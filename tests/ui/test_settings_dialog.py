"""The settings dialog and the list of keys, with real keys and clicks."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from metona_tk import i18n
from metona_tk.protocol.problems import Problem, ProblemCode
from metona_tk.settings import FIELDS, SCHEMA, defaults
from metona_tk.ui import theme
from metona_tk.ui.dialogs.keys import KeyLine, KeysDialog
from metona_tk.ui.dialogs.settings.dialog import SettingsDialog, ToolLine
from metona_tk.ui.dialogs.settings.words import LEFT_OUT, SECTIONS, STEPS
from tests.ui.desk import Desk

TOOLS = (ToolLine("read_file", "Reads text files.", "file-text"), ToolLine("search_files", "Finds words.", "search"))


class Settings(Desk):
    """`heard` is what the dialog asked to change; the core of these tests takes everything."""

    def open(self, size: str = "880x640", **values: Any) -> SettingsDialog:
        self.closed = 0
        self.dialog = SettingsDialog(
            self.top, self.fonts, SCHEMA, defaults() | values, lambda: TOOLS, self.hear, self._count
        )
        self.dialog.geometry(size)
        wide, high = (int(part) for part in size.split("x"))
        self.wait_for(
            lambda: (
                (self.dialog.winfo_width(), self.dialog.winfo_height()) == (wide, high)
                and self.dialog.search.winfo_viewable()
            )
        )
        self.focus(self.dialog.search.entry)
        return self.dialog

    def _count(self) -> None:
        self.closed += 1

    def control(self, key: str) -> Any:
        return self.dialog.rows[key].control

    def see(self, widget: tk.Misc) -> Any:
        """Scroll it into view, as its focus would."""
        self.dialog.page.see(widget)
        self.top.update()
        return widget

    def write(self, key: str, text: str, *keys: str) -> None:
        control = self.control(key)
        entry = getattr(control, "field", control).entry
        self.see(entry)
        self.click(entry)
        self.shows_focus(entry)
        self.type("", "ctrl+a")
        self.type(text, *keys)


@pytest.fixture
def desk(root: tk.Tk) -> Iterator[Settings]:
    made = Settings(root)
    yield made
    made.drop()
    i18n.set_language("en")


def test_every_setting_has_its_place_or_is_left_out_on_purpose():
    placed = [key for section in SECTIONS for key in section.keys]
    assert sorted([*placed, *LEFT_OUT]) == sorted(FIELDS)
    numbers = {key for key in placed if FIELDS[key].kind in (int, float)}
    assert set(STEPS) == numbers


def test_it_shows_the_values(desk):
    dialog = desk.open(theme="light", numCtx=4096, temperature=0.2, server="http://a:1", enabled=False)
    assert desk.control("theme").text == "Light"
    assert desk.control("language").text == "System"
    assert desk.control("numCtx").field.get() == "4096"
    assert desk.control("temperature").field.get() == "0.2"
    assert desk.control("server").get() == "http://a:1"
    assert not desk.control("enabled").on
    assert not set(LEFT_OUT) & set(dialog.rows)


def test_the_master_switch_greys_the_tools(desk):
    dialog = desk.open()
    desk.click(desk.see(desk.control("enabled")))
    assert desk.heard == [{"enabled": False}]
    assert not any(row.control.enabled for row in dialog.tool_rows.values())
    desk.click(desk.see(dialog.tool_rows["read_file"].control))
    assert desk.heard == [{"enabled": False}]
    desk.click(desk.see(dialog.rows["enabled"].heading))
    assert desk.heard[1:] == [{"enabled": True}]
    assert all(row.control.enabled for row in dialog.tool_rows.values())


def test_a_tools_switch_keeps_the_others(desk):
    dialog = desk.open(enabledTools={"list_directory": False, "search_files": False})
    assert (dialog.tool_rows["read_file"].control.on, dialog.tool_rows["search_files"].control.on) == (True, False)
    desk.click(desk.see(dialog.tool_rows["read_file"].control))
    desk.click(desk.see(dialog.tool_rows["search_files"].control))
    assert desk.heard == [
        {"enabledTools": {"list_directory": False, "search_files": False, "read_file": False}},
        {"enabledTools": {"list_directory": False, "search_files": True, "read_file": False}},
    ]


def test_a_number_is_sent_when_it_is_complete(desk):
    desk.open()
    desk.write("maxRounds", "25")
    assert desk.heard == []
    desk.type("", "Return")
    desk.write("temperature", "0,3", "Tab")
    assert desk.heard == [{"maxRounds": 25}, {"temperature": 0.3}]
    assert FIELDS["temperature"].check(desk.heard[1]["temperature"])


def test_a_bad_number_is_said_and_not_sent(desk):
    desk.open()
    desk.write("numCtx", "12", "Return", "Tab")
    assert "2048" in desk.control("numCtx").error
    assert desk.control("numCtx")._error.winfo_ismapped()
    assert desk.heard == []


def test_an_address_is_sent_without_blanks_around_it(desk):
    desk.open()
    desk.write("server", " http://b:2 ", "Return")
    assert desk.heard == [{"server": "http://b:2"}]


def test_esc_does_not_take_what_is_half_written_but_close_does(desk):
    desk.open()
    desk.write("server", "http://half", "Escape")
    desk.wait_for(lambda: not theme.alive(desk.dialog))
    assert (desk.heard, desk.closed) == ([], 1)
    desk.open()
    desk.write("server", "http://whole")
    desk.click(desk.dialog.close_button)
    desk.wait_for(lambda: not theme.alive(desk.dialog))
    assert (desk.heard, desk.closed) == ([{"server": "http://whole"}], 1)


def test_a_choice_is_sent(desk):
    desk.open()
    choice = desk.control("theme")
    desk.click(desk.see(choice))
    desk.wait_for(choice.menu.winfo_viewable, "the menu")
    desk.type("", "Down", "Return")
    desk.wait_for(lambda: desk.heard)
    assert desk.heard == [{"theme": "light"}]


def test_what_the_core_says_is_shown(desk):
    dialog = desk.open()
    dialog.show(defaults() | {"temperature": 1.5, "enabledTools": {"read_file": False}, "allowedDirs": ["/srv/a"]})
    assert desk.control("temperature").field.get() == "1.5"
    assert not dialog.tool_rows["read_file"].control.on
    assert dialog.folder_lists["allowedDirs"].folders == ["/srv/a"]
    assert desk.heard == []


def test_a_refused_value_is_said_at_its_field_until_it_is_right(desk):
    dialog = desk.open()
    desk.write("server", "nonsense", "Return")
    dialog.show(defaults(), Problem(ProblemCode.BAD_SETTING, {"key": "server", "expected": "http://…"}))
    row = dialog.rows["server"]
    assert "http://…" in row.error
    desk.wait_for(row.error_label.winfo_ismapped)
    assert dialog._notice.text == ""
    dialog.show(defaults() | {"server": "http://c:3"})
    assert row.error == ""
    assert not row.error_label.winfo_ismapped()


def test_what_belongs_to_no_field_is_said_above(desk):
    dialog = desk.open()
    dialog.show(defaults(), Problem(ProblemCode.SETTINGS_NOT_SAVED, {"path": "/x/settings.json", "server": "full"}))
    assert "/x/settings.json" in dialog._notice.text
    desk.click(dialog._notice.button)
    assert dialog._notice.text == ""


def test_folders_are_added_and_taken_away(desk, tmp_path):
    dialog = desk.open("880x640", allowedDirs=["/srv/a", "/srv/b"])
    folders = dialog.folder_lists["allowedDirs"]
    dialog.browse = lambda title: str(tmp_path)
    desk.click(desk.see(folders.add_button))
    assert desk.heard == [{"allowedDirs": ["/srv/a", "/srv/b", str(tmp_path)]}]
    desk.click(folders.add_button)  # it is there already
    dialog.browse = lambda title: ""
    desk.click(folders.add_button)  # the user thinks better of it
    assert len(desk.heard) == 1
    desk.click(desk.see(folders.removers[0]))
    assert desk.heard[1:] == [{"allowedDirs": ["/srv/b", str(tmp_path)]}]
    desk.shows_focus(folders.removers[0])
    desk.type("", "space")
    desk.type("", "space")
    assert desk.heard[-1] == {"allowedDirs": []}
    desk.shows_focus(folders.add_button)


def test_a_folders_name_cannot_hide_anything(desk):
    dialog = desk.open(blockedDirs=["/srv/\u202egpj"])
    folders = dialog.folder_lists["blockedDirs"]
    desk.see(folders.removers[0])
    labels = [child for child in folders._entries[0].winfo_children() if child.winfo_class() == "Label"]
    assert "⟨U+202E⟩" in "".join(str(label.cget("text")) for label in labels)


def test_a_search_leaves_what_has_the_words(desk):
    dialog = desk.open()
    desk.type("temper")
    shown = [key for key, row in dialog.rows.items() if row.winfo_ismapped()]
    assert shown == ["temperature"]
    assert not any(row.winfo_ismapped() for row in dialog.tool_rows.values())
    desk.type("", "ctrl+a")
    desk.type("read_fi")
    assert dialog.tool_rows["read_file"].winfo_ismapped()
    assert not dialog.tool_rows["search_files"].winfo_ismapped()
    desk.type("zzz")
    desk.wait_for(dialog._nothing.winfo_ismapped)
    desk.type("", "Escape")  # first the search, then the dialog
    assert dialog.rows["theme"].winfo_ismapped()
    assert not dialog._nothing.winfo_ismapped()
    desk.type("", "Escape")
    desk.wait_for(lambda: not theme.alive(dialog))


def test_tab_goes_through_everything_in_order_and_into_view(desk):
    dialog = desk.open("640x480", allowedDirs=["/srv/a"])
    seen: list[tk.Misc] = []
    while len(seen) < 40:
        desk.type("", "Tab")
        focused = desk.top.focus_get()
        assert focused is not None
        if focused is dialog.search.entry:
            break
        seen.append(focused)
        top = focused.winfo_rooty()
        assert top >= dialog.page.winfo_rooty() or focused in dialog.nav_buttons
        if focused is not dialog.close_button:
            assert top + focused.winfo_height() <= dialog.page.winfo_rooty() + dialog.page.winfo_height()
    expected = [
        desk.control("language"),
        desk.control("theme"),
        desk.control("textSize").field.entry,
        desk.control("tray"),
        desk.control("notifications"),
        desk.control("hotkey").entry,
        desk.control("server").entry,
        desk.control("numCtx").field.entry,
        desk.control("temperature").field.entry,
        desk.control("think"),
        desk.control("maxRounds").field.entry,
        desk.control("enabled"),
        *(row.control for row in dialog.tool_rows.values()),
        dialog.folder_lists["allowedDirs"].add_button,
        dialog.folder_lists["allowedDirs"].removers[0],
        dialog.folder_lists["blockedDirs"].add_button,
        dialog.close_button,
    ]
    assert seen == expected


def test_the_wheel_scrolls_over_every_row(desk):
    dialog = desk.open("640x480")
    desk.click(dialog.rows["theme"].heading, button=5)
    assert dialog.page.at > 0
    desk.click(dialog.page, button=4)
    desk.click(dialog.page, button=4)
    assert dialog.page.at == 0


def test_head_and_foot_stay_when_there_is_little_room(desk):
    dialog = desk.open("640x480")
    assert not dialog._nav.winfo_ismapped()
    for part in (dialog.search, dialog.close_button):
        assert dialog.winfo_rootx() <= part.winfo_rootx()
        assert part.winfo_rootx() + part.winfo_width() <= dialog.winfo_rootx() + dialog.winfo_width()
        assert part.winfo_rooty() + part.winfo_height() <= dialog.winfo_rooty() + dialog.winfo_height()


def test_the_list_of_sections_leads_and_follows(desk):
    dialog = desk.open()
    looks = lambda: [button._kind for button in dialog.nav_buttons]  # noqa: E731
    assert looks() == ["chosen", "ghost", "ghost"]
    desk.click(dialog.nav_buttons[2])
    assert looks() == ["ghost", "ghost", "chosen"]
    row = dialog.rows["enabled"]
    assert dialog.page.winfo_rooty() <= row.winfo_rooty() <= dialog.page.winfo_rooty() + 120
    dialog.page.to(0)
    desk.top.update()
    assert looks() == ["chosen", "ghost", "ghost"]


def test_the_chat_behind_it_goes_on(desk):
    dialog = desk.open()
    assert dialog.grab_current() is None
    assert str(dialog.transient()) == str(desk.top)


def test_another_language_is_shown_at_once(desk):
    dialog = desk.open()
    desk.write("server", "http://d:4", "Return")
    i18n.set_language("zh_CN")
    dialog.show(defaults() | {"language": "zh_CN", "server": "http://d:4"})
    assert dialog.rows["language"].heading.cget("text") == i18n.tr(FIELDS["language"].title) != "Language"
    assert desk.control("language").text == "简体中文"
    assert desk.control("server").get() == "http://d:4"
    desk.shows_focus(dialog.search.entry)
    desk.click(desk.see(desk.control("enabled")))
    assert desk.heard[-1] == {"enabled": False}


def test_the_mode_changes_while_it_is_open(desk):
    dialog = desk.open()
    theme.set_mode("light")
    assert dialog.rows["theme"].heading.cget("background") == theme.colour("surface-2")
    assert dialog.foot.cget("background") == theme.colour("surface-0")


def test_the_real_picker_is_asked_for_a_folder(desk, monkeypatch, tmp_path):
    dialog = desk.open()
    asked: list[dict[str, Any]] = []
    monkeypatch.setattr(
        "metona_tk.ui.dialogs.settings.dialog.filedialog.askdirectory",
        lambda **options: asked.append(options) or str(tmp_path),
    )
    assert Path(dialog.browse("Allowed folders")) == tmp_path
    assert asked == [{"parent": dialog, "title": "Allowed folders", "mustexist": True}]


# The list of keys

LINES = [KeyLine("Writing", "Enter", "Send"), KeyLine("Everywhere", "Ctrl++", "Larger text")]


def texts(widget: tk.Misc) -> list[str]:
    own = [str(widget.cget("text"))] if widget.winfo_class() == "Label" else []
    return own + [text for child in widget.winfo_children() for text in texts(child)]


def test_the_list_of_keys_shows_them_by_group_and_esc_closes_it(desk):
    dialog = KeysDialog(desk.top, desk.fonts, LINES, desk.hear)
    desk.wait_for(dialog.winfo_viewable)
    assert texts(dialog.page.inner) == ["Writing", "Send", "Enter", "Everywhere", "Larger text", "Ctrl", "+"]
    desk.focus(dialog.close_button)
    desk.type("", "Escape")
    desk.wait_for(lambda: not theme.alive(dialog))
    assert desk.heard == ["pressed"]
