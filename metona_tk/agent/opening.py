"""Opens a file that was found, for the user, with the user's own program; what would run is shown in its folder."""

from __future__ import annotations

import os
import stat

from metona_tk.agent.conversation import Conversation
from metona_tk.protocol.problems import Code, ProblemCode, ProblemError
from metona_tk.security.paths import GateError, PathGate
from metona_tk.security.policy import Allow, Deny
from metona_tk.security.sandbox.launch import open_outside

# Opening one of these would start a program or change the system (kinds from PATHEXT, freedesktop and macOS).
_SCRIPTS = ".bat .cmd .command .csh .js .jse .ksh .ps1 .psm1 .py .pyw .rb .sh .tool .vb .vbe .vbs .wsf .wsh .zsh"
_PROGRAMS = ".action .app .appimage .application .com .cpl .exe .hta .jar .jnlp .msc .pif .run .scr .terminal .workflow"
_LINKS = ".desktop .inf .lnk .reg .scf .service .url .webloc"
_PACKAGES = ".deb .dmg .flatpakref .msi .msp .pkg .rpm"
_RUNS = frozenset(f"{_SCRIPTS} {_PROGRAMS} {_LINKS} {_PACKAGES}".split())


def would_run(path: str) -> bool:
    """Whether opening `path` may start it; a file that may be executed counts, whatever its name."""
    if os.path.splitext(path.rstrip(" ."))[1].lower() in _RUNS:
        return True
    mode = os.stat(path).st_mode
    return stat.S_ISREG(mode) and os.name == "posix" and bool(mode & 0o111)


def allow_for_chat(chat: Conversation, gate: PathGate, path: str) -> str:
    """Let a chat read one sensitive file; its absolute path. ProblemError(cannot_open) for what no user can allow."""
    try:
        target = gate.target(path)
    except GateError as error:
        raise ProblemError(ProblemCode.CANNOT_OPEN, path=path) from error
    closed = chat.read_rules(gate.home).decide(target)
    if target.kind != "file" or not isinstance(closed, Deny) or closed.code is not Code.SENSITIVE_FILE:
        raise ProblemError(ProblemCode.CANNOT_OPEN, path=path)
    chat.allow_file(target.resolved)
    return target.resolved


def open_for_user(chat: Conversation, gate: PathGate, path: str) -> None:
    """Open what a read would be allowed for without a question. ProblemError(cannot_open) for anything else."""
    try:
        target = gate.target(path)
        if not isinstance(chat.read_rules(gate.home).decide(target), Allow) or target.kind not in ("file", "directory"):
            raise ProblemError(ProblemCode.CANNOT_OPEN, path=path)
        reveal = target.kind == "file" and would_run(target.resolved)
        open_outside(target.resolved, reveal)
    except (GateError, OSError) as error:
        raise ProblemError(ProblemCode.CANNOT_OPEN, path=path) from error
