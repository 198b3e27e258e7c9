"""The scenes: each feeds the window with events, and may do what the user does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metona_tk import i18n
from metona_tk.protocol.changes import ChangePreview, NotUndoable, OperationState
from metona_tk.protocol.events import (
    ApprovalAnswered,
    ContextMeasured,
    ContextTrimmed,
    ConversationOpened,
    Event,
    ModeChanged,
    OperationChanged,
    QuestionAsked,
    RoundFinished,
    ServerSilent,
    StateChanged,
    TextAdded,
    ThinkingAdded,
    ToolFinished,
    ToolStarted,
    UndoConflicted,
    UndoRefused,
)
from metona_tk.protocol.problems import Code, ProblemCode
from metona_tk.protocol.values import CallStatus, ContextUse, Decision, Mode, QuestionKind, Result, TurnEnd, TurnState
from metona_tk.ui.dialogs.change import ChangeDialog
from metona_tk.ui.quick.window import QuickAsk
from metona_tk.ui.window import Window
from tests.gallery import texts
from tests.ui import previews as p
from tests.ui import scenes as s

FOLDER = str(Path.home() / "Documents" / "Invoices")
USE = ContextUse(24576, 610, 930, 2100, 4400, 320)


@dataclass(frozen=True)
class Scene:
    """`events` to feed at first, `then` what the user does once they are shown, `after` events that come after that."""

    events: Callable[[Window], list[Event]]
    size: str = "1280x800"
    then: Callable[[Window], Any] | None = None
    folder: str | None = FOLDER


def words(of: dict[str, Any]) -> Any:
    return of[i18n.language()]


def ask(window: Window, of: dict[str, str] = texts.QUESTION) -> str:
    window.asking.ask(words(of))
    return window.state.shown.turn_id or ""


def here(window: Window) -> list[Event]:
    return [s.UP, s.LISTED]


def other_chats(window: Window) -> None:
    for number, title in enumerate(words(texts.OTHERS)):
        window.asking.ask(title)
        turn = window.state.shown.turn_id or ""
        if number == 0:
            window.turn.take(s.question(turn)[0])
            window.turn.take(s.question(turn)[2])
            window.approvals.clear()
        else:
            window.turn.take(s.finished(turn))
        window.choices.new_chat()


def main(window: Window) -> list[Event]:
    other_chats(window)
    turn = ask(window)
    read = ToolStarted(turn, "z", "read_file", {"path": "bank-export-2026.csv"})
    events = [*s.started(turn), ThinkingAdded(turn, words(texts.THOUGHT)), *s.search_call(turn)]
    events += [RoundFinished(turn, s.USAGE), ContextMeasured(turn, USE), read]
    return [*here(window), *events, StateChanged(turn, TurnState.ACCUMULATING), TextAdded(turn, words(texts.ANSWER))]


def cards(window: Window) -> list[Event]:
    turn = ask(window)
    calls = [*s.search_call(turn), *s.list_call(turn), *s.failed_call(turn), *s.read_call(turn)]
    calls += [*s.failed_call(turn, "d", Code.DENIED), *s.failed_call(turn, "st", Code.STOPPED)]
    calls += [ToolStarted(turn, "z", "search_files", {"query": "Nordlicht", "path": "."})]
    return [*here(window), *s.started(turn), *calls]


def open_cards(window: Window) -> None:
    folds = window.transcript.page.folds
    for key, opened in folds.states().items():
        if not opened:
            folds.toggle(key)


def markdown(window: Window) -> list[Event]:
    turn = ask(window)
    return [*here(window), *s.started(turn), TextAdded(turn, words(texts.MARKDOWN)), s.finished(turn)]


def to_top(window: Window) -> None:
    window.transcript.page.text.yview_moveto(0)


def answered(window: Window) -> list[Event]:
    turn = ask(window)
    events = [*s.started(turn), *s.search_call(turn), TextAdded(turn, words(texts.ANSWER))]
    events += [RoundFinished(turn, s.USAGE), ContextMeasured(turn, USE), s.finished(turn)]
    return [*here(window), *events]


def edit(window: Window) -> None:
    window.asking.ask(words(texts.LATER))
    turn = window.state.shown.turn_id or ""
    window.turn.take(TextAdded(turn, words(texts.LATER)))
    window.turn.take(s.finished(turn))
    window.asking.edit(window.state.shown.record.turns[0].turn_id)


def find(window: Window) -> None:
    window.shell.find()
    bar = window.shell._find
    assert bar is not None
    bar.entry.set("INV")
    bar.search()


def slash(window: Window) -> None:
    window.composer.text.focus_force()
    window.top.update()
    window.composer.set_content("/")


def by_hand(window: Window) -> list[Event]:
    window.asking.ask("/grep invoice")
    turn = window.state.shown.turn_id or ""
    return [*here(window), *s.started(turn)[:1], *s.search_call(turn), s.finished(turn)]


def go_on(window: Window) -> list[Event]:
    turn = ask(window)
    events = [*s.started(turn), *s.search_call(turn), ContextTrimmed(turn, 2, 1), *s.list_call(turn)]
    asked = QuestionAsked(turn, "go", QuestionKind.GO_ON, ("go_on", "stop"), {"rounds": "10"})
    return [*here(window), *events, StateChanged(turn, TurnState.CONFIRMING), asked]


def question(window: Window) -> list[Event]:
    turn = ask(window)
    return [*here(window), *s.started(turn), *s.question(turn), *s.question(turn, "q2", "/etc/\u202ehosts")]


def failed(window: Window) -> list[Event]:
    turn = ask(window)
    events = [*s.started(turn), TextAdded(turn, words(texts.ANSWER)), RoundFinished(turn, s.USAGE)]
    return [*here(window), *events, s.finished(turn, TurnEnd.FAILED, ProblemCode.CONNECTION_LOST, True)]


def no_server(window: Window) -> list[Event]:
    window.composer.set_content(words(texts.QUESTION))
    return [s.DOWN]


def no_folder(window: Window) -> list[Event]:
    return [ConversationOpened(window.state.shown.chat_id, None), *here(window)]


def remote(window: Window) -> list[Event]:
    window.state.shown.model = "gpt-oss:120b-cloud"
    folder = FOLDER + "/a/rather/long/way/to/the/Scans of 2026"
    opened = ConversationOpened(window.state.shown.chat_id, folder)
    turn = ask(window)
    events = [*s.started(turn), ContextMeasured(turn, USE), RoundFinished(turn, s.USAGE), ServerSilent(turn, 12)]
    return [opened, *here(window), *events]


def ledger(window: Window) -> None:
    window.header.meter._pressed(None)  # type: ignore[arg-type]


def long_text(window: Window) -> list[Event]:
    window.composer.set_content((words(texts.QUESTION) + "\n") * 3 + "x" * 300)
    turn = ask(window, {key: value * 6 for key, value in texts.QUESTION.items()})
    deep = "Documents/" + "/".join(["a folder with a long name"] * 6) + "/file.txt"
    events = [*s.started(turn), *s.read_call(turn)[:1], ToolStarted(turn, "l", "read_file", {"path": deep})]
    return [*here(window), *events, TextAdded(turn, "W" * 400 + "\n\n" + "很长的一段话。" * 60)]


def asking(preview: Callable[[], ChangePreview]) -> Callable[[Window], list[Event]]:
    """The question about a change, over the chat in which its card waits."""

    def events(window: Window) -> list[Event]:
        turn = ask(window, texts.CHANGE)
        return [*here(window), *s.started(turn), *p.asked(turn, preview()), *p.asked(turn, p.create(40), "c2")[:1]]

    return events


def waiting(window: Window) -> list[Event]:
    turn = ask(window, texts.CHANGE)
    asked = [*p.asked(turn, p.write()), *p.asked(turn, p.create(31), "c2"), *p.asked(turn, p.moves(), "c3")]
    return [*here(window), *s.started(turn), *asked, *p.asked(turn, p.delete_folder(), "c4")]


def put_aside(window: Window) -> None:
    window.approvals.clear()


def changes(window: Window) -> list[Event]:
    turn = ask(window, texts.CHANGE)
    allowed = [*p.asked(turn, p.write()), ApprovalAnswered(turn, "c1", Decision.ALLOW)]
    events = [*allowed, p.done(turn, "write_file", "c1", p.operation("o1"))]
    for at, tool in enumerate(("edit_file", "append_file", "create_directory", "copy_path", "move_path"), 2):
        events += p.made(turn, tool, f"c{at}", f"o{at}")
    events += [*p.asked(turn, p.delete_folder(), "c7"), ApprovalAnswered(turn, "c7", Decision.ALLOW)]
    events += [p.done(turn, "delete_file", "c7", p.operation("o7"))]
    return [*here(window), *s.started(turn), *events]


def undone(window: Window) -> None:
    emptied = p.operation("o7", blocked=NotUndoable.BIN_EMPTIED)
    window.changes.take(OperationChanged(p.operation("o2", OperationState.UNDONE)))
    window.changes.take(OperationChanged(emptied))
    window.changes.take(UndoRefused(p.operation("o4"), False, NotUndoable.NOT_EMPTY, p.HOME))
    window.notice.say("")


def denied(window: Window) -> list[Event]:
    turn = ask(window, texts.CHANGE)
    events = [*p.asked(turn, p.write()), ApprovalAnswered(turn, "c1", Decision.DENY)]
    result = Result(False, code=Code.DENIED, error="The user said no.")
    events += [
        ToolFinished(turn, "c1", CallStatus.ERROR, result, 3.4),
        *s.failed_call(turn),
        *s.failed_call(turn, "f2"),
    ]
    return [*here(window), *s.started(turn), *events, s.finished(turn)]


def let_it(window: Window) -> None:
    calls = {call.start.call_id: call for _, call in window.state.shown.record.calls()}
    calls["c1"].reason, calls["f2"].letting = "I still need 2024", "done"
    window.transcript.redraw()


def conflict(window: Window) -> None:
    window.changes.take(UndoConflicted(p.conflict()))


def automatic(window: Window) -> list[Event]:
    return [*answered(window), ModeChanged(window.state.shown.chat_id, Mode.NONE)]


def writing(window: Window) -> None:
    dialog = window.approvals.dialog
    assert isinstance(dialog, ChangeDialog)
    window.top.after(600, dialog._edit)


def smallest(window: Window) -> None:
    """The dialog in its smallest size, over the window."""
    dialog = window.approvals.dialog
    assert dialog is not None
    dialog.geometry("640x480+20+10")


def small(window: Window) -> QuickAsk:
    """The small window, with a folder."""
    quick = window.outside.small()
    quick.show()
    window.bridge.events.put(ConversationOpened(quick.chat.chat_id, FOLDER))
    return quick


def small_asked(window: Window) -> str:
    quick = small(window)
    quick.pane.composer.set_content(words(texts.QUESTION))
    quick.pane.composer.submit()
    return quick.chat.turn_id or ""


def small_answering(window: Window) -> None:
    turn = small_asked(window)
    for event in [*s.started(turn), *s.search_call(turn), TextAdded(turn, words(texts.ANSWER))]:
        window.bridge.events.put(event)


def small_asking(window: Window) -> None:
    turn = small_asked(window)
    for event in [*s.started(turn), *p.asked(turn, p.write())]:
        window.bridge.events.put(event)


def left(window: Window) -> None:
    window.shell.leaving.say(
        i18n.tr("No icon in the tray works here ({reason}), so Metona was only minimised.", reason="no panel shows it")
    )


SCENES: dict[str, Scene] = {
    "main": Scene(main),
    "quick": Scene(answered, then=small),
    "quick-answer": Scene(answered, then=small_answering),
    "quick-asking": Scene(answered, then=small_asking),
    "quick-no-server": Scene(no_server, then=small),
    "left": Scene(answered, then=left),
    "cards": Scene(cards, then=open_cards),
    "markdown": Scene(markdown, "1280x1000", to_top),
    "empty": Scene(here),
    "no-folder": Scene(no_folder),
    "no-server": Scene(no_server),
    "answered": Scene(answered),
    "failed": Scene(failed),
    "edit": Scene(answered, then=edit),
    "find": Scene(answered, then=find),
    "slash": Scene(answered, then=slash),
    "by-hand": Scene(by_hand),
    "go-on": Scene(go_on),
    "question": Scene(question),
    "ledger": Scene(answered, then=ledger),
    "settings": Scene(answered, then=lambda window: window.extra.settings()),
    "keys": Scene(answered, then=lambda window: window.extra.keys()),
    "long": Scene(long_text),
    "small-main": Scene(main, "640x480"),
    "small-remote": Scene(remote, "640x480"),
    "small-question": Scene(question, "640x480"),
    "small-no-server": Scene(no_server, "640x480"),
    "small-settings": Scene(answered, "640x480", lambda window: window.extra.settings()),
    "write": Scene(asking(p.write)),
    "write-long": Scene(asking(p.long_write)),
    "write-edit": Scene(asking(p.write), then=writing),
    "create": Scene(asking(p.create)),
    "recoded": Scene(asking(p.recoded)),
    "escapes": Scene(asking(p.odd)),
    "delete": Scene(asking(p.delete_folder)),
    "delete-final": Scene(asking(lambda: p.delete_folder("none", "old-backups"))),
    "delete-many": Scene(asking(lambda: p.delete_many(60))),
    "moves": Scene(asking(p.moves)),
    "rename": Scene(asking(p.rename)),
    "waiting": Scene(waiting, then=put_aside),
    "changes": Scene(changes, "1280x1000"),
    "undone": Scene(changes, "1280x1000", undone),
    "denied": Scene(denied, then=let_it),
    "conflict": Scene(changes, then=conflict),
    "automatic": Scene(automatic),
    "ask-automatic": Scene(answered, then=lambda window: window.changes.choose_mode(Mode.NONE)),
    "mode-menu": Scene(answered, then=lambda window: window.header.mode.open()),
    "small-write": Scene(asking(p.write), "640x480", smallest),
    "small-escapes": Scene(asking(p.odd), "640x480", smallest),
    "small-delete": Scene(asking(p.delete_folder), "640x480", smallest),
    "small-automatic": Scene(automatic, "640x480"),
    "small-changes": Scene(changes, "640x480", undone),
    "middle": Scene(main, "900x640"),
}
