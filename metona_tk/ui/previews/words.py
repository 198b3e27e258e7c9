"""A change in words: title, risk, facts, reasons, undo. Pure, and made from the preview alone, never from the model."""

from __future__ import annotations

import os
import time

from metona_tk.i18n import N_, tr, trn
from metona_tk.i18n.quantities import size_words
from metona_tk.protocol.changes import Action, ChangeItem, ChangePreview, Flag
from metona_tk.ui.chat.spans import Span, escaping
from metona_tk.ui.visible import visible

RISK_TOKENS = {"low": "text-2", "medium": "warn", "high": "danger"}
_RISKS = {"low": N_("low risk"), "medium": N_("medium risk"), "high": N_("high risk")}
_RULES = {
    "every_change": N_("This chat asks for every change."),
    "overwrites": N_("It changes or moves what this chat did not make."),
    "deletes": N_("Deletions are always asked for, in every mode."),
    "sensitive_file": N_("The file may hold passwords or keys; that is asked for in every mode."),
    "shows_secret": N_("A masked password or key could be read afterwards; that is asked for in every mode."),
    "runs_later": N_("The system or a tool may run this file by itself; that is asked for in every mode."),
    "deceptive_name": N_("The name is not what it looks like; that is asked for in every mode."),
    "not_undoable": N_("It cannot be undone by Metona; that is asked for in every mode."),
    "typed_outside": N_("The model asks for a place that lies outside the workspace of this chat."),
}
FLAGS: dict[Flag, tuple[str, str]] = {  # words, token
    "inside_link": (N_("link, inside the folder"), "text-3"),
    "from_link": (N_("from a link, inside the folder"), "text-3"),
    "hard_link": (N_("also linked elsewhere: the other name keeps the old contents"), "warn"),
    "other_disk": (N_("to another disk: copied, then deleted"), "text-3"),
    "overwrites": (N_("replaces what is there"), "warn"),
    "binary_before": (N_("the old contents are no text"), "text-3"),
    "binary_after": (N_("the new contents are no text"), "warn"),
    "other_encoding": (N_("in another encoding: other bytes in every line"), "warn"),
    "runs_later": (N_("may run by itself"), "warn"),
    "deceptive": (N_("deceptive name"), "warn"),
    "sensitive": (N_("may hold secrets"), "warn"),
}
_DOES: dict[Action, str] = {
    "create": N_("makes a new file"),
    "overwrite": N_("replaces the contents of a file"),
    "edit": N_("changes a part of a file"),
    "append": N_("adds to the end of a file"),
    "folder": N_("makes a new folder"),
    "move": N_("gives a file or folder another place"),
    "copy": N_("makes a copy"),
    "delete": N_("removes a file"),
}
_CHANGES: dict[Action, str] = {
    "create": N_("New file"),
    "overwrite": N_("Overwrite"),
    "edit": N_("Edit"),
    "append": N_("Append"),
    "folder": N_("New folder"),
    "move": N_("Move"),
    "copy": N_("Copy"),
    "delete": N_("Delete"),
}
_TITLES: dict[Action, str] = {
    "create": N_("Create {name}?"),
    "overwrite": N_("Overwrite {name}?"),
    "edit": N_("Change {name}?"),
    "append": N_("Add to {name}?"),
    "folder": N_("Create the folder {name}?"),
    "move": N_("Move {name} to {folder}?"),
    "copy": N_("Copy {name} to {folder}?"),
    "delete": N_("Delete {name}?"),
}
_ICONS: dict[Action, str] = {"folder": "folder-plus", "move": "folder", "copy": "copy", "delete": "trash"}


def name_of(path: str) -> str:
    """The last part of a path, made visible; of a root the whole."""
    return visible(os.path.basename(path.rstrip("/\\")) or path)


def main_items(preview: ChangePreview) -> tuple[ChangeItem, ...]:
    """The items that it is about: folders that are made on the way are none."""
    return tuple(item for item in preview.items if item.action != "folder") or preview.items


def icon_of(preview: ChangePreview) -> str:
    """The icon of what is done."""
    items = main_items(preview)
    return _ICONS.get(items[0].action, "pencil") if items else "pencil"


def title(preview: ChangePreview) -> str:
    """The question, in a line."""
    items = main_items(preview)
    if len(items) == 1:
        return _title_of_one(items[0])
    actions = {item.action for item in items}
    count = len(items)
    if not items:
        return tr("Change nothing?")
    if actions == {"delete"}:
        files = all(item.kind == "file" for item in items)
        return trn("Delete {count} file?", "Delete {count} files?", count) if files else _things(count)
    folder = _common_folder(items)
    if actions == {"move"}:
        return trn("Move {count} file to {folder}?", "Move {count} files to {folder}?", count, folder=folder)
    if actions == {"copy"}:
        return trn("Copy {count} file to {folder}?", "Copy {count} files to {folder}?", count, folder=folder)
    return trn("Make {count} change?", "Make {count} changes?", count)


