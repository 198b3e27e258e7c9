"""Finding words in the shown chat."""

from __future__ import annotations

from metona_tk.protocol.commands import CancelTurn
from metona_tk.protocol.events import TextAdded
from tests.ui import scenes as s
from tests.ui.hands import Hands
from tests.ui.test_transcript import resize


def find(hands: Hands, words: str) -> None:
    hands.focus(hands.window.composer.text)
    hands.type("", "ctrl+f")
    hands.wait_for(lambda: hands.window.shell.finding is not None)
    hands.wait_for(lambda: hands.top.focus_get() is bar(hands).entry.entry)
    hands.type(words)
    hands.wait_for(lambda: bar(hands).entry.get() == words and bar(hands)._timer is None)


def bar(hands: Hands):
    return hands.window.shell._find


def marked(hands: Hands, tag: str) -> list[str]:
    ranges = hands.page.tag_ranges(tag)
    return [hands.page.get(ranges[at], ranges[at + 1]) for at in range(0, len(ranges), 2)]


def test_hits_are_counted_and_marked_and_enter_goes_round(hands):
    hands.answered("Where is the plan?", "The **Plan** is here. 😀 plan 😀\n\n" + "x\n\n" * 60 + "Last plan.")
    find(hands, "plan")
    # the page follows its end, and the search begins with what is in view
    assert bar(hands).words == "4 / 4"
    assert marked(hands, "found") == ["plan", "Plan", "plan", "plan"]
    assert marked(hands, "found-here") == ["plan"]
    hands.type("", "Return")
    hands.wait_for(lambda: bar(hands).words == "1 / 4")
    assert hands.page.bbox("found-here.first")
    hands.type("", "Down")
    hands.wait_for(lambda: bar(hands).words == "2 / 4")
    assert marked(hands, "found-here") == ["Plan"]
    hands.type("", "shift+Return", "Up")
    hands.wait_for(lambda: bar(hands).words == "4 / 4")
    assert hands.page.bbox("found-here.first")


def test_nothing_found_is_said(hands):
    hands.answered()
    find(hands, "zebra")
    assert bar(hands).words == "nothing"
    assert not marked(hands, "found")
    hands.type("", "Return")
    hands.top.update()
    hands.type("", "ctrl+a", "BackSpace")
    hands.wait_for(lambda: bar(hands).words == "")


def test_a_hit_in_a_folded_body_opens_it(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn), *s.read_call(turn), TextAdded(turn, "Done."), s.finished(turn))
    hands.settle()
    assert "Nordlicht" not in hands.shown()
    find(hands, "nordlicht")
    assert bar(hands).words == "1 / 1"
    assert "Nordlicht" in hands.shown()


def test_esc_closes_the_bar_before_anything_else_and_the_focus_goes_back(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn), TextAdded(turn, "the plan"))
    hands.settle()
    find(hands, "plan")
    hands.type("", "Escape")
    hands.wait_for(lambda: hands.window.shell.finding is None)
    assert not marked(hands, "found")
    assert hands.top.focus_get() is hands.window.composer.text
    assert not hands.of(CancelTurn)
    find(hands, "plan")
    hands.focus(hands.window.composer.text)
    hands.type("", "Escape")
    hands.wait_for(lambda: hands.window.shell.finding is None)
    assert not hands.of(CancelTurn)


def test_the_words_stay_for_the_next_time(hands):
    hands.answered("q", "the plan")
    find(hands, "plan")
    hands.type("", "Escape")
    hands.wait_for(lambda: hands.window.shell.finding is None)
    hands.focus(hands.page)
    hands.type("", "ctrl+f")
    hands.wait_for(lambda: hands.window.shell.finding == "plan")
    assert bar(hands).words == "1 / 1"
    assert bar(hands).entry.entry.selection_present()


def test_what_comes_meanwhile_is_found_by_the_next_step(hands):
    turn = hands.ask("q")
    hands.feed(*s.started(turn), TextAdded(turn, "the plan\n\n"))
    hands.settle()
    find(hands, "plan")
    hands.feed(TextAdded(turn, "another plan\n\n"), s.finished(turn))
    hands.settle()
    hands.type("", "Return")
    hands.wait_for(lambda: bar(hands).words == "2 / 2")
    assert hands.page.get("found-here.first linestart", "found-here.last lineend") == "another plan"


def test_hits_are_marked_again_when_the_column_gets_another_width(hands):
    hands.answered("q", "the plan " * 30)
    find(hands, "plan")
    transcript, seen = hands.window.transcript, []
    drawn, transcript.on_drawn = transcript.on_drawn, lambda: (drawn(), seen.append(1))
    resize(hands, 700, 600)
    hands.wait_for(lambda: seen)
    assert marked(hands, "found") == ["plan"] * 30
    hands.type("", "Return")
    hands.wait_for(lambda: marked(hands, "found-here") == ["plan"])


def test_another_chat_closes_the_bar(hands):
    hands.answered("q", "the plan")
    find(hands, "plan")
    hands.key(hands.window.composer.text, "<Control-n>")
    assert hands.window.shell.finding is None
