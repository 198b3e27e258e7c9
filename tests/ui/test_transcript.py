"""What the transcript shows: cards, folds, following the end, copying, Chinese, a small window."""

from __future__ import annotations

from metona_tk.protocol.commands import CancelTurn, OpenPath
from metona_tk.protocol.events import (
    RoundFinished,
    ServerSilent,
    TextAdded,
    ThinkingAdded,
    ToolFinished,
    ToolStarted,
    TurnStarted,
)
from metona_tk.protocol.problems import Code, ProblemCode
from metona_tk.protocol.values import CallStatus, Result, TurnEnd
from metona_tk.ui.chat.live_card import LiveCard
from tests.ui import scenes as s

CHINESE = "三月份的发票里，有三张还没有对应的付款记录。最早的一张已经逾期二十六天。" * 8


def show(hands, *events):
    turn = hands.ask()
    hands.feed(*s.started(turn))
    for make in events:
        hands.feed(*make(turn)) if callable(make) else hands.feed(make)
    hands.settle()
    return turn


def resize(hands, width, height):
    """To a size in px at scaling 1; gives it in real ones."""
    real = hands.window.fonts.px(width), hands.window.fonts.px(height)
    hands.top.geometry(f"{real[0]}x{real[1]}")
    hands.wait_for(lambda: (hands.top.winfo_width(), hands.top.winfo_height()) == real)
    return real


def live_cards(hands):
    return [child for child in hands.page.winfo_children() if isinstance(child, LiveCard)]


def test_a_running_call_is_a_frame_and_becomes_a_card_of_text(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn), s.read_call(turn)[0])
    hands.wait_for(lambda: live_cards(hands))
    (card,) = live_cards(hands)
    assert (card._state.cget("text"), card._button.text) == ("running", "Stop")
    hands.click(card._button)
    hands.wait_for(lambda: hands.of(CancelTurn))
    hands.feed(s.read_call(turn)[1])
    hands.settle()
    assert not live_cards(hands)
    assert "read_file bank-export-2026.csv\t done  4 ms" in hands.shown()
    assert "1.2 KB · 4 lines · GB18030" in hands.shown()


def test_a_card_opens_and_closes_by_click(hands):
    show(hands, s.read_call)
    assert "Nordlicht" not in hands.shown()
    hands.click_text("read_file")
    hands.wait_for(lambda: "\t2\t2026-03-02;Nordlicht" in hands.shown())
    hands.click_text("read_file")
    hands.wait_for(lambda: "Nordlicht" not in hands.shown())


def test_a_card_opens_by_keys_alone(hands):
    show(hands, s.read_call, s.search_call)
    hands.key(hands.page, "<Control-Down>", "<Control-Down>", "<Control-Down>", "Return")
    assert "old/invoice.txt" in hands.shown()
    assert "Nordlicht" not in hands.shown()
    hands.key(hands.page, "<Control-Up>", "space")
    assert "Nordlicht" in hands.shown()


def test_a_search_shows_three_hits_and_all_by_a_click_on_show_all(hands):
    show(hands, s.search_call)
    assert "2026-03/INV-0324.txt:4\tInvoice 0324" in hands.shown()
    assert "old/invoice.txt" not in hands.shown()
    hands.click_text("show all")
    hands.wait_for(lambda: "old/invoice.txt" in hands.shown())
    assert "show all" not in hands.shown()


def test_a_click_on_a_hit_opens_the_file(hands):
    show(hands, s.search_call)
    hands.click_text("2026-03/INV-0317.txt")
    hands.wait_for(lambda: hands.of(OpenPath))
    assert hands.of(OpenPath)[0].path == "2026-03/INV-0317.txt"


def test_a_search_marks_what_was_found_and_sums_up(hands):
    show(hands, s.search_call)
    assert "4 matches in 4 files · 214 scanned" in hands.shown()
    found = hands.page.tag_ranges("find")
    assert [hands.page.get(found[n], found[n + 1]) for n in range(0, len(found), 2)] == ["Invoice"] * 3


def test_a_listing_shows_notes_repairs_and_escapes_of_names(hands):
    show(hands, s.list_call)
    assert "invoice⟨U+202E⟩txt.exe\t40.0 KB" in hands.shown()
    assert "Hidden files were left out." in hands.shown()
    assert "“folder” was taken as “path”" in hands.shown()
    assert hands.page.tag_ranges("escape")


