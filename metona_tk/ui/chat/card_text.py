"""What a finished tool card says, made from the event alone. Pure; `tool_card` lays it out.

The keys of `result.data` are the tools' contracts (SPEC 1.1, 1.4, 1.5); whatever is missing is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from metona_tk.i18n import tr, trn
from metona_tk.i18n.problems import tool_text
from metona_tk.i18n.quantities import size_words
from metona_tk.protocol.events import ToolFinished, ToolStarted
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import CallStatus, JsonObject, Result
from metona_tk.ui.chat.change_card import (
    SEEN,
    TOOLS,
    acts_on_words,
    blocked_spans,
    change_foot,
    change_rows,
    do_spans,
    undo_offer,
    undone,
)
from metona_tk.ui.chat.record import Call
from metona_tk.ui.chat.spans import Icon, Span, escaping
from metona_tk.ui.previews.diff_rows import RowKind
from metona_tk.ui.visible import visible, visible_line
from metona_tk.ui.wording import home_path

MOST_LINES = 200  # of a body; the rest is told as a number
MOST_CHARS = 500  # of a line in a body
PREVIEW = 3  # lines seen of what was found, while the card is folded
_ICONS = {"search_files": "search", "read_file": "file-text", "list_directory": "list", **TOOLS}
LineKind = Literal["code", "row", "hit", "foot", "reason"] | RowKind
_FINDING = {"search_files", "list_directory"}
_REFUSED = {
    Code.APP_PRIVATE,
    Code.PROTECTED_PATH,
    Code.OUTSIDE_ROOT,
    Code.SENSITIVE_FILE,
    Code.DISABLED,
    Code.DANGEROUS_COMMAND,
}


@dataclass(frozen=True, slots=True)
class CardLine:
    """One line of a card; its kind is that of its font and margins."""

    kind: LineKind
    spans: list[Span]


@dataclass(frozen=True, slots=True)
class Card:
    """A card. `icon` and `mark` are the icons of tool and state, `tone` the token of the state's colour.

    The first `preview` lines of the body are seen while it is folded.
    """

    icon: str
    name: str
    what: str
    mark: str
    state: str
    tone: str
    seconds: float
    body: list[CardLine] = field(default_factory=list[CardLine])
    foot: list[CardLine] = field(default_factory=list[CardLine])
    preview: int = 0
    right: list[Span] = field(default_factory=list[Span])  # at the end of the first line of the foot


def tool_icon(name: str) -> str:
    """The icon of a tool; that of any tool for one that is not known."""
    return _ICONS.get(name, "wrench")


def acts_on(name: str, arguments: JsonObject) -> str:
    """What a call is about, in one line with everything made visible."""
    if moved := acts_on_words(arguments):
        return moved
    path = visible(home_path(str(arguments.get("path", ""))))
    if name == "search_files" and "query" in arguments:
        query = visible(_as_words(str(arguments["query"])) if arguments.get("regex") else str(arguments["query"]))
        return tr("“{query}” in {path}", query=query, path=path) if path else f"“{query}”"
    first, last = arguments.get("start_line"), arguments.get("end_line")
    if path and (first or last):
        return f"{path}:{first or 1}–{last or ''}"
    return path or visible(_compact(arguments))[:MOST_CHARS]


def _as_words(pattern: str) -> str:
    """A pattern that only lists words, as that list; any other as it is."""
    plain = re.sub(r"\\(.)", r"\1", pattern)
    return plain.replace("|", ", ") if re.fullmatch(r"[\w\s.,/|-]+", plain) else pattern


def _compact(arguments: JsonObject) -> str:
    if set(arguments) == {"raw"}:
        return str(arguments["raw"])
    return json.dumps(arguments, ensure_ascii=False, default=str) if arguments else ""


def card_of(call: Call, end: ToolFinished) -> Card:
    """The card of a call that has ended."""
    start = call.start
    mark, state, tone = _state(end.status, end.result)
    body, foot = _good(call, end.result) if end.result.success else _bad(call, end.result)
    foot = [*foot, *_remarks(start, end)]
    seen = PREVIEW if not start.by_program and start.name in _FINDING else 0
    if end.result.success and start.name in TOOLS:
        seen = SEEN
        foot += [CardLine("foot", spans)] if (spans := blocked_spans(call)) else []
        if undone(call):
            mark, state, tone = "undo", tr("undone"), "idle"
    if not end.result.success:
        seen = len(body[:1])  # the reason; opening the card adds to it and moves nothing
    what = acts_on(start.name, start.arguments)
    name = visible(start.name)[:60]
    return Card(tool_icon(start.name), name, what, mark, state, tone, end.seconds, body, foot, seen, undo_offer(call))


def _state(status: CallStatus, result: Result) -> tuple[str, str, str]:
    """Icon, word and colour."""
    if result.code is Code.DENIED:
        return "ban", tr("denied by you"), "idle"
    if result.code is Code.NO_ANSWER:
        return "ban", tr("not answered"), "idle"
    if status is CallStatus.CANCELLED or result.code is Code.STOPPED:
        return "ban", tr("stopped"), "idle"
    if result.success:
        return "check", tr("done"), "ok"
    return "cross", tr("refused") if result.code in _REFUSED else tr("failed"), "danger"


def _bad(call: Call, result: Result) -> tuple[list[CardLine], list[CardLine]]:
    start = call.start
    spans = _reason(call, result.code)
    if result.code:
        spans.append((f"  {result.code}", ("mono", "quiet")))
    told = [CardLine("hit", [(tr("Told to the model:"), ("quiet",))]), *_text_lines(result.error or "")]
    asked = CardLine(
        "hit", [(tr("Arguments:") + " ", ("quiet",)), *escaping(visible(_compact(start.arguments))[:4000])]
    )
    return [CardLine("reason", spans), asked, *(told if result.error else [])], []


def _reason(call: Call, code: Code | None) -> list[Span]:
    """What went wrong, and what the user can do about it here."""
    if code is Code.SENSITIVE_FILE and call.start.arguments.get("path"):
        return _sensitive(call)
    reason = tool_text(code) if code else tr("It did not work.")
    if code is Code.DENIED and call.reason:
        reason += " " + tr("Your reason: “{reason}”", reason=visible_line(call.reason))
    return [(reason, ())]


def _sensitive(call: Call) -> list[Span]:
    call_id = call.start.call_id
    if call.letting == "done":
        words, offer = tr("The file may be read in this chat now."), do_spans("again", call_id, tr("Ask again"))
    else:
        words = tr("This file may hold passwords or keys; the model did not see it.")
        offer = do_spans("let", call_id, tr("Allow this file for this chat"))
    return [(words + " ", ()), *offer]


def _text_lines(text: str) -> list[CardLine]:
    return [CardLine("hit", [(visible_line(line)[:MOST_CHARS], ())]) for line in text.splitlines()[:MOST_LINES]]


def _good(call: Call, result: Result) -> tuple[list[CardLine], list[CardLine]]:
    start = call.start
    if start.name in TOOLS:
        return _changed(call)
    shapes: dict[str, Callable[[JsonObject], tuple[list[CardLine], str]]] = {
        "read_file": _read,
        "list_directory": _listing,
        "search_files": _search,
    }
    shape = shapes.get(start.name)
    body, foot = shape(result.data) if shape else (_text_lines(result.text), "")
    if start.by_program:
        foot = tr(" · ").join(filter(None, [foot, tr("looked up before the model was asked")]))
    return body, [CardLine("foot", [(foot, ())])] if foot else []


def _changed(call: Call) -> tuple[list[CardLine], list[CardLine]]:
    rows = change_rows(call)
    body = [CardLine(row.kind, list(row.spans)) for row in rows[:MOST_LINES]]
    foot = change_foot(call)
    return body + _more("row", len(rows) - MOST_LINES), [CardLine("foot", foot)] if foot else []


def _remarks(start: ToolStarted, end: ToolFinished) -> list[CardLine]:
    lines: list[CardLine] = []
    if end.result.note:
        lines.append(CardLine("foot", [(tr("Note: {note}", note=visible_line(" ".join(end.result.note.split()))), ())]))
    if end.repairs:
        words = "; ".join(visible(repair) for repair in end.repairs)
        lines.append(CardLine("foot", [(tr("The call was put right: {repairs}", repairs=words), ())]))
    return lines


def _list_of(value: Any) -> list[JsonObject]:
    items = cast("list[Any]", value) if isinstance(value, list | tuple) else []
    return [cast("JsonObject", item) for item in items if isinstance(item, dict)]


def _more(kind: LineKind, hidden: int) -> list[CardLine]:
    words = trn("… and {count} line more", "… and {count} lines more", hidden)
    return [CardLine(kind, [(words, ("quiet",))])] if hidden > 0 else []


def _joined(parts: list[str]) -> str:
    return tr(" · ").join(part for part in parts if part)


def _read(data: JsonObject) -> tuple[list[CardLine], str]:
    lines = str(data.get("content", "")).split("\n")
    if lines[-1] == "":
        lines.pop()
    around = data.get("line_range")
    first = int(cast("Any", around)[0]) if isinstance(around, list | tuple) and around else 1
    body = [_numbered(first + offset, line) for offset, line in enumerate(lines[:MOST_LINES])]
    size, total = data.get("size"), data.get("lines")
    count = trn("{count} line", "{count} lines", total) if isinstance(total, int) else ""
    if data.get("truncated") and lines:
        count = tr("lines {first}–{last}", first=first, last=first + len(lines) - 1) + (f" / {total}" if total else "")
    foot = _joined([size_words(size) if isinstance(size, int) else "", count, str(data.get("encoding") or "")])
    return body + _more("code", len(lines) - MOST_LINES), foot


def _numbered(number: int, line: str) -> CardLine:
    return CardLine("code", [(f"\t{number}\t", ("gutter",)), (visible_line(line.rstrip("\r"))[:MOST_CHARS], ())])


def _listing(data: JsonObject) -> tuple[list[CardLine], str]:
    entries = _list_of(data.get("entries"))
    body = [_entry(entry) for entry in entries[:MOST_LINES]]
    total = data.get("total", len(entries))
    if data.get("truncated"):
        count = tr("{shown} of {total} entries", shown=len(entries), total=total)
    else:
        count = trn("{count} entry", "{count} entries", int(total))
    return body + _more("row", len(entries) - MOST_LINES), count


def _entry(entry: JsonObject) -> CardLine:
    folder = entry.get("type") == "directory"
    name, size = visible(str(entry.get("name", ""))), entry.get("size")
    mark = Icon("folder" if folder else "file", "text-3", 14)
    spans: list[Span] = [(mark, ()), ("  ", ()), *escaping(name), ("/" if folder else "", ("quiet",))]
    if isinstance(size, int):
        spans.append((f"\t{size_words(size)}", ("quiet",)))
    elif entry.get("type") in ("symlink", "other"):
        kind = tr("link") if entry["type"] == "symlink" else tr("special")
        spans.append((f"\t{kind}", ("quiet",)))
    return CardLine("row", spans)


def _search(data: JsonObject) -> tuple[list[CardLine], str]:
    query = str(data.get("query", ""))
    hits = [
        (str(found.get("path", "")), hit)
        for found in _list_of(data.get("results"))
        for hit in _list_of(found.get("matches"))
    ]
    body = [_hit(path, hit, query) for path, hit in hits[:MOST_LINES]]
    files, matches = data.get("total_files", 0), data.get("total_matches", 0)
    sums = tr(
        "{matches} in {files}",
        matches=trn("{count} match", "{count} matches", int(matches)),
        files=trn("{count} file", "{count} files", int(files)),
    )
    scanned = data.get("files_scanned")
    seen = tr("{count} scanned", count=scanned) if isinstance(scanned, int) else ""
    cut = tr("more were left out") if data.get("truncated") else ""
    return body + _more("hit", len(hits) - MOST_LINES), _joined([sums, seen, cut])


def found_path(result: Result, words: str) -> str:
    """The path that a card shows as `words`, "" when it shows none so."""
    paths = (str(found.get("path", "")) for found in _list_of(result.data.get("results")))
    return next((path for path in paths if visible(path) == words), "")


def _hit(path: str, hit: JsonObject, query: str) -> CardLine:
    line, text = hit.get("line", 0), str(hit.get("text", ""))
    spans: list[Span] = escaping(visible(path), "mono", "link", "hit-path")
    if not line:
        return CardLine("hit", [*spans, ("  " + tr("(name)"), ("quiet",))])
    return CardLine("hit", [*spans, (f":{line}\t", ("quiet",)), *_found(text[:MOST_CHARS], hit.get("column"), query)])


def _found(text: str, column: Any, query: str) -> list[Span]:
    at = column - 1 if isinstance(column, int) else -1
    if at < 0 or not query or text[at : at + len(query)].casefold() != query.casefold():
        return [(visible_line(text), ())]
    end = at + len(query)
    parts: list[Span] = [
        (visible_line(text[:at]), ()),
        (visible_line(text[at:end]), ("find",)),
        (visible_line(text[end:]), ()),
    ]
    return parts