def _things(count: int) -> str:
    return trn("Delete {count} file or folder?", "Delete {count} files and folders?", count)


def _title_of_one(item: ChangeItem) -> str:
    name, folder = name_of(item.source or item.path), name_of(os.path.dirname(item.path))
    if item.action == "move" and os.path.dirname(item.source) == os.path.dirname(item.path):
        return tr("Rename {name} to {new}?", name=name, new=name_of(item.path))
    if item.action == "delete" and item.kind == "directory":
        return tr("Delete the folder {name}?", name=name)
    if item.action == "delete" and item.kind == "symlink":
        return tr("Delete the link {name}?", name=name)
    return tr(_TITLES[item.action], name=name, folder=folder)


def _common_folder(items: tuple[ChangeItem, ...]) -> str:
    folders = {os.path.dirname(item.path) for item in items}
    return name_of(folders.pop()) if len(folders) == 1 else "…"


def risk_spans(preview: ChangePreview) -> list[Span]:
    """Tool, risk, and what it does."""
    token = RISK_TOKENS[preview.risk]
    what = tr("{risk}:", risk=tr(_RISKS[preview.risk])) + " "
    return [(visible(preview.tool) + "  ·  ", ()), (what, (token,)), (_does(preview), ())]


def _does(preview: ChangePreview) -> str:
    items = main_items(preview)
    if preview.undo == "none":
        return tr("what goes cannot be brought back")
    if any("overwrites" in item.flags for item in items):
        return tr("replaces what is at the new place")
    if len(items) > 1:
        deletes = all(item.action == "delete" for item in items)
        return tr("removes several files or folders") if deletes else tr("changes several files")
    return _does_one(items[0]) if items else ""


def _does_one(item: ChangeItem) -> str:
    if item.action == "delete" and item.kind == "directory":
        empty = not (item.files or item.folders or item.links)
        return tr("removes an empty folder") if empty else tr("removes a folder that is not empty")
    if item.action == "delete" and item.kind == "symlink":
        return tr("removes a link, not what it leads to")
    return tr(_DOES[item.action])


def rule_words(rule: str) -> str:
    """Why it is asked."""
    return tr(_RULES[rule]) if rule in _RULES else tr("The rule “{rule}” wants your answer.", rule=visible(rule))


def why_words(preview: ChangePreview) -> str:
    """All reasons."""
    reasons = [rule_words(rule) for rule in preview.rules]
    if preview.made_here:
        reasons.append(tr("The file was made by this chat."))
    return tr("{what} {step}", what=reasons[0], step=" ".join(reasons[1:])).rstrip() if reasons else ""


def leads_elsewhere(typed: str, path: str, flags: tuple[Flag, ...] = ()) -> bool:
    """Whether the resolved path is not simply the typed one."""
    plain = os.path.normpath(os.path.expanduser(typed)) if typed else path
    if "inside_link" in flags or plain.startswith(".."):
        return True
    return plain != path and not path.endswith(os.sep + plain)


def path_spans(typed: str, path: str, flags: tuple[Flag, ...] = ()) -> list[Span]:
    """The resolved path with its name in bold, behind an arrow from the typed one where they differ."""
    folder, name = os.path.split(path.rstrip("/\\") or path)
    shown = visible(folder + os.sep) if folder and not folder.endswith(os.sep) else visible(folder)
    resolved = [*escaping(shown, "mono"), *escaping(visible(name), "mono", "mono-strong")]
    if not leads_elsewhere(typed, path, flags):
        return resolved
    return [*escaping(visible(typed), "mono", "second"), ("  →  ", ("warn",)), *resolved]


def flag_spans(flags: tuple[Flag, ...]) -> list[Span]:
    """What is to be known about a path, each in a badge that is not broken."""
    spans: list[Span] = []
    for flag in flags:
        said, token = FLAGS[flag]
        tag = "badge-warn" if token == "warn" else "badge"
        inside = f"\u00a0{tr(said)}\u00a0".replace(" ", "\u00a0")
        spans += [("   ", ()), (inside, (tag,))]
    return spans


def change_spans(item: ChangeItem, preview: ChangePreview) -> list[Span]:
    """What becomes of a file: sizes, lines, encoding, and for how long it can be undone."""
    dot: Span = (tr(" · "), ())
    parts: list[list[Span]] = [[(tr(_CHANGES[item.action]), ())]]
    if item.action in ("create", "overwrite", "edit", "append"):
        parts += [_sizes(item), [*_lines(item)], [(_encoding(item), ())] if _encoding(item) else []]
    elif item.before.kind == "file" and item.action != "delete":
        parts.append([(tr("replaces {size}", size=size_words(item.before.size)), ())])
    if item.action != "delete" and preview.undo == "store":
        parts.append([(tr("undo for 30 days"), ())])
    out: list[Span] = []
    for part in filter(None, parts):
        out += [dot, *part] if out else part
    return out


