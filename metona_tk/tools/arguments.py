"""From what the model sent to checked arguments: exactly the repairs of SPEC 2.1, each said, nothing else guessed."""

from __future__ import annotations

from typing import Any, get_args

from pydantic import ValidationError

from metona_tk.protocol.problems import Code
from metona_tk.protocol.strict_json import RepeatedKey, loads
from metona_tk.tools.base import Tool, ToolArgs, ToolFailed

MAX_BYTES = 6 << 20
MAX_DEPTH = 64
ALIASES: dict[str, tuple[str, ...]] = {
    "path": ("file_path", "filename", "file", "directory", "dir", "folder"),
    "content": ("text",),
    "query": ("pattern",),
}


def _bad(tool: Tool, why: str) -> ToolFailed:
    return ToolFailed(Code.BAD_ARGUMENTS, f"{why} A right call looks like this: {right_call(tool)}")


def right_call(tool: Tool) -> str:
    """The shape of a call, with types where values go (example values would be taken for real files)."""
    fields = [
        f'"{name}": <{_type_name(field.annotation)}>'
        for name, field in tool.Args.model_fields.items()
        if field.is_required()
    ]
    return f"{tool.name}({{{', '.join(fields)}}})"


def _type_name(annotation: Any) -> str:
    kinds = [kind for kind in get_args(annotation) or (annotation,) if kind is not type(None)]
    return {str: "text", int: "number", bool: "true or false"}.get(kinds[0], "list") if kinds else "text"


def parse_arguments(tool: Tool, raw: Any) -> tuple[ToolArgs, dict[str, Any], tuple[str, ...]]:
    """Check `raw` (an object, a JSON string, or None); (arguments, as a plain dict, repairs made).

    Raises ToolFailed(bad_arguments) that names the field and shows a right call.
    """
    repairs: list[str] = []
    values = _as_object(tool, raw, repairs)
    _check_shape(tool, values)
    values = _rename(tool, values, repairs)
    for name, field in tool.Args.model_fields.items():
        if name in values:
            values[name] = _coerce(values[name], field.annotation, name, repairs)
            if values[name] is None and not field.is_required():
                del values[name]
                repairs.append(f"{name}: null left out")
    _check_shape(tool, values)  # what came as text has been read by now
    try:
        return tool.Args.model_validate(values), values, tuple(repairs)
    except ValidationError as error:
        raise _bad(tool, _explain(error)) from error


def _as_object(tool: Tool, raw: Any, repairs: list[str]) -> dict[str, Any]:
    if raw is None or raw == "":
        return {}
    if isinstance(raw, str):
        if _size(raw) > MAX_BYTES:
            raise _bad(tool, "The arguments are larger than 6 MiB.")
        try:
            raw = loads(raw)
        except ValueError as error:
            raise _bad(tool, f"The arguments are no valid JSON ({str(error).split(': line')[0][:80]}).") from error
        if raw is None:
            return {}
        repairs.append("arguments came as text")
    if not isinstance(raw, dict):
        raise _bad(tool, "The arguments must be one JSON object.")
    return raw  # pyright: ignore[reportUnknownVariableType]


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _check_shape(tool: Tool, values: dict[str, Any]) -> None:
    """Depth, repeated keys, NaN and size, without recursion."""
    todo: list[tuple[Any, int]] = [(values, 1)]
    size = 0
    while todo:
        value, depth = todo.pop()
        if depth > MAX_DEPTH and isinstance(value, (dict, list)):
            raise _bad(tool, f"The arguments are nested deeper than {MAX_DEPTH}.")
        if isinstance(value, RepeatedKey):
            raise _bad(tool, f"'{value.key[:60]}' is named twice.")
        if isinstance(value, float) and value - value != 0:  # NaN or infinite
            raise _bad(tool, "NaN and infinity are no values.")
        if isinstance(value, str):
            size += _size(value)
        elif isinstance(value, dict):
            size += sum(map(_size, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
            todo += [(part, depth + 1) for part in value.values()]  # pyright: ignore[reportUnknownVariableType]
        elif isinstance(value, list):
            todo += [(part, depth + 1) for part in value]  # pyright: ignore[reportUnknownVariableType]
        if size > MAX_BYTES:
            raise _bad(tool, "The arguments are larger than 6 MiB.")


def _rename(tool: Tool, values: dict[str, Any], repairs: list[str]) -> dict[str, Any]:
    renamed = dict(values)
    for name, aliases in ALIASES.items():
        if name not in tool.Args.model_fields or name in renamed:
            continue
        used = [alias for alias in aliases if alias in renamed and alias not in tool.Args.model_fields]
        if len(used) == 1:
            renamed[name] = renamed.pop(used[0])
            repairs.append(f"{used[0]} read as {name}")
    return renamed


def _coerce(value: Any, annotation: Any, name: str, repairs: list[str]) -> Any:
    """ "true" and "12" for a boolean or number, a JSON string for a list; declared text is never touched."""
    if not isinstance(value, str):
        return value
    kinds = {getattr(kind, "__origin__", kind) for kind in get_args(annotation) or (annotation,)}
    if str in kinds or not kinds & {bool, int, float, list, dict}:
        return value
    try:
        read = loads(value.strip().lower() if bool in kinds else value.strip())
    except ValueError:
        return value
    if read is not None and type(read) in kinds:
        repairs.append(f"{name}: text read as {type(read).__name__}")
        return read
    return value


def _explain(error: ValidationError) -> str:
    told: list[str] = []
    for item in error.errors()[:3]:
        name = ".".join(str(part) for part in item["loc"])[:60]
        if item["type"] == "missing":
            told.append(f"'{name}' is missing.")
        elif item["type"] == "extra_forbidden":
            told.append(f"'{name}' is not known.")
        else:
            told.append(f"'{name}' does not fit: {item['msg'][:120]}.")
    return " ".join(told)