def test_a_failed_card_says_so_in_the_danger_colour_and_gives_the_reason(hands):
    show(hands, s.failed_call)
    assert " refused" in hands.shown()
    assert "may hold passwords or keys" in hands.shown()
    at = hands.page.search("may hold", "1.0")
    assert "card-reason" in hands.page.tag_names(at)
    assert "danger" in hands.page.tag_names(hands.page.search("refused", "1.0"))
    assert hands.page.tag_cget("danger", "foreground") == "#FF8080"


def test_the_reason_of_a_failed_card_stays_in_its_place_when_the_card_opens(hands):
    show(hands, s.failed_call)
    before = hands.page.dlineinfo(hands.page.search("may hold", "1.0"))
    assert "Arguments:" not in hands.shown()
    hands.click_text("read_file")
    hands.wait_for(lambda: "Arguments:" in hands.shown())
    assert hands.page.dlineinfo(hands.page.search("may hold", "1.0"))[:2] == before[:2]


def test_denied_and_stopped_calls_say_so(hands):
    show(hands, lambda turn: s.failed_call(turn, "a", Code.DENIED), lambda turn: s.failed_call(turn, "b", Code.STOPPED))
    assert "denied by you" in hands.shown()
    assert "stopped" in hands.shown()


def test_parallel_calls_that_end_in_another_order_keep_their_places(hands):
    turn = hands.ask()
    first, second = s.read_call(turn), s.search_call(turn)
    hands.feed(*s.started(turn), first[0], second[0], second[1], first[1], s.finished(turn))
    hands.settle()
    assert hands.text().index("read_file") < hands.text().index("search_files")


def test_a_call_of_a_turn_that_ended_is_not_left_running(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn), s.read_call(turn)[0], s.finished(turn, TurnEnd.FAILED, ProblemCode.NO_SERVER, True))
    hands.settle()
    assert not live_cards(hands)
    assert hands.window.transcript._live is None


def test_data_without_the_keys_of_the_contract_still_makes_a_card(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn))
    for number, name in enumerate(("read_file", "list_directory", "search_files", "other_tool")):
        odd = {"results": [1, {"matches": "x"}], "entries": [None, {}], "line_range": []}
        hands.feed(ToolStarted(turn, str(number), name, {"raw": "{"}))
        hands.feed(ToolFinished(turn, str(number), CallStatus.SUCCESS, Result(True, odd, text="t"), 0.1))
    hands.settle()
    assert hands.text().count(" done") == 4


def test_thinking_is_folded_and_opens_by_click(hands):
    show(
        hands,
        lambda turn: [ThinkingAdded(turn, "Let me "), ThinkingAdded(turn, "see.")],
        lambda turn: [TextAdded(turn, "Yes.")],
    )
    assert "Thought for" in hands.shown()
    assert "Let me see." not in hands.shown()
    assert "Yes." in hands.shown()
    hands.click_text("Thought for")
    hands.wait_for(lambda: "Let me see." in hands.shown())


def test_the_end_is_followed_only_while_the_user_is_there(hands):
    turn = hands.ask()
    hands.feed(*s.started(turn), TextAdded(turn, "line\n\n" * 200))
    hands.settle()
    page = hands.window.transcript.page
    hands.wait_for(lambda: page.text.yview()[1] == 1.0)
    hands.click(page.text, button=4)
    hands.wait_for(lambda: not page.follows)
    before = page.text.yview()[0]
    hands.feed(TextAdded(turn, "more\n\n" * 50))
    hands.settle()
    assert page.text.dlineinfo("end-1c") is None
    assert page.text.yview()[0] <= before
    hands.click(page.newer)
    hands.wait_for(lambda: page.follows and not page.newer.winfo_manager())
    hands.feed(TextAdded(turn, "last"))
    hands.settle()
    assert page.text.dlineinfo("end-1c") is not None


