"""Tools on a folder through the real gate, without window and server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from metona_tk.agent.conversation import Conversation
from metona_tk.agent.gatekeeper import Gatekeeper, build_gate
from metona_tk.agent.recording import open_record
from metona_tk.agent.tool_call import ToolRunner
from metona_tk.protocol.values import Result
from metona_tk.settings import Settings
from metona_tk.tools.registry import Registry, built_in


class Workspace:
    """One chat's tools."""

    def __init__(self, root: Path) -> None:
        chat = Conversation("bench", str(root))
        gate = build_gate(str(root), [], [])
        self.runner = ToolRunner(
            chat, Registry(built_in()), gate, 24576, lambda: False, open_record(Settings(Path("none")))
        )
        self._keeper = Gatekeeper(chat, gate, self.runner.names)

    def call(self, name: str, arguments: dict[str, Any]) -> Result:
        """A whole call."""
        result = self.runner.run(self.runner.parse(name, arguments), None).result
        assert result.success, result.text
        return result

    def judge(self, name: str, arguments: dict[str, Any]) -> None:
        """What the gate does before a call: parse, check the path, decide."""
        call = self.runner.parse(name, arguments)
        assert call.tool and call.args, call.failed
        self._keeper.approve(call.tool.effects(call.args), [], None)
