"""One tool run by hand, through the same gate as the model's calls."""

from __future__ import annotations

from metona_tk.agent.conversation import Conversation
from metona_tk.agent.gatekeeper import AskUser, build_gate
from metona_tk.agent.tool_call import ToolRunner
from metona_tk.protocol.strict_json import loads
from metona_tk.protocol.values import Result
from metona_tk.settings import Settings
from metona_tk.tools.registry import Registry


def run_by_hand(
    settings: Settings,
    registry: Registry,
    name: str,
    arguments: str,
    folder: str,
    allow_files: tuple[str, ...],
    ask: AskUser | None,
) -> Result:
    """The result of one call in the workspace `folder` (absolute); a failure is a result too."""
    chat = Conversation("by-hand", folder, allowed_files=frozenset(allow_files))
    gate = build_gate(folder, settings["allowedDirs"], settings["blockedDirs"])
    runner = ToolRunner(chat, registry, gate, settings["numCtx"], lambda: False)
    try:
        raw = loads(arguments)  # text is how a call is written by hand; it is no repair
    except ValueError:
        raw = arguments  # told as a call with bad arguments
    return runner.run(runner.parse(name, raw), ask).result