def _sizes(item: ChangeItem) -> list[Span]:
    if item.before.kind == "none":
        return [(size_words(item.size_after), ())]
    return [(f"{size_words(item.before.size)} → {size_words(item.size_after)}", ())]


def _lines(item: ChangeItem) -> list[Span]:
    if not item.added and not item.removed:
        return []
    if item.action == "create":
        return [(trn("{count} line", "{count} lines", item.added), ())]
    counts: list[Span] = [(f"+{item.added}", ("ok",)), (" ", ()), (f"−{item.removed}", ("danger",)), (" ", ())]
    return [*counts, (tr("lines"), ())]


def counts_spans(preview: ChangePreview) -> list[Span]:
    """How many lines came and went in all, [] where that is nothing to speak of."""
    added, removed = (sum(getattr(item, name) for item in preview.items) for name in ("added", "removed"))
    if not removed:
        return [(trn("{count} line", "{count} lines", added), ())] if added else []
    return [(f"+{added}", ("ok",)), (" ", ()), (f"−{removed}", ("danger",))]


def _encoding(item: ChangeItem) -> str:
    ends = {"\n": "LF", "\r\n": "CR LF", "\r": "CR", "mixed": tr("mixed")}.get(item.line_ends, "")
    words = tr("line ends {ends}", ends=ends) if ends and ends != "LF" else ""
    return tr(", ").join(part for part in (item.encoding.upper(), words) if part)


def contents_spans(item: ChangeItem, now: float | None = None) -> list[Span]:
    """What is in a folder that goes; of a file its size."""
    if item.kind != "directory":
        words = tr("link to") + " " + visible(item.before.target) if item.kind == "symlink" else ""
        return escaping(words or size_words(item.before.size))
    size = size_words(item.total_size)
    parts: list[Span] = [(trn("{count} file", "{count} files", item.files), ("strong",))]
    if item.folders:
        parts += [(tr(", "), ()), (trn("{count} folder", "{count} folders", item.folders), ("strong",))]
    if item.links:
        parts += [(tr(", "), ()), (trn("{count} link", "{count} links", item.links), ())]
    parts += [(tr(", "), ()), (size, ("strong",))]
    return [*parts, *_newest(item, time.time() if now is None else now)]


def _newest(item: ChangeItem, now: float) -> list[Span]:
    if not item.newest:
        return []
    before, after = tr(". Newest: {name}, changed {when}", name="\0", when=ago(now - item.newest_ns / 1e9)).split("\0")
    return [(before, ()), *escaping(visible(item.newest)), (after, ())]


def ago(seconds: float) -> str:
    """How long ago something was, roughly."""
    minutes = int(seconds // 60)
    if minutes < 1:
        return tr("just now")
    if minutes < 60:
        return trn("{count} minute ago", "{count} minutes ago", minutes)
    if minutes < 60 * 24:
        return trn("{count} hour ago", "{count} hours ago", minutes // 60)
    return trn("{count} day ago", "{count} days ago", minutes // (60 * 24))


def undo_spans(preview: ChangePreview) -> list[Span]:
    """What undo can do about it afterwards, where that is not simply to undo."""
    deletes = any(item.action == "delete" for item in preview.items)
    if preview.undo == "none":
        head, rest = tr("This cannot be undone."), tr("There is no recycle bin here, and it is too large to be kept.")
    elif preview.undo == "bin":
        head = tr("Goes to the recycle bin.") if deletes else tr("What was there goes to the recycle bin.")
        rest = tr(
            "It is too large for Metona's own store, so undo takes it from the bin: emptying the bin makes it final."
        )
    elif deletes:
        head, rest = tr("Goes to the recycle bin."), tr("Metona also keeps it, so undo brings it back for 30 days.")
    else:
        return []
    return [(head, ("strong",)), (" " + rest, ("second",))]


def read_spans(preview: ChangePreview, most: int = 3) -> list[Span]:
    """Which files may have led to this call."""
    names = [escaping(visible(path), "strong") for path in preview.read_before[:most]]
    left = len(preview.read_before) - most
    files: list[Span] = []
    for at, name in enumerate(names):
        files += [(tr(", "), ()), *name] if at else name
    if left > 0:
        files.append((" " + trn("and {count} more", "and {count} more", left), ()))
    before, after = tr("After reading {files}. Text in it may have led to this call.", files="\0").split("\0")
    return [(before, ()), *files, (after, ())]


def allow_words(preview: ChangePreview) -> str:
    """What the button that allows it says."""
    if not any(item.action == "delete" for item in preview.items):
        return tr("Allow")
    return tr("Delete for good") if preview.undo == "none" else tr("Move to recycle bin")
