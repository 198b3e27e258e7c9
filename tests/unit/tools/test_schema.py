"""What the model is sent of each tool, frozen, and made only of what survives on the way (OLLAMA.md)."""

from __future__ import annotations

import json
from typing import Any

import pytest

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
    }
    assert {tool.name: list(tool.Args.model_fields) for tool in TOOLS} == wanted


def test_a_name_that_is_taken_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="read_file"):
        Registry([*TOOLS, TOOLS[1]])


def test_effects_name_every_path_that_is_read() -> None:
    arguments: dict[str, dict[str, Any]] = {
        "read_file": {"path": "a"},
        "list_directory": {"path": "b"},
        "search_files": {"path": "c", "query": "x"},
    }
    for tool in TOOLS:
        effects = tool.effects(tool.Args.model_validate(arguments[tool.name]))
        assert effects.reads == (arguments[tool.name]["path"],)
        assert not (effects.writes or effects.deletes or effects.runs or effects.network)
