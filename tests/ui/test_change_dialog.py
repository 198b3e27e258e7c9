"""The confirmation of a change: nothing is allowed by accident, unseen, or as anything but what was shown."""

from __future__ import annotations

import tkinter as tk
from dataclasses import replace

import pytest

from metona_tk.protocol.changes import FileState
from metona_tk.protocol.commands import AnswerApproval
from metona_tk.protocol.values import Decision
from tests.ui import previews as p
from tests.ui.asked import Asked

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def asked(hands):
    return Asked(hands)


def facts(dialog) -> list[str]:
    return [text.get("1.0", "end-1c").rstrip("\n") for text in dialog.facts.texts]


def rows(dialog) -> list[str]:
    return dialog.box.text.get("1.0", "end-1c").splitlines()


# What it says


def test_it_shows_the_resolved_path_behind_an_arrow_what_changes_and_why(asked):
    dialog = asked.show(p.write())
    path, change, why = facts(dialog)
    assert path.startswith("config/app.toml  →  /home/lin/Projects/invoice-bot/shared/app.toml")
    assert "link,\u00a0inside\u00a0the\u00a0folder" in path
    assert change == "Overwrite · 1.8 KB → 1.9 KB · +4 −2 lines · UTF-8 · undo for 30 days"
    assert why == "This chat asks for every change. The file was made by this chat."
    bold = dialog.facts.texts[0].tag_ranges("mono-strong")
    assert dialog.facts.texts[0].get(*bold) == "app.toml"


def test_a_path_that_is_only_made_absolute_has_no_arrow(asked):
    assert facts(asked.show(p.create()))[0] == "/home/lin/Projects/invoice-bot/docs/plan.md"


def test_the_box_has_numbers_signs_and_changed_words(asked):
    dialog = asked.show(p.write())
    assert "\t13\t\t- port = 8080" in rows(dialog)
    assert "\t\t13\t+ port = 9090" in rows(dialog)
    text = dialog.box.text
    assert "9090" in [text.get(*map(str, pair)) for pair in zip(*[iter(text.tag_ranges("add-word"))] * 2, strict=True)]


def test_the_caption_of_a_narrow_box_leaves_out_whole_parts(asked):
    dialog = asked.show(p.write())
    wide = dialog.box.caption.cget("text")
    assert wide.endswith(" · the whole change is shown")
    dialog.box.warn("Scroll to the end first, however long that may take, and then once more")
    narrow = dialog.box.caption.cget("text")
    assert narrow != wide and wide.startswith(narrow + " · ")
    asked.hands.wait_for(lambda: dialog.box.caption.winfo_width() == dialog.box.caption.winfo_reqwidth())
    dialog.box.warn("")
    assert dialog.box.caption.cget("text") == wide


def test_the_whole_file_can_be_seen_and_the_changes_again(asked):
    dialog = asked.show(p.write())
    asked.later()
    changes = rows(dialog)
    asked.hands.click(dialog.box.command)
    assert len(rows(dialog)) == 152
    asked.hands.click(dialog.box.command)
    assert rows(dialog) == changes


def test_invisible_characters_are_written_out_everywhere(asked):
    dialog = asked.show(p.odd())
    assert "pa⟨U+202E⟩y.py" in facts(dialog)[0]
    assert "⟨U+202E⟩" in dialog.title()
    shown = "\n".join(rows(dialog))
    for escape in ("⟨U+200B⟩", "⟨U+202E⟩", "⟨U+0020 ×400⟩", "⟨CR LF⟩", "last⟨U+0020 ×2⟩", "⇥   return"):
        assert escape in shown
    assert not set("\u202e\u200b") & set(shown + dialog.title() + "".join(facts(dialog)))


def test_what_was_read_before_is_named(asked):
    dialog = asked.show(p.odd())
    words = [widget.get("1.0", "end-1c") for widget in texts_of(dialog)]
    assert any("After reading inbox/mail from a stranger.txt." in each for each in words)


def texts_of(widget: tk.Misc) -> list[tk.Text]:
    found = [widget] if isinstance(widget, tk.Text) else []
    return found + [text for child in widget.winfo_children() for text in texts_of(child)]


@pytest.mark.parametrize(
    ("preview", "title"),
    [
        (p.create, "Create plan.md?"),
        (p.delete_folder, "Delete the folder old-backups?"),
        (p.delete_many, "Delete 12 files?"),
        (p.moves, "Move 8 files to Archive?"),
        (p.rename, "Rename a.txt to b.txt?"),
        (p.new_folder, "Create the folder out?"),
    ],
)
def test_the_question_is_in_words(asked, preview, title):
    assert asked.show(preview()).title() == f"Metona: {title}"


