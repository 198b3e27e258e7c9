"""Pictures of the window: `python tests/ui/shots.py OUTDIR [SCENE...]` under a DISPLAY with a window manager."""

# ruff: noqa: E402  (it is run as a script, from anywhere)

from __future__ import annotations

import queue
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from metona_tk import i18n
from metona_tk.protocol.events import (
    ConversationOpened,
    Event,
    RoundFinished,
    ServerSilent,
    StateChanged,
    TextAdded,
    ThinkingAdded,
    ToolStarted,
)
from metona_tk.protocol.problems import ProblemCode
from metona_tk.protocol.values import TurnEnd, TurnState
from metona_tk.ui.widgets.root import make_root
from metona_tk.ui.window import Window
from tests.ui import scenes as s

FOLDER = str(Path.home() / "Documents" / "Invoices")
CHINESE = (
    "三月份的发票里，有三张还没有对应的付款记录。最早的一张已经逾期二十六天，客户是 Nordlicht GmbH，"
    "金额为 1,240.00 欧元。我在 bank-export-2026.csv 里找过编号、客户名和金额，都没有匹配的条目；"
    "不过“参考号”一栏有时写的是客户编号而不是发票编号，所以建议您再核对一下青山设计的那一笔。\n\n"
    "一、INV-0311：逾期 26 天\n二、INV-0317：逾期 19 天\n三、INV-0324：逾期 1 天 😀✅"
)
ANSWER = (
    "Three of the eleven March invoices have no matching payment so far. The oldest is 26 days overdue; "
    "I am still reading the bank export to be sure about the third.\n\n"
    "The reference column sometimes holds the customer number"
)


def _turn(window: Window) -> str:
    window.asking.ask("Which invoices from March are still unpaid? Check them against the bank export.")
    return window.state.shown.turn_id or ""


def empty(window: Window) -> list[Event]:
    return [s.UP, s.LISTED]


def no_folder(window: Window) -> list[Event]:
    return [ConversationOpened(window.state.shown.chat_id, None), s.UP, s.LISTED]


def no_server(window: Window) -> list[Event]:
    window.composer.set_content("Which invoices are unpaid?")
    return [s.DOWN]


def cards(window: Window) -> list[Event]:
    turn = _turn(window)
    folds = window.transcript.page.folds
    window.top.after(600, lambda: [folds.toggle(key) for key in folds.keys()[1:3]])
    events = [s.UP, s.LISTED, *s.started(turn), ThinkingAdded(turn, "The user wants unpaid invoices.\nI search first.")]
    events += [*s.search_call(turn), *s.read_call(turn), *s.list_call(turn), *s.failed_call(turn)]
    events += [
        StateChanged(turn, TurnState.EXECUTING),
        RoundFinished(turn, s.USAGE),
        ToolStarted(turn, "z", "search_files", {"query": "Nordlicht", "path": "."}),
    ]
    return [*events, TextAdded(turn, ANSWER)]


def remote(window: Window) -> list[Event]:
    window.state.shown.workspace = FOLDER + "/a/rather/long/way/to/the/Scans of 2026"
    window.state.shown.model = "gpt-oss:120b-cloud"
    turn = _turn(window)
    opened = ConversationOpened(window.state.shown.chat_id, window.state.shown.workspace)
    return [opened, s.UP, s.LISTED, *s.started(turn), RoundFinished(turn, s.USAGE), ServerSilent(turn, 12)]


def failed(window: Window) -> list[Event]:
    turn = _turn(window)
    events = [s.UP, s.LISTED, *s.started(turn), TextAdded(turn, ANSWER)]
    return [*events, RoundFinished(turn, s.USAGE), s.finished(turn, TurnEnd.FAILED, ProblemCode.CONNECTION_LOST, True)]


def asked(window: Window) -> list[Event]:
    turn = _turn(window)
    return [s.UP, s.LISTED, *s.started(turn), *s.question(turn), *s.question(turn, "q2", "/etc/\u202ehosts")]


def chinese(window: Window) -> list[Event]:
    window.asking.ask("三月份的哪些发票还没有付款？请和银行导出的文件核对一下。")
    turn = window.state.shown.turn_id or ""
    window.composer.set_content("好的，再看一下四月份的。\n" * 3 + CHINESE[:120])
    answer = [TextAdded(turn, CHINESE), TextAdded(turn, "\n\n" + CHINESE)]
    return [s.UP, s.LISTED, *s.started(turn), *s.search_call(turn), *answer, s.finished(turn)]


SCENES: dict[str, tuple[Callable[[Window], list[Event]], str]] = {
    "empty": (empty, "1100x760"),
    "no-folder": (no_folder, "1100x760"),
    "no-server": (no_server, "1100x760"),
    "cards": (cards, "1100x760"),
    "failed": (failed, "1100x760"),
    "question": (asked, "1100x760"),
    "chinese": (chinese, "1100x760"),
    "small-cards": (cards, "640x480"),
    "small-remote": (remote, "640x480"),
    "small-no-server": (no_server, "640x480"),
    "small-question": (asked, "640x480"),
}
LOOKS = (("dark", "en"), ("light", "en"), ("dark", "zh_CN"), ("light", "zh_CN"))


def shoot(name: str, mode: str, language: str, target: Path) -> None:
    i18n.set_language(language)
    make, size = SCENES[name]
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    root = make_root()
    window = Window(root, lambda command: None, events, {"theme": mode, "recentWorkspaces": [FOLDER]})
    width, height = (window.fonts.px(int(part)) for part in size.split("x"))
    root.wm_geometry(f"{width}x{height}+20+10")
    window.start()
    events.put(ConversationOpened(window.state.shown.chat_id, FOLDER))
    _run(root, 0.4)
    for event in make(window):
        events.put(event)
    _run(root, 1.6)
    subprocess.run(["import", "-window", "root", str(target)], check=True)
    root.destroy()


def _run(root: object, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        root.update()  # type: ignore[attr-defined]
        time.sleep(0.01)


def main() -> None:
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    if len(sys.argv) == 5 and sys.argv[3] in ("dark", "light"):
        name, mode, language = sys.argv[2:]
        shoot(name, mode, language, out / f"{name}-{mode}-{language}.png")
        return
    for name in sys.argv[2:] or SCENES:
        for mode, language in LOOKS:  # a process each: CustomTkinter keeps state for the whole program
            subprocess.run([sys.executable, __file__, str(out), name, mode, language], check=True)


if __name__ == "__main__":
    main()
