"""The composer's `/` commands: tools run by hand. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from metona_tk.i18n import N_, tr
from metona_tk.protocol.values import JsonObject

HELP = "help"


@dataclass(frozen=True, slots=True)
class Command:
    """One of them; `needs` = it does nothing without an argument."""

    word: str
    takes: str
    help: str
    tool: str = ""
    needs: bool = False


COMMANDS: tuple[Command, ...] = (
    Command("find", N_("name"), N_("files and folders whose name holds it"), "search_files", True),
    Command("grep", N_("text"), N_("lines that hold it"), "search_files", True),
    Command("read", N_("file or file:1-20"), N_("a text file, or some of its lines"), "read_file", True),
    Command("ls", N_("[folder]"), N_("what is in a folder"), "list_directory"),
    Command(HELP, "", N_("these commands")),
)
_WORD = re.compile(r"(\S*)\s*(.*)", re.DOTALL)
_LINES = re.compile(r"^(?P<path>.+):(?P<first>\d+)(?:[-–](?P<last>\d+))?$")


@dataclass(frozen=True, slots=True)
class ToolWish:
    """A tool and its arguments."""

    name: str
    arguments: JsonObject


class WrongUse(ValueError):
    """The command cannot be run as it was typed; the text says why, in the user's language."""


def is_command(text: str) -> bool:
    """Whether a line is meant as a command: a path like /home/a/b at its beginning is none."""
    return re.match(r"/\w*(\s|$)", text) is not None


def parse(text: str) -> ToolWish | None:
    """What to run; None for /help. WrongUse for an unknown command or a missing argument."""
    typed = _WORD.match(text.strip().removeprefix("/"))
    word, rest = typed.groups() if typed else ("", "")
    command = next((each for each in COMMANDS if each.word == word.lower()), None)
    if command is None:
        known = tr(", ").join(f"/{each.word}" for each in COMMANDS)
        raise WrongUse(tr("There is no command /{word}. There are: {known}", word=word, known=known))
    if command.needs and not rest:
        raise WrongUse(tr("Write it as: {usage}", usage=usage(command)))
    return ToolWish(command.tool, _arguments(command.word, rest)) if command.tool else None


def _arguments(word: str, rest: str) -> JsonObject:
    if word in ("find", "grep"):
        return {"path": ".", "query": rest, "search_type": "filename" if word == "find" else "content"}
    if word == "ls":
        return {"path": rest or "."}
    lines = _LINES.match(rest)
    if lines is None:
        return {"path": rest}
    first = int(lines["first"])
    return {"path": lines["path"], "start_line": first, "end_line": int(lines["last"] or first)}


def usage(command: Command) -> str:
    """How it is typed."""
    return f"/{command.word} {tr(command.takes)}".strip()


def matching(text: str) -> list[Command]:
    """The commands that what is typed so far may become; [] when it is no command or already has an argument."""
    if not re.fullmatch(r"/\w*", text):
        return []
    return [command for command in COMMANDS if command.word.startswith(text[1:].lower())]


def help_text() -> str:
    """All commands, a line each."""
    lines = [f"{usage(command)} – {tr(command.help)}" for command in COMMANDS]
    lines.append(tr("They run in the chat's folder; the model does not see what they find."))
    return "\n".join(lines)
