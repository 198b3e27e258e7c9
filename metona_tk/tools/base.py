"""The contract of a tool, and what its context gives it. Counterpart: `agent.tool_context`, joining it to the gate."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from pydantic import BaseModel, ConfigDict

from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Effects, Result


class ToolFailed(Exception):
    """An answer for the model: a code, and one English sentence that says what would work. Anything else is a bug."""

    def __init__(self, code: Code, text: str, note: str | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.note = note


class ToolArgs(BaseModel):
    """Arguments of a tool: exact keys, exact types (`tools.arguments` does the few repairs before)."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Entry(Protocol):
    """One name in a folder; `kind`: file | directory | symlink | other."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def stat(self) -> os.stat_result | None: ...


class FileHandle(Protocol):
    """A regular file, open and checked."""

    @property
    def path(self) -> str: ...
    @property
    def stat(self) -> os.stat_result: ...
    def read(self, count: int) -> bytes: ...
    def rewind(self) -> None: ...
    def __enter__(self) -> FileHandle: ...
    def __exit__(self, *_: object) -> None: ...


class FolderHandle(Protocol):
    """A folder, open and checked; everything below is reached through it."""

    @property
    def path(self) -> str: ...
    def scan(self, with_stat: bool) -> Iterator[Entry]: ...
    def stat(self, name: str) -> os.stat_result | None: ...
    def folder(self, name: str) -> FolderHandle: ...
    def holds(self, relative: str) -> bool: ...
    def file(self, relative: str) -> FileHandle: ...
    def __enter__(self) -> FolderHandle: ...
    def __exit__(self, *_: object) -> None: ...


class Reading(Protocol):
    """A running ripgrep. `records` may be left at any time; then `finish`: (exit code, standard error)."""

    @property
    def overlong(self) -> int: ...  # lines of output that were too long to be looked at
    @property
    def trouble(self) -> str: ...  # why it was ended early, "" when it was not
    def records(self, separator: bytes = b"\n") -> Iterator[bytes]: ...
    def kill(self) -> None: ...
    def finish(self) -> tuple[int, str]: ...


class KeyScan(Protocol):
    """Told all that comes before a piece of a file; whether the piece begins inside a private key."""

    inside: bool

    def feed(self, data: str | bytes) -> None: ...


@dataclass(frozen=True, slots=True)
class Part:
    """Lines `first` to `last` of a file (from 1), whole ones; `total`: how many it has, None where nobody counted."""

    first: int
    last: int
    total: int | None


WHOLE = Part(1, 0, 0)
NO_LINE = Part(1, 0, None)  # of a file that was shown somewhere else


class ToolContext(Protocol):
    """What a tool may use. Paths are those of its own effects, as typed; any other is a bug (KeyError)."""

    @property
    def text_budget(self) -> int:
        """How much text may go to the model, as `weight` counts it."""
        ...

    @property
    def preferred_encoding(self) -> str:
        """What settles a tie between encodings: that of the user's language, or ""."""
        ...

    def stopped(self) -> bool:
        """Whether the user has stopped the turn."""
        ...

    def remaining(self) -> float:
        """Seconds left of the tool's time, 0.0 when it is over."""
        ...

    def kind(self, path: str) -> str | None:
        """What is at the path: file | directory | other | None."""
        ...

    def shown(self, absolute: str) -> str:
        """Relative to the workspace with `/`, absolute outside it: as the model can use it again."""
        ...

    def open_file(self, path: str) -> FileHandle:
        """The file at an approved path; ToolFailed where that cannot be."""
        ...

    def open_folder(self, path: str) -> FolderHandle:
        """The folder at an approved path; ToolFailed where that cannot be."""
        ...

    def open_parent(self, path: str) -> FolderHandle:
        """The folder that holds an approved path, where it is inside the roots; else ToolFailed."""
        ...

    def open_workspace(self) -> FolderHandle:
        """The workspace folder."""
        ...

    def ripgrep(
        self, options: list[str], folder: FolderHandle | None = None, stdin: FileHandle | bytes | None = None
    ) -> Reading:
        """Run ripgrep in a folder, or on a file or bytes as its input. Closed places are left out in any case."""
        ...

    def key_scan(self) -> KeyScan:
        """A new scan for what is not shown of a file, before what is."""
        ...

    def mask_window(self, path: str, window: str, before: str, inside_key: bool, cut: bool, after: str = "") -> str:
        """Lines of a file (absolute path) with secrets masked. `before`: some lines before them; `inside_key`: what a
        scan of all before says; `cut`: the last line goes on; `after`: some text behind them.
        """
        ...

    def mask_line(self, path: str, line: str, before: str, inside_key: bool) -> str:
        """One line of a file (absolute path) with secrets masked. `before`, `inside_key`: as for a window."""
        ...

    def mask_lines(self, path: str, lines: list[str]) -> list[str]:
        """Lines from anywhere in a file, each by itself, with secrets masked."""
        ...

    def mask_places(self, path: str, text: str, places: list[tuple[int, int]]) -> list[str]:
        """Parts of a file's whole text, from and to which character, with secrets masked."""
        ...

    def first_match(self, pattern: str, text: str) -> int | None:
        """Where a regular expression matches first; None where it does not, or is not understood."""
        ...

    def mask_bytes(self, path: str, raw: bytes) -> bytes:
        """Bytes of a file with the secrets in them masked, placeholders as UTF-8; for what is shown as base64."""
        ...

    def betrays(self, path: str, raw: bytes, shown: bytes, text: str) -> bool:
        """Whether `shown` has a secret in it that the reading of `raw` as `text` did not see."""
        ...

    def was_read(self, file: FileHandle, encoding: str, part: Part) -> None:
        """Remember that the model is given this part of a file; `encoding` when the call named one."""
        ...

    def sensitive(self, name: str) -> bool:
        """Whether a file of this name is left out of searches."""
        ...


