"""edit_file: one text of a file replaced by another; every other byte stays (SPEC 1.3, MODELS 4 and 5)."""

from __future__ import annotations

import re
from itertools import islice
from typing import Annotated

from pydantic import Field

from metona_tk.i18n import N_
from metona_tk.protocol.changes import Change, ChangeKind
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Effects, Result
from metona_tk.tools.base import NO_LINE, WHOLE, ToolArgs, ToolFailed, one_line, plural, size_text
from metona_tk.tools.changing import MAX_CONTENT, ChangingTool, Done, Plan, PlanContext, Seen, Step, Text, Veil
from metona_tk.tools.nearest import SMALL, around, cut_line, differing_lines, line_count, numbered_whole, shows_all
from metona_tk.tools.texts import LINE_END, FileText, commonest_end, file_text, line_ends, with_line_ends

_LARGEST = 20 << 20  # bytes of a file that is edited
_MOST_PLACES = 100_000  # that are replaced at once
_MOST_BETWEEN = 400_000  # lines from the first place to the last
_PLACES = 10  # of several matches that are shown


class EditFile(ChangingTool):
    """Replace one text in a file."""

    name = "edit_file"
    title = N_("Edit {path}")
    description = (
        "Change a part of a text file: replaces old_text, which must be exactly as it is in the file and be there only "
        "once, by new_text. Read the file first. With replace_all=true every place is replaced."
    )

    class Args(ToolArgs):
        path: Annotated[str, Field(description="The file, relative to the workspace folder.")]
        old_text: Annotated[str, Field(description="The text that goes, exactly as it is in the file.")]
        new_text: Annotated[str, Field(description="The text that comes in its place.")]
        replace_all: Annotated[bool, Field(description="true to replace every place.")] = False

    def effects(self, args: Args) -> Effects:
        return Effects(writes=(args.path,))

    def edited(self, args: Args, text: str) -> Args:
        return args.model_copy(update={"new_text": text})

    def check(self, args: Args) -> None:
        if not args.old_text:
            raise ToolFailed(
                Code.BAD_ARGUMENTS,
                f"old_text is empty. To add to the end call append_file(path={args.path[:200]!r}, content=...); to "
                "change a part give the exact text that is there now.",
            )

    def plan(self, args: Args, context: PlanContext) -> Plan:
        path = context.resolved(args.path)
        name = one_line(context.shown(path))
        state = context.state(args.path)
        if state.kind == "none":
            call = f'write_file(path="{name}", content=...)'
            raise ToolFailed(Code.NOT_FOUND, f"There is no {name}. To make it call {call}.")
        loaded = context.load(args.path, _LARGEST)
        if loaded.content is None:
            raise ToolFailed(Code.FILE_TOO_LARGE, f"{name} has {size_text(state.size)}, too large to be edited.")
        old = self._old_text(args, loaded.content, name, context)
        text = context.unmask(args.path, args.new_text)
        wanted = context.canonical(args.path, args.old_text)
        veils = list(context.veils(args.path, old.text))
        self._check_insert(args, name, veils[0].shown, context)
        ranges = self._ranges(args, wanted, name, veils, old.text, context)
        pieces = [_in_place(text, old.text[start:end], old.text) for start, end in ranges]
        content = old.replaced(ranges, pieces)
        if len(content) > max(MAX_CONTENT, len(loaded.content) + MAX_CONTENT):
            raise ToolFailed(Code.CONTENT_TOO_LARGE, "The new text is too long; at most 5 MB can be added at once.")
        facts = {"replacements": len(ranges), "bytes": len(content)}
        if content == loaded.content:
            if context.is_closed(args.path):  # a guess is not told to be right
                raise _closed(name)
            return Plan((), note="the file was so already", facts=facts)
        change = Change(ChangeKind.WRITE, path, loaded.state, content)
        before, after = Text(old.text, old.encoding), Text(_replaced(old.text, ranges, pieces), old.encoding)
        step = Step("edit", args.path, path, "file", (change,), loaded.state, before, after)
        return Plan((step,), args.new_text, facts=facts)

    def _old_text(self, args: Args, raw: bytes, name: str, context: PlanContext) -> FileText:
        known, prefer = context.known_encoding(args.path), context.preferred_encoding
        old = file_text(raw, name, known, prefer, args.old_text.isascii() and args.new_text.isascii())
        if not old.encoding and context.betrays(context.resolved(args.path), raw, raw, old.text):
            return file_text(raw, name, known, prefer, False)  # what is a secret in it depends on the encoding
        return old

    def _check_insert(self, args: Args, name: str, shown: str, context: PlanContext) -> None:
        """A model that has not read the file inserts where it means to replace: it is shown the file first."""
        unread = context.seen(args.path) is Seen.UNREAD and not context.by_person
        if not unread or not args.new_text.startswith(args.old_text) or args.new_text == args.old_text:
            return
        if context.is_closed(args.path):
            return
        context.note_read(args.path, WHOLE if shows_all(shown, context.text_budget) else NO_LINE)
        raise ToolFailed(
            Code.NOT_READ,
            f"Nothing was changed. new_text repeats old_text and adds to it, but you have not read {name}; perhaps "
            f"what you add is there already. {name} is now:\n{numbered_whole(shown, context.text_budget)}\nIf a line "
            "is to be changed, give that whole line as old_text. If you do want to add, make the same call again.",
        )

    def _ranges(
        self, args: Args, wanted: str, name: str, veils: list[Veil], text: str, context: PlanContext
    ) -> list[tuple[int, int]]:
        """Where it is. Looked for in what may be seen, so that no masked secret is found out by asking for it."""
        shown = veils[0].shown
        found = next((found for veil in veils if (found := _matches(wanted, veil))), list[tuple[int, int]]())
        if (not found or (len(found) > 1 and not args.replace_all)) and context.is_closed(args.path):
            raise _closed(name)
        between = line_count(text[found[0][0] : found[-1][1]]) if found and args.replace_all else 0
        if args.replace_all and (len(found) > _MOST_PLACES or between > _MOST_BETWEEN):
            raise ToolFailed(
                Code.CONTENT_TOO_LARGE,
                f"old_text is in {name} in too many places, or over too many lines, to be replaced at once; nothing "
                "was changed. Give more of the text around a place and replace them in several calls.",
            )
        if not found:
            context.note_read(args.path, WHOLE if shows_all(shown, context.text_budget, SMALL) else NO_LINE)
            raise ToolFailed(
                Code.NO_MATCH,
                f"old_text is not in {name}, and nothing was changed. {around(shown, wanted, context.text_budget)}\n"
                f"{_again(args, shown)}",
            )
        if len(found) > 1 and not args.replace_all:
            context.note_read(args.path, NO_LINE)
            lines = _places(text, veils[0], found)
            raise ToolFailed(
                Code.SEVERAL_MATCHES,
                f"old_text is in {name} {len(found)} times, and nothing was changed:\n{lines}\nGive "
                "more of the text around the one that is meant, or replace_all=true for all of them.",
            )
        return found

    def report(self, args: Args, plan: Plan, done: Done, context: PlanContext) -> Result:
        path, count = context.resolved(args.path), plan.facts["replacements"]
        name = one_line(context.shown(path))
        data = {"path": path, "replacements": count, "bytesWritten": plan.facts["bytes"]}
        if not plan.steps:
            return Result(True, data, plan.note, f"{name} was so already; nothing had to be changed.")
        return Result(True, data, None, f"Changed {plural(count, 'place')} in {name}. It is saved.")