def test_a_deletion_shows_the_tree_with_its_sums_and_what_undo_can_do(asked):
    dialog = asked.show(p.delete_folder())
    assert facts(dialog)[1].startswith("38 files, 3 folders, 1 link, 214 MB. Newest: notes.txt, changed ")
    assert any(row.strip().startswith("2023/") and row.endswith("12 files · 61.0 MB") for row in rows(dialog))
    assert any("only the link goes" in row for row in rows(dialog))
    assert any("emptying the bin makes it final" in text.get("1.0", "end") for text in texts_of(dialog))
    assert dialog.allow_button.text == "Move to recycle bin"


def test_deletions_from_several_folders_are_named_in_full(asked):
    preview = p.delete_many(2)
    first, second = preview.items
    dialog = asked.show(replace(preview, items=(first, replace(second, path="/home/lin/Music/scan-01.tmp"))))
    assert [row.split("\t")[0].strip() for row in rows(dialog)] == [
        "/home/lin/Documents/scan-01.tmp",
        "/home/lin/Music/scan-01.tmp",
    ]


def test_moves_are_listed_one_by_one(asked):
    dialog = asked.show(p.moves())
    assert len(rows(dialog)) == 8
    assert rows(dialog)[2].strip().startswith("/home/lin/Documents/invoice 3.pdf  →  /home/lin/Documents/Archive/")
    assert rows(dialog)[2].endswith("replaces what is there")


def test_every_change_of_several_files_has_a_head_of_its_own(asked):
    one, other = p.write().items[0], p.create().items[0]
    dialog = asked.show(replace(p.write(), items=(one, other), editable=None))
    heads = [row for row in rows(dialog) if row.startswith("/home")]
    assert [head.split("\t")[0] for head in heads] == [one.path, other.path]
    assert dialog.title() == "Metona: Make 2 changes?"


# What allows, and what does not


def test_the_focus_starts_on_deny_which_is_at_the_right_end(asked):
    dialog = asked.show(p.create())
    asked.hands.wait_for(lambda: asked.hands.top.focus_get() is dialog.deny_button)
    assert dialog.deny_button.winfo_x() > dialog.allow_button.winfo_x()


def test_alt_a_allows_with_the_digest_and_the_time(asked):
    dialog = asked.show(p.create())
    asked.clock.now += 2.1
    asked.press(dialog.deny_button, "alt+a")
    asked.hands.wait_for(lambda: asked.answers)
    assert asked.answers == [AnswerApproval("c1", Decision.ALLOW, digest="d2", after_ms=2100)]
    assert asked.hands.window.approvals.dialog is None


@pytest.mark.parametrize("key", ["Escape", "Return", "space", "KP_Enter"])
def test_these_keys_deny(asked, key):
    dialog = asked.show(p.create())
    asked.later()
    asked.press(dialog.deny_button, key)
    asked.hands.wait_for(lambda: asked.decisions() == [Decision.DENY])
    assert asked.answers[0].digest == "d2"


@pytest.mark.parametrize("key", ["Return", "space", "KP_Enter", "a"])
def test_no_plain_key_allows_even_on_allow_itself(asked, key):
    dialog = asked.show(p.create())
    asked.later()
    asked.press(dialog.allow_button, key)
    asked.hands.top.update()
    assert asked.answers == []


def test_a_denial_may_carry_a_reason(asked):
    dialog = asked.show(p.delete_folder())
    asked.later()
    asked.hands.focus(dialog.reason.entry)
    asked.hands.type("I still need 2024", "Return")
    asked.hands.wait_for(lambda: asked.answers)
    assert (asked.answers[0].decision, asked.answers[0].reason) == (Decision.DENY, "I still need 2024")


def test_closing_the_window_denies(asked):
    dialog = asked.show(p.create())
    asked.later()
    dialog.tk.call(*dialog.tk.splitlist(dialog.protocol("WM_DELETE_WINDOW")))
    assert asked.decisions() == [Decision.DENY]


def test_alt_a_sleeps_in_the_entry_and_in_the_editor(asked):
    dialog = asked.show(p.create())
    asked.later()
    asked.press(dialog.reason.entry, "alt+a")
    dialog._edit()
    asked.hands.wait_for(dialog.box.editor.text.winfo_viewable)
    asked.press(dialog.box.editor.text, "alt+a")
    asked.hands.top.update()
    assert asked.answers == []
    asked.press(dialog.deny_button, "alt+a")
    asked.hands.wait_for(lambda: asked.decisions() == [Decision.ALLOW])


