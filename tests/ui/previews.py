"""Changes as the core would describe them, for the tests of the window and for its pictures."""

from __future__ import annotations

import difflib
import re
from dataclasses import replace
from typing import Any

from metona_tk.protocol.changes import (
    ChangeItem,
    ChangePreview,
    Conflict,
    ConflictItem,
    DiffLine,
    FileState,
    OperationInfo,
    OperationState,
    TreeRow,
)
from metona_tk.protocol.events import ApprovalRequested, Event, StateChanged, ToolFinished, ToolStarted
from metona_tk.protocol.values import CallStatus, Result, TurnState

HOME = "/home/lin/Projects/invoice-bot"
BEFORE = [f"key_{n} = {n}" for n in range(1, 149)]
BEFORE[9:15] = ["", "[server]", 'host = "127.0.0.1"', "port = 8080", "workers = 4", ""]
BEFORE[25:28] = ["[log]", 'level = "info"', 'format = "plain"']
AFTER = BEFORE[:]
AFTER[12] = "port = 9090"
AFTER[26:27] = ['level = "debug"', 'file = "logs/app.log"', "rotate = true"]
NOW_NS = 1_780_000_000_000_000_000


def changed_words(old: str, new: str) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    a, b = (re.findall(r"\w+|\s+|.", text) for text in (old, new))
    found: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for tag, i, j, k, m in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag != "equal":
            for words, start, end, out in ((a, i, j, found[0]), (b, k, m, found[1])):
                left = sum(map(len, words[:start]))
                if end > start:
                    out.append((left, left + sum(map(len, words[start:end]))))
    return tuple(found[0]), tuple(found[1])


