"""Several open chats: the sidebar, its marks and keys, drafts, turns that go on behind, and the folded sidebar."""

from __future__ import annotations

from metona_tk.protocol.commands import CancelTurn, NewConversation, RetryTurn, StartTurn
from metona_tk.protocol.events import ContextMeasured, RoundFinished, TextAdded
from metona_tk.protocol.values import ContextUse, TurnEnd
from metona_tk.ui.icons import icon
from tests.ui import scenes as s
from tests.ui.hands import Hands
from tests.ui.test_transcript import resize
from tests.unit.ui.test_record import ended


def rows(hands: Hands) -> list[str]:
    """The titles in the sidebar, from the top."""
    canvas = hands.window.shell.sidebar.chats.canvas
    texts = [item for item in canvas.find_all() if canvas.type(item) == "text"]
    return [canvas.itemcget(item, "text") for item in sorted(texts, key=lambda item: canvas.coords(item)[1])]


def marks(hands: Hands) -> list[str]:
    canvas, fonts = hands.window.shell.sidebar.chats.canvas, hands.window.fonts
    known = {
        str(icon(canvas, fonts, "hourglass", 14, "warn")): "waits",
        str(icon(canvas, fonts, "spinner-0", 14, "accent-text")): "runs",
    }
    images = [canvas.itemcget(item, "image") for item in canvas.find_all() if canvas.type(item) == "image"]
    return [known[image] for image in images if image in known]  # the others are grounds of rows


def click_row(hands: Hands, number: int) -> None:
    height = hands.window.fonts.px(28)
    hands.click(hands.window.shell.sidebar.chats.canvas, 40, height * number + height // 2)


def new_chat(hands: Hands) -> None:
    hands.focus(hands.window.composer.text)
    before = hands.window.state.shown
    hands.type("", "ctrl+n")
    hands.wait_for(lambda: hands.window.state.shown is not before)


def test_a_chat_is_listed_under_its_first_question_the_newest_first(hands):
    assert rows(hands) == ["New chat"]
    hands.answered("Which invoices are unpaid?")
    new_chat(hands)
    assert rows(hands) == ["New chat", "Which invoices are unpaid?"]
    hands.ask("What is in the plan, and who wrote it, and why is it so long?")
    assert rows(hands)[0].startswith("What is in the plan")
    assert rows(hands)[0].endswith("…")


def test_an_empty_chat_is_new_already(hands):
    hands.key(hands.window.composer.text, "<Control-n>")
    assert len(hands.of(NewConversation)) == len(hands.window.state.chats) == 1


def test_a_running_and_a_waiting_chat_are_marked_until_they_are_over(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn))
    hands.settle()
    new_chat(hands)
    assert marks(hands) == ["runs"]
    hands.feed(*s.question(turn))
    hands.wait_for(lambda: hands.window.approvals.dialog)
    assert marks(hands) == ["waits"]
    assert "What is there?" in "".join(text.get("1.0", "end") for text in hands.window.approvals.dialog.facts)
    hands.feed(s.failed_call(turn, "q1")[1])
    hands.settle()
    assert marks(hands) == ["runs"]
    assert hands.window.approvals.dialog is None
    hands.feed(s.finished(turn))
    hands.settle()
    assert marks(hands) == []


def test_two_chats_run_at_once_and_each_gets_its_own_words(hands):
    first = hands.ask("First?")
    new_chat(hands)
    second = hands.ask("Second?")
    assert len({command.chat_id for command in hands.of(StartTurn)}) == 2
    for number in range(20):
        hands.feed(TextAdded(first, f"one{number} "), TextAdded(second, f"two{number} "))
    hands.feed(s.finished(first))
    hands.settle()
    assert "two19" in hands.text()
    assert "one" not in hands.text()
    assert hands.window.state.shown.running
    click_row(hands, 1)
    hands.wait_for(lambda: "one19" in hands.text())
    assert "two" not in hands.text()
    assert hands.window.composer.button.tooltip.text == "Send"
    click_row(hands, 0)
    hands.wait_for(lambda: "two19" in hands.text())
    assert hands.window.composer.button.tooltip.text == "Stop"
    hands.type("", "Escape")
    hands.wait_for(lambda: hands.of(CancelTurn) == [CancelTurn(second)])


def test_what_is_in_the_composer_waits_for_the_return(hands):
    hands.answered()
    hands.focus(hands.window.composer.text)
    hands.type("half a thought")
    new_chat(hands)
    assert hands.window.composer.content() == ""
    hands.type("another")
    click_row(hands, 1)
    hands.wait_for(lambda: hands.window.composer.content() == "half a thought")
    click_row(hands, 0)
    hands.wait_for(lambda: hands.window.composer.content() == "another")


