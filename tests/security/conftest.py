from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from metona_tk import places
from metona_tk.agent.by_hand import run_by_hand
from metona_tk.agent.changing import NO_WAIVER, Waiver
from metona_tk.agent.recording import Record, open_record
from metona_tk.protocol.values import Answer, Decision, Mode, Preview, Result
from metona_tk.settings import Settings
from metona_tk.tools.registry import Registry, built_in
from tests.fakes.tool_chat import ToolChat
from tests.security.masked import INI


@dataclass
class World:
    """A workspace R, a folder O outside it, a sibling R2 whose name begins with R's, a home folder."""

    base: Path
    record: Record | None = None
    asked: list[Preview] = field(default_factory=list)

    @property
    def R(self) -> Path:
        return self.base / "R"

    @property
    def O(self) -> Path:  # noqa: E743
        return self.base / "out"

    @property
    def R2(self) -> Path:
        return self.base / "R-evil"

    @property
    def home(self) -> Path:
        return self.base / "home"

    def call(
        self,
        name: str,
        arguments: Any,
        answer: Decision | None = None,
        folder: Path | str | None = None,
        allow: tuple[str, ...] = (),
        mode: Mode | None = None,
        waiver: Waiver = NO_WAIVER,
        **settings: Any,
    ) -> Result:
        """One call through the gate; `answer` None: nobody is there."""
        own = Settings(places.settings_file())
        own.values |= settings
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)

        def ask(rule: str, preview: Preview) -> Answer:
            self.asked.append(preview)
            assert answer is not None
            return Answer(answer)

        where = os.fspath(folder or self.R)
        assert self.record is not None
        return run_by_hand(
            own, Registry(built_in()), name, text, where, allow, ask if answer else None, self.record, mode, waiver
        )

    def read(self, path: str, **more: Any) -> Result:
        return self.call("read_file", {"path": path}, **more)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    made = World(tmp_path)
    for folder in (made.R, made.O, made.R2, made.home / ".ssh", made.R / "passwords"):
        folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(made.home))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    (made.R / "a.txt").write_text("first line\nsecond line\n")
    (made.R / "monkey.key.md").write_text("of monkeys\n")
    (made.R / "passwords" / "readme.md").write_text("nothing secret\n")
    (made.R / "id_rsa").write_text("KEY\n")
    (made.R / ".env").write_text("TOKEN=KEY\n")
    (made.R / ".ENV").write_text("TOKEN=KEY\n")
    (made.O / "s").write_text("outside\n")
    (made.R2 / "s").write_text("evil\n")
    (made.home / ".ssh" / "config").write_text("Host KEY\n")
    places.settings_file().parent.mkdir(parents=True, exist_ok=True)
    places.settings_file().write_text("{}\n")
    made.record = open_record(Settings(places.settings_file()))  # one for all calls, as a program has
    made.record.operations.last()
    made.record.operations.calls(None, 1)
    yield made
    made.record.operations.close()


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A workspace with one file, which has a secret in it."""
    folder = tmp_path / "R"
    folder.mkdir()
    (folder / "a.ini").write_text(INI)
    return folder


@pytest.fixture
def chat(work: Path) -> ToolChat:
    """A chat there, with nobody to answer."""
    return ToolChat(work)


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))