def lines_of(before: list[str], after: list[str], around: int | None = 3) -> tuple[DiffLine, ...]:
    """The difference, with `around` lines of it at each place, or with all of them."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    groups = [matcher.get_opcodes()] if around is None else list(matcher.get_grouped_opcodes(around))
    out: list[DiffLine] = []
    for group in groups:
        if around is not None:
            section = next((x for x in reversed(before[: group[0][1] + 4]) if x.startswith("[")), "")
            out.append(DiffLine("@", text=section))
        for tag, a, b, c, d in group:
            if tag == "equal":
                out += [DiffLine(" ", a + n + 1, c + n + 1, before[a + n]) for n in range(b - a)]
                continue
            for n in range(a, b):
                words = changed_words(before[n], after[c + n - a])[0] if n - a < d - c else ()
                out.append(DiffLine("-", n + 1, None, before[n], words=words))
            for n in range(c, d):
                words = changed_words(before[a + n - c], after[n])[1] if n - c < b - a else ()
                out.append(DiffLine("+", None, n + 1, after[n], words=words))
    return tuple(out)


def file(size: int = 1843, **more: Any) -> FileState:
    return FileState("file", size, 0o644, NOW_NS, **more)


def write(**more: Any) -> ChangePreview:
    item = ChangeItem(
        "overwrite",
        "config/app.toml",
        f"{HOME}/shared/app.toml",
        "file",
        file(),
        size_after=1945,
        encoding="utf-8",
        line_ends="\n",
        added=4,
        removed=2,
        diff=lines_of(BEFORE, AFTER),
        whole=lines_of(BEFORE, AFTER, None),
        flags=("inside_link",),
    )
    made = ChangePreview("write_file", "medium", ("every_change",), (item,), "store", "d1", ("README.md",))
    return replace(made, editable="\n".join(AFTER) + "\n", made_here=True, **more)


def long_write(lines: int = 400) -> ChangePreview:
    before = [
        f"{n:04}: a line of the report that is rather long, so that a narrow window wraps it" for n in range(lines)
    ]
    after = [f"{line} (checked)" if n % 3 else line for n, line in enumerate(before)]
    made = write(digest="long")
    diff = lines_of(before, after)
    item = replace(made.items[0], diff=diff, whole=(), added=len(before), removed=len(before), flags=())
    return replace(made, items=(item,), editable=None, read_before=("README.md", "notes/a.txt", "b.txt", "c.txt"))


def recoded() -> ChangePreview:
    """The same text in another encoding: there is no line to show."""
    made = write(digest="recoded")
    item = replace(
        made.items[0], diff=(), whole=(), added=0, removed=0, encoding="gb18030 \u2192 utf-16", size_after=3690
    )
    return replace(made, items=(replace(item, flags=("inside_link", "other_encoding")),))


def create(lines: int = 7, **more: Any) -> ChangePreview:
    text = ["# Plan for the move", "", "- [ ] cancel the old contract", "- [ ] boxes, 40 large", "- [ ] tell the bank"]
    text += [f"- [ ] thing {n}" for n in range(6, lines + 1)]
    diff = tuple(DiffLine("+", None, n, line) for n, line in enumerate(text, 1))
    item = ChangeItem("create", "docs/plan.md", f"{HOME}/docs/plan.md", "file", size_after=1229, encoding="utf-8")
    item = replace(item, line_ends="\n", added=len(text), diff=diff, whole=diff)
    made = ChangePreview(
        "write_file", "low", ("every_change",), (item,), "store", "d2", editable="\n".join(text) + "\n"
    )
    return replace(made, **more)


def odd() -> ChangePreview:
    """An edit whose text hides what it can."""
    before = ["def pay(to):", "\treturn send(to, 10)", "x = 1", "last"]
    after = [
        "def pay(to):",
        "    return send(to, 1\u200b0)",
        "x = 1" + " " * 400 + "; steal()",
        "# \u202eeman lla\u202c",
        "last  ",
    ]
    diff = [DiffLine("@", text="def pay(to):"), *lines_of(before, after, None)]
    diff[-1] = replace(diff[-1], end="")
    diff[1] = replace(diff[1], end="\r\n")
    item = ChangeItem("edit", "pay.py", f"{HOME}/pa\u202ey.py", "file", file(60), size_after=482, encoding="utf-8")
    item = replace(item, line_ends="mixed", added=4, removed=3, diff=tuple(diff), flags=("deceptive", "hard_link"))
    rules = ("overwrites", "deceptive_name")
    return ChangePreview("edit_file", "high", rules, (item,), "store", "d3", ("inbox/mail from a stranger.txt",))


def delete_folder(undo: Any = "bin", must_type: str = "") -> ChangePreview:
    mb = 1 << 20
    tree = (
        TreeRow(0, "old-backups", "directory", 214 * mb, 38),
        TreeRow(1, "2022", "directory", 5 * mb, 4),
        TreeRow(2, "", "file", 5 * mb, more=4),
        TreeRow(1, "2023", "directory", 61 * mb, 12),
        TreeRow(2, "photos-jan.zip", "file", 41 * mb),
        TreeRow(2, "photos-feb.zip", "file", 19 * mb),
        TreeRow(2, "", "file", mb, more=10),
        TreeRow(1, "2024", "directory", 148 * mb, 21),
        TreeRow(2, "mail-archive.mbox", "file", 132 * mb),
        TreeRow(2, "", "file", 16 * mb, more=20),
        TreeRow(1, "latest", "symlink", target="2024/"),
        TreeRow(1, "notes.txt", "file", 4198),
    )
    item = ChangeItem("delete", "old-backups", "/home/lin/Documents/old-backups", "directory", FileState("directory"))
    item = replace(item, tree=tree, files=38, folders=3, links=1, total_size=214 * mb, newest="notes.txt")
    item = replace(item, newest_ns=NOW_NS)
    return ChangePreview("delete_file", "high", ("deletes",), (item,), undo, "d4", must_type=must_type)


def delete_many(count: int = 12) -> ChangePreview:
    items = tuple(
        ChangeItem("delete", f"scan-{n:02}.tmp", f"/home/lin/Documents/scan-{n:02}.tmp", "file", file(12_000 + 999 * n))
        for n in range(1, count + 1)
    )
    return ChangePreview("delete_file", "medium", ("deletes",), items, "store", "d5")


def moves(count: int = 8, action: Any = "move") -> ChangePreview:
    items = tuple(
        ChangeItem(
            action,
            f"Archive/invoice {n}.pdf",
            f"/home/lin/Documents/Archive/invoice {n}.pdf",
            "file",
            file() if n == 3 else FileState(),
            f"invoice {n}.pdf",
            f"/home/lin/Documents/invoice {n}.pdf",
            flags=("overwrites",) if n == 3 else (),
        )
        for n in range(1, count + 1)
    )
    return ChangePreview(f"{action}_path", "medium", ("overwrites",), items, "store", "d6")


def rename() -> ChangePreview:
    item = ChangeItem("move", "b.txt", f"{HOME}/b.txt", "file", FileState(), "a.txt", f"{HOME}/a.txt")
    return ChangePreview("move_path", "low", ("overwrites",), (item,), "store", "d7")


def new_folder() -> ChangePreview:
    item = ChangeItem("folder", "out", f"{HOME}/out", "directory")
    return ChangePreview("create_directory", "low", ("every_change",), (item,), "store", "d8")


def conflict(operation: str = "op1", redo: bool = False) -> Conflict:
    diff = lines_of(['title = "mine"', "port = 9090"], ['title = "bot"', "port = 8080"])
    text = ConflictItem(f"{HOME}/shared/app.toml", file(2011), file(1843), diff)
    gone = ConflictItem(f"{HOME}/docs/plan.md", file(1400), FileState())
    return Conflict(operation, redo, (text, gone), "c1")


ARGUMENTS: dict[str, dict[str, Any]] = {
    "write_file": {"path": "config/app.toml", "content": "\n".join(AFTER) + "\n"},
    "append_file": {"path": "notes.txt", "content": "one more line\n"},
    "edit_file": {"path": "config/app.toml", "old_text": "port = 8080", "new_text": "port = 9090"},
    "create_directory": {"path": "Archive/2026"},
    "move_path": {"source": "invoice 1.pdf", "destination": "Archive/invoice 1.pdf"},
    "copy_path": {"source": "*.pdf", "destination": "Archive"},
    "delete_file": {"path": "old-backups", "recursive": True},
}
DATA: dict[str, dict[str, Any]] = {
    "write_file": {"path": f"{HOME}/shared/app.toml", "bytesWritten": 1945, "created": False},
    "append_file": {"path": f"{HOME}/notes.txt", "bytesWritten": 14, "created": True},
    "edit_file": {"path": f"{HOME}/shared/app.toml", "replacements": 1, "bytesWritten": 1843},
    "create_directory": {"path": f"{HOME}/Archive/2026", "created": True},
    "move_path": {"path": f"{HOME}/Archive/invoice 1.pdf", "moved": True},
    "copy_path": {"path": f"{HOME}/Archive", "copied": True, "paths": [f"{HOME}/Archive/{n}.pdf" for n in range(8)]},
    "delete_file": {"path": "/home/lin/Documents/old-backups", "deleted": True, "recoverable": True},
}


def asked(turn: str, preview: ChangePreview, call: str = "c1") -> list[Event]:
    """A call of a tool that changes something, which waits for the user."""
    started = ToolStarted(turn, call, preview.tool, ARGUMENTS[preview.tool])
    rule = preview.rules[0]
    return [started, StateChanged(turn, TurnState.CONFIRMING), ApprovalRequested(turn, call, rule, preview)]


def operation(name: str = "op1", state: OperationState = OperationState.DONE, blocked: Any = None) -> OperationInfo:
    return OperationInfo(name, state, blocked)


def done(turn: str, tool: str, call: str = "c1", made: OperationInfo | None = None) -> Event:
    return ToolFinished(turn, call, CallStatus.SUCCESS, Result(True, DATA[tool]), 0.004, operation=made)


def made(turn: str, tool: str, call: str, operation_id: str) -> list[Event]:
    """A change that ran without being asked for."""
    return [ToolStarted(turn, call, tool, ARGUMENTS[tool]), done(turn, tool, call, operation(operation_id))]
