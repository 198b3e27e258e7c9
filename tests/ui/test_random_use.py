"""Random use of the window on the real core and a scripted model: nothing breaks, stays behind or grows."""

from __future__ import annotations

import gc
import os
import random
import threading
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.ollama import MODEL, Reply, ScriptedServer, answer, calls, error, text
from tests.ui.hands import Hands
from tests.ui.roamer import Roamer

SETTINGS: dict[str, tuple[Any, ...]] = {
    "theme": ("dark", "light", "system"),
    "language": ("en", "zh_CN"),
    "textSize": (80, 100, 150, 200),
    "maxRounds": (2, 10),
}
KEPT = {"server": "", "enabled": True, "enabledTools": {}}  # so that the model goes on to be asked, and to call
LONG = "# Head\n\nSome **bold** words and `code`.\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n"
LONG += "```python\nx = 1\n```\n\n- one 😀\n- two\n"


class Model:
    """Answers at random, in every way that a server can."""

    def __init__(self, seed: int) -> None:
        self._dice, self._gate = random.Random(seed), threading.Event()

    def __call__(self, body: Any) -> Reply:
        dice = self._dice.random()
        if dice < 0.35:
            return text(*[LONG[at : at + 7] for at in range(0, len(LONG), 7)], thinking=("Let me see. ", "So."))
        if dice < 0.7 and body.get("tools"):
            return calls(*self._dice.sample(CALLS, self._dice.randint(1, 3)))
        if dice < 0.74:
            return answer("Half of ", self._gate, "it.")  # never goes on: Stop alone ends it
        if dice < 0.79:
            return answer("Half of ", done=False)
        if dice < 0.82:
            return error(500, "something broke")
        return text("It is ", "42.")


MODELS = {MODEL: ["completion", "tools", "thinking"], "plain:1b": ["completion"], "other:3b": ["completion", "tools"]}
CALLS = [
    ("read_file", {"path": "plan.txt"}),
    ("read_file", {"path": "../outside.txt"}),
    ("read_file", {"path": ".env"}),
    ("list_directory", {"path": "."}),
    ("search_files", {"path": ".", "query": "number"}),
    ("search_files", {"query": 3}),
    ("no_such_tool", {}),
]


def memory() -> float:
    """What is resident of this process, in MB."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def timers(hands: Hands) -> set[str]:
    tk = hands.top.tk
    return {str(tk.splitlist(tk.call("after", "info", each))[0]) for each in tk.splitlist(tk.call("after", "info"))}


def lasting() -> list[str]:
    """The threads, without those of the engine's pool, which come when they are needed and then wait."""
    return sorted(thread.name for thread in threading.enumerate() if not thread.name.startswith("engine-pool"))


def quiet(hands: Hands, roamer: Roamer) -> None:
    """Until nothing runs any more and nothing is open but the window."""
    roamer.leave()
    window = hands.window
    for chat in list(window.state.chats):
        window.choices.show_chat(chat.chat_id)
        roamer.leave()
        hands.wait_for(lambda chat=chat: not chat.running, f"the end of {chat.chat_id}")


def settled_timers(hands: Hands) -> int:
    """How many are left once those that end by themselves have ended: the fewest seen in a second."""
    fewest = len(timers(hands))
    ended = threading.Event()
    ring = threading.Timer(1.0, ended.set)
    ring.start()
    while not ended.is_set():
        hands.top.update()
        fewest = min(fewest, len(timers(hands)))
    ring.join()
    return fewest


@pytest.fixture
def roam(start, tmp_path, monkeypatch, caplog):
    """Acts `times` times; returns the memory before and after the later four fifths."""
    monkeypatch.setattr("webbrowser.open", lambda *_args, **_more: True)
    monkeypatch.setattr("metona_tk.agent.opening.open_outside", lambda _path, _reveal: None)
    folders = count()
    chosen = ["", str(tmp_path / "work")]
    monkeypatch.setattr("tkinter.filedialog.askdirectory", lambda **_more: chosen[next(folders) % 2])

    def run(seed: int, times: int) -> tuple[float, float]:
        models = {
            MODEL: ["completion", "tools", "thinking"],
            "plain:1b": ["completion"],
            "other:3b": ["completion", "tools"],
        }
        with ScriptedServer(script=Model(seed), models=models, patience=3600) as server:
            monkeypatch.setenv("OLLAMA_HOST", server.address)
            hands = start(server.address)
            roamer = Roamer(hands, seed, SETTINGS)
            threads = lasting()
            before, timers_before, early = memory(), settled_timers(hands), 0.0
            for number in range(times):
                roamer.act()
                broken = [record for record in caplog.records if record.levelname == "ERROR"]
                assert not broken, (
                    f"{broken[0].getMessage()} {broken[0].exc_text} at {number} of seed {seed}: {roamer.past[-8:]}"
                )
                if number % 100 == 99:
                    hands.window.choices.change(KEPT)
                if number == times // 5:
                    gc.collect()
                    early = memory()
            quiet(hands, roamer)
            asked = len(server.chats)
            gc.collect()
            late = memory()
            assert settled_timers(hands) <= timers_before, hands.top.tk.call("after", "info")
            hands.wait_for(lambda: lasting() == threads, f"the end of {threading.enumerate()}")
            assert not server.failures
            print(f"{times} acts, {asked} requests")
            print(f"MB: {before:.1f} at first, {early:.1f} after a fifth, {late:.1f} at the end")
            assert asked > times // 80, "the model was hardly ever asked"
        return early, late

    return run


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.timeout(120)
def test_random_use_breaks_nothing(roam, seed):
    roam(seed, 150)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_five_thousand_random_acts_leave_nothing_behind(roam):
    early, late = roam(7, 5000)
    assert late <= early * 1.2