class Tool(ABC):
    """One tool. Subclasses are found by `tools.registry`; `title` may use the arguments' names."""

    name: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    Args: ClassVar[type[ToolArgs]]
    reading_only: ClassVar[bool] = False
    seconds: ClassVar[float] = 10.0  # a tool's own time budget

    def check(self, args: Any) -> None:  # noqa: B027 - most tools have nothing to add
        """What types alone do not tell of bad arguments: ToolFailed(bad_arguments), before any path is looked at."""

    @abstractmethod
    def effects(self, args: Any) -> Effects:
        """What this call would touch; feeds policy, dialog and undo."""

    @abstractmethod
    def run(self, args: Any, context: ToolContext) -> Result:
        """Do it; ToolFailed is an answer, anything else a bug."""


def weight(text: str) -> int:
    """How much of a text budget a text takes: 1 a character, 3 beyond ASCII, where a character is about a token."""
    return len(text) if text.isascii() else len(text) + 2 * sum(char > "\x7f" for char in text)


def fitting(text: str, budget: int) -> int:
    """How many of the first characters of `text` fit `budget`."""
    if weight(text) <= budget:
        return len(text)
    low, high = 0, min(len(text), max(0, budget))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if weight(text[:middle]) <= budget else (low, middle - 1)
    return low


def cut_middle(text: str, budget: int) -> str:
    """`text` within `budget`, its middle left out and said so."""
    if weight(text) <= budget:
        return text
    half = max(0, (budget - 60) // 2)  # 60 for the words in the middle
    head, tail = fitting(text, half), fitting(text[::-1], half)
    mark = f"\n... {len(text) - head - tail} characters left out here ...\n"
    return text[:head] + mark + (text[-tail:] if tail else "")


def one_line(name: str) -> str:
    """A name for the model's text: what would begin a new line there is escaped, so that no name forges rows."""
    if name.isprintable():
        return name
    return "".join(f"\\x{ord(char):02x}" if ord(char) < 32 or char in "\x7f\x85\u2028\u2029" else char for char in name)


def plural(count: int, one: str, many: str | None = None) -> str:
    """ "1 file", "2 files", with thousands apart, for the model's text."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def size_text(size: int) -> str:
    """Bytes in words: "512 bytes", "12.3 KB", "4.0 MB" (1 KB = 1,024 bytes)."""
    if size < 1024:
        return plural(size, "byte")
    value = float(size)
    for unit in ("KB", "MB", "GB"):
        value /= 1024
        if value < 1024:
            return f"{value:.1f} {unit}"
    return f"{value / 1024:.1f} TB"
