"""Whether a model's call fits the order that it was given. A help for weak models, never a gate: what does not fit is
told once in a turn, with the tool that would; made again it goes on to the gate and the user.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from typing import Any

from metona_tk.agent.briefing import RunCalls
from metona_tk.agent.intent import Aim, aims_of, renames
from metona_tk.agent.lookup import named_folders
from metona_tk.agent.tool_call import ParsedCall, ToolRunner
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import JsonObject, Result
from metona_tk.tools.base import ToolFailed, one_line

# The changing tools that belong to an order; another one may be called for a file that is there, but is told first.
_BELONG: dict[Aim, frozenset[str]] = {
    Aim.DELETE: frozenset({"delete_file"}),
    Aim.MOVE: frozenset({"move_path", "create_directory", "copy_path"}),
    Aim.COPY: frozenset({"copy_path", "create_directory"}),
    Aim.FOLDER: frozenset({"create_directory", "move_path", "copy_path", "write_file"}),
    Aim.CREATE: frozenset({"write_file", "append_file", "edit_file", "create_directory"}),
    Aim.APPEND: frozenset({"append_file", "edit_file"}),
    Aim.EDIT: frozenset({"edit_file", "append_file"}),
}
_ADDING = re.compile(
    r"\b(?:insert|below|above|before|after|under|comment|mark)\b|插入|之前|之后|前面|后面|注释", re.IGNORECASE
)
_INSERTS = (
    "Nothing was changed. new_text repeats old_text and adds to it, so what is to change would stay as it is. Give the "
    "line that is to change, as it is now, as old_text, and the whole new line as new_text. If something is to be "
    "added, make the same call again."
)
_ALL = re.compile(r"\b(?:all|every|each|everywhere)\b|所有|全部|每", re.IGNORECASE)
_LINE = re.compile(r"\b(?:line|item|entry)\b|行|条", re.IGNORECASE)
_LEFT = 50  # files with the old text that are looked for


@dataclass(slots=True)
class Fitting:
    """Of one turn; `order` is what the user wrote."""

    order: str
    runner: ToolRunner
    _told: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    def parse(self, name: str, raw: Any) -> ParsedCall:
        """Look at a call as the runner does; one that does not fit comes back failed, the first time."""
        parsed = self.runner.parse(name, raw)
        if parsed.failed or parsed.tool is None or parsed.tool.reading_only:
            return parsed
        if (doubt := self._doubt(parsed)) is not None:
            return dataclasses.replace(parsed, failed=ToolFailed(Code.BAD_ARGUMENTS, doubt))
        return self._one_line(self._everywhere(self._renamed(parsed)))

    def rest(self, call: ParsedCall, run: RunCalls) -> str:
        """After an edit for an order about all files: where the old text still is, with the next call; "" elsewhere."""
        old, new = str(call.shown.get("old_text", "")), str(call.shown.get("new_text", ""))
        if not self._is_everywhere(call) or old in new:
            return ""
        folder = next(iter(named_folders(self.order, self.runner.names())), ".")
        search: JsonObject = {"path": folder, "query": old, "search_type": "content", "max_results": _LEFT}
        (found,) = run([("search_files", search)])
        below = "" if folder == "." else f"{folder}/"  # a wider search is none of the order
        left = [path for path, line in _hits(found) if old in line and path.startswith(below)]
        if not left:
            return ""
        following = f"edit_file(path={left[0]!r}, old_text={old!r}, new_text={new!r}, replace_all=true)"
        return f"\nIt is still in {', '.join(map(one_line, dict.fromkeys(left)))}. Call {following}."

    def _doubt(self, call: ParsedCall) -> str | None:
        aims = aims_of(self.order)
        if self._adds(call, aims):
            return _INSERTS
        path = str(call.shown.get("path") or call.shown.get("source") or "")
        belong = {tool for aim in aims for tool in _BELONG[aim]}
        if not aims or call.name in belong or (call.name, path) in self._told or not self._is_there(path):
            return None
        self._told.add((call.name, path))
        name = one_line(path)
        return (
            f"Nothing was changed. {_WOULD[call.name].format(name=name)}, and the task was: {self.order[:300]}\n"
            f"Call {_CALLS[aims[0]].format(name=name)}. If {call.name} is meant, make the same call again."
        )

    def _adds(self, call: ParsedCall, aims: list[Aim]) -> bool:
        """Whether an edit leaves what is to change and adds to it (MODELS 5); true only once for one text."""
        old, new = str(call.shown.get("old_text", "")), str(call.shown.get("new_text", ""))
        told = call.name, old
        if call.name != "edit_file" or aims != [Aim.EDIT] or told in self._told or _ADDING.search(self.order):
            return False
        self._told.add(told)
        return old != new and old in new and old not in self.order

    def _is_there(self, path: str) -> bool:
        plain = path.replace("\\", "/").removeprefix("./")
        return any(plain == name or plain.endswith("/" + name) for name in self.runner.names())

    def _is_everywhere(self, call: ParsedCall) -> bool:
        """Whether the order wants this very text replaced wherever it is."""
        old = str(call.shown.get("old_text", ""))
        return call.name == "edit_file" and len(old) > 1 and old in self.order and _ALL.search(self.order) is not None

    def _everywhere(self, call: ParsedCall) -> ParsedCall:
        if not self._is_everywhere(call) or call.shown.get("replace_all") is True:
            return call
        return self._instead(call, {"replace_all": True}, "every place in the file, as was asked")

    def _one_line(self, call: ParsedCall) -> ParsedCall:
        """A line that is added brings no empty one with it: the tool begins a new line by itself."""
        content = str(call.shown.get("content", ""))
        line = content.lstrip("\r\n")
        if call.name != "append_file" or line == content or len(line.splitlines()) != 1 or not _LINE.search(self.order):
            return call
        return self._instead(call, {"content": line}, "one line, as was asked, without an empty one")

    def _renamed(self, call: ParsedCall) -> ParsedCall:
        """A file that is renamed stays in its folder, where the model gives but its new name."""
        source, new = str(call.shown.get("source", "")), str(call.shown.get("destination", ""))
        folder, slash, old = source.replace("\\", "/").rpartition("/")
        if call.name != "move_path" or not slash or not renames(self.order) or new == old:
            return call
        if not new or "/" in new or "\\" in new or any(name.startswith(new + "/") for name in self.runner.names()):
            return call
        return self._instead(call, {"destination": f"{folder}/{new}"}, f"renamed in its folder, to {folder}/{new}")

    def _instead(self, call: ParsedCall, other: JsonObject, repair: str) -> ParsedCall:
        """The call with other arguments, which is said as a repair."""
        meant = self.runner.parse(call.name, call.shown | other)
        return dataclasses.replace(meant, repairs=(*call.repairs, repair))


def _hits(found: Result) -> list[tuple[str, str]]:
    """(path, line) of each hit of a search."""
    entries: list[JsonObject] = found.data["results"] if found.success else []
    return [(str(entry["path"]), str(match["text"])) for entry in entries for match in entry["matches"]]


_WOULD = {
    "write_file": "write_file would replace all that is in {name}",
    "append_file": "append_file would add text to {name}",
    "edit_file": "edit_file would change the text of {name}",
    "delete_file": "delete_file would delete the whole of {name}",
    "move_path": "move_path would move {name}",
    "copy_path": "copy_path would copy {name}",
    "create_directory": "create_directory would make the folder {name}",
}
_CALLS = {
    Aim.DELETE: 'delete_file(path="{name}")',
    Aim.MOVE: 'move_path(source="{name}", destination=<its new path>)',
    Aim.COPY: 'copy_path(source="{name}", destination=<the path of the copy>)',
    Aim.FOLDER: "create_directory(path=<the new folder>)",
    Aim.CREATE: "write_file(path=<the new file>, content=<what it holds>)",
    Aim.APPEND: 'append_file(path="{name}", content=<what is added>)',
    Aim.EDIT: 'edit_file(path="{name}", old_text=<the text that goes>, new_text=<what comes in its place>)',
}
