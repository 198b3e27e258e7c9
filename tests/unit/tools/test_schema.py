"""What the model is sent of each tool, frozen, and made only of what survives on the way (OLLAMA.md)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metona_tk.protocol.values import Effects
from metona_tk.tools.base import Tool
from metona_tk.tools.registry import Registry, built_in
from metona_tk.tools.schema import tool_schema
from tests.snapshots import check_snapshot

TOOLS = built_in()


def test_the_schemas_are_frozen() -> None:
    text = json.dumps([tool_schema(tool) for tool in TOOLS], ensure_ascii=False, indent=2) + "\n"
    check_snapshot("tool_schemas.json", text)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_only_what_survives_is_sent(tool: Tool) -> None:
    function = tool_schema(tool)["function"]
    assert set(function) == {"name", "description", "parameters"}
    parameters = function["parameters"]
    assert set(parameters) == {"type", "required", "properties"}
    assert set(parameters["required"]) <= set(parameters["properties"])
    for part in parameters["properties"].values():
        assert set(part) <= {"type", "description", "enum", "items"}
        assert isinstance(part["type"], str)
        assert part["description"]


def test_names_parameters_and_results_are_the_contract() -> None:
    wanted = {
        "read_file": ["path", "encoding", "start_line", "end_line"],
        "list_directory": ["path", "recursive", "max_depth", "include_hidden", "filter_extension"],
        "search_files": [
            "path",
            "query",
            "search_type",
            "case_sensitive",
            "max_results",
            "file_extensions",
            "regex",
            "include_hidden",
            "include_ignored",
        ],
        "write_file": ["path", "content", "encoding"],
        "append_file": ["path", "content"],
        "edit_file": ["path", "old_text", "new_text", "replace_all"],
        "create_directory": ["path"],
        "move_path": ["source", "destination", "overwrite"],
        "copy_path": ["source", "destination", "overwrite"],
        "delete_file": ["path", "recursive"],
    }
    assert {tool.name: list(tool.Args.model_fields) for tool in TOOLS} == wanted


def test_a_name_that_is_taken_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="copy_path"):
        Registry([*TOOLS, TOOLS[1]])


def test_effects_name_every_path_that_is_touched() -> None:
    both = {"source": "a", "destination": "b"}
    wanted: dict[str, tuple[dict[str, Any], Effects]] = {
        "read_file": ({"path": "a"}, Effects(reads=("a",), returns_contents=True)),
        "list_directory": ({"path": "b"}, Effects(reads=("b",))),
        "search_files": ({"path": "c", "query": "x"}, Effects(reads=("c",), returns_contents=True)),
        "write_file": ({"path": "a", "content": ""}, Effects(writes=("a",))),
        "append_file": ({"path": "a", "content": "x"}, Effects(writes=("a",))),
        "edit_file": ({"path": "a", "old_text": "x", "new_text": "y"}, Effects(writes=("a",))),
        "create_directory": ({"path": "a"}, Effects(writes=("a",))),
        "move_path": (both, Effects(moves=("a",), writes=("b",), patterns=("a",))),
        "copy_path": (both, Effects(reads=("a",), writes=("b",), patterns=("a",))),
        "delete_file": ({"path": "a"}, Effects(deletes=("a",), patterns=("a",))),
    }
    assert {tool.name: tool.effects(tool.Args.model_validate(wanted[tool.name][0])) for tool in TOOLS} == {
        name: effects for name, (_, effects) in wanted.items()
    }
