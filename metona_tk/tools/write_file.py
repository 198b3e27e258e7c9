"""write_file: a new file, or new contents for one that this chat has read or made."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated

from pydantic import Field

from metona_tk.i18n import N_
from metona_tk.protocol.changes import Change, ChangeKind, Flag
from metona_tk.protocol.problems import Code
from metona_tk.protocol.values import Effects, Result
from metona_tk.tools.base import ToolArgs, ToolFailed, one_line, plural, size_text
from metona_tk.tools.changing import (
    ChangingTool,
    Done,
    Plan,
    PlanContext,
    Seen,
    Step,
    Text,
)
from metona_tk.tools.decoding import SAMPLE, canonical, detect, is_common_codec, is_text_codec
from metona_tk.tools.texts import FileText, commonest_end, encoded, file_text, limited, line_ends, with_line_ends

_LONGEST_OLD = 20 << 20  # bytes of the old contents that are looked at, for encoding, line ends and the difference


class WriteFile(ChangingTool):
    """Create or replace a text file."""

    name = "write_file"
    title = N_("Write {path}")
    description = (
        "Create a new text file, or replace the whole contents of a file that you have read before. To change a part "
        "of a file use edit_file, to add to its end use append_file."
    )

    class Args(ToolArgs):
        path: Annotated[str, Field(description="The file, relative to the workspace folder.")]
        content: Annotated[str, Field(description="The whole text of the file.")]
        encoding: Annotated[
            str | None, Field(description="Only when another than the file's own (a new file's: utf-8) is wanted.")
        ] = None

    def check(self, args: Args) -> None:
        codec = (args.encoding or "").lower()
        if codec not in {"", "base64"} and not is_text_codec(codec):
            raise ToolFailed(Code.BAD_ARGUMENTS, f"There is no encoding {codec[:40]!r}. Call again without encoding.")
        if codec not in {"", "base64"} and not is_common_codec(codec):
            raise ToolFailed(Code.BAD_ARGUMENTS, f"Nothing is written in {codec[:40]!r}. Call again without encoding.")

    def effects(self, args: Args) -> Effects:
        return Effects(writes=(args.path,))

    def edited(self, args: Args, text: str) -> Args:
        return args.model_copy(update={"content": text})

    def plan(self, args: Args, context: PlanContext) -> Plan:
        state = context.state(args.path)
        name = one_line(context.shown(context.resolved(args.path)))
        if state.kind == "directory":
            raise ToolFailed(Code.IS_DIRECTORY, f"{name} is a folder. Give the path of a file in it.")
        if state.kind == "none":
            return self._create(args, context)
        if state.kind != "file":
            raise ToolFailed(Code.NOT_REGULAR, f"{name} is no ordinary file and cannot be written.")
        self._check_seen(args, name, context)
        return self._overwrite(args, name, context)

    def _check_seen(self, args: Args, name: str, context: PlanContext) -> None:
        seen = context.seen(args.path)
        if seen is Seen.CHANGED:
            raise ToolFailed(
                Code.CHANGED_SINCE_READ,
                f"{name} was changed by somebody else after you read it, and nothing was written. Call "
                f'read_file(path="{name}") again first.',
            )
        if seen is Seen.PART and not context.by_person:
            raise ToolFailed(
                Code.NOT_READ,
                f"You have read only a part of {name}, so it was not overwritten: the rest would be lost. To change a "
                f'part call edit_file(path="{name}", old_text=..., new_text=...). To replace all of it read the rest '
                "with read_file first.",
            )
        if seen is Seen.UNREAD and not context.by_person:
            raise ToolFailed(
                Code.NOT_READ,
                f"{name} is there already and you have not read it, so it was not overwritten. To add to its end call "
                f'append_file(path="{name}", content=...). To change a part call edit_file(path="{name}", '
                f'old_text=..., new_text=...). To replace all of it call read_file(path="{name}") first.',
            )

    def _create(self, args: Args, context: PlanContext) -> Plan:
        codec = (args.encoding or "utf-8").lower()
        new = _new_bytes(args, context) if codec == "base64" else None
        text = context.unmask(args.path, args.content) if new is None else ""
        content = _limited(encoded(text, codec) if new is None else new)
        path = context.resolved(args.path)
        shown, flags = (Text(text, canonical(codec)), ()) if new is None else _as_text(new)
        changes = (*context.parents(args.path), Change(ChangeKind.CREATE, path, content=content))
        step = Step("create", args.path, path, "file", changes, new=shown, flags=flags)
        return Plan((step,), _editable(args), facts={"bytes": len(content), "created": True})

    def _overwrite(self, args: Args, name: str, context: PlanContext) -> Plan:
        loaded = context.load(args.path, _LONGEST_OLD)
        old = self._old_text(loaded.content, args, name, context)
        content, new, odd = self._contents(args, old, context)
        facts = {"bytes": len(content), "created": False}
        if loaded.content == content:
            return Plan((), note="the file had just these contents already", facts=facts)
        path = context.resolved(args.path)
        change = Change(ChangeKind.WRITE, path, loaded.state, _limited(content))
        shown = Text(old.text, old.encoding) if old else None
        flags: tuple[Flag, ...] = (*(() if old else ("binary_before",)), *odd)
        step = Step("overwrite", args.path, path, "file", (change,), loaded.state, shown, new, flags=flags)
        return Plan((step,), _editable(args), facts=facts)

    def _contents(self, args: Args, old: FileText | None, context: PlanContext) -> tuple[bytes, Text, tuple[Flag, ...]]:
        """The new bytes, in the old file's encoding and line ends where the call names no other."""
        encoding = (args.encoding or "").lower()
        if encoding == "base64":
            content = _new_bytes(args, context)
            return content, *_as_text(content)
        text = context.unmask(args.path, args.content)
        if old is not None and line_ends(old.text) not in {"", "mixed"}:
            text = with_line_ends(text, commonest_end(old.text))
        if old is None or (encoding and canonical(encoding) != old.encoding):
            return encoded(text, encoding or "utf-8"), Text(text, canonical(encoding or "utf-8")), ()
        return old.mark + old.encode(text), Text(text, old.encoding or "utf-8"), ()

    def _old_text(self, raw: bytes | None, args: Args, name: str, context: PlanContext) -> FileText | None:
        """What is there now, as text; None where it is none and the call says itself how to write."""
        if raw is None:
            return None
        try:
            return file_text(raw, name, context.known_encoding(args.path), context.preferred_encoding, False)
        except ToolFailed as error:
            if error.code is Code.UNKNOWN_ENCODING and not args.encoding:
                raise
            return None

    def report(self, args: Args, plan: Plan, done: Done, context: PlanContext) -> Result:
        path, count = context.resolved(args.path), plan.facts["bytes"]
        name = one_line(context.shown(path))
        context.note_read(args.path)  # it knows what it wrote
        lines = args.content.count("\n") + (not args.content.endswith("\n") and args.content != "")
        made = "Created" if plan.facts["created"] else "Replaced the contents of"
        text = f"{made} {name}: {plural(lines, 'line')}, {size_text(count)}."
        data = {"path": path, "bytesWritten": count, "created": plan.facts["created"]}
        return Result(True, data, plan.note or None, text if plan.steps else f"{name} had just these contents already.")


def _editable(args: WriteFile.Args) -> str | None:
    """What a person may change before allowing it: text, no base64."""
    return args.content if (args.encoding or "").lower() != "base64" else None


def _new_bytes(args: WriteFile.Args, context: PlanContext) -> bytes:
    """What base64 stands for, with the placeholders in it put back."""
    text = _from_base64(args.content).decode("utf-8", "surrogateescape")
    return context.unmask(args.path, text).encode("utf-8", "surrogateescape")


def _as_text(content: bytes) -> tuple[Text, tuple[Flag, ...]]:
    """New bytes as the confirmation shows them: what is written, not what was sent."""
    found = detect(content[:SAMPLE], len(content) <= SAMPLE)
    try:
        if found.encoding and not found.broken:
            return Text(content.decode(found.encoding), found.encoding), ()
    except UnicodeError:
        pass
    return Text("", "base64"), ("binary_after",)


def _from_base64(text: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ToolFailed(
            Code.BAD_ARGUMENTS, f"The content is no base64 ({error}). Send text without encoding."
        ) from error


def _limited(content: bytes) -> bytes:
    return limited(content, "written", "Write less, or write the first part and add the others with append_file.")
