"""search_files: by name and by content, on ripgrep; an empty answer widens by itself and names what is nearest."""

from __future__ import annotations

import difflib
import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field

from metona_tk.i18n import N_
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Effects, Result
from metona_tk.tools.base import (
    FileHandle,
    FolderHandle,
    Reading,
    Tool,
    ToolArgs,
    ToolContext,
    ToolFailed,
    cut_middle,
    one_line,
    plural,
)
from metona_tk.tools.search_hits import FileHits, Reported, checked_matches, parse_hit
from metona_tk.tools.search_query import Query, SearchType, glob_with_extensions, plain_extensions, wider, words

_ENOUGH = 20_000  # reported lines after which counting stops
_NAMES_COMPARED = 20_000
# what ripgrep says of a pattern that it does not take; errors about files are switched off
_PATTERN_ERROR = re.compile(r"rg: (regex|the literal|compiled regex|.*pattern)")


class SearchFiles(Tool):
    """Find files by name or by what is in them."""

    name = "search_files"
    title = N_("Search {path} for {query}")
    description = (
        "Find files by name and by content: gives the files, line numbers and lines that hold the query. A query with "
        '* or ? is a pattern of names, like *.txt. The workspace folder is ".". Use this first when you do not know '
        "which file holds the answer; search for one telling word rather than a sentence."
    )
    reading_only = True
    seconds = 10.0

    class Args(ToolArgs):
        path: Annotated[str, Field(description='Folder or file to search; "." is the whole workspace.')]
        query: Annotated[str, Field(min_length=1, description="The word or text to find, or a pattern of names.")]
        search_type: Annotated[SearchType, Field(description="filename, content, or both. Default: both.")] = "both"
        case_sensitive: Annotated[bool, Field(description="Default: false.")] = False
        max_results: Annotated[int, Field(ge=1, description="Default: 50.")] = 50
        file_extensions: Annotated[list[str] | None, Field(description="Only these kinds, like .txt")] = None
        regex: Annotated[bool, Field(description="The query is a regular expression. Default: false.")] = False
        include_hidden: Annotated[bool, Field(description="Also names that begin with a dot.")] = False
        include_ignored: Annotated[bool, Field(description="Also what .gitignore leaves out.")] = False

    def effects(self, args: Args) -> Effects:
        return Effects(reads=(args.path,), returns_contents=args.search_type != "filename")

    def check(self, args: Args) -> None:
        if "\0" in args.query or not args.query.strip():
            raise ToolFailed(Code.BAD_ARGUMENTS, "'query' is empty or no text. Give the word to search for.")
        if args.file_extensions and not plain_extensions(args.file_extensions):
            raise ToolFailed(Code.BAD_ARGUMENTS, "'file_extensions' does not fit: give endings, like .txt and .md.")

    def run(self, args: Args, context: ToolContext) -> Result:
        lines = [line.strip() for line in args.query.splitlines() if line.strip()]
        query = Query(args.query if len(lines) == 1 else lines[0], args.search_type, args.case_sensitive, args.regex)
        search = _Search(args, context)
        if len(lines) > 1:
            search.notes.append("a search goes line by line, so only the first line of the query was used")
        found = search.ask(args.path, query)
        if not found.matches and not search.over:
            found = search.widen(args.path, query, found)
        return search.result(found)


def _folders_called(name: str, names: list[str]) -> dict[str, str]:
    """The folders of that name (casefolded), each with one of the files in it."""
    found: dict[str, str] = {}
    for path in names:
        parts = path.split("/")[:-1]
        for at, part in enumerate(parts, 1):
            if part.casefold() == name:
                found.setdefault("/".join(parts[:at]), path)
    return found


