"""The contract of a tool that changes files: it looks and plans; the gate judges the plan, asks, and has it done.

A tool never changes anything itself: its context has no way to. Counterpart: `agent.changing`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from metona_tk.protocol.changes import NOTHING, Action, Change, FileState, Flag, Kind, TreeRow
from metona_tk.protocol.values import Result
from metona_tk.tools.base import WHOLE, Part, Tool, ToolContext

MAX_CONTENT = 5 << 20  # bytes of new content a call (SPEC 1.2)
MAX_LOADED = 100 << 20  # bytes of a file that are loaded at most, to be edited or hashed


class Seen(StrEnum):
    """What this chat knows of a file."""

    MADE = "made"  # it made it, and it is as it was left
    PART = "part"  # of which it has read only some lines
    READ = "read"  # it read it, and it is as it was read
    CHANGED = "changed"  # it knew it, but the file is another since
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a file before or after a change, for the difference."""

    text: str
    encoding: str


@dataclass(frozen=True, slots=True)
class Tree:
    """A folder with all that is in it. `rows`: as a confirmation lists it; `entries`: everything, parents first."""

    rows: tuple[TreeRow, ...]
    entries: tuple[TreeEntry, ...]
    files: int
    folders: int
    links: int
    size: int  # bytes
    newest: str = ""
    newest_ns: int = 0


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One entry below a folder; `relative` with the system's separator."""

    relative: str
    kind: Kind
    state: FileState


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a call does, as the user will see it, with the changes that make it. Paths as in `Change`."""

    action: Action
    typed: str
    path: str
    kind: Kind
    changes: tuple[Change, ...]
    before: FileState = NOTHING
    old: Text | None = None
    new: Text | None = None
    source_typed: str = ""
    source: str = ""
    tree: Tree | None = None
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What a call would do. No steps: everything is so already, and `run` only reports.

    `editable`: the text that the user may change before allowing it; `facts` are for the tool's own report.
    """

    steps: tuple[Step, ...]
    editable: str | None = None
    note: str = ""
    facts: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def changes(self) -> tuple[Change, ...]:
        """Every change, in order; a folder that several steps need is made once."""
        return tuple(dict.fromkeys(change for step in self.steps for change in step.changes))


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a plan that was carried out. `recoverable`: undo, or the recycle bin, can bring it back."""

    recoverable: bool = True


@dataclass(frozen=True, slots=True)
class Loaded:
    """A regular file with all its bytes; None where it is larger than was asked for."""

    state: FileState
    content: bytes | None


class Veil(Protocol):
    """A text with its secrets masked."""

    @property
    def shown(self) -> str:
        """The text as it may be seen."""
        ...

    def original(self, start: int, end: int) -> tuple[int, int] | None:
        """The range of the real text behind a range of `shown`; None where it ends within a placeholder."""
        ...

    def place(self, real: int) -> int:
        """Where a place of the real text is in `shown`; of what is hidden its placeholder's begin."""
        ...


class PlanContext(ToolContext, Protocol):
    """What a changing tool may look at. Paths are those of its effects, as typed, or what `below` and `hits` gave."""

    @property
    def by_person(self) -> bool:
        """Whether a person makes the call by hand, who may overwrite what nobody has read."""
        ...

    def resolved(self, path: str) -> str:
        """The absolute path that an approved path means."""
        ...

    def state(self, path: str) -> FileState:
        """What is there now, without a digest."""
        ...

    def identity(self, path: str) -> FileState:
        """What is there, with the digest of a file's bytes (up to 100 MB) or of a folder's whole listing."""
        ...

    def load(self, path: str, most: int = MAX_LOADED) -> Loaded:
        """The regular file at a path, read whole; ToolFailed where there is none."""
        ...

    def seen(self, path: str) -> Seen:
        """What this chat knows of the file there."""
        ...

    def known_encoding(self, path: str) -> str:
        """The encoding in which this chat was told to read it, or ""."""
        ...

    def device(self, folder: str) -> int:
        """The disk that an existing folder (absolute) lies on."""
        ...

    def parents(self, path: str) -> tuple[Change, ...]:
        """The folders that have to be made before something can be at `path`, outermost first."""
        ...

    def below(self, folder: str, name: str) -> str:
        """The path of `name` (one component) in the folder at `folder`, approved as well."""
        ...

    def hits(self, path: str) -> tuple[str, ...]:
        """What a pattern means, sorted; `(path,)` for a plain path or where a file of just that name is there."""
        ...

    def tree(self, path: str) -> Tree:
        """All that is in a folder; ToolFailed where it cannot be seen whole, or holds what must not be touched."""
        ...

    def unmask(self, path: str, text: str) -> str:
        """New text with the placeholders of masked secrets put back; ToolFailed for one of another file."""
        ...

    def canonical(self, path: str, text: str) -> str:
        """Text with the placeholders of masked secrets as they are shown; ToolFailed for one of another file."""
        ...

    def veils(self, path: str, text: str) -> Iterator[Veil]:
        """Text of a file as the model may see it, and then as its words may be matched with it."""
        ...

    def is_closed(self, path: str) -> bool:
        """Whether it is a sensitive file that the user has not let this chat read, so that nothing of it is shown."""
        ...

    def note_read(self, path: str, part: Part = WHOLE) -> None:
        """Remember that the model has seen this part of the file as it is now."""
        ...


class ChangingTool(Tool):
    """A tool that changes files."""

    @abstractmethod
    def plan(self, args: Any, context: PlanContext) -> Plan:
        """What the call would do, from what is there now; ToolFailed is an answer. Called again before it is done."""

    @abstractmethod
    def report(self, args: Any, plan: Plan, done: Done, context: PlanContext) -> Result:
        """The result of a plan that was carried out."""

    def edited(self, args: Any, text: str) -> Any:
        """The arguments with the text that the user made of `Plan.editable`."""
        raise TypeError(f"{self.name} has no text to edit, so none can come back: {len(text)} characters")

    def run(self, args: Any, context: ToolContext) -> Result:
        """Never called: what changes files goes through the gate as a plan."""
        raise TypeError(f"{self.name} plans, it is not run")