def _closed(name: str) -> ToolFailed:
    return ToolFailed(
        Code.SENSITIVE_FILE,
        f"old_text is not in {name} just once, or nothing would change; nothing was changed. {name} may hold passwords "
        "or keys, so what is in it is not shown unless the user allows that file. Tell the user so.",
    )


def _matches(wanted: str, veil: Veil) -> list[tuple[int, int]]:
    """The ranges of the real text that match as it is shown; none begins or ends within a masked secret."""
    spans = (match.span() for match in _pattern(wanted).finditer(veil.shown))
    found = (real for span in spans if (real := veil.original(*span)) is not None)
    return list(islice(found, _MOST_PLACES + 1))


def _pattern(wanted: str) -> re.Pattern[str]:
    """The exact text, whatever its line ends are."""
    return re.compile(r"(?:\r\n|\n|\r)".join(re.escape(line) for line in LINE_END.split(wanted)))


def _again(args: EditFile.Args, text: str) -> str:
    """What to call instead: ready to be made where the lines that differ are in the file once, else in words."""
    gone, new = differing_lines(args.old_text, args.new_text)
    if gone and gone != args.old_text and len(list(islice(_pattern(gone).finditer(text), 2))) == 1:
        call = f"edit_file(path={args.path!r}, old_text={gone!r}, new_text={new!r})"
        return f"If that line is meant, call {call}."
    return "Call edit_file again with old_text exactly as it is there, without the line numbers."


def _in_place(text: str, gone: str, whole: str) -> str:
    """New text in the line ends of what it replaces, else in those that the file uses most."""
    end = line_ends(gone)
    return with_line_ends(text, end if end not in {"", "mixed"} else commonest_end(whole))


def _replaced(text: str, ranges: list[tuple[int, int]], pieces: list[str]) -> str:
    out, done = list[str](), 0
    for (start, end), piece in zip(ranges, pieces, strict=True):
        out += [text[done:start], piece]
        done = end
    return "".join([*out, text[done:]])


def _places(text: str, veil: Veil, found: list[tuple[int, int]]) -> str:
    """Each place as its line number and its line as it may be seen."""
    rows = [
        f"line {_number(text, start)}: {cut_line(_line_at(veil.shown, veil.place(start)), 200)}"
        for start, _ in found[:_PLACES]
    ]
    return "\n".join([*rows, f"... and {len(found) - _PLACES} more"] if len(found) > _PLACES else rows)


def _number(text: str, place: int) -> int:
    """The number of the line that a place lies in."""
    ends = text.count("\n", 0, place) + text.count("\r", 0, place) - text.count("\r\n", 0, place)
    return ends + 1


def _line_at(text: str, place: int) -> str:
    start = max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1
    end = LINE_END.search(text, start)
    return text[start : end.start() if end else len(text)]
