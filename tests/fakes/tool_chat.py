"""A chat whose model is the test: it makes calls through the whole gate and answers the confirmations itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from metona_tk.agent.changing import NO_WAIVER, Waiver
from metona_tk.agent.conversation import Conversation
from metona_tk.agent.gatekeeper import build_gate
from metona_tk.agent.recording import Record, open_record
from metona_tk.agent.tool_call import Caller, Outcome, ToolRunner
from metona_tk.protocol.changes import ChangePreview
from metona_tk.protocol.values import Answer, Decision, Mode, Preview, Result
from metona_tk.settings import Settings
from metona_tk.tools.registry import Registry, built_in

ALLOW, DENY = Answer(Decision.ALLOW), Answer(Decision.DENY)
AnswerTo = Callable[[Preview], Answer]


@dataclass
class ToolChat:
    """`answer`: what is said to a confirmation; None = nobody is there. `asked` keeps what was shown."""

    work: Path
    mode: Mode = Mode.WRITE_ONLY
    answer: Answer | AnswerTo | None = None
    waiver: Waiver = NO_WAIVER
    allow_files: tuple[str, ...] = ()
    num_ctx: int = 1 << 20
    asked: list[Preview] = field(default_factory=list[Preview])
    record: Record = field(init=False)
    chat: Conversation = field(init=False)

    def __post_init__(self) -> None:
        self.record = open_record(Settings(self.work / "no settings"))
        self.chat = Conversation("chat", str(self.work), allowed_files=frozenset(self.allow_files), mode=self.mode)
        gate = build_gate(str(self.work), [], [])
        registry = Registry(built_in())
        self.runner = ToolRunner(self.chat, registry, gate, self.num_ctx, lambda: False, self.record, self.waiver)
        self._calls = 0

    def outcome(self, name: str, **arguments: Any) -> Outcome:
        """One call of the model."""
        self._calls += 1
        parsed = self.runner.parse(name, json.loads(json.dumps(arguments)))
        ask = None if self.answer is None else self._ask
        return self.runner.run(parsed, ask, Caller("turn", f"call{self._calls}"))

    def __call__(self, name: str, **arguments: Any) -> Result:
        return self.outcome(name, **arguments).result

    def _ask(self, rule: str, preview: Preview) -> Answer:
        self.asked.append(preview)
        assert self.answer is not None
        return self.answer(preview) if callable(self.answer) else self.answer

    @property
    def shown(self) -> ChangePreview:
        """The last confirmation of a change."""
        last = self.asked[-1]
        assert isinstance(last, ChangePreview)
        return last

    def allowing(self) -> ToolChat:
        """Says yes from now on."""
        self.answer = ALLOW
        return self
