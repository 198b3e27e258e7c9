"""Codes of what can go wrong. Their sentences, in the user's language, are in `i18n.problems`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Code(StrEnum):
    """Codes of tool results, in the order in which the first that applies wins (SPEC 1.0)."""

    UNKNOWN_TOOL = "unknown_tool"
    BAD_ARGUMENTS = "bad_arguments"
    DISABLED = "disabled"
    BAD_PATH = "bad_path"
    APP_PRIVATE = "app_private"
    PROTECTED_PATH = "protected_path"
    OUTSIDE_ROOT = "outside_root"
    IS_ROOT = "is_root"
    LINK_LOOP = "link_loop"
    SENSITIVE_FILE = "sensitive_file"
    DANGEROUS_COMMAND = "dangerous_command"
    NOT_FOUND = "not_found"
    IS_DIRECTORY = "is_directory"
    NOT_A_DIRECTORY = "not_a_directory"
    NOT_REGULAR = "not_regular"
    NOT_EMPTY = "not_empty"
    EXISTS = "exists"
    PERMISSION_DENIED = "permission_denied"
    IN_USE = "in_use"
    FILE_TOO_LARGE = "file_too_large"
    BINARY_FILE = "binary_file"
    UNKNOWN_ENCODING = "unknown_encoding"
    OUT_OF_RANGE = "out_of_range"
    NO_MATCH = "no_match"
    SEVERAL_MATCHES = "several_matches"
    NOT_READ = "not_read"
    CHANGED_SINCE_READ = "changed_since_read"
    BAD_REGEX = "bad_regex"
    CONTENT_TOO_LARGE = "content_too_large"
    MASKED_CONTENT = "masked_content"
    NOT_RECOVERABLE = "not_recoverable"
    CHANGED_SINCE_APPROVAL = "changed_since_approval"
    DENIED = "denied"
    NO_ANSWER = "no_answer"
    STOPPED = "stopped"
    TIMEOUT = "timeout"
    EXIT_NONZERO = "exit_nonzero"
    IO_ERROR = "io_error"
    SERVER_ERROR = "server_error"


class ProblemCode(StrEnum):
    """Codes of problems told to the user: of the server, of a turn, of a command to the core."""

    NO_SERVER = "no_server"
    NOT_OLLAMA = "not_ollama"
    BAD_ADDRESS = "bad_address"
    NO_MODELS = "no_models"
    MODEL_MISSING = "model_missing"
    NO_TOOLS = "no_tools"
    NO_THINKING = "no_thinking"
    OUT_OF_MEMORY = "out_of_memory"
    CONTEXT_TOO_SMALL = "context_too_small"
    CONNECTION_LOST = "connection_lost"
    INCOMPLETE = "incomplete"
    SILENT_TOO_LONG = "silent_too_long"
    LINE_TOO_LONG = "line_too_long"
    BAD_ANSWER = "bad_answer"
    MODEL_OUTPUT = "model_output"
    EMPTY_ANSWER = "empty_answer"
    CUT_BY_LENGTH = "cut_by_length"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    RATE_LIMITED = "rate_limited"
    SERVER_BUSY = "server_busy"
    SERVER_FAILED = "server_failed"
    ROUND_LIMIT = "round_limit"
    SAME_CALL = "same_call"
    SAME_ERROR = "same_error"
    DENIED_OFTEN = "denied_often"
    WORKSPACE_GONE = "workspace_gone"
    WORKSPACE_UNUSABLE = "workspace_unusable"
    NO_WORKSPACE = "no_workspace"
    TURN_RUNNING = "turn_running"
    CANNOT_OPEN = "cannot_open"
    NO_SUCH_TURN = "no_such_turn"
    NO_SUCH_QUESTION = "no_such_question"
    NO_SUCH_CHAT = "no_such_chat"
    NOTHING_TO_RETRY = "nothing_to_retry"
    BAD_SETTING = "bad_setting"
    SETTINGS_SET_ASIDE = "settings_set_aside"
    SETTINGS_NOT_SAVED = "settings_not_saved"
    JOURNAL_SET_ASIDE = "journal_set_aside"
    STORE_UNUSABLE = "store_unusable"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class Problem:
    """What went wrong: a code and the facts that its sentence needs (`details["model"]`, `details["address"]` ...).

    `details["server"]` holds the server's own words where it sent some; they are shown behind our sentence.
    """

    code: ProblemCode
    details: dict[str, str] = field(default_factory=dict[str, str])


class ProblemError(Exception):
    """Carries a Problem through the core; always caught and told to the user, never a traceback."""

    def __init__(self, code: ProblemCode, **details: str) -> None:
        super().__init__(f"{code}: {details}")
        self.problem = Problem(code, details)
