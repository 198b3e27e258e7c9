"""The question about reading outside: only Alt+A or a click on Allow allows, and not in the first half second."""

from __future__ import annotations

import pytest

from metona_tk.protocol.commands import AnswerApproval, CancelTurn
from metona_tk.protocol.events import ApprovalAnswered
from metona_tk.protocol.values import Decision, TurnEnd
from metona_tk.ui.chat.live_card import LiveCard
from tests.ui import scenes as s


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def asked(hands):
    """A question that is shown; its clock stands still until a test moves it."""
    turn = hands.ask()
    hands.feed(*s.started(turn), *s.question(turn))
    hands.wait_for(lambda: hands.window.approvals.dialog)
    hands.dialog = hands.window.approvals.dialog
    hands.turn, hands.clock = turn, Clock()
    hands.dialog._seen, hands.dialog._clock = None, hands.clock
    hands.dialog.event_generate("<Expose>")
    hands.wait_for(lambda: hands.dialog.winfo_viewable() and hands.dialog._seen is not None)
    return hands


def later(hands) -> None:
    hands.clock.now += 0.51


def answers(hands):
    return [(command.call_id, command.decision) for command in hands.of(AnswerApproval)]


def press(hands, *keys: str) -> None:
    hands.focus(hands.dialog.deny_button)
    hands.type("", *keys)
    hands.top.update()


def test_it_says_path_scope_and_reason(asked):
    words = [text.get("1.0", "end-1c") for text in asked.dialog.facts]
    assert words == [
        "../Bank/2026.csv",
        "→ /home/a/Documents/Bank/2026.csv",
        "Files in /home/a/Documents/Bank and in all folders below it, for this chat, reading only.",
        "The model asks for a place that lies outside the workspace of this chat.",
    ]
    (card,) = [child for child in asked.page.winfo_children() if isinstance(child, LiveCard)]
    assert (card._state.cget("text"), card.waiting.review_button.text) == ("waiting for you", "Review…")
    assert asked.window.state.shown.waiting


def test_the_focus_starts_on_deny(asked):
    asked.wait_for(lambda: asked.top.focus_get() is asked.dialog.deny_button)


def test_alt_a_allows(asked):
    later(asked)
    press(asked, "alt+a")
    asked.wait_for(lambda: answers(asked) == [("q1", Decision.ALLOW)])
    assert asked.window.approvals.dialog is None


@pytest.mark.parametrize("key", ["Escape", "Return", "space", "KP_Enter"])
def test_these_keys_deny(asked, key):
    later(asked)
    press(asked, key)
    asked.wait_for(lambda: answers(asked) == [("q1", Decision.DENY)])


@pytest.mark.parametrize("key", ["Return", "space", "KP_Enter", "a"])
def test_no_plain_key_allows_even_on_allow_itself(asked, key):
    later(asked)
    asked.focus(asked.dialog.allow_button)
    asked.type("", key)
    asked.top.update()
    assert answers(asked) == []
    assert asked.dialog.winfo_exists()


def test_closing_the_window_denies(asked):
    later(asked)
    asked.dialog.tk.call(*asked.dialog.tk.splitlist(asked.dialog.protocol("WM_DELETE_WINDOW")))
    assert answers(asked) == [("q1", Decision.DENY)]


def test_keys_and_clicks_in_the_first_half_second_do_nothing(asked):
    asked.clock.now += 0.49
    press(asked, "alt+a", "Escape", "Return", "space")
    asked.click(asked.dialog.allow_button)
    asked.click(asked.dialog.deny_button)
    asked.top.update()
    assert answers(asked) == []
    later(asked)
    asked.click(asked.dialog.allow_button)
    asked.wait_for(lambda: answers(asked) == [("q1", Decision.ALLOW)])


@pytest.mark.parametrize("key", ["alt+a", "x", "space"])
def test_typing_on_and_a_key_held_down_start_the_half_second_again(asked, key):
    asked.clock.now += 0.4
    press(asked, key)
    asked.clock.now += 0.4
    press(asked, "alt+a", "space")
    assert answers(asked) == []
    later(asked)
    press(asked, "alt+a")
    asked.wait_for(lambda: answers(asked) == [("q1", Decision.ALLOW)])


def test_escape_only_needs_the_first_half_second(asked):
    asked.clock.now += 0.4
    press(asked, "Escape")
    asked.clock.now += 0.11
    press(asked, "Escape")
    asked.wait_for(lambda: answers(asked) == [("q1", Decision.DENY)])


def test_it_cannot_be_answered_before_it_was_seen(asked):
    asked.dialog._seen = None
    later(asked)
    asked.dialog._allow()
    assert answers(asked) == []


def test_deny_by_click(asked):
    later(asked)
    asked.click(asked.dialog.deny_button)
    asked.wait_for(lambda: answers(asked) == [("q1", Decision.DENY)])


def test_further_questions_queue_and_are_counted(asked):
    asked.feed(*s.question(asked.turn, "q2", "/etc/hosts"), *s.question(asked.turn, "q3", "/opt/a"))
    asked.settle()
    assert asked.dialog.place_in_line.cget("text") == "1 of 3 waiting"
    assert asked.window.approvals.dialog is asked.dialog
    later(asked)
    press(asked, "Escape")
    asked.wait_for(lambda: answers(asked))
    second = asked.window.approvals.dialog
    assert second is not asked.dialog
    assert second.place_in_line.cget("text") == "2 of 3 waiting"
    assert not second.armed


def test_an_answer_from_elsewhere_closes_it_without_a_second_answer(asked):
    asked.feed(ApprovalAnswered(asked.turn, "q1", Decision.NO_ANSWER))
    asked.settle()
    assert asked.window.approvals.dialog is None
    assert not asked.dialog.winfo_exists()
    assert answers(asked) == []


def test_the_end_of_the_turn_closes_it(asked):
    asked.feed(s.finished(asked.turn, TurnEnd.STOPPED))
    asked.settle()
    assert asked.window.approvals.dialog is None


def test_in_another_chat_it_stays_and_its_chat_is_marked(asked):
    asked.key(asked.window.composer.text, "<Control-n>")
    assert asked.window.approvals.dialog is asked.dialog
    assert not asked.of(CancelTurn)
    assert asked.window.state.chats[1].waiting


def test_a_very_long_path_leaves_the_buttons_in_view(asked):
    asked.window.approvals.clear()
    asked.feed(*s.question(asked.turn, "long", "/x" * 2000))
    asked.settle()
    dialog = asked.window.approvals.dialog
    asked.wait_for(dialog.allow_button.winfo_viewable)
    asked.top.update()
    bottom = dialog.winfo_rooty() + dialog.winfo_height()
    assert dialog.deny_button.winfo_rooty() + dialog.deny_button.winfo_height() <= bottom
    assert dialog.facts[1].winfo_rooty() + dialog.facts[1].winfo_height() <= dialog.deny_button.winfo_rooty()


def test_hidden_characters_are_written_out(asked):
    asked.window.approvals.clear()
    asked.feed(*s.question(asked.turn, "odd", "/etc/\u202ehosts\u200b"))
    asked.settle()
    dialog = asked.window.approvals.dialog
    assert dialog.facts[0].get("1.0", "end-1c") == "/etc/⟨U+202E⟩hosts⟨U+200B⟩"
    assert dialog.facts[0].tag_ranges("escape")
