"""What stands in the box of a confirmation: rows and a caption for all items of a change. Pure."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from metona_tk.i18n import tr, trn
from metona_tk.protocol.changes import ChangeItem, ChangePreview, DiffLine
from metona_tk.ui.chat.spans import Span, escaping
from metona_tk.ui.previews.diff_rows import Row, diff_rows, end_words
from metona_tk.ui.previews.tree_rows import moved_rows, tree_rows
from metona_tk.ui.previews.words import FLAGS, change_spans
from metona_tk.ui.visible import visible


def box_rows(preview: ChangePreview, whole: bool = False) -> list[Row]:
    """All rows, of every item; [] where the facts say all there is to see."""
    several = len(preview.items) > 1
    return [row for item in preview.items for row in _item_rows(item, preview, several, whole)]


def _item_rows(item: ChangeItem, preview: ChangePreview, several: bool, whole: bool) -> Iterator[Row]:
    if item.action == "delete":
        # in one folder, which the facts name, the last part of each path is enough
        yield from tree_rows(item, len({os.path.dirname(each.path) for each in preview.items}) > 1)
    elif item.action in ("move", "copy"):
        if several:
            yield moved_row(item)
        yield from tree_rows(item) if item.tree else ()
    elif item.action == "folder":
        if several:
            yield _item_head(item, preview)
    else:
        if several:
            yield _item_head(item, preview)
        yield from _content_rows(item, whole)


def closer(preview: ChangePreview) -> ChangePreview:
    """The same with a single line around each place, for where there is little room."""
    return replace(preview, items=tuple(replace(item, diff=_closer(item.diff)) for item in preview.items))


def _closer(diff: tuple[DiffLine, ...]) -> tuple[DiffLine, ...]:
    changed = {at for at, line in enumerate(diff) if line.sign in "+-"}
    kept = [(at, line) for at, line in enumerate(diff) if line.sign == "@" or {at - 1, at, at + 1} & changed]
    return tuple(line for at, line in kept if line.sign != "@" or at > min(changed, default=0))


def moved_row(item: ChangeItem) -> Row:
    """From where to where, and what is to be said about it."""
    words = {flag: tr(text) for flag, (text, token) in FLAGS.items() if token == "warn"}
    return moved_rows((item,), words)[0]


def _item_head(item: ChangeItem, preview: ChangePreview) -> Row:
    name: list[Span] = escaping(visible(item.path), "mono-strong")
    return Row("item", (*name, ("\t", ()), *((text, (*tags, "size")) for text, tags in change_spans(item, preview))))


def _content_rows(item: ChangeItem, whole: bool) -> list[Row]:
    rows = diff_rows(item.whole if whole and item.whole else item.diff)
    if "binary_before" in item.flags:
        rows.insert(0, _note(tr("The old contents are no text and are not shown.")))
    if "binary_after" in item.flags:
        rows.append(_note(tr("The new contents are no text and are not shown.")))
    return rows or [_note(_no_rows(item))]


def _no_rows(item: ChangeItem) -> str:
    if not item.size_after:
        return tr("The file will be empty.")
    if "other_encoding" in item.flags:
        return tr("The text stays as it is; only its encoding changes.")
    return tr("There is no difference to show.")


def _note(words: str) -> Row:
    return Row("note", ((words, ()),))


def caption(preview: ChangePreview, whole: bool = False) -> str:
    """What the box shows."""
    actions = {item.action for item in preview.items}
    if actions == {"delete"}:
        return tr("Everything that goes")
    if actions <= {"move", "folder"}:
        return tr("Everything that is moved")
    if actions <= {"copy", "folder"}:
        return tr("Everything that is copied")
    items = [item for item in preview.items if item.diff]
    if len(preview.items) == 1 and not items:
        return tr("Contents")
    if len(items) != 1:
        return trn("{count} file", "{count} files", len(items))
    return tr(" · ").join(part for part in (_places(items[0], whole), end_words(items[0].diff)) if part)


def _places(item: ChangeItem, whole: bool) -> str:
    if item.action == "create":
        return tr("The whole new file")
    if whole:
        return tr("The whole file")
    count = sum(line.sign == "@" for line in item.diff) or 1
    places = trn("{count} place", "{count} places", count)
    return tr(" · ").join((places, _lines(item.diff), tr("the whole change is shown")))


def _lines(diff: tuple[DiffLine, ...]) -> str:
    numbers = [line.new or line.old or 1 for line in diff if line.sign in "+-"]
    if not numbers:
        return ""
    first, last = min(numbers), max(numbers)
    return tr("line {line}", line=first) if first == last else tr("lines {first}–{last}", first=first, last=last)


def whole_words(preview: ChangePreview, whole: bool) -> str:
    """The offer to see the whole file, or only the changes again; "" where there is nothing more to see."""
    items = [item for item in preview.items if item.whole]
    shown = sum(line.sign != "@" for item in items for line in item.diff)
    if not items or sum(len(item.whole) for item in items) <= shown:
        return ""
    if whole:
        return tr("Only the changes")
    lines = sum(line.sign in " +" for item in items for line in item.whole)
    return trn("Whole file ({count} line)", "Whole file ({count} lines)", lines)