def test_select_all_and_copy_give_what_is_seen(hands):
    show(hands, s.read_call, lambda turn: [TextAdded(turn, "Done 😀.")])
    hands.key(hands.page, "<Control-a>", "<Control-c>")
    words = hands.top.clipboard_get()
    assert "What is there?\n" in words
    assert words.rstrip().endswith("Done 😀.")
    assert "Nordlicht" not in words
    hands.window.transcript.page.folds.toggle(next(iter(hands.window.transcript.page.folds.states())))
    hands.key(hands.page, "<Control-a>", "<Control-c>")
    assert "Nordlicht" in hands.top.clipboard_get()


def test_nothing_can_be_typed_into_the_transcript(hands):
    show(hands, s.read_call)
    before = hands.text()
    hands.focus(hands.page)
    hands.type("xyz", "BackSpace", "Delete")
    hands.top.update()
    assert hands.text() == before


def test_the_menu_copies(hands):
    show(hands, s.read_call)
    page = hands.window.transcript.page
    page.select_all()
    menu = hands.window.menus._fill("")
    menu.invoke(0)
    assert "read_file" in hands.top.clipboard_get()


def test_chinese_text_fills_its_lines(hands):
    turn = show(hands, lambda turn: [TextAdded(turn, "OK " + CHINESE)])
    hands.feed(s.finished(turn))
    hands.settle()
    assert CHINESE in hands.text()
    at = hands.page.search("OK 三", "1.0")
    lines = hands.page.count(at, f"{at} lineend", "displaylines")
    assert (lines[0] if isinstance(lines, tuple) else lines) <= 6


def test_odd_characters_do_not_break_the_stream(hands):
    show(hands, lambda turn: [TextAdded(turn, "a\ud83d b\0c {x} $y [z] \\ \r\nd"), TextAdded(turn, " end")])
    assert " {x} $y [z] \\ \nd end" in hands.text()


def test_in_the_smallest_window_everything_has_its_place(hands):
    width, height = resize(hands, 640, 480)
    show(hands, s.read_call, s.list_call, lambda turn: [TextAdded(turn, CHINESE)])
    hands.window.composer.set_content("x\n" * 20)
    hands.wait_for(lambda: int(hands.window.composer.text.cget("height")) == 8)
    hands.feed(s.DOWN)
    hands.settle()
    right, bottom = hands.top.winfo_rootx() + width, hands.top.winfo_rooty() + height
    for part in (
        hands.window.header.side,
        hands.window.header.workspace,
        hands.window.composer.button,
        hands.window.status,
        hands.window.server_notice,
    ):
        assert part.winfo_viewable()
        assert part.winfo_rootx() + part.winfo_width() <= right
        assert part.winfo_rooty() + part.winfo_height() <= bottom
    assert not hands.window.shell.sidebar.winfo_viewable()
    assert hands.page.winfo_height() >= 40


def test_in_a_narrow_window_the_status_line_tells_what_happens_before_all_else(hands):
    width, _ = resize(hands, 640, 480)
    turn = hands.ask()
    hands.feed(*s.started(turn), RoundFinished(turn, s.USAGE), ServerSilent(turn, 12))
    hands.settle()
    label = hands.window.status._labels["message"]
    assert "reading a long question" in label.cget("text")
    assert label.winfo_x() + label.winfo_reqwidth() <= width
    hands.feed(s.finished(turn))
    hands.settle()
    assert "Ollama" in hands.window.status._labels["server"].cget("text")


def test_the_column_is_centred_and_at_most_784_wide(hands):
    resize(hands, 1100, 760)
    page = hands.window.transcript.page
    hands.wait_for(lambda: page.column <= page.fonts.px(784))
    box = hands.window.composer
    assert abs(box.winfo_rootx() - (page.text.winfo_rootx() + int(str(page.text.cget("padx"))))) <= 2


def test_a_new_chat_is_empty_and_knows_no_folds(hands):
    show(hands, s.read_call)
    hands.key(hands.window.composer.text, "<Control-n>")
    hands.wait_for(lambda: "read_file" not in hands.text())
    assert hands.window.transcript.page.folds.states() == {}


def test_a_turn_without_tools_starts_as_any(hands):
    turn = hands.ask()
    hands.feed(
        TurnStarted("", turn, "gemma3:4b", False),
        TextAdded(turn, "Hi"),
        s.finished(turn, code=ProblemCode.CUT_BY_LENGTH),
    )
    hands.settle()
    assert "length limit" in hands.text()
