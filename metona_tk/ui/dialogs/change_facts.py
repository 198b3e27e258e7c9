"""The rows over the box of a confirmation: which file, what becomes of it, why it is asked; and what led to it."""

from __future__ import annotations

import os
import tkinter as tk
from collections.abc import Sequence

from metona_tk.i18n import tr, trn
from metona_tk.i18n.quantities import size_words
from metona_tk.protocol.changes import ChangeItem, ChangePreview, Flag
from metona_tk.ui import theme
from metona_tk.ui.chat.spans import Span, escaping
from metona_tk.ui.dialogs.facts import Facts, WrappedText
from metona_tk.ui.fonts import Fonts
from metona_tk.ui.icons import icon
from metona_tk.ui.previews import words
from metona_tk.ui.visible import visible
from metona_tk.ui.widgets.rounded import Rounded


def fill_facts(facts: Facts, preview: ChangePreview, chat: str = "") -> None:
    """Add the rows of a change."""
    if chat:
        facts.add(tr("Chat"), visible(chat))
    items = words.main_items(preview)
    if len(items) == 1:
        _one(facts, items[0], preview)
    elif items:
        _several(facts, items)
    facts.add_spans(tr("Why asked"), escaping(words.why_words(preview)))


def _one(facts: Facts, item: ChangeItem, preview: ChangePreview) -> None:
    if item.action in ("move", "copy"):
        through: tuple[Flag, ...] = ("inside_link",) if "from_link" in item.flags else ()
        facts.add_spans(tr("From"), words.path_spans(item.source_typed, item.source, through))
    label = tr("To") if item.action in ("move", "copy") else _kind(item)
    place = words.path_spans(item.typed, item.path, item.flags)
    facts.add_spans(label, [*place, *words.flag_spans(item.flags)])
    if item.action == "delete":
        facts.add_spans(tr("Contents"), words.contents_spans(item))
    else:
        facts.add_spans(tr("Change"), words.change_spans(item, preview))


def _kind(item: ChangeItem) -> str:
    if item.action == "folder" or item.kind == "directory":
        return tr("Folder")
    return tr("Link") if item.kind == "symlink" else tr("File")


def _several(facts: Facts, items: tuple[ChangeItem, ...]) -> None:
    moved = all(item.action in ("move", "copy") for item in items)
    if moved:
        facts.add_spans(tr("From"), _folder_spans([item.source for item in items]))
    flags: tuple[Flag, ...] = tuple(dict.fromkeys(flag for item in items for flag in item.flags))
    place = _folder_spans([item.path for item in items])
    facts.add_spans(tr("To") if moved else tr("Folder"), [*place, *words.flag_spans(flags)])
    facts.add_spans(tr("Contents"), _sums(items))


def _folder_spans(paths: Sequence[str]) -> list[Span]:
    folders = {os.path.dirname(path) for path in paths}
    if len(folders) == 1:
        return words.path_spans("", folders.pop())
    return [(trn("{count} folder", "{count} folders", len(folders)), ())]


def _sums(items: tuple[ChangeItem, ...]) -> list[Span]:
    files = sum(item.files if item.kind == "directory" else 1 for item in items)
    size = sum(item.total_size if item.kind == "directory" else item.before.size for item in items)
    count: Span = (trn("{count} file", "{count} files", files), ("strong",))
    return [count, (tr(", "), ()), (size_words(size), ("strong",))] if size else [count]


def said_in_box(
    master: tk.Misc, fonts: Fonts, picture: str, spans: Sequence[Span], look: tuple[str, str, str]
) -> tk.Frame:
    """A round box with an icon and words that wrap; `look`: the tokens of ground, border and icon."""
    ground, line, token = look
    px = fonts.px
    box = Rounded(master, "surface-1", ground, line)
    mark = tk.Label(box, image=icon(box, fonts, picture, 16, token), borderwidth=0)
    theme.paint(mark, background=ground)
    mark.pack(side="left", anchor="n", padx=(px(12), px(8)), pady=px(8))
    said = WrappedText(box, fonts, spans, ground=ground, most=4)
    said.pack(side="left", fill="x", expand=True, padx=(0, px(8)), pady=px(5))
    return box
