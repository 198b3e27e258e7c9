"""A change confirmed in the terminal: what would happen, whole, then a question whose plain answer is no."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from typing import TextIO

from metona_tk.cli import terminal
from metona_tk.i18n import N_, tr, trn
from metona_tk.i18n.quantities import size_words
from metona_tk.protocol.changes import Action, ChangeItem, ChangePreview, DiffLine, Flag, TreeRow
from metona_tk.protocol.values import Answer, Decision

_RED, _GREEN, _BLUE, _OFF = "\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[0m"
_COLOURS = {"-": _RED, "+": _GREEN, "@": _BLUE}
_ENDS = {"\r\n": "CRLF", "\r": "CR", "\n": "LF", "mixed": N_("mixed line ends")}
_DOES: dict[Action, str] = {
    "create": N_("make the new file"),
    "overwrite": N_("replace the contents of"),
    "edit": N_("change"),
    "append": N_("add to"),
    "folder": N_("make the new folder"),
    "move": N_("move"),
    "copy": N_("copy"),
    "delete": N_("delete"),
}
_WHY = {
    "every_change": N_("this run asks for every change"),
    "overwrites": N_("it changes or moves what was there before"),
    "deletes": N_("deletions are always asked for"),
    "sensitive_file": N_("by its name it may hold passwords or keys"),
    "shows_secret": N_("a masked password or key could be read afterwards"),
    "runs_later": N_("the system or a tool may run it by itself later"),
    "deceptive_name": N_("its name is not what it looks like"),
    "not_undoable": N_("it cannot be undone"),
}
_FLAGS: dict[Flag, str] = {
    "inside_link": N_("through a link inside the folder"),
    "from_link": N_("from behind a link inside the folder"),
    "hard_link": N_("the file has other names, which keep what is in it now"),
    "other_disk": N_("to another disk: copied, then deleted here"),
    "overwrites": N_("a file is there and is replaced"),
    "binary_before": N_("what is there now is no text"),
    "binary_after": N_("the new contents are no text and are not shown"),
    "other_encoding": N_("in another encoding: other bytes in every line"),
}
_UNDO = {
    "store": N_("It can be undone for 30 days."),
    "bin": N_("It is large: it can be brought back as long as it is in the recycle bin."),
    "none": N_("It CANNOT be undone."),
}


def confirm(preview: ChangePreview, source: TextIO | None = None, by_hand: bool = False) -> Answer:
    """Show a change on standard error and ask; anything but a clear yes is a no. A denial may carry a reason."""
    begun = time.monotonic()
    for line in lines_of(preview, _colours(), by_hand):
        terminal.err(line)
    said = _ask(preview, source)
    spent = int((time.monotonic() - begun) * 1000)
    if preview.must_type:
        decision = Decision.ALLOW if said == preview.must_type else Decision.DENY
        return Answer(decision, typed=said if decision is Decision.ALLOW else "", after_ms=spent)
    if terminal.is_yes(said):
        return Answer(Decision.ALLOW, after_ms=spent)
    reason = "" if said.casefold() in {"", "n", "no", "否", "不"} else said
    return Answer(Decision.DENY, reason, after_ms=spent)


def _ask(preview: ChangePreview, source: TextIO | None) -> str:
    if preview.must_type:
        name = terminal.exact(preview.must_type)
        return terminal.answer(
            tr("Type the name {name} to delete it for good, anything else to deny: ", name=name), source
        )
    return terminal.answer(tr("Type yes to allow; no, or a reason, to deny: "), source)


def _colours() -> bool:
    return sys.stderr.isatty() and "NO_COLOR" not in os.environ


def lines_of(preview: ChangePreview, colours: bool, by_hand: bool = False) -> Iterator[str]:
    """Everything that the question shows."""
    yield ""
    who = tr("You are about to ({tool}):") if by_hand else tr("The model wants to ({tool}):")
    yield who.format(tool=terminal.exact(preview.tool))
    for item in preview.items:
        yield from _item_lines(item, colours)
    reasons = [tr(_WHY[rule]) if rule in _WHY else rule for rule in preview.rules]
    yield tr("Why you are asked: {why}.", why="; ".join(reasons))
    if preview.read_before:
        read = ", ".join(terminal.exact(path) for path in preview.read_before)
        yield tr("Read before this: {paths}. Text in there may have led to it.", paths=read)
    if preview.undo != "none" and any(item.action == "delete" for item in preview.items):
        yield tr("Goes to the recycle bin.")
    yield tr(_UNDO[preview.undo])


def _item_lines(item: ChangeItem, colours: bool) -> Iterator[str]:
    does = tr(_DOES[item.action])
    if item.source:
        yield f"  {does} {terminal.exact(item.source)}"
        yield f"       →  {terminal.exact(item.path)}"
    else:
        yield f"  {does} {terminal.exact(item.path)}"
    for typed, path, flag in (
        (item.source_typed, item.source, "from_link"),
        (item.typed, item.path, "inside_link"),
    ):
        if typed != path and (flag in item.flags or not path.endswith("/" + typed.rstrip("/"))):
            yield "  " + tr("written as {typed}", typed=terminal.exact(typed))
    facts = [tr(_FLAGS[flag]) for flag in item.flags if flag in _FLAGS]
    if item.source and item.before.kind == "file":
        facts.append(tr("replaces {size}", size=size_words(item.before.size)))
    if item.diff or "other_encoding" in item.flags:
        ends = tr(_ENDS[item.line_ends]) if item.line_ends else ""
        facts += [f"+{item.added} −{item.removed}", item.encoding, ends]
    if item.kind == "directory" and item.tree:
        facts.append(trn("{count} file", "{count} files", item.files))
        facts.append(size_words(item.total_size))
    elif item.action == "delete":
        facts.append(size_words(item.before.size))
    if facts := [fact for fact in facts if fact]:
        yield "  (" + "; ".join(facts) + ")"
    plain = _plain_end(item)
    for line in item.diff:
        yield _painted(diff_text(line, plain), _COLOURS.get(line.sign, "") if colours else "")
    yield from (_tree_text(row) for row in item.tree)


def _plain_end(item: ChangeItem) -> str:
    """The line end that need not be shown at each line, as it is the one of them all, before and after."""
    ends = {line.end for line in item.diff if line.sign != "@"} - {""}
    return item.line_ends if ends == {item.line_ends} else "\n"


def diff_text(line: DiffLine, plain: str = "\n") -> str:
    """A line of the difference; its line end shows where it is not the plain one."""
    if line.sign == "@":
        at = f" {line.old or 0} → {line.new or 0}" if line.old or line.new else ""
        return f"  @@{at} @@ {terminal.exact(line.text)}".rstrip()
    known = {"\n": "⟨LF⟩", "\r\n": "⟨CR⟩", "\r": "⟨CR only⟩", plain: ""}
    end = known.get(line.end, "⟨no line end⟩")
    return f"  {line.sign} {terminal.exact(line.text)}{end}"


def _painted(text: str, colour: str) -> str:
    return f"{colour}{text}{_OFF}" if colour else text


def _tree_text(row: TreeRow) -> str:
    indent = "    " + "  " * row.depth
    if row.more:
        return indent + trn("… and {count} more", "… and {count} more", row.more)
    mark = "/" if row.kind == "directory" else f" → {terminal.exact(row.target)}" if row.kind == "symlink" else ""
    size = f"  ({size_words(row.size)})" if row.kind in ("directory", "file") else ""
    return f"{indent}{terminal.exact(row.name)}{mark}{size}"