@dataclass(slots=True)
class _Found:
    """What one pass found: for each path the matches to show, and the sums."""

    where: str
    matches: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, list[dict[str, Any]]])
    files: int = 0
    lines: int = 0
    shown: int = 0
    cut: bool = False
    scanned: int = 0
    names: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class _Search:
    args: SearchFiles.Args
    context: ToolContext
    notes: list[str] = field(default_factory=list[str])
    skipped: Counter[str] = field(default_factory=Counter[str])
    over: bool = False

    def ask(self, path: str, query: Query) -> _Found:
        """One pass at the path that the model named."""
        kind = self.context.kind(path)
        if kind == "file":
            with self.context.open_file(path) as file:
                return self._in_file(file, query)
        with self.context.open_folder(path) as folder:
            return self._in_folder(folder, query)

    def everywhere(self, query: Query) -> _Found:
        """One pass over the whole workspace."""
        with self.context.open_workspace() as folder:
            return self._in_folder(folder, query)

    def widen(self, path: str, query: Query, empty: _Found) -> _Found:
        """Look again in wider ways; the first that finds something is given, and said."""
        with self.context.open_workspace() as folder:
            whole = folder.path == empty.where
        ways = [] if whole else [(query, "in the whole workspace")]
        ways += list(wider(query))
        for way, said in ways:
            found = self.everywhere(way)
            if found.matches:
                where = "" if whole or "workspace" in said else " in the whole workspace"
                self.notes.append(f'nothing for "{query.text[:80]}" as asked; this is what there is {said}{where}')
                return found
            if self.over:
                return empty
        found = self._single_words(query) if not query.regex else None
        return found or self._nearest(query, empty)

    def _single_words(self, query: Query) -> _Found | None:
        best: tuple[int, str, _Found] | None = None
        for word in words(query.text):
            if word == query.text or self.over:
                continue
            found = self.everywhere(Query(word, "both"))
            if found.matches and (best is None or found.lines < best[0]):
                best = (found.lines, word, found)
        if best is None:
            return None
        self.notes.append(f'nothing holds "{query.text[:80]}"; this is what holds the word "{best[1]}" instead')
        return best[2]

    def _nearest(self, query: Query, empty: _Found) -> _Found:
        with self.context.open_workspace() as folder:
            names = self._names(folder)
            plain = query.text.strip("*?").casefold()[:200]
            by_name = {name.rsplit("/", 1)[-1].casefold(): name for name in names[:_NAMES_COMPARED]}
            stems = {os.path.splitext(name)[0]: path for name, path in by_name.items()}
            near = difflib.get_close_matches(plain, [*by_name, *stems], 5, 0.55)
            paths = dict.fromkeys(by_name.get(name) or stems[name] for name in near)
            paths = [path for path in paths if folder.holds(path)]
            inside = [path for path, file in _folders_called(plain, names).items() if folder.holds(file)]
        if inside:
            # a model that looks for a folder by name takes "nothing" for its end
            self.notes.append(f'"{inside[0]}" is a folder: use list_directory(path="{inside[0]}", recursive=true)')
            return empty
        said = (
            "the nearest names are " + ", ".join(paths) if paths else f"the workspace has {plural(len(names), 'file')}"
        )
        self.notes.append(
            f'nothing holds "{query.text[:80]}" in names or contents, also in the whole workspace; {said}'
        )
        return empty

    def _options(self) -> list[str]:
        args = self.args
        options = ["--no-require-git", "--no-messages", "--no-ignore-messages"]
        options += ["--hidden"] if args.include_hidden else []
        options += ["--no-ignore"] if args.include_ignored else []
        wanted = glob_with_extensions(args.file_extensions or [])
        return options + (["--type-add", f"wanted:{wanted}", "-t", "wanted"] if wanted else [])

    def _names(self, folder: FolderHandle) -> list[str]:
        """Every file that may be seen, by its path below the folder with `/`."""
        reading = self.context.ripgrep(["--files", "-0", *self._options()], folder)
        names: list[str] = []
        self.skipped["sensitive"] = self.skipped["name_not_utf8"] = 0  # of this walk, not of the one before
        for record in self._records(reading, b"\0"):
            path = os.fsdecode(record).removeprefix("./").removeprefix(".\\").replace(os.sep, "/")
            if self.context.sensitive(path.rsplit("/", 1)[-1]):
                self.skipped["sensitive"] += 1
            elif any(0xD800 <= ord(char) <= 0xDFFF for char in path):
                self.skipped["name_not_utf8"] += 1
            else:
                names.append(path)
        self._finish(reading)
        return sorted(names)

    def _records(self, reading: Reading, separator: bytes = b"\n") -> Any:
        for record in reading.records(separator):
            yield record
            if self.context.stopped():
                reading.kill()
                raise ToolFailed(Code.STOPPED, "Stopped by the user.")
            if self.context.remaining() <= 0:
                self.over = True
                reading.kill()
                return
        # one that was silent has been ended from outside
        if self.context.stopped():
            raise ToolFailed(Code.STOPPED, "Stopped by the user.")
        self.over = self.over or self.context.remaining() <= 0

    def _go_on(self) -> bool:
        return not self.context.stopped() and self.context.remaining() > 0

    def _in_folder(self, folder: FolderHandle, query: Query) -> _Found:
        self.skipped.clear()
        found = _Found(folder.path, names=self._names(folder))
        found.scanned = len(found.names)
        prefix = self._prefix(folder.path)
        hit_names = self._name_hits(found.names, query) if query.in_names else {}
        for path, column in hit_names.items():
            if found.shown < self.args.max_results and not folder.holds(path):
                self.skipped["changed_or_binary"] += 1  # no name is believed either
                continue
            self._add(found, prefix + path, [{"line": 0, "text": path.rsplit("/", 1)[-1], "column": column}], 1)
        if query.in_content and not self.over:
            lines = self._content(query, folder, None, found)
            allowed = set(found.names)
            self._check(
                lines, found, query, prefix, lambda path: path in allowed and path not in hit_names, folder.file
            )
        found.matches = dict(sorted(found.matches.items()))
        return found

    def _in_file(self, file: FileHandle, query: Query) -> _Found:
        path = file.path
        found = _Found(path, scanned=1, names=[path])
        shown = self.context.shown(path)
        hits = self._name_hits([os.path.basename(path)], query) if query.in_names else {}
        for name, column in hits.items():
            self._add(found, shown, [{"line": 0, "text": name, "column": column}], 1)
        if query.in_content and not hits:
            lines = self._content(query, None, file, found)
            for reported in lines.values():  # one: the file came as input, so its name is ripgrep's "<stdin>"
                file.rewind()
                self._add(
                    found, shown, checked_matches(file, reported, query, self._go_on, self.context), reported.count
                )
        return found

    def _prefix(self, folder: str) -> str:
        shown = self.context.shown(folder)
        return "" if shown == "." else shown.rstrip("/") + "/"

    def _name_hits(self, names: list[str], query: Query) -> dict[str, int]:
        if not query.regex:
            return {path: column for path in names if (column := query.name_column(path))}
        # the pattern runs on ripgrep here too, so that no pattern is slow
        listed = "\n".join(path.rsplit("/", 1)[-1].replace("\n", " ") for path in names).encode()
        reading = self.context.ripgrep(["--json", *query.ripgrep_options()], stdin=listed)
        hits = [parsed[1] for record in self._records(reading) if (parsed := parse_hit(record))]
        self._finish(reading)
        base = [path.rsplit("/", 1)[-1].encode() for path in names]
        return {names[hit.line - 1]: len(base[hit.line - 1][: hit.start].decode("utf-8", "ignore")) + 1 for hit in hits}

    def _content(
        self, query: Query, folder: FolderHandle | None, file: FileHandle | None, found: _Found
    ) -> dict[str, FileHits]:
        options = ["--json", *(self._options() if folder else []), *query.ripgrep_options()]
        reading = self.context.ripgrep(options, folder, file)
        reported = Reported(self.context, query, found.where)
        count = 0
        for record in self._records(reading):
            parsed = parse_hit(record)
            if parsed is None:
                continue
            reported.add(*parsed)
            count += 1
            if count >= _ENOUGH:
                found.cut = True
                reading.kill()
                break
        self._finish(reading)
        return reported.finish()

    def _finish(self, reading: Reading) -> None:
        code, errors = reading.finish()
        if reading.overlong:
            self.notes.append("lines of more than 1 MB were passed over")
        if reading.trouble and reading.trouble not in self.notes:
            self.notes.append(reading.trouble)
            self.over = True
        if code == 2 and _PATTERN_ERROR.match(errors):
            detail = " ".join(errors.split())[:200]
            raise ToolFailed(Code.BAD_REGEX, f"The pattern is not valid: {detail} Search for a plain word instead.")

    def _check(
        self,
        lines: dict[str, FileHits],
        found: _Found,
        query: Query,
        prefix: str,
        wanted: Callable[[str], bool],
        open_file: Callable[[str], FileHandle],
    ) -> None:
        """Show what stands in the files themselves, sorted by path, until enough is shown; count the rest."""
        for path in sorted(lines):
            hits = lines[path]
            if not wanted(path):
                continue
            if found.shown >= self.args.max_results or self.context.remaining() <= 0:
                found.files, found.lines, found.cut = found.files + 1, found.lines + hits.count, True
                continue
            try:
                with open_file(path) as file:
                    kept = checked_matches(file, hits, query, self._go_on, self.context)
            except ToolFailed:
                self.skipped["unreadable"] += 1
                continue
            if kept:
                self._add(found, prefix + path, kept, hits.count)
            elif hits.count:
                self.skipped["changed_or_binary"] += 1

    def _add(self, found: _Found, path: str, matches: list[dict[str, Any]], count: int) -> None:
        found.files += 1
        found.lines += count
        room = self.args.max_results - found.shown
        if room <= 0 or not matches:
            found.cut = True
            return
        found.matches[path] = matches[:room]
        found.shown += len(found.matches[path])
        found.cut = found.cut or len(found.matches[path]) < count

    def result(self, found: _Found) -> Result:
        args = self.args
        if not args.include_ignored:
            self.notes.append("what .gitignore leaves out was not searched")
        if odd := self.skipped["name_not_utf8"]:
            self.notes.append(f"{plural(odd, 'file')} whose name or folder is not valid UTF-8 left out")
        if self.over and not self.context.remaining():
            self.notes.append("the time ran out before everything was searched")
        data = {
            "query": args.query,
            "search_type": args.search_type,
            "results": [{"path": path, "matches": matches} for path, matches in found.matches.items()],
            "total_files": found.files,
            "total_matches": found.lines,
            "truncated": found.cut or self.over,
            "files_scanned": found.scanned,
            "skipped": dict(+self.skipped),
        }
        return Result(True, data, "; ".join(self.notes) or None, self._text(found))

    def _text(self, found: _Found) -> str:
        notes = [note for note in self.notes if not note.startswith("what .gitignore")]
        head = ("; ".join(notes) + ".\n") if notes else ""
        if self.skipped["sensitive"]:
            head += f"({plural(self.skipped['sensitive'], 'file')} with secrets left out.)\n"
        if not found.matches:
            return (head[:1].upper() + head[1:]).strip() or "Nothing was found."
        names = [path for path, matches in found.matches.items() if matches[0]["line"] == 0]
        rows = [f"{plural(found.lines, 'match', 'matches')} in {plural(found.files, 'file')}"]
        rows[0] += f", the first {found.shown} of them:" if found.cut else ":"
        if names:
            rows.append(f"{plural(len(names), 'file')} by name:")
            rows += map(one_line, names)
        for path, matches in found.matches.items():
            if matches[0]["line"]:
                rows.append(f"in {one_line(path)}:")
                rows += [f"  line {match['line']}: {match['text'].strip()}" for match in matches]
        return cut_middle((head[:1].upper() + head[1:]) + "\n".join(rows), self.context.text_budget)
