"""The sentence and the next step for each code, in the user's language."""

from __future__ import annotations

from typing import Any

from metona_tk.i18n import N_, tr
from metona_tk.protocol.changes import NotUndoable
from metona_tk.protocol.problems import Code, Problem, ProblemCode

Sentence = tuple[str, str]

TOOL_CODES: dict[Code, Sentence] = {
    Code.UNKNOWN_TOOL: (N_("There is no such tool."), N_("Ask again in other words.")),
    Code.BAD_ARGUMENTS: (N_("The model called the tool wrongly."), N_("It has been told what is expected.")),
    Code.DISABLED: (
        N_("This tool is switched off."),
        N_("Switch it on in the settings if you want it used."),
    ),
    Code.BAD_PATH: (N_("This is not a usable path."), N_("Use the plain path of a file or folder.")),
    Code.APP_PRIVATE: (N_("This is one of Metona's own files."), N_("The model never gets at these.")),
    Code.PROTECTED_PATH: (
        N_("This place is protected."),
        N_("The model never gets at it, whatever is allowed."),
    ),
    Code.OUTSIDE_ROOT: (
        N_("This lies outside the workspace."),
        N_("Pick another workspace if it should be used."),
    ),
    Code.IS_ROOT: (N_("This is the workspace itself."), N_("Name something inside it.")),
    Code.LINK_LOOP: (N_("These links lead in a circle."), N_("Repair the link, then ask again.")),
    Code.SENSITIVE_FILE: (
        N_("This file may hold passwords or keys."),
        N_("On the command line, --allow-file lets one such file through."),
    ),
    Code.DANGEROUS_COMMAND: (N_("This command is dangerous."), N_("Run it yourself if you are sure.")),
    Code.NOT_FOUND: (N_("This is not there."), N_("Check the name, or ask for a search.")),
    Code.IS_DIRECTORY: (N_("This is a folder, not a file."), N_("Name a file inside it.")),
    Code.NOT_A_DIRECTORY: (N_("This is a file, not a folder."), N_("Name the folder that it is in.")),
    Code.NOT_REGULAR: (N_("This is a device or pipe, not a file."), N_("Only ordinary files can be used.")),
    Code.NOT_EMPTY: (N_("The folder is not empty."), N_("Say that its contents should go too.")),
    Code.EXISTS: (N_("Something is there already."), N_("Choose another name.")),
    Code.PERMISSION_DENIED: (
        N_("The system does not let Metona at this."),
        N_("Check who owns it and who may read it."),
    ),
    Code.IN_USE: (N_("Another program is using this."), N_("Close it there, then try again.")),
    Code.FILE_TOO_LARGE: (N_("The file is too large to read whole."), N_("A range of lines can be read.")),
    Code.BINARY_FILE: (N_("This is no text file."), N_("Open it with the program that it belongs to.")),
    Code.UNKNOWN_ENCODING: (
        N_("The text's encoding is not certain."),
        N_("Say which encoding it has, for example GB18030."),
    ),
    Code.OUT_OF_RANGE: (N_("The file has no such lines."), N_("Ask for lines that it has.")),
    Code.NO_MATCH: (N_("The text to replace is not there."), N_("Read the file first.")),
    Code.SEVERAL_MATCHES: (
        N_("The text to replace is there more than once."),
        N_("Say which place is meant."),
    ),
    Code.NOT_READ: (N_("The file was not read before."), N_("Read it first.")),
    Code.CHANGED_SINCE_READ: (N_("The file changed since it was read."), N_("Read it again.")),
    Code.BAD_REGEX: (N_("This is no valid pattern."), N_("Search for the plain words instead.")),
    Code.CONTENT_TOO_LARGE: (N_("This is too much to write at once."), N_("Write it in parts.")),
    Code.MASKED_CONTENT: (N_("The text holds a hidden secret."), N_("Change this file yourself.")),
    Code.NOT_RECOVERABLE: (N_("This could not be brought back."), N_("Do it yourself if you are sure.")),
    Code.CHANGED_SINCE_APPROVAL: (N_("It changed while it was being looked at."), N_("Try again.")),
    Code.DENIED: (N_("You said no."), N_("Nothing was done.")),
    Code.NO_ANSWER: (
        N_("Nobody answered the question."),
        N_("Nothing was done; ask again when you are there."),
    ),
    Code.STOPPED: (N_("Stopped."), N_("Nothing more is done.")),
    Code.TIMEOUT: (N_("It took too long."), N_("Try a smaller part.")),
    Code.EXIT_NONZERO: (N_("The command reported a failure."), N_("Look at its output.")),
    Code.IO_ERROR: (N_("The disk or system reported an error."), N_("Check the disk, then try again.")),
    Code.SERVER_ERROR: (N_("The server reported an error."), N_("Try again.")),
}

