"""What the user reads: progress, and one or two sentences when a step cannot go on."""

import errno
import re
import shutil
import sys
import tempfile
from pathlib import Path

SPACE_NEEDED = 30_000_000  # bytes; with less than this a failure without a reason is taken for a full disk

NO_SPACE = "There is no space left on the disk. Free some (about 500 MB are enough) and start it again."
NO_PERMISSION = (
    "This user may not write in the project's folder (.venv is made there). Copy the project to a folder of your own, "
    "or have its owner start it."
)

REASONS: tuple[tuple[str, str], ...] = (
    (
        r"DO NOT MATCH THE HASHES",
        "A downloaded package is not the one that was tested (its hash differs), so it was not installed. "
        "Try again; if it stays so, something between here and the package index changes the files.",
    ),
    (r"No space left|Errno 28|enough free space|not enough space on the disk|disk is full", NO_SPACE),
    (
        r"Could not get lock|Unable to (acquire|lock)",
        "Another program is installing system packages at the moment. Wait until it is done and start it again.",
    ),
    (
        r"not in the sudoers|is not allowed to|incorrect password|password is required|no new privileges|"
        r"effective uid is not 0|terminal is required|authentication failure",
        "sudo refused. Have an administrator run the command below, then start it again.",
    ),
    (
        r"CERTIFICATE_VERIFY_FAILED",
        "The certificate of the package server was not accepted; a proxy or a virus scanner may be in the way. "
        "Name its certificate in PIP_CERT, and start it again.",
    ),
    (
        r"Temporary failure in name resolution|Temporary failure resolving|Could not resolve|Name or service not known|"
        r"getaddrinfo failed|nodename nor servname|Network is unreachable|Connection refused|Could not connect|"
        r"Unable to connect|Cannot initiate the connection|Failed to establish a new connection|Max retries exceeded|"
        r"[Cc]onnection timed out|ConnectTimeout|Read timed out|Connection broken|Connection reset|Connection aborted|"
        r"ProxyError|SSLError|Failed to fetch",
        "The network cannot be reached, and packages have to be downloaded once. "
        "Check the connection (or the proxy) and start it again.",
    ),
    (r"Permission denied|Errno 13|Errno 1\]|Read-only file system|Errno 30|Access is denied|WinError 5", NO_PERMISSION),
)


class Stop(Exception):
    """Ends the bootstrap; its text is for the user and says what happened and what to do."""


def say(text: str) -> None:
    """One line of progress, on standard error: standard output belongs to the program that is started."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def reason(output: str, folder: Path) -> str:
    """The sentence for what a tool (pip, apt-get, venv) printed when it failed; its last line if no sentence fits."""
    for pattern, sentence in REASONS:
        if re.search(pattern, output):
            return sentence
    if is_full(folder) or is_full(Path(tempfile.gettempdir())):
        return NO_SPACE
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"(E|error|ERROR|Error|sudo)\b", line)]
    last = (errors or lines or ["(nothing)"])[-1]
    return f"It said: {last[:300]}"


def reason_of(error: OSError) -> str:
    """The sentence for an error of the file system, like `reason` for a tool."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return NO_SPACE
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return NO_PERMISSION
    return f"The system said: {error}"


def is_full(folder: Path) -> bool:
    """Whether the disk under `folder` has no room left; a folder that cannot be asked counts as having room."""
    try:
        return shutil.disk_usage(folder).free < SPACE_NEEDED
    except OSError:
        return False
