"""What a confirmation shows, made from the frozen plan: never from the model's words. Counterpart: `changing`."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import Any, Literal

from metona_tk.agent.differences import difference
from metona_tk.protocol.changes import Change, ChangeItem, ChangePreview, Flag, Risk
from metona_tk.protocol.values import Mode
from metona_tk.tools.changing import Plan, Step
from metona_tk.tools.texts import line_ends

Undo = Literal["store", "bin", "none"]
_HIGH = frozenset(["deletes", "not_undoable", "deceptive_name", "runs_later", "sensitive_file", "shows_secret"])
_MEDIUM = frozenset(["overwrite", "edit", "append"])


def plan_digest(tool: str, arguments: dict[str, Any], plan: Plan, contents: bool = True) -> str:
    """Names a plan (sha256, hex): tool, arguments, and for each change its paths, what is there now and what comes.

    `contents` False: without arguments and new bytes, for a plan whose text the user has changed.
    """
    parts = [_change_parts(change, contents) for change in plan.changes]
    named = [tool, arguments if contents else None, parts]
    return hashlib.sha256(json.dumps(named, sort_keys=True, default=str).encode("utf-8", "surrogatepass")).hexdigest()


def _change_parts(change: Change, contents: bool) -> list[Any]:
    new = [hashlib.sha256(change.content).hexdigest(), len(change.content)] if contents else []
    states = [dataclasses.astuple(change.before), dataclasses.astuple(change.source_before)]
    return [change.kind, change.path, change.source, change.keep, new, states]


def make_preview(
    tool: str,
    plan: Plan,
    rules: tuple[str, ...],
    flags: dict[str, tuple[Flag, ...]],
    undo: Undo,
    digest: str,
    read_before: tuple[str, ...],
    made_here: bool,
    mode: Mode,
) -> ChangePreview:
    """The preview of a plan. `flags`: what the gate found, by the path of a step."""
    items = tuple(_item(step, flags.get(step.path, ())) for step in plan.steps)
    deletes = any(step.action == "delete" for step in plan.steps)
    must_type = items[0].path.rsplit("/", 1)[-1] if undo == "none" and deletes else ""
    return ChangePreview(
        tool, _risk(items, rules), rules, items, undo, digest, read_before, must_type, plan.editable, made_here, mode
    )


def _risk(items: tuple[ChangeItem, ...], rules: tuple[str, ...]) -> Risk:
    if _HIGH.intersection(rules):
        return "high"
    replaces = any(item.action in _MEDIUM or "overwrites" in item.flags for item in items)
    return "medium" if replaces or any(item.action == "move" for item in items) else "low"


def _item(step: Step, found: tuple[Flag, ...]) -> ChangeItem:
    difference_shown = difference(step.old.text if step.old else None, step.new.text) if step.new else None
    return ChangeItem(
        step.action,
        step.typed,
        step.path,
        step.kind,
        step.before,
        step.source_typed,
        step.source,
        _size_after(step),
        _encoding(step),
        line_ends(step.new.text) if step.new else "",
        difference_shown.added if difference_shown else 0,
        difference_shown.removed if difference_shown else 0,
        difference_shown.places if difference_shown else (),
        difference_shown.whole if difference_shown else (),
        step.tree.rows if step.tree else (),
        step.tree.files if step.tree else 0,
        step.tree.folders if step.tree else 0,
        step.tree.links if step.tree else 0,
        step.tree.size if step.tree else step.before.size,
        step.tree.newest if step.tree else "",
        step.tree.newest_ns if step.tree else 0,
        tuple(dict.fromkeys((*step.flags, *found, *(("other_encoding",) if _is_recoded(step) else ())))),
    )


def _is_recoded(step: Step) -> bool:
    return bool(step.old and step.new and step.old.encoding and step.old.encoding != step.new.encoding)


def _encoding(step: Step) -> str:
    if step.old and step.new and _is_recoded(step):
        return f"{step.old.encoding} → {step.new.encoding}"
    return step.new.encoding if step.new else ""


def _size_after(step: Step) -> int:
    if not step.changes:
        return step.before.size
    last = step.changes[-1]
    return last.keep + len(last.content) if step.new else last.source_before.size