PROBLEMS: dict[ProblemCode, Sentence] = {
    ProblemCode.NO_SERVER: (
        N_("No Ollama server answers at {address}."),
        N_("Start Ollama (or run “ollama serve”), or check the address in OLLAMA_HOST."),
    ),
    ProblemCode.NOT_OLLAMA: (
        N_("What answers at {address} is not an Ollama server."),
        N_("Check the address; a proxy or another program may be in the way."),
    ),
    ProblemCode.BAD_ADDRESS: (
        N_("“{address}” is not an address of a server."),
        N_("Write it like 127.0.0.1:11434 or http://name:11434."),
    ),
    ProblemCode.NO_MODELS: (
        N_("The server has no model yet."),
        N_("Get one with “ollama pull {example}”."),
    ),
    ProblemCode.MODEL_MISSING: (
        N_("The model “{model}” is not on this server."),
        N_("Get it with “ollama pull {model}”, or choose another."),
    ),
    ProblemCode.NO_TOOLS: (
        N_("The model “{model}” cannot use tools, so it cannot look at files."),
        N_("Choose a model with tools to ask about files."),
    ),
    ProblemCode.NO_THINKING: (N_("The model “{model}” cannot think aloud."), N_("It goes on without.")),
    ProblemCode.OUT_OF_MEMORY: (
        N_("There is not enough memory for this model."),
        N_("Close other programs, or choose a smaller model or a smaller context."),
    ),
    ProblemCode.CONTEXT_TOO_SMALL: (
        N_("This does not fit the model's context of {window} tokens."),
        N_("Choose a larger context in the settings, or ask for less at once."),
    ),
    ProblemCode.CONNECTION_LOST: (
        N_("The connection to the server broke in the middle of the answer."),
        N_("What came is kept. Retry goes on when the server is back."),
    ),
    ProblemCode.INCOMPLETE: (
        N_("The answer broke off before its end."),
        N_("What came is kept. Retry goes on from there."),
    ),
    ProblemCode.SILENT_TOO_LONG: (
        N_("The server sent nothing for {minutes} minutes."),
        N_("What came is kept. See whether the model still works, then retry."),
    ),
    ProblemCode.LINE_TOO_LONG: (
        N_("The server sent one line of more than {megabytes} MB."),
        N_("This is no sensible answer; what came before is kept. Check the server, then retry."),
    ),
    ProblemCode.BAD_ANSWER: (
        N_("The server's answer could not be understood."),
        N_("Check that the address is that of an Ollama server, then retry."),
    ),
    ProblemCode.MODEL_OUTPUT: (
        N_("The model wrote a tool call that the server could not read."),
        N_("Ask in smaller steps, or choose another model."),
    ),
    ProblemCode.EMPTY_ANSWER: (
        N_("The model returned nothing usable."),
        N_("Ask in other words, or choose another model."),
    ),
    ProblemCode.CUT_BY_LENGTH: (
        N_("The answer was cut because it reached the length limit."),
        N_("Ask for the rest, or for less at once."),
    ),
    ProblemCode.UNAUTHORIZED: (
        N_("The server wants you to sign in."),
        N_("Sign in with “ollama signin”, or choose a local model."),
    ),
    ProblemCode.FORBIDDEN: (
        N_("The server refuses this computer or address."),
        N_("Use 127.0.0.1 as the address, or allow this one in the server's settings."),
    ),
    ProblemCode.RATE_LIMITED: (
        N_("The server's limit of requests is reached."),
        N_("Wait a little, then retry."),
    ),
    ProblemCode.SERVER_BUSY: (N_("The server is busy."), N_("Wait a little, then retry.")),
    ProblemCode.SERVER_FAILED: (
        N_("The server could not do this."),
        N_("Look at the server's own words, then retry or choose another model."),
    ),
    ProblemCode.ROUND_LIMIT: (
        N_("The model used its tools {rounds} times in a row without coming to an answer."),
        N_("Ask for a smaller part, or say more exactly where to look."),
    ),
    ProblemCode.SAME_CALL: (
        N_("The model made the same call three times in a row ({tool}), so it was stopped."),
        N_("Ask in other words, or choose another model."),
    ),
    ProblemCode.SAME_ERROR: (
        N_("The tool {tool} failed three times in a row in the same way ({code}), so the model was stopped."),
        N_("Look at its last call, then ask in other words, or choose another model."),
    ),
    ProblemCode.DENIED_OFTEN: (
        N_("The model was refused {tool} {count} times in a row, so it was stopped."),
        N_("Tell it what it should do instead."),
    ),
    ProblemCode.WORKSPACE_GONE: (
        N_("The workspace folder {path} is not there any more."),
        N_("Bring it back, or pick another folder."),
    ),
    ProblemCode.WORKSPACE_UNUSABLE: (
        N_("{path} cannot be the workspace: it is no folder, cannot be read, or is protected."),
        N_("Pick another folder."),
    ),
    ProblemCode.NO_WORKSPACE: (N_("This chat has no workspace folder."), N_("Pick one, then try again.")),
    ProblemCode.TURN_RUNNING: (
        N_("The answer before is still being written."),
        N_("Wait for it, or stop it."),
    ),
    ProblemCode.CANNOT_OPEN: (
        N_("{path} cannot be opened from here."),
        N_("It may be gone, lie outside the folder, or have no program; open it in your file manager."),
    ),
    ProblemCode.NO_SUCH_TURN: (N_("This answer is not in the chat any more."), N_("Nothing was done.")),
    ProblemCode.NO_SUCH_QUESTION: (N_("This question is closed already."), N_("Nothing was done.")),
    ProblemCode.NO_SUCH_CHAT: (N_("This chat is not open."), N_("Begin a new one.")),
    ProblemCode.NOTHING_TO_RETRY: (N_("There is nothing to retry."), N_("Ask a question.")),
    ProblemCode.BAD_SETTING: (N_("The value for “{key}” does not fit."), N_("{expected}")),
    ProblemCode.SETTINGS_SET_ASIDE: (
        N_("The settings file was damaged; the defaults are used now."),
        N_("The old file was kept as {path}."),
    ),
    ProblemCode.SETTINGS_NOT_SAVED: (
        N_("The settings could not be saved to {path}."),
        N_("They hold until Metona is closed. Check the folder and the space on the disk."),
    ),
    ProblemCode.JOURNAL_SET_ASIDE: (
        N_("The record of changes was damaged and was set aside as {path}."),
        N_("A new one was begun. Older changes cannot be undone by Metona; their old bytes are still in {folder}."),
    ),
    ProblemCode.STORE_UNUSABLE: (
        N_("The folder for undo, {folder}, cannot be used: {reason}."),
        N_("No file is changed until it can. Make it writable, or free some space."),
    ),
    ProblemCode.INTERNAL: (
        N_("Something went wrong inside Metona."),
        N_("The details are in {path}. Nothing was lost; try again."),
    ),
}


