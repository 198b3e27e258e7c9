"""The words of the command line and where each leads."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable

from metona_tk import __version__
from metona_tk.cli import changes, terminal
from metona_tk.cli.core import Allowed, Core
from metona_tk.i18n import tr

WRONG_USE, STOPPED = 2, 5


class WrongUse(Exception):
    """A call that cannot be carried out as it was written; its sentence goes to standard error, exit code 2."""


def _with_server(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="", metavar="URL", help=tr("the server, instead of OLLAMA_HOST"))


def _with_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--folder", metavar="F", help=tr("the workspace folder; without it the last one used"))
    parser.add_argument(
        "--allow-file",
        action="append",
        default=[],
        metavar="F",
        help=tr("let one file be read whose name says that it may hold secrets"),
    )
    parser.add_argument(
        "--mode",
        choices=("all", "write-only", "none"),
        default="",
        help=tr(
            "ask before every change; before what changes, moves or deletes what was there (default); or only before"
            " deletions and what may be dangerous"
        ),
    )
    parser.add_argument(
        "--yes",
        action="store_true",
        help=tr("do not ask about changes; deletions, and what may be dangerous, are asked about"),
    )
    parser.add_argument("--yes-delete", action="store_true", help=tr("as --yes, and do not ask about deletions"))


def build_parser() -> argparse.ArgumentParser:
    """All commands, their options and help."""
    parser = argparse.ArgumentParser(
        prog="metona-tk", description=tr("Ask a model on your own machine about your own files.")
    )
    parser.add_argument("--version", action="version", version=f"Metona TK {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="ask | tools | undo | redo | log | doctor | models")
    _add_ask(commands.add_parser("ask", help=tr("ask one question about the files of a folder")))
    _add_tools(commands.add_parser("tools", help=tr("list the tools, or run one by hand")))
    changes.add_undo(commands.add_parser("undo", help=tr("take back what a tool changed")), redo=False)
    changes.add_undo(commands.add_parser("redo", help=tr("do again what was undone")), redo=True)
    changes.add_log(commands.add_parser("log", help=tr("list what the tools did")))
    doctor = commands.add_parser("doctor", help=tr("check that everything is in place"))
    doctor.add_argument("--json", action="store_true", help=tr("as JSON"))
    _with_server(doctor)
    models = commands.add_parser("models", help=tr("list the models of the server"))
    models.add_argument("--json", action="store_true", help=tr("as JSON"))
    _with_server(models)
    return parser


def _add_ask(parser: argparse.ArgumentParser) -> None:
    words = tr("the question; - reads it from standard input; with --window it may be left out")
    parser.add_argument("question", nargs="?", help=words)
    _with_folder(parser)
    parser.add_argument("--model", default="", metavar="M", help=tr("the model; without it the last one used"))
    _with_server(parser)
    parser.add_argument("--json", action="store_true", help=tr("everything that happens, one JSON object a line"))
    parser.add_argument("--window", action="store_true", help=tr("ask in a small window instead"))


def _add_tools(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="list | schema | run")
    kinds.add_parser("list", help=tr("name every tool"))
    kinds.add_parser("schema", help=tr("what the model is sent, as JSON"))
    run = kinds.add_parser("run", help=tr("run one tool and print its result as JSON"))
    run.add_argument("name", help=tr("the tool"))
    run.add_argument("arguments", help=tr("its arguments as a JSON object; - reads them from standard input"))
    _with_folder(run)


def find_folder(core: Core, options: argparse.Namespace) -> str:
    """The workspace of this run, absolute; WrongUse with the sentence when there is none."""
    if options.folder is not None:
        folder = os.path.abspath(os.path.expanduser(options.folder))
        if not options.folder or not os.path.isdir(folder):
            raise WrongUse(tr("There is no folder {folder}.", folder=options.folder))
    else:
        folder = core.settings["workspace"]
        if not folder:
            raise WrongUse(tr("No workspace folder has been used yet: name one with --folder."))
        if not os.path.isdir(folder):
            raise WrongUse(tr("The last workspace {folder} is gone: name one with --folder.", folder=folder))
    if not core.usable_workspace(folder):
        raise WrongUse(tr("{folder} cannot be the workspace: it is protected or not readable.", folder=folder))
    return folder


def find_allowed(options: argparse.Namespace, folder: str) -> Allowed:
    """What the options allow. Files of --allow-file are as seen from here, else from the workspace; WrongUse for a
    missing one.
    """
    found: list[str] = []
    for name in options.allow_file:
        places = [os.path.abspath(os.path.expanduser(name)), os.path.join(folder, name)]
        there = next((path for path in places if os.path.isfile(path)), None)
        if there is None:
            raise WrongUse(tr("There is no file {name} to allow.", name=name))
        found.append(os.path.realpath(there))
    return Allowed(tuple(found), options.mode, options.yes or options.yes_delete, options.yes_delete)


def _or_input(argument: str) -> str:
    return argument if argument != "-" else sys.stdin.buffer.read(8 << 20).decode("utf-8", "replace")


def read_text(argument: str) -> str:
    """An argument, or standard input for "-"; WrongUse when there is nothing in it."""
    text = _or_input(argument)
    if not text.strip():
        raise WrongUse(tr("The question is empty."))
    return text


def _ask(core: Core, options: argparse.Namespace) -> int:
    from metona_tk.cli.ask import ask

    if options.question is None and not options.window:
        raise WrongUse(tr("There is no question: write it behind “ask”."))
    question = read_text(options.question).strip() if options.question is not None else ""
    folder = find_folder(core, options)
    allowed = find_allowed(options, folder)
    if options.window:
        return core.open_window(folder, options.model, question, options.host)
    return ask(core, options, question, folder, allowed)


def _tools(core: Core, options: argparse.Namespace) -> int:
    from metona_tk.cli import tools

    if options.kind == "list":
        return tools.list_tools(core)
    if options.kind == "schema":
        return tools.show_schema(core)
    folder = find_folder(core, options)
    arguments = _or_input(options.arguments)
    return tools.run_tool(core, options.name, arguments, folder, find_allowed(options, folder))


def _doctor(core: Core, options: argparse.Namespace) -> int:
    from metona_tk.cli.doctor import doctor

    return doctor(core, options.host, options.json)


def _models(core: Core, options: argparse.Namespace) -> int:
    from metona_tk.cli.models import models

    return models(core, options.host, options.json)


def _undo(core: Core, options: argparse.Namespace) -> int:
    return changes.undo(core, options, redo=False)


def _redo(core: Core, options: argparse.Namespace) -> int:
    return changes.undo(core, options, redo=True)


_COMMANDS: dict[str, Callable[[Core, argparse.Namespace], int]] = {
    "ask": _ask,
    "tools": _tools,
    "undo": _undo,
    "redo": _redo,
    "log": changes.show_log,
    "doctor": _doctor,
    "models": _models,
}


def run(core: Core, argv: list[str]) -> int:
    """Run a command line; the exit code."""
    terminal.use_utf8()
    parser = build_parser()
    options = parser.parse_args(argv)
    if options.command is None:
        parser.print_help(sys.stderr)
        return WRONG_USE
    try:
        return _COMMANDS[options.command](core, options)
    except KeyboardInterrupt:
        return STOPPED
    except WrongUse as error:
        terminal.err(terminal.safe(str(error)))
        return WRONG_USE
    except BrokenPipeError:
        # the reader of our output has gone; point it elsewhere so that the interpreter's own flush is quiet
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
