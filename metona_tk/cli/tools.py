"""`metona-tk tools`: name the tools, show what the model is sent, run one by hand through the same gate."""

from __future__ import annotations

from metona_tk.cli import terminal
from metona_tk.cli.ask import answer_by_hand, is_refusal, unasked_line
from metona_tk.cli.core import Allowed, Core
from metona_tk.i18n import tr
from metona_tk.i18n.problems import tool_text
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Result

_WRONG_USE = frozenset([Code.UNKNOWN_TOOL, Code.BAD_ARGUMENTS])


def list_tools(core: Core) -> int:
    """A line a tool: name, on or off, what it does."""
    for name, on, description in core.tools():
        state = tr("on") if on else tr("off")
        terminal.out(f"{name:16} {state:4} {description}\n")
    return 0


def show_schema(core: Core) -> int:
    """The JSON list that goes to the model."""
    terminal.json_out(core.schemas(), indent=2)
    return 0


def exit_code(result: Result) -> int:
    """0 for success, 3 for what was refused, 2 for a wrong call, else 1."""
    if result.success:
        return 0
    if is_refusal(result):
        return 3
    return 2 if result.code in _WRONG_USE else 1


def run_tool(core: Core, name: str, arguments: str, folder: str, allowed: Allowed) -> int:
    """Run it and print its result as JSON; what the user can do next goes to standard error."""
    ask = answer_by_hand if terminal.can_ask() else None
    result, operation_id = core.run_tool(name, arguments, folder, allowed, ask)
    terminal.json_out(result.as_json(), indent=2)
    if said := _next_step(result, operation_id, ask is None):
        terminal.err(said)
    return exit_code(result)


def _next_step(result: Result, operation_id: str, unasked: bool) -> str:
    if operation_id:
        return tr("To take it back: undo {id}", id=operation_id)
    if result.code is Code.NO_ANSWER and unasked:
        return unasked_line()
    return tool_text(result.code) if result.code is Code.SENSITIVE_FILE else ""