# Why a change cannot be undone or redone.
NOT_UNDOABLE: dict[NotUndoable, Sentence] = {
    NotUndoable.UNKNOWN: (N_("There is no such change in the record."), N_("The command “log” lists them.")),
    NotUndoable.ALREADY: (N_("That has been done already."), N_("Nothing was changed.")),
    NotUndoable.EXPIRED: (
        N_("Its old bytes are no longer kept: they go after 30 days, or to make room."),
        N_("Look into the recycle bin or a backup."),
    ),
    NotUndoable.TOO_LARGE: (
        N_("It was too large for the undo store, and the recycle bin does not have it."),
        N_("Look into a backup."),
    ),
    NotUndoable.DAMAGED: (
        N_("What was stored for undo is damaged, so nothing was overwritten with it."),
        N_("Look into the recycle bin or a backup."),
    ),
    NotUndoable.BIN_EMPTIED: (N_("The recycle bin no longer has it."), N_("Look into a backup.")),
    NotUndoable.NOT_EMPTY: (N_("The folder is no longer empty."), N_("Move what is in it elsewhere first.")),
    NotUndoable.PLACE_GONE: (
        N_("The folder it belongs to is gone, or is a link now."),
        N_("Make the folder again and try once more."),
    ),
    NotUndoable.NO_ROOM: (
        N_("It could not be written: no space, or no permission."),
        N_("Free some space or make the folder writable, and try once more."),
    ),
    NotUndoable.BUSY: (N_("Another program is at it just now."), N_("Try once more in a moment.")),
}


class _Shown(dict[str, str]):
    """Details of a problem; one that is missing shows as a dash instead of raising while an error is told."""

    def __missing__(self, key: str) -> str:
        return "–"


def _fill(message: str, details: dict[str, str]) -> str:
    return tr(message).format_map(_Shown(details))


def _joined(what: str, step: str) -> str:
    return tr("{what} {step}", what=what, step=step)  # Chinese has no blank between sentences


def problem_parts(problem: Problem) -> Sentence:
    """What happened, and what to do next."""
    what, step = PROBLEMS[problem.code]
    return _fill(what, problem.details), _fill(step, problem.details)


def problem_text(problem: Problem) -> str:
    """What happened, what to do next, and the server's own words if there are any."""
    text = _joined(*problem_parts(problem))
    said = problem.details.get("server", "").strip()
    return text + "\n" + tr("The server said: {words}", words=said[:500]) if said else text


def tool_text(code: Code) -> str:
    """What a tool's failure means to the user, and the next step."""
    what, step = TOOL_CODES[code]
    return _joined(tr(what), tr(step))


def not_undoable_text(reason: NotUndoable) -> str:
    """Why undo or redo is not possible, and the next step."""
    what, step = NOT_UNDOABLE[reason]
    return _joined(tr(what), tr(step))


def as_json(problem: Problem) -> dict[str, Any]:
    """For `--json`: the code, its facts, and the sentence."""
    return {"code": problem.code, "details": dict(problem.details), "text": problem_text(problem)}