def test_allow_stays_off_until_the_end_was_seen(asked):
    dialog = asked.show(p.long_write())
    asked.later()
    assert not dialog.allow_button.enabled
    assert "end" in dialog.box.hint.cget("text")
    asked.press(dialog.deny_button, "alt+a")
    asked.hands.click(dialog.allow_button)
    asked.hands.top.update()
    assert asked.answers == []
    asked.press(dialog.deny_button, "End")
    asked.hands.wait_for(lambda: dialog.allow_button.enabled)
    assert dialog.box.hint.cget("text") == ""
    asked.press(dialog.deny_button, "Home", "alt+a")
    asked.hands.wait_for(lambda: asked.decisions() == [Decision.ALLOW])


def test_allow_is_on_at_once_where_all_of_it_is_seen(asked):
    dialog = asked.show(p.create())
    asked.hands.wait_for(lambda: dialog.allow_button.enabled)


def test_what_cannot_be_undone_is_allowed_only_with_its_name(asked):
    dialog = asked.show(p.delete_folder("none", "old-backups"))
    asked.later()
    assert not dialog.allow_button.enabled
    asked.hands.focus(dialog.name.entry)
    asked.hands.type("old-backup")
    asked.press(dialog.deny_button, "alt+a")
    asked.hands.top.update()
    assert asked.answers == []
    asked.hands.focus(dialog.name.entry)
    asked.hands.type("s")
    asked.hands.wait_for(lambda: dialog.allow_button.enabled)
    assert dialog.allow_button.text == "Delete for good"
    asked.press(dialog.deny_button, "alt+a")
    asked.hands.wait_for(lambda: asked.answers)
    assert (asked.answers[0].decision, asked.answers[0].typed) == (Decision.ALLOW, "old-backups")


# Changing the text first


def edit(asked, dialog) -> tk.Text:
    asked.later()
    asked.hands.click(dialog.edit_button)
    asked.hands.wait_for(lambda: dialog.box.editor is not None and dialog.box.editor.text.winfo_viewable())
    return dialog.box.editor.text


def test_what_the_user_writes_is_what_is_allowed(asked):
    dialog = asked.show(p.create())
    text = edit(asked, dialog)
    asked.hands.focus(text)
    asked.hands.type("new ")
    asked.hands.wait_for(lambda: dialog.box.caption.cget("text") == "edited by you")
    asked.press(dialog.deny_button, "alt+a")
    asked.hands.wait_for(lambda: asked.answers)
    assert asked.answers[0].text == "new " + p.create().editable


def test_an_editor_without_a_change_answers_as_if_it_had_not_been_opened(asked):
    dialog = asked.show(p.create())
    edit(asked, dialog)
    asked.press(dialog.deny_button, "alt+a")
    asked.hands.wait_for(lambda: asked.answers)
    assert asked.answers[0].text is None


def test_reset_brings_back_what_was_shown(asked):
    dialog = asked.show(p.create())
    text = edit(asked, dialog)
    text.insert("1.0", "other ")
    asked.hands.wait_for(lambda: dialog.edited is not None)
    assert dialog.edit_button.text == "Reset"
    asked.hands.click(dialog.edit_button)
    asked.hands.wait_for(lambda: dialog.box.editor is None)
    assert dialog.edited is None
    asked.press(dialog.deny_button, "alt+a")
    asked.hands.wait_for(lambda: asked.answers)
    assert asked.answers[0].text is None


def test_hidden_characters_and_line_ends_survive_the_editor(asked):
    new = "a\u200bb\r\n\ttab\r\n"
    dialog = asked.show(p.create(editable=new))
    text = edit(asked, dialog)
    assert text.get("1.0", "end-1c") == "a⟨U+200B⟩b\n\ttab\n"
    assert dialog.edited is None
    text.insert("2.0", "x")
    assert dialog.edited == "a\u200bb\r\nx\ttab\r\n"


def test_where_nothing_can_be_changed_there_is_no_editor(asked):
    assert asked.show(p.delete_folder()).edit_button is None


def test_a_new_file_that_is_empty_and_contents_that_are_no_text_are_said(asked):
    empty = replace(p.create().items[0], diff=(), whole=(), size_after=0, added=0)
    dialog = asked.show(replace(p.create(), items=(empty,)))
    assert rows(dialog) == ["The file will be empty."]
    dialog._seen = asked.clock.now - 1
    dialog._close()
    binary = replace(p.write().items[0], diff=(), whole=(), flags=("binary_before",), before=FileState("file", 9))
    dialog = asked.show(replace(p.write(), items=(binary,)), "c2")
    assert rows(dialog) == ["The old contents are no text and are not shown."]
