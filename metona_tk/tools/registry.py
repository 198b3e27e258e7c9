"""Finds the tools in this folder and knows which are switched on. Plugins and MCP will add theirs by `add`."""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil
from collections.abc import Iterable, Mapping
from typing import TypeGuard

from metona_tk import tools
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import JsonObject
from metona_tk.tools.base import Tool, ToolFailed
from metona_tk.tools.schema import tool_schema


def _is_tool(value: object) -> TypeGuard[type[Tool]]:
    return inspect.isclass(value) and issubclass(value, Tool) and not inspect.isabstract(value)


def built_in() -> list[Tool]:
    """One instance of every tool in this folder, by name. An import error is a bug and is raised."""
    found: list[Tool] = []
    for entry in pkgutil.iter_modules(tools.__path__):
        module = importlib.import_module(f"{tools.__name__}.{entry.name}")
        for value in vars(module).values():
            if _is_tool(value) and value.__module__ == module.__name__:
                found.append(value())
    return sorted(found, key=lambda tool: tool.name)


class Registry:
    """The tools of one program. `switches`: name -> on; a tool that is not named has its default, on."""

    def __init__(self, found: Iterable[Tool], enabled: bool = True, switches: Mapping[str, bool] | None = None) -> None:
        self._tools: dict[str, Tool] = {}
        self._enabled = enabled
        self._switches = dict(switches or {})
        for tool in found:
            self.add(tool)

    def add(self, tool: Tool) -> None:
        """Add a tool; a name that is taken is a ValueError."""
        if tool.name in self._tools:
            raise ValueError(f"two tools are called {tool.name}")
        self._tools[tool.name] = tool

    def is_on(self, name: str) -> bool:
        """Whether the master switch and the tool's own are on."""
        return self._enabled and self._switches.get(name, True)

    def all(self) -> list[Tool]:
        """Every tool, on or off."""
        return list(self._tools.values())

    def offered(self) -> list[Tool]:
        """What is sent to the model."""
        return [tool for tool in self._tools.values() if self.is_on(tool.name)]

    def schemas(self) -> list[JsonObject]:
        """The schemas of what is offered."""
        return [tool_schema(tool) for tool in self.offered()]

    def find(self, name: str) -> Tool:
        """The tool of that name, on or off: ToolFailed(unknown_tool) otherwise."""
        tool = self._tools.get(name)
        if tool is None:
            names = [tool.name for tool in self.offered()]
            near = difflib.get_close_matches(name[:60], names, 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise ToolFailed(
                Code.UNKNOWN_TOOL, f"There is no tool {name[:60]!r}.{hint} The tools are: {', '.join(names) or 'none'}."
            )
        return tool

    def check_on(self, name: str) -> None:
        """ToolFailed(disabled) for a tool that is switched off; judged after the arguments (SPEC 1.0)."""
        if not self.is_on(name):
            raise ToolFailed(Code.DISABLED, f"The tool {name} is switched off by the user. Answer without it.")
