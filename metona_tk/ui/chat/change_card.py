"""What a finished card says of a change: what was written or moved, and whether it can be undone. Pure.

Counterpart: `card_text`, which does the rest of the card.
"""

from __future__ import annotations

from typing import Any, cast

from metona_tk.i18n import tr, trn
from metona_tk.i18n.problems import not_undoable_text
from metona_tk.i18n.quantities import size_words, time_words
from metona_tk.protocol.changes import ChangePreview, DiffLine, NotUndoable, OperationState
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import JsonObject
from metona_tk.ui.chat.record import Call
from metona_tk.ui.chat.spans import Icon, Span
from metona_tk.ui.previews.boxes import box_rows, closer, moved_row
from metona_tk.ui.previews.diff_rows import Row, diff_rows
from metona_tk.ui.previews.words import counts_spans, main_items
from metona_tk.ui.visible import visible
from metona_tk.ui.wording import home_path

SEEN = 5  # lines of a change that a folded card shows
TOOLS = {
    "write_file": "pencil",
    "append_file": "pencil",
    "edit_file": "pencil",
    "create_directory": "folder-plus",
    "move_path": "folder",
    "copy_path": "copy",
    "delete_file": "trash",
}
# Undo may work the next time: these are said, and Undo stays.
_PASSING = {NotUndoable.NOT_EMPTY, NotUndoable.PLACE_GONE, NotUndoable.NO_ROOM, NotUndoable.BUSY}


def acts_on_words(arguments: JsonObject) -> str:
    """From where to where; "" for a call that has no source."""
    if "source" not in arguments:
        return ""
    places = (visible(home_path(str(arguments.get(key, "")))) for key in ("source", "destination"))
    return "  →  ".join(places)


def change_rows(call: Call) -> list[Row]:
    """What was changed, as the user saw it before, or as the model gave it."""
    if call.preview is not None and not call.edited:
        return preview_rows(call.preview)
    arguments, data = call.start.arguments, call.end.result.data if call.end else {}
    if call.edited or call.start.name not in ("write_file", "append_file", "edit_file"):
        return [_place(path) for path in _paths(data)]
    if call.start.name == "edit_file":
        return diff_rows([*_lines("-", arguments.get("old_text")), *_lines("+", arguments.get("new_text"))])
    numbered = call.start.name == "write_file"
    return diff_rows(_lines("+", arguments.get("content"), numbered))


def preview_rows(preview: ChangePreview) -> list[Row]:
    """The rows of a confirmation, or at least from where to where, or what."""
    rows = box_rows(closer(preview))
    if not rows:
        items = main_items(preview)
        rows = [moved_row(item) if item.source else _place(item.path) for item in items]
    return rows


def _place(path: str) -> Row:
    return Row("tree", ((visible(path), ()),))


def _paths(data: JsonObject) -> list[str]:
    paths = data.get("paths")
    return [str(path) for path in cast("list[Any]", paths)] if isinstance(paths, list) else []


def _lines(sign: Any, text: Any, numbered: bool = False) -> list[DiffLine]:
    if not isinstance(text, str) or not text:
        return []
    whole = text.removesuffix("\n").split("\n")
    return [DiffLine(sign, None, at if numbered else None, line.removesuffix("\r")) for at, line in enumerate(whole, 1)]


def change_foot(call: Call) -> list[Span]:
    """The sums under a change."""
    data = call.end.result.data if call.end else {}
    parts: list[list[Span]] = [[(words, ())] for words in _sums(call.start.name, data, undone(call))]
    if call.preview is not None and not call.edited and (counts := counts_spans(call.preview)):
        parts.insert(0, counts)
    if call.edited:
        parts.append([(tr("edited by you"), ())])
    if call.allowed_after is not None:
        parts.append([(tr("allowed by you after {time}", time=time_words(call.allowed_after)), ())])
    out: list[Span] = []
    for part in parts:
        out += [(tr(" · "), ()), *part] if out else part
    return out


def _sums(tool: str, data: JsonObject, back: bool) -> list[str]:
    written = data.get("bytesWritten")
    size = size_words(written) if isinstance(written, int) else ""
    many = len(_paths(data))
    if tool in ("write_file", "append_file"):
        words = [tr("new file") if data.get("created") else "", size]
    elif tool == "edit_file":
        words = [trn("{count} replacement", "{count} replacements", int(data.get("replacements", 1))), size]
    elif tool == "create_directory":
        words = [tr("new folder") if data.get("created") else tr("it was there already")]
    elif tool == "delete_file" and back:
        words = []
    elif tool == "delete_file":
        words = [tr("in the recycle bin") if data.get("recoverable") else tr("gone for good")]
    else:
        words = [trn("{count} file", "{count} files", many) if many else ""]
    return [word for word in words if word]


# Undo


def undone(call: Call) -> bool:
    """Whether the change was undone."""
    return call.operation is not None and call.operation.state is OperationState.UNDONE


def undo_offer(call: Call) -> list[Span]:
    """The command at the right of the foot; [] where there is none."""
    verb = undo_verb(call)
    if not verb:
        return []
    words = tr("Redo") if verb == "redo" else tr("Undo")
    return do_spans(verb, call.start.call_id, words, "undo" if verb == "undo" else "refresh")


def undo_verb(call: Call) -> str:
    """ "undo", "redo", or "" where neither can be."""
    made = call.operation
    blocked = why_blocked(call)
    if made is None or (blocked is not None and blocked not in _PASSING):
        return ""
    return {OperationState.DONE: "undo", OperationState.UNDONE: "redo"}.get(made.state, "")


def verbs(call: Call) -> tuple[str, ...]:
    """The commands that the card has or may get."""
    if call.operation is not None:
        return ("undo", "redo")
    code = call.end.result.code if call.end else None
    return ("let", "again") if code is Code.SENSITIVE_FILE else ()


def why_blocked(call: Call) -> NotUndoable | None:
    """Why it cannot be undone (or redone), as far as is known."""
    return call.refused or (call.operation.blocked if call.operation else None)


def blocked_spans(call: Call) -> list[Span]:
    """Why it cannot be undone, for a line of its own."""
    reason = why_blocked(call)
    if reason is None or reason is NotUndoable.ALREADY:
        return []
    if reason in _PASSING:
        head = tr("Not redone:") if undone(call) else tr("Not undone:")
    else:
        head = tr("Can't be redone:") if undone(call) else tr("Can't be undone:")
    return [(Icon("undo", "text-3", 14), ()), (f"  {head} {not_undoable_text(reason)}", ("quiet",))]


def do_tag(verb: str, call_id: str) -> str:
    """On a command of a card."""
    return f"do:{verb}:{call_id}"


def do_spans(verb: str, call_id: str, words: str, picture: str = "") -> list[Span]:
    """A command of a card."""
    tags = ("link", "card-action", do_tag(verb, call_id))
    mark: list[Span] = [(Icon(picture, "link", 14), tags), ("  ", tags)] if picture else []
    return [*mark, (words, tags)]