def test_an_edit_that_was_begun_waits_for_the_return(hands):
    turn = hands.answered("Which one?")
    hands.key(hands.window.composer.text, "Up")
    assert hands.window.composer.content() == "Which one?"
    new_chat(hands)
    assert not hands.window.composer._editing.winfo_manager()
    click_row(hands, 1)
    hands.wait_for(lambda: hands.window.composer.content() == "Which one?")
    assert hands.window.composer._editing.winfo_viewable()
    hands.type("", "Return")
    hands.wait_for(lambda: len(hands.of(StartTurn)) == 2)
    assert hands.of(StartTurn)[-1].instead_of == turn


def test_speed_meter_and_words_of_the_status_line_belong_to_the_chat(hands):
    turn = hands.ask()
    use = ContextUse(24576, 900, 600, 400, 5000, 120)
    hands.feed(*s.started(turn), ContextMeasured(turn, use), RoundFinished(turn, s.USAGE))
    hands.settle()
    assert hands.window.header.meter.words == "29 % of 24k"
    new_chat(hands)
    assert hands.window.header.meter.words == ""
    assert "tokens/s" not in hands.window.status.words
    assert "asking" not in hands.window.status.words
    click_row(hands, 1)
    hands.wait_for(lambda: hands.window.header.meter.words)
    assert "11 tokens/s" in hands.window.status.words
    assert "asking the model" in hands.window.status.words


def test_keys_go_through_the_chats_and_the_list(hands):
    for question in ("One?", "Two?"):
        hands.answered(question)
        new_chat(hands)
    state = hands.window.state
    assert [chat.title for chat in state.chats] == ["New chat", "Two?", "One?"]
    for key, title in [
        ("ctrl+Tab", "Two?"),
        ("ctrl+Tab", "One?"),
        ("ctrl+Tab", "New chat"),
        ("ctrl+shift+Tab", "One?"),
    ]:
        hands.focus(hands.window.composer.text)
        hands.type("", key)
        hands.wait_for(lambda title=title: state.shown.title == title, f"{key} to {title}")
    hands.focus(hands.window.shell.sidebar.chats.canvas)
    hands.type("", "Up", "Return")
    hands.wait_for(lambda: state.shown.title == "Two?")
    assert hands.top.focus_get() is hands.window.composer.text
    hands.focus(hands.window.shell.sidebar.chats.canvas)
    hands.type("", "Next", "space")
    hands.wait_for(lambda: state.shown.title == "One?")


def test_more_chats_than_fit_are_reached_by_wheel_and_keys(hands):
    for number in range(40):
        chat = hands.window.state.open()
        chat.record.turns.append(ended(f"t{number}", f"Question {number}"))
    hands.window.desk.show_chat(hands.window.state.shown)
    canvas = hands.window.shell.sidebar.chats.canvas
    hands.wait_for(lambda: canvas.yview()[1] < 1)
    hands.click(canvas, 40, 40, button=5)
    hands.wait_for(lambda: canvas.yview()[0] > 0)
    hands.focus(canvas)
    hands.type("", *["Next"] * 5, "Return")
    hands.wait_for(lambda: hands.window.state.shown is hands.window.state.chats[-1])
    assert canvas.yview()[1] == 1.0


def test_a_turn_that_failed_behind_can_be_retried_when_its_chat_is_shown(hands):
    turn = hands.ask()
    new_chat(hands)
    hands.feed(*s.started(turn), s.finished(turn, TurnEnd.FAILED, s.ProblemCode.CONNECTION_LOST, True))
    hands.settle()
    click_row(hands, 1)
    hands.wait_for(lambda: "Retry" in hands.text())
    hands.click_text("Retry   Ctrl")
    hands.wait_for(lambda: hands.of(RetryTurn))


def test_a_narrow_window_folds_the_sidebar_into_a_menu(hands):
    hands.answered("First?")
    new_chat(hands)
    resize(hands, 700, 600)
    hands.wait_for(lambda: not hands.window.shell.sidebar.winfo_viewable())
    hands.click(hands.window.header.side)
    labels = [label.strip() for label in hands.entries()]
    assert labels == ["New chat", "• New chat", "First?", "Settings"]
    hands.choose("   First?")
    hands.wait_for(lambda: hands.window.state.shown.title == "First?")
    resize(hands, 1100, 760)
    hands.wait_for(hands.window.shell.sidebar.winfo_viewable)
    assert not hands.window.header.side.winfo_manager()
    assert rows(hands) == ["New chat", "First?"]
